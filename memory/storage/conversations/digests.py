"""Which live messages a digest has claimed, read, and may clear."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from uuid import UUID, uuid4

from memory.model.digests import ClaimedChunk, DigestRow, LiveCount, LiveRow
from memory.model.messages import Message, MessageId
from memory.model.rooms import SpaceId
from memory.model.stores import Collection
from memory.ports import Clock
from memory.storage.conversations.messages import message_of
from memory.storage.search.outbox import announce
from memory.storage.sqlite.database import Database, TimedTable, Transaction
from memory.storage.sqlite.rows import json_list, maybe_moment, millis, queries, row_as

_SQL = queries("conversations/digests")

MOST_CLAIMED = 2_000
"""Messages of one digest: claiming and clearing 10,000 stopped the event loop for 40 ms."""

StoreFacts = Callable[[Transaction, frozenset[MessageId]], Awaitable[int]]

Split = Callable[[Sequence[LiveRow]], Sequence[Sequence[LiveRow]]]


class Digests(TimedTable):
    """The digests tables. Each step is one transaction, so a crash repeats at most one step.

    `most` is how many messages one digest claims.
    """

    def __init__(self, database: Database, clock: Clock, *, most: int = MOST_CLAIMED) -> None:
        self.most = most
        super().__init__(database, clock)

    async def unfinished(self) -> DigestRow | None:
        """The digest that was begun and is not finished, or None."""
        return await self._database.one_as(DigestRow, _SQL["unfinished"])

    async def slot_done(self, slot: str) -> bool:
        """Whether the digest of this slot was finished already."""
        return await self._database.one(_SQL["slot_done"], {"slot": slot}) is not None

    async def last_finished(self) -> datetime | None:
        """When a digest was last finished."""
        row = await self._database.one(_SQL["last_finished"])
        return None if row is None else maybe_moment(row["finished_at"])

    async def oldest_live(self) -> datetime | None:
        """When the oldest live message came in; None when nothing is live."""
        row = await self._database.one(_SQL["oldest_live"])
        return None if row is None else maybe_moment(row["received_at"])

    async def last_done(self) -> DigestRow | None:
        """The digest that was finished last."""
        return await self._database.one_as(DigestRow, _SQL["last_done"])

    async def live(self, space: SpaceId | None = None) -> LiveCount:
        """How many messages are live, in one space or in all."""
        query = _SQL["waiting"] if space is None else _SQL["waiting_in"]
        row = await self._database.one(query, {"space": space})
        return LiveCount(row["waiting"], row["quarantined"] or 0) if row else LiveCount(0, 0)

    async def latest(self) -> MessageId:
        """The live message that came in last; 0 when nothing is live."""
        row = await self._database.one(_SQL["latest"])
        return MessageId(row["latest"] if row else 0)

    async def claim(self, slot: str | None, split: Split, latest: MessageId) -> DigestRow | None:
        """Claim unclaimed live messages up to `latest` in chunks, at most `most` of them.

        None when there is nothing to claim.
        """
        now, digest = self._clock.now(), uuid4()

        async def work(transaction: Transaction) -> DigestRow | None:
            unclaimed = {"latest": latest, "limit": self.most}
            found = await transaction.all(_SQL["unclaimed"], unclaimed)
            rows = [row_as(LiveRow, row) for row in found]
            if not rows:
                return None
            values = {
                "id": str(digest),
                "slot": slot,
                "now": millis(now),
                "messages": len(rows),
            }
            await transaction.run(_SQL["start"], values)
            for position, chunk in enumerate(split(rows)):
                await _claim(transaction, digest, position, chunk)
            return DigestRow(
                id=digest, started_at=now, finished_at=None, messages=len(rows), facts=0
            )

        return await self._database.write(work)

    async def open_chunks(self, digest: UUID) -> list[ClaimedChunk]:
        """The chunks that are still to be read, in order."""
        return await self._database.all_as(
            ClaimedChunk, _SQL["open_chunks"], {"digest": str(digest)}
        )

    async def lines(self, chunk: ClaimedChunk) -> list[Message]:
        """The messages of a chunk as they are now (edited, or gone when withdrawn)."""
        values = {"digest": str(chunk.digest), "position": chunk.position}
        return [message_of(row) for row in await self._database.all(_SQL["lines"], values)]

    async def before(self, chunk: ClaimedChunk, first: MessageId, limit: int) -> list[Message]:
        """What was said in the room just before a message, oldest first."""
        values = {
            "room": chunk.room,
            "audience": chunk.audience,
            "first": first,
            "limit": limit,
        }
        return [message_of(row) for row in await self._database.all(_SQL["before"], values)]

    async def store(self, chunk: ClaimedChunk, store_facts: StoreFacts) -> None:
        """Store the facts of a chunk and mark it read, in one transaction.

        `store_facts` is called with the messages that are still the chunk's (others were edited or
        withdrawn since) and returns how many facts it stored.
        """

        async def work(transaction: Transaction) -> None:
            values = {"digest": str(chunk.digest), "position": chunk.position}
            if not await transaction.run(_SQL["stored"], values):
                return
            rows = await transaction.all(_SQL["still_claimed"], values)
            facts = await store_facts(transaction, frozenset(row["message_id"] for row in rows))
            await transaction.run(
                _SQL["count_facts"], {"digest": str(chunk.digest), "facts": facts}
            )

        await self._database.write(work)

    async def failed(self, chunk: ClaimedChunk, error: str, limit: int) -> bool:
        """Count a failure of a chunk; returns whether the chunk is quarantined now."""

        async def work(transaction: Transaction) -> bool:
            values = {
                "digest": str(chunk.digest),
                "position": chunk.position,
                "error": error,
                "limit": limit,
            }
            row = await transaction.one(_SQL["failed"], values)
            return row is not None and row["state"] == "quarantined"

        return await self._database.write(work)

    async def finish(self, digest: UUID) -> DigestRow:
        """Clear the messages that were read, quarantine the others, and close the digest."""

        async def work(transaction: Transaction) -> DigestRow:
            values = {"digest": str(digest), "now": millis(self._clock.now())}
            rows = await transaction.all(_SQL["digested"], values)
            ids = [row["message_id"] for row in rows]
            await transaction.run(_SQL["clear"], {"ids": json_list(ids)})
            await announce(
                transaction, Collection.LIVE, [UUID(int=id_) for id_ in ids], changed=True
            )
            await transaction.run(_SQL["quarantine"], values)
            return row_as(DigestRow, (await transaction.all(_SQL["finish"], values))[0])

        return await self._database.write(work)

    async def release(self) -> int:
        """Let quarantined messages be claimed again; returns how many there were."""
        return await self._database.run(_SQL["release"])


async def _claim(
    transaction: Transaction, digest: UUID, position: int, chunk: Sequence[LiveRow]
) -> None:
    values = {"digest": str(digest), "position": position}
    ids = json_list(row.id for row in chunk)
    told = {"room": chunk[0].room, "audience": chunk[0].audience, "lines": ids}
    await transaction.run(_SQL["add_chunk"], {**values, **told})
    await transaction.run(_SQL["claim"], {**values, "ids": ids})

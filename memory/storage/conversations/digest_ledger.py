"""What digests did: which lines each has read, and what was learnt from every line."""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from memory.model.audience import Scope
from memory.model.digests import DigestRow
from memory.model.messages import MessageId
from memory.model.rooms import RoomId
from memory.model.shown import Shown
from memory.model.statements import MemoryId, RowState
from memory.storage.sqlite.database import TimedTable
from memory.storage.sqlite.readers import Snapshot
from memory.storage.sqlite.rows import (
    Row,
    audiences,
    json_list,
    maybe_moment,
    millis,
    moment,
    queries,
    row_as,
)

_SQL = queries("conversations/digest_ledger")

_BEYOND = (1 << 62, "")
"""Later than every digest: a list that goes back in time begins before it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DigestListing(DigestRow):
    """A digest with the numbers of its chunks: all, those `read`, and those `quarantined`."""

    chunks: Shown[int]
    read: Shown[int]
    quarantined: Shown[int]

    @property
    def position(self) -> tuple[int, str]:
        """The argument `before` of `latest` for the page after this digest."""
        return millis(self.started_at), str(self.id)


@dataclass(frozen=True, slots=True, kw_only=True)
class LearntMemory:
    """A memory that rests on a line; `content` is "" unless its `state` is `known`."""

    id: Shown[MemoryId]
    content: Shown[str]
    state: Shown[RowState]


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerLine:
    """A line with the memories that it `became`, or `why_not`; withdrawn lines have no words."""

    message: Shown[MessageId]
    author: Shown[str | None]
    text: Shown[str | None]
    at: Shown[datetime | None]
    became: Shown[tuple[LearntMemory, ...]]
    why_not: Shown[str | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerChunk:
    """A stretch of one room; `state` is `claimed`, then `stored` or `quarantined`.

    `error` says why it was quarantined, `where` is the name of the room.
    """

    position: Shown[int]
    room: Shown[RoomId]
    where: Shown[str] = ""
    state: Shown[str]
    attempts: Shown[int]
    error: Shown[str | None]
    lines: Shown[tuple[LedgerLine, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveLine:
    """A line that was overheard; `state` is `waiting`, `claimed` by a digest, or `quarantined`."""

    message: Shown[MessageId]
    room: Shown[RoomId]
    where: Shown[str] = ""
    author: Shown[str]
    text: Shown[str]
    at: Shown[datetime]
    state: Shown[str]


class DigestLedger(TimedTable):
    """Reads what digests did. Methods that return words take the scope of the reader."""

    async def latest(
        self, limit: int, before: tuple[int, str] | None = None
    ) -> list[DigestListing]:
        """The latest `limit` digests before a position, newest first."""
        at, id_ = before or _BEYOND
        values = {"before_at": at, "before_id": id_, "limit": limit}

        def work(snapshot: Snapshot) -> list[DigestListing]:
            return _listed(snapshot, [row["id"] for row in snapshot.all(_SQL["latest"], values)])

        return await self._database.read(work)

    async def one(self, digest: UUID) -> DigestListing | None:
        """One digest, or None."""
        found = await self._database.read(lambda snapshot: _listed(snapshot, [str(digest)]))
        return found[0] if found else None

    async def under_way(self) -> DigestListing | None:
        """The digest that is not finished yet, or None."""
        row = await self._database.one(_SQL["open_digest"])
        return None if row is None else await self.one(UUID(row["id"]))

    async def last_took(self) -> tuple[datetime, float] | None:
        """When the last digest was finished, and how many seconds it took."""
        row = await self._database.one(_SQL["last_took"])
        return None if row is None else (moment(row["finished_at"]), row["took_ms"] / 1000)

    async def chunks(
        self, digest: UUID, scope: Scope, limit: int, start: int = 0
    ) -> list[LedgerChunk]:
        """The chunks of a digest from position `start` on, with what became of each line."""
        values = {
            "digest": str(digest),
            "from": start,
            "limit": limit,
            "audiences": audiences(scope),
            "now": millis(self._clock.now()),
        }
        return await self._database.read(lambda snapshot: _chunks(snapshot, values))

    async def learnt_from(self, message: MessageId, scope: Scope) -> tuple[LearntMemory, ...]:
        """The memories that rest on one message, the oldest first."""
        values = {"ids": json_list([message]), "audiences": audiences(scope)}
        rows = await self._database.all(
            _SQL["became"], {**values, "now": millis(self._clock.now())}
        )
        return _became(rows).get(message, ())

    async def live(self, scope: Scope, limit: int, after: int = 0) -> list[LiveLine]:
        """The live lines after a message, oldest first."""
        values = {"after": after, "limit": limit, "audiences": audiences(scope)}
        rows = await self._database.all(_SQL["live"], values)
        return [row_as(LiveLine, row, where="", state=_live_state(row)) for row in rows]


def _listed(snapshot: Snapshot, digests: Sequence[str]) -> list[DigestListing]:
    """The digests with these ids, in this order."""
    rows = snapshot.all(_SQL["listed"], {"ids": json_list(digests)})
    return [row_as(DigestListing, row, read=row["chunks"] - row["unread"]) for row in rows]


def _chunks(snapshot: Snapshot, values: Mapping[str, Any]) -> list[LedgerChunk]:
    rows = snapshot.all(_SQL["chunks"], values)
    ids = [one for row in rows for one in json.loads(row["lines"])]
    named = {**values, "ids": json_list(ids)}
    said = {row["id"]: row for row in snapshot.all(_SQL["lines"], named)}
    became = _became(snapshot.all(_SQL["became"], named))
    return [
        row_as(
            LedgerChunk,
            row,
            where="",
            lines=tuple(
                _line(said[one], became.get(one, ()), row["state"])
                for one in json.loads(row["lines"])
            ),
        )
        for row in rows
    ]


def _became(rows: Iterable[Row]) -> Mapping[int, tuple[LearntMemory, ...]]:
    found: dict[int, list[LearntMemory]] = defaultdict(list)
    for row in rows:
        found[row["message_id"]].append(row_as(LearntMemory, row))
    return {message: tuple(memories) for message, memories in found.items()}


def _line(row: Row, became: tuple[LearntMemory, ...], state: str) -> LedgerLine:
    """A line of a chunk whose state is `state`."""
    is_there = row["deleted_at"] is None and bool(row["text"])
    why_not = {"stored": "nothing", "quarantined": "quarantined"}.get(state, "unread")
    return LedgerLine(
        message=MessageId(row["id"]),
        author=row["author"] if is_there else None,
        text=row["text"] if is_there else None,
        at=maybe_moment(row["sent_at"]),
        became=became,
        why_not=None if became else why_not if is_there else "gone",
    )


def _live_state(row: Row) -> str:
    return "claimed" if row["claimed"] else "quarantined" if row["quarantined"] else "waiting"

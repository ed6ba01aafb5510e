"""Deeds for siblings: queued with what they go with, kept until each sibling has done them."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from memory.model.people import PersonId
from memory.storage.sqlite.database import Rows, TimedTable, Transaction
from memory.storage.sqlite.rows import json_list, millis, queries, row_as

_SQL = queries("elsewhere/deeds")

KEPT_FOR = timedelta(days=400)
"""How long a deed that was done is known. A sibling away for longer may send it again; then it is
done again, which changes nothing but for what was said since."""

MOST_AT_ONCE = 50
"""Deeds of a sibling that are read at a time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueuedDeed:
    """A deed that a sibling has not done yet; `body` is its JSON."""

    deed: str
    body: str


class SiblingDeeds(TimedTable):
    """The tables sibling_deeds, of what is to be sent, and sibling_deeds_done."""

    async def waiting(self, sibling: str, none: Callable[[], None]) -> list[QueuedDeed]:
        """The first deeds that a sibling has not done yet, oldest first.

        Where there are none, `none` is called while nothing can be queued.
        """
        values = {"sibling": sibling, "most": MOST_AT_ONCE}

        async def work(transaction: Transaction) -> list[QueuedDeed]:
            rows = await transaction.all(_SQL["waiting"], values)
            if not rows:
                none()
            return [row_as(QueuedDeed, row) for row in rows]

        return await self._database.write(work)

    async def hand_over(self, named: Collection[str]) -> int:
        """Have what waits for a sibling that is not named wait for all that are; how much that is.

        Deeds are for every process and done once: who has done one only says so.
        """
        values = {"named": json_list(named)}

        async def work(transaction: Transaction) -> int:
            await transaction.run(_SQL["hand_over"], values)
            return await transaction.run(_SQL["drop_unnamed"], values)

        return await self._database.write(work)

    async def sent(self, sibling: str, deed: str) -> None:
        """Let go of a deed that a sibling has done."""
        await self._database.run(_SQL["sent"], {"sibling": sibling, "deed": deed})

    async def left(self, deed: str) -> frozenset[str]:
        """The siblings that have not done a deed yet."""
        rows = await self._database.all(_SQL["left"], {"deed": deed})
        return frozenset(row["sibling"] for row in rows)

    async def count(self) -> int:
        """How many deeds wait for siblings, each once for each of them."""
        (row,) = await self._database.all(_SQL["count"])
        return int(row["deeds"])

    async def is_done(self, deed: str) -> bool:
        """Whether a deed was done here."""
        return await self._database.one(_SQL["is_done"], {"deed": deed}) is not None

    async def done(self, deed: str, links: Collection[str], asked_at: datetime) -> None:
        """Say that a deed is done here; see `keep_done`."""
        now = self._clock.now()
        await self._database.write(
            lambda transaction: keep_done(transaction, deed, now, links, asked_at)
        )

    async def linked_since(self, accounts: Collection[str], at: datetime) -> frozenset[str]:
        """Those of these accounts that were asked to be joined or split off after a moment."""
        values = {"accounts": json_list(accounts), "at": millis(at)}
        rows = await self._database.all(_SQL["linked_since"], values)
        return frozenset(row["account"] for row in rows)

    async def forgettings_of(self, deed: str) -> list[int]:
        """The numbers of the forgettings that a deed was here, the latest first."""
        rows = await self._database.all(_SQL["forgettings_of"], {"deed": deed})
        return [row["forgetting"] for row in rows]

    async def deed_of(self, forgetting: int) -> str | None:
        """The deed that a forgetting here was for siblings too; None where it was this one's."""
        row = await self._database.one(_SQL["deed_of"], {"forgetting": forgetting})
        return None if row is None else str(row["deed"])


async def accounts_of(rows: Rows, person: PersonId, platform: str) -> list[tuple[str, str]]:
    """The accounts of a person on a platform, `platform:id`, each with its name there."""
    found = await rows.all(_SQL["accounts"], {"person": person, "platform": platform})
    return [(row["account"], row["name"]) for row in found]


async def queue_deed(
    transaction: Transaction, siblings: Collection[str], deed: str, body: str, now: datetime
) -> None:
    """Store a deed for each sibling, in the transaction that does it here."""
    rows = [
        {"sibling": one, "deed": deed, "body": body, "now": millis(now)} for one in sorted(siblings)
    ]
    await transaction.many(_SQL["queue"], rows)


async def keep_done(
    transaction: Transaction,
    deed: str,
    now: datetime,
    links: Collection[str],
    asked_at: datetime,
) -> None:
    """Store that a deed is done here, in the transaction that does it.

    `links` are the accounts that it joins or splits off: one that was asked for before, elsewhere,
    changes nothing of theirs when it comes.
    """
    await transaction.run(_SQL["drop_old"], {"before": millis(now - KEPT_FOR)})
    await transaction.run(_SQL["done"], {"deed": deed, "now": millis(now)})
    linked = [{"account": one, "at": millis(asked_at)} for one in links]
    await transaction.many(_SQL["keep_linked"], linked)


async def keep_forgetting(transaction: Transaction, deed: str, forgetting: int) -> None:
    """Store that a deed was this forgetting here, among others, in the transaction that forgets."""
    await transaction.run(_SQL["keep_forgetting"], {"deed": deed, "forgetting": forgetting})

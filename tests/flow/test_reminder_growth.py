"""No query about reminders costs more when there are twenty times as many of other people's."""

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

from memory.clock import FrozenClock
from memory.model.audience import scope_of
from memory.model.authority import Actor
from memory.storage.sqlite.database import Transaction
from memory.storage.sqlite.rows import queries
from tests.cast import DAVID, LEA, direct, room_of
from tests.linked import person_behind
from tests.query_steps import Cost, Counted, counts, forget_counts
from tests.reminding import asked, reminders_on
from tests.storage import StorageParts, open_truth

MONDAY = datetime(2026, 11, 23, 14, tzinfo=UTC)
FEW, MANY = 500, 10_000
SLACK = 100
"""Steps that a query may take besides, in all its executions."""


def test_every_query_about_reminders_stays_as_cheap_as_it_was(tmp_path: Path) -> None:
    """Setting one, listing, waiting for the next, telling it, cancelling."""
    folders = [tmp_path / str(size) for size in (FEW, MANY)]
    for folder in folders:
        folder.mkdir()
    small, large = (asyncio.run(driven(folder, int(folder.name))) for folder in folders)
    names = {f"reminders.{name}" for name in queries("conversations/reminders")}
    assert names - small.keys() - {"reminders.said_at"} == set()
    for name in names & large.keys():
        assert large[name].steps <= 1.5 * small[name].steps + SLACK, name


async def driven(folder: Path, size: int) -> Mapping[str, Cost]:
    """What each query costs beside so many reminders of others, half of them told already."""
    clock = FrozenClock(MONDAY)
    async with open_truth(folder, clock=clock, kind=Counted) as storage:
        await _others(storage, size)
        forget_counts()
        first, second = await asked(storage), await asked(storage, "dormir")
        me = await person_behind(storage, DAVID)
        await reminders_on(storage).listed(me, scope_of(room_of(direct(DAVID)), me), alone=True)
        await reminders_on(storage).cancel(first.id, Actor(person=me))
        assert await storage.reminders.next_due(()) is not None
        clock.advance(timedelta(hours=1))
        (due,) = await storage.reminders.due(())
        assert due.reminder.id == second.id
        await storage.reminders.hand_over(due, "Rappel", "Eko", timedelta(minutes=15))
        return counts()


async def _others(storage: StorageParts, size: int) -> None:
    """Reminders of another person, far ahead or told long ago."""
    await asked(storage, "lire", LEA, when="dans 2 ans")

    async def work(transaction: Transaction) -> None:
        await transaction.run(
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :size)"
            " INSERT INTO reminders (key, person_id, account, room_id, audience, text, due_at,"
            " zone, locale, state, created_at)"
            " SELECT 'k' || i, person_id, account, room_id, audience,"
            " iif(i % 2, 'lire ' || i, ''), due_at + iif(i % 2, i, -70000000000), zone, locale,"
            " iif(i % 2, 'open', 'delivered'), created_at FROM reminders, n WHERE id = 1",
            {"size": size},
        )

    await storage.database.write(work)

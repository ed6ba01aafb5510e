"""A clock that is wrong for a day ends no undo, and makes no later words the older ones."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from bot.wiring.app import App, open_app
from config.sections.conversation import CoalescingSettings
from config.sections.recall import RecallSettings
from config.settings import Settings
from memory.clock import SystemClock
from memory.model.audience import OPERATOR
from memory.model.stores import Store
from memory.rules.forgetting.receipt import NothingToUndo
from memory.rules.forgetting.selector import Selector
from memory.storage.sqlite.timeline import AS_THEY_ARE
from tests.cast import NOON
from tests.flow import test_canary_forgetting as canary
from tests.forgotten import RUNNER
from tests.storage import statement

YEAR = timedelta(days=365)
DAY = timedelta(days=1)
HOUR = timedelta(hours=1)

PATIENT_MS = 30_000
"""For a search: a busy machine must not change what is found."""


class Machine:
    """A machine whose clock may be set, and whose seconds go on whatever it says."""

    def __init__(self) -> None:
        self.wall = NOON
        self.steady = 0.0

    def clock(self) -> SystemClock:
        """What a process that starts now goes by."""
        return SystemClock(wall=lambda: self.wall, steady=lambda: self.steady)

    def passes(self, time: timedelta) -> None:
        """Let time pass."""
        self.wall += time
        self.steady += time.total_seconds()

    def is_set(self, by: timedelta) -> None:
        """Turn the clock alone."""
        self.wall += by


@asynccontextmanager
async def living(folder: Path, machine: Machine) -> AsyncIterator[App]:
    """The pet on a machine."""
    settings = Settings(
        data_dir=folder,
        locale="fr",
        coalescing=CoalescingSettings(debounce_s=0, max_wait_s=0),
        recall=RecallSettings(embed_timeout_ms=PATIENT_MS),
    )
    async with open_app(settings, machine.clock()) as app:
        yield app


async def looks(app: App, machine: Machine) -> None:
    """A minute passes, and the pet looks at the clock."""
    machine.passes(timedelta(minutes=1))
    await app.services.clock_watch.look()


async def sweeps(app: App) -> None:
    """What is done each hour."""
    await app.storage.memories.sweep()
    await app.services.purging.run()


async def told(app: App) -> str:
    """What the doctor says of the clock."""
    (finding,) = [one for one in await app.doctor.diagnose() if one.part == "clock"]
    return finding.said


async def recalled(app: App, words: str) -> list[str]:
    """What is found by words."""
    found = await app.services.recall.search(words, [Store.MEMORY], OPERATOR, 5)
    return [one.content for one in found]


@pytest.mark.parametrize("restarts", [False, True])
async def test_a_year_ahead_for_a_day_does_not_end_undo(tmp_path: Path, *, restarts: bool) -> None:
    """Whether it jumped while the pet ran or was off, and after it was set right again too."""
    machine = Machine()
    async with living(tmp_path, machine) as app:
        await app.services.writer.store(statement("Le code du garage est 2846"))
        receipt = await app.services.forgetting.at_once(Selector(topic="garage"), RUNNER)
        await looks(app, machine)
        if not restarts:
            machine.is_set(YEAR)
            await looks(app, machine)
            await sweeps(app)
            assert await told(app) == "clock_jumped"
    if restarts:
        machine.is_set(YEAR)
        async with living(tmp_path, machine) as app:
            await sweeps(app)
    async with living(tmp_path, machine) as app:
        machine.passes(20 * HOUR)
        await looks(app, machine)
        machine.is_set(-YEAR)
        await looks(app, machine)
        await sweeps(app)
        await app.services.forgetting.undo(RUNNER, receipt.id)
        assert "Le code du garage est 2846" in await recalled(app, "code du garage")
    assert machine.clock().now() < NOON + DAY


async def test_a_day_of_its_life_ends_undo_wherever_the_clock_was(tmp_path: Path) -> None:
    """What was forgotten under a clock that was ahead is purged a day later, not a year."""
    machine = Machine()
    async with living(tmp_path, machine) as app:
        await looks(app, machine)
        machine.is_set(YEAR)
        await looks(app, machine)
        await app.services.writer.store(statement("Le code du garage est 2846"))
        receipt = await app.services.forgetting.at_once(Selector(topic="garage"), RUNNER)
        machine.passes(HOUR)
        machine.is_set(-YEAR)
        await looks(app, machine)
        machine.passes(DAY)
        await looks(app, machine)
        await sweeps(app)
        with pytest.raises(NothingToUndo):
            await app.services.forgetting.undo(RUNNER, receipt.id)
        assert await app.services.writer.store(statement("Le code du garage est 2846"))
        assert "Le code du garage est 2846" in await recalled(app, "code du garage")


async def test_what_is_said_tomorrow_is_later_than_what_was_said_yesterday(tmp_path: Path) -> None:
    """Lea moves twice, once under a clock that is a year ahead: she lives where she said last."""
    machine = Machine()
    async with living(tmp_path, machine) as app:
        await canary.says(app, "Lea", "J'habite à Paris.")
        await looks(app, machine)
        machine.is_set(YEAR)
        await looks(app, machine)
        await canary.says(app, "Lea", "J'habite à Lyon.")
        await app.services.conversation_facts.read_due()
        machine.passes(12 * HOUR)
        machine.is_set(-YEAR)
        await looks(app, machine)
        assert await told(app) == "clock"
        machine.passes(12 * HOUR)
        await canary.says(app, "Lea", "J'habite à Nice.")
        rows = await app.storage.forgettings._database.all(
            "SELECT text, sent_at FROM messages WHERE author_kind = 'person' ORDER BY sent_at"
        )
        assert [row["text"] for row in rows] == [
            "J'habite à Paris.",
            "J'habite à Lyon.",
            "J'habite à Nice.",
        ]
        assert not await later_than(app, machine.wall)


async def later_than(app: App, now: datetime) -> list[str]:
    """Columns that hold a moment later than now."""
    database = app.storage.forgettings._database
    found = []
    for column in await database.all(_MOMENTS):
        if (column["tbl"], column["col"]) in AS_THEY_ARE:
            continue
        sql = f'SELECT count(*) AS n FROM "{column["tbl"]}" WHERE "{column["col"]}" > :now'  # noqa: S608 - the schema's names
        (row,) = await database.all(sql, {"now": int(now.timestamp() * 1000) + 1})
        if row["n"]:
            found.append(f"{column['tbl']}.{column['col']}")
    return found


_MOMENTS = """
    SELECT t.name AS tbl, c.name AS col FROM pragma_table_list AS t
    JOIN pragma_table_info(t.name) AS c
    WHERE t.schema = 'main' AND t.type = 'table' AND c.type = 'INTEGER'
        AND (c.name LIKE '%_at' OR c.name IN ('at', 'since', 'until', 'valid_from'))
"""


async def test_what_expired_by_a_wrong_clock_only_is_recalled_again(tmp_path: Path) -> None:
    """And what was learnt under it lasts as long as it should, from when it really was."""
    machine = Machine()
    async with living(tmp_path, machine) as app:
        await app.services.writer.store(statement("Le salon est repeint", ttl=30 * DAY))
        await looks(app, machine)
        machine.is_set(YEAR)
        await looks(app, machine)
        await sweeps(app)
        assert "Le salon est repeint" not in await recalled(app, "salon repeint")
        await app.services.writer.store(statement("Le vélo est prêté", ttl=7 * DAY))
        machine.passes(HOUR)
        machine.is_set(-YEAR)
        await looks(app, machine)
        assert "Le salon est repeint" in await recalled(app, "salon repeint")
        machine.passes(8 * DAY)
        await looks(app, machine)
        assert "Le vélo est prêté" not in await recalled(app, "vélo prêté")


async def test_a_clock_before_all_that_was_seen_is_not_believed(tmp_path: Path) -> None:
    """A battery ran out: the time goes on from what was seen, until the machine has caught up."""
    machine = Machine()
    async with living(tmp_path, machine) as app:
        await looks(app, machine)
    seen = machine.wall
    machine.is_set(-10 * YEAR)
    async with living(tmp_path, machine) as app:
        assert await told(app) == "clock_behind"
        assert app.clock.now() >= seen
        await app.services.writer.store(statement("Le vélo est prêté"))
        machine.is_set(10 * YEAR)
        await looks(app, machine)
        assert await told(app) == "clock"
        assert abs(app.clock.now() - machine.wall) < HOUR
        assert not await later_than(app, machine.wall)


async def test_the_operator_may_trust_the_machine(tmp_path: Path) -> None:
    """Where the very first start was under a wrong clock, nothing else can tell."""
    machine = Machine()
    machine.is_set(YEAR)
    async with living(tmp_path, machine) as app:
        await app.services.writer.store(statement("Le vélo est prêté"))
        machine.is_set(-YEAR)
        await looks(app, machine)
        assert await told(app) == "clock_behind"
        await canary.does(app, "verify", trust_clock=True)
        assert await told(app) == "clock"
        assert not await later_than(app, machine.wall)


async def test_a_clock_that_is_set_back_by_an_hour_is_followed_at_once(tmp_path: Path) -> None:
    """Sessions go on, and nothing is dated later than now."""
    machine = Machine()
    async with living(tmp_path, machine) as app:
        await canary.says(app, "Lea", "J'habite à Paris.")
        machine.is_set(-HOUR)
        await looks(app, machine)
        assert await told(app) == "clock"
        assert not await later_than(app, machine.wall)
        await canary.says(app, "Lea", "Et toi ?")
        row = await app.storage.forgettings._database.one("SELECT count(*) AS n FROM sessions")
        assert row is not None
        assert row["n"] == 1

"""What moving and letting go of a community costs, in steps, as it and what is beside it grow."""

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

from memory.clock import FrozenClock
from memory.model.authority import BY_OPERATOR
from memory.model.rooms import SpaceId
from memory.model.space_entries import TombstoneEntry
from memory.storage.sqlite.database import Database, open_database
from memory.storage.transfer.imports import Imports
from memory.storage.transfer.leaving import LeavingSpaces
from tests.query_steps import Cost, Counted, counts, forget_counts

NOW = datetime(2026, 11, 20, tzinfo=UTC)
SPACE = SpaceId("discord:900")
TIMES = 8
"""How many times larger the large one is; what is linear may be a half more than that."""

ONE_BY_ONE = TIMES * 1.5


@asynccontextmanager
async def _empty(path: Path) -> AsyncIterator[Database]:
    async with open_database(path, Counted) as database:
        yield database


def _outgrown(small: Mapping[str, Cost], large: Mapping[str, Cost]) -> list[str]:
    """The queries that cost more than so many times as much, and not only a little."""
    return [
        f"{name}: {small[name].steps} became {cost.steps}"
        for name, cost in large.items()
        if name in small and cost.steps > ONE_BY_ONE * small[name].steps + 10_000
    ]


def _stones(count: int) -> list[TombstoneEntry]:
    """Marks of as many messages, half of one forgetting and half of forty."""
    return [
        TombstoneEntry(
            forgetting=f"0123456789abcdef:{1 if number % 2 else number % 80 + 2}",
            kind="message",
            audience=f"space:{SPACE}",
            content=number,
            stems=(number, number + 1),
            telling=(number,),
            forgotten_at=NOW,
        )
        for number in range(count)
    ]


async def _taken_in_twice(path: Path, count: int) -> Mapping[str, Cost]:
    stones = _stones(count)
    async with _empty(path) as database:
        imports = Imports(database)
        forget_counts()
        for known in (False, True):
            for start in range(0, count, 100):
                batch = stones[start : start + 100]
                assert await imports.known(batch) == [known] * len(batch)
                if not known:
                    await imports.add(batch)
        costs = counts()
        (row,) = await database.all(
            "SELECT (SELECT count(*) FROM tombstones) AS stones, count(*) AS done FROM forgettings"
        )
        assert (row["stones"], row["done"]) == (count, 41)
        return costs


async def test_marks_are_known_again_one_by_one(tmp_path: Path) -> None:
    """However many a forgetting and a community have of them."""
    small = await _taken_in_twice(tmp_path / "small.db", 400)
    large = await _taken_in_twice(tmp_path / "large.db", 400 * TIMES)
    assert "imports.known_tombstone" in large
    assert _outgrown(small, large) == []


_SAID = """
INSERT INTO turns (id, session_id, room_id, person_id, state, channel, speaker, text, recalled,
    reply, expression, search_text, visibility, audience, carries, asked_at, at)
SELECT printf('00000000-0000-0000-0000-%012d', value), 's', 'discord:9001', 'p', 'delivered', 'x',
    'P', 'a', '[]', 'b', '', '', 'space',
    iif(value % 2, 'space:discord:900', 'space:discord:1'), '[]', 1, 1
FROM json_each(:numbers);
INSERT INTO memories (id, store, content, search_text, memory_type, importance, source, author_id,
    person_id, room_id, space, visibility, audience, created_at, updated_at, valid_from)
SELECT printf('00000000-0000-0000-0001-%012d', value), 'memory', 'a', '', 'fact', 0.5, 'chat', 'p',
    'p', 'discord:9001', 'discord:900', 'space',
    iif(value % 2, 'space:discord:900', 'space:discord:1'), 1, 1, 1
FROM json_each(:numbers);
INSERT INTO messages (platform, external_id, room_id, person_id, author_kind, author, text,
    search_text, audience, spaces, handling, sent_at, received_at)
SELECT 'discord', value, 'discord:9001', 'p', 'person', 'P', 'a', '',
    iif(value % 2, 'space:discord:900', 'space:discord:1'), '[]', 'kept', 1, 1
FROM json_each(:numbers)
"""

_MET = """
INSERT INTO people (id, name, created_at) VALUES ('p', 'P', 1);
INSERT INTO rooms (id, platform, external_id, name, kind, role, space, created_at)
VALUES ('discord:9001', 'discord', '9001', 'r', 'group', 'lobby', 'discord:900', 1);
INSERT INTO sessions (id, person_id, room_id, started_at, last_at)
VALUES ('s', 'p', 'discord:9001', 1, 1)
"""


async def _let_go(path: Path, count: int) -> tuple[Mapping[str, Cost], Mapping[str, Cost]]:
    """What letting go of a half of it cost, and its end alone."""
    async with _empty(path) as database:
        values = {"numbers": json.dumps([*range(1, count + 1)])}
        for sql in (*_MET.split(";"), *_SAID.split(";")):
            await database.run(sql, values if ":numbers" in sql else {})
        leaving = LeavingSpaces(database, FrozenClock(NOW))
        forget_counts()
        async for _ in leaving.let_go(SPACE):
            pass
        steps = counts()
        forget_counts()
        assert await leaving.finish(SPACE, BY_OPERATOR)
        (row,) = await database.all(
            "SELECT (SELECT count(*) FROM turns) AS turns,"
            " (SELECT count(*) FROM memories) AS statements, count(*) AS messages FROM messages"
        )
        assert set(row) == {count // 2}
        return steps, counts()


async def test_letting_go_costs_what_is_there_once(tmp_path: Path) -> None:
    """Nothing is walked again for each batch that goes."""
    small, _ = await _let_go(tmp_path / "small.db", 1_000)
    large, _ = await _let_go(tmp_path / "large.db", 1_000 * TIMES)
    assert "leaving.turns" in large
    assert _outgrown(small, large) == []

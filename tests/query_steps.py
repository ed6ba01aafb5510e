"""What each named query costs in steps of SQLite's virtual machine, which are alike everywhere."""

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any, ClassVar, NamedTuple

import memory.storage
from memory.storage.sqlite.rows import queries

EVERY = 10
"""Steps between two looks: each look is a call into Python. SQLite carries the rest of a statement
over to its next execution, so that many short ones are counted as well as one long one."""

UNNAMED = ("BEGIN", "COMMIT", "ROLLBACK", "PRAGMA")
"""How statements begin that stand in no file. What full text writes at a commit is counted by none:
it comes in bursts, whenever segments are merged."""


class Cost(NamedTuple):
    """The steps that all executions of a query took together, and how many there were."""

    steps: int
    times: int


class Counted(sqlite3.Connection):
    """A connection that counts the steps of its statements, those of their triggers with them.

    The rows of a statement are to be read before the next one is executed, as the adapters do.
    """

    steps: ClassVar[Counter[str]] = Counter()
    times: ClassVar[Counter[str]] = Counter()
    counting: ClassVar[Lock] = Lock()
    """The readers and the writer have a thread each, and count into the same figures."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._running = ""
        self.set_progress_handler(self._step, EVERY)

    def execute(self, sql: str, parameters: Any = ()) -> sqlite3.Cursor:
        """The same, counted."""
        self._begin(sql, 1)
        return super().execute(sql, parameters)

    def executemany(self, sql: str, parameters: Iterable[Any], /) -> sqlite3.Cursor:
        """The same, counted once for each of the parameters."""
        each = list(parameters)
        self._begin(sql, len(each))
        return super().executemany(sql, each)

    def _begin(self, sql: str, times: int) -> None:
        self._running = sql
        with self.counting:
            self.times[sql] += times

    def _step(self) -> int:
        with self.counting:
            self.steps[self._running] += EVERY
        return 0


def forget_counts() -> None:
    """Begin to count anew."""
    with Counted.counting:
        Counted.steps.clear()
        Counted.times.clear()


def counts() -> Mapping[str, Cost]:
    """What each query that was executed has cost, by `file.name`.

    A statement that stands in no file goes by its own words.
    """
    with Counted.counting:
        return {
            named(sql): Cost(Counted.steps[sql], times)
            for sql, times in Counted.times.items()
            if not sql.startswith(UNNAMED)
        }


def together(*each: Mapping[str, Cost]) -> Mapping[str, Cost]:
    """What was counted at several times as one."""
    found: defaultdict[str, list[Cost]] = defaultdict(list)
    for costs in each:
        for name, cost in costs.items():
            found[name].append(cost)
    return {
        name: Cost(sum(one.steps for one in costs), sum(one.times for one in costs))
        for name, costs in found.items()
    }


def named(sql: str) -> str:
    """The name of a statement, or its own words when it stands in no file.

    One that stands in several has all of its names: `outbox.get_meta=tombstones.key`.
    """
    return _names().get(sql, sql)


@cache
def _names() -> Mapping[str, str]:
    found: dict[str, list[str]] = {}
    room = Path(memory.storage.__file__).parent
    for file in room.rglob("*.sql"):
        if file.parent.name != "migrations":
            for name, sql in queries(str(file.relative_to(room).with_suffix(""))).items():
                found.setdefault(sql, []).append(f"{file.stem}.{name}")
    return {sql: "=".join(sorted(names)) for sql, names in found.items()}

"""What the statements of recalls cost by themselves: replayed one by one on a plain connection."""

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from time import thread_time
from typing import Any, ClassVar

from bot.wiring import settings as rule_factories
from bot.wiring.app import App
from memory.model.retrieval import Question
from memory.retrieval.read_views import ReadViews
from memory.retrieval.recall import Recall
from memory.retrieval.sources import Sources
from memory.storage.sqlite.readers import open_plain, open_readers

ROUNDS = 2
"""The first one reads the pages."""

Statement = tuple[str, Mapping[str, Any]]


class Recorded(sqlite3.Connection):
    """A connection that remembers what it was asked."""

    statements: ClassVar[list[Statement]] = []

    def execute(self, sql: str, parameters: Any = ()) -> sqlite3.Cursor:
        """The same, written down."""
        if parameters:
            self.statements.append((sql, dict(parameters)))
        return super().execute(sql, parameters)


async def statements_of(app: App, folder: Path, questions: Sequence[Question]) -> list[Statement]:
    """Every statement with values that the recalls of these questions execute, in their order."""
    Recorded.statements.clear()
    async with open_readers(folder / "eko.sqlite3", 1, Recorded) as readers:
        recall = Recall(
            ReadViews(readers, app.index, app.clock),
            app.services.reading,
            Sources(app.storage.associations),
            app.services.background,
            lambda: rule_factories.recall_rules(app.settings),
        )
        for question in questions:
            await recall.before(question)
    return list(Recorded.statements)


def replayed_ms(folder: Path, statements: Sequence[Statement]) -> float:
    """Processor time of all the statements on one connection, their rows fetched and dropped."""
    with closing(open_plain(folder / "eko.sqlite3")) as connection:
        for _ in range(ROUNDS):
            started = thread_time()
            for sql, values in statements:
                connection.execute(sql, values).fetchall()
            took = thread_time() - started
    return took * 1000

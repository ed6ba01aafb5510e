from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memory.model.audience import OPERATOR, Origin
from memory.model.retrieval import Candidate
from memory.model.rooms import Visibility
from memory.model.statements import NewMemory, Source
from memory.model.stores import Store
from memory.storage.search.candidates import NOWHERE, CandidateRows
from memory.storage.search.term_counts import COMMON, Vocabulary
from memory.storage.sqlite.database import Database, Transaction, open_database
from memory.storage.statements.statements import add_memory

NOW = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    """An empty database."""
    async with open_database(tmp_path / "eko.sqlite3") as database:
        yield database


async def keep(database: Database, *contents: str, subjects: Sequence[str] = ()) -> None:
    """Store statements that are all very important."""

    async def work(transaction: Transaction) -> None:
        for content in contents:
            new = NewMemory(
                store=Store.MEMORY,
                content=content,
                origin=Origin(visibility=Visibility.EVERYONE),
                source=Source.CHAT,
                subjects=tuple(subjects),
                importance=0.9,
            )
            await add_memory(transaction, new, NOW)

    await database.write(work)


async def test_words_are_counted_by_the_rows_they_are_in(database: Database) -> None:
    """A word twice in one row counts once, one that is nowhere counts as none."""
    await keep(database, "otter otter", "otter lion")
    seen = await Vocabulary(database, "memories").seen({"otter", "lion", "emu"})
    assert seen == ({"otter": 2, "lion": 1, "emu": 0}, 2)


async def test_a_rare_word_is_counted_anew_each_time(database: Database) -> None:
    """What was said a moment ago can be looked up."""
    vocabulary = Vocabulary(database, "memories")
    assert not await vocabulary.match("otter")
    await keep(database, "otter")
    assert await vocabulary.match("otter") == '"otter"'


async def test_a_common_word_is_counted_again_when_the_table_has_grown(database: Database) -> None:
    """A count that is remembered stays near the truth."""
    vocabulary = Vocabulary(database, "memories")
    await keep(database, *["otter"] * COMMON)
    assert (await vocabulary.seen({"otter"}))[0] == {"otter": COMMON}
    await keep(database, "otter")
    assert (await vocabulary.seen({"otter"}))[0] == {"otter": COMMON}
    await keep(database, *["otter"] * 20)
    assert (await vocabulary.seen({"otter"}))[0] == {"otter": COMMON + 21}


async def test_importance_that_grows_is_found_by_subject(database: Database) -> None:
    """The copy of the importance beside the subjects follows the statement's own."""
    await keep(database, "otter", subjects=["Marty"])

    async def important() -> list[Candidate]:
        return await database.read(
            lambda snapshot: CandidateRows(snapshot, OPERATOR, NOW).important_statements(
                NOWHERE, "marty", Store.MEMORY, 5
            )
        )

    async def importance(transaction: Transaction, value: float) -> None:
        await transaction.run("UPDATE memories SET importance = :value", {"value": value})

    await database.write(lambda transaction: importance(transaction, 0.1))
    assert not await important()
    await database.write(lambda transaction: importance(transaction, 0.95))
    assert await important()

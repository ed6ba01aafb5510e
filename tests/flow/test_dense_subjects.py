"""What is new about somebody is learnt, however much is known about them and about others."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from memory.model.statements import MemoryType, NewMemory
from tests.storage import StorageParts, open_truth, statement

THINGS = "stamps boats kites maps clocks bells lamps masks coins shells drums flutes harps"


@pytest.fixture
async def storage(tmp_path: Path) -> AsyncIterator[StorageParts]:
    """Much is known about Emma, and of David that he speaks Portuguese at Danone."""
    async with open_truth(tmp_path) as opened:
        for thing in (*THINGS.split(), "trains", "wagons", "engines", "signals"):
            await opened.remember.store(about("Emma", f"Emma collects {thing}"))
        await opened.remember.store(about("David", "David speaks Portuguese"))
        await opened.remember.store(about("David", "David eats lunch at Danone", "Danone"))
        await opened.indexer.settle()
        yield opened


def about(who: str, content: str, *others: str) -> NewMemory:
    """What somebody says of themselves."""
    return statement(content, subjects=(who, *others), said_by=who, memory_type=MemoryType.FACT)


@pytest.mark.parametrize(
    "new",
    [
        about("Emma", "Emma speaks Portuguese"),
        about("Emma", "Emma eats lunch at Danone", "Danone"),
    ],
)
async def test_what_is_known_of_another_is_new_of_her(
    storage: StorageParts, new: NewMemory
) -> None:
    """The same words about David say nothing about Emma."""
    assert len(await storage.learning.plan([new])) == 1


async def test_what_is_known_of_her_in_other_words_is_not(storage: StorageParts) -> None:
    """A second sentence about the same brings nothing."""
    again = about("Emma", "the bells Emma collects")
    assert await storage.learning.plan([again]) == []

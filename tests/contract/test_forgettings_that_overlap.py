"""Forgettings that speak of the same rows: none gives back what another took."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from memory.forgetting.purge import Purge
from memory.rules.forgetting.receipt import ForgettingState
from memory.rules.forgetting.selector import Selector
from tests.forgotten import RUNNER, Household, dump, forgettings_on, holding, household
from tests.storage import open_truth


@pytest.fixture
async def home(tmp_path: Path) -> AsyncIterator[Household]:
    """David and Zoé, with new tables."""
    async with open_truth(tmp_path) as opened:
        yield await household(opened, "David", "Zoé")


async def test_an_undo_gives_nothing_back_that_was_forgotten_since(home: Household) -> None:
    """A row that both chose stays forgotten; the second undo gives it back."""
    await home.says("David", "mon levain sent la poire")
    await home.says("David", "mon levain dort")
    before = await dump(home.storage.database)
    first = await home.forget.at_once(Selector(topic="levain"), RUNNER)
    second = await home.forget.at_once(Selector(topic="poire"), RUNNER)
    await home.forget.undo(RUNNER, first.id)
    assert await holding(home.storage, "dort") != []
    assert await holding(home.storage, "poire") == []
    await home.forget.undo(RUNNER, second.id)
    assert await dump(home.storage.database) == before


async def test_an_undo_does_not_bring_back_somebody_who_was_erased_since(home: Household) -> None:
    """Whoever asked for it first."""
    await home.says("David", "mon levain sent la poire")
    first = await home.forget.at_once(Selector(topic="levain"), RUNNER)
    person = home.people["David"].id
    await home.forget.at_once(Selector(person=person, erase=True), home.asks("David"))
    await home.forget.undo(RUNNER, first.id)
    assert await holding(home.storage, "poire") == []


async def test_a_purge_leaves_no_earlier_journal_with_the_same_words(home: Household) -> None:
    """What could be undone of it would be bytes of it."""
    await home.says("David", "mon levain sent la poire")
    first = await home.forget.at_once(Selector(topic="levain"), RUNNER)
    second = await home.forget.at_once(Selector(topic="poire"), RUNNER)
    forgettings = forgettings_on(home.storage)
    await Purge(forgettings, home.storage.indexer.settle, []).now(second.id, RUNNER)
    states = [await forgettings.receipt(one.id) for one in (first, second)]
    assert [one and one.state for one in states] == [ForgettingState.PURGED, ForgettingState.PURGED]
    assert await home.storage.count("forgetting_rows") == 0

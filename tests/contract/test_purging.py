"""Purging: after a day there is no way back, and whatever interrupts it, it ends."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from memory.errors import VectorStoreUnavailable
from memory.forgetting.receipt import NothingToUndo, State
from memory.forgetting.selector import Selector
from memory.purging import Purging
from tests.forgotten import RUNNER, Household, forgettings_on, household
from tests.truth import open_truth


@pytest.fixture
async def home(tmp_path: Path) -> AsyncIterator[Household]:
    """David, with new tables."""
    async with open_truth(tmp_path) as opened:
        yield await household(opened, "David")


class Files:
    """Counts how often they were rewritten; refuses while the store is away."""

    def __init__(self) -> None:
        self.rewritten = 0
        self.is_away = False

    async def scrub(self) -> None:
        """Rewrite them."""
        if self.is_away:
            raise VectorStoreUnavailable("away")
        self.rewritten += 1


def purging_on(home: Household, *files: Files) -> Purging:
    """Purging on these tables and files."""
    scrubs = [one.scrub for one in files]
    return Purging(forgettings_on(home.truth), home.truth.indexer.settle, scrubs)


async def test_what_was_forgotten_a_day_ago_is_purged(home: Household) -> None:
    """The receipt stays, without a word; what is younger waits."""
    await home.says("David", "le levain déborde")
    await home.forget.at_once(Selector(topic="levain"), RUNNER)
    files = Files()
    home.truth.clock.advance(timedelta(hours=23, minutes=59))
    assert await purging_on(home, files).run() == 0
    home.truth.clock.advance(timedelta(minutes=1))
    assert await purging_on(home, files).run() == 1
    assert await purging_on(home, files).run() == 0
    assert files.rewritten == 1
    (receipt,) = await home.forget.receipts()
    assert receipt.state is State.PURGED
    assert receipt.kinds == ("topic",)
    assert await home.truth.count("forgettings", "selector <> ''") == 0
    assert await home.truth.count("forgetting_rows") == 0
    assert await home.truth.count("tombstones") == 1


async def test_a_purge_that_was_interrupted_goes_on(home: Household) -> None:
    """There is no way back once it began, and it has ended only when every file is clean."""
    await home.says("David", "le levain déborde")
    receipt = await home.forget.at_once(Selector(topic="levain"), RUNNER)
    truth, vectors = Files(), Files()
    vectors.is_away = True
    with pytest.raises(VectorStoreUnavailable):
        await purging_on(home, truth, vectors).now(receipt.id, RUNNER)
    with pytest.raises(NothingToUndo):
        await home.forget.undo(RUNNER)
    (begun,) = await home.forget.receipts()
    assert begun.state is State.PURGING
    vectors.is_away = False
    assert await purging_on(home, truth, vectors).run() == 1
    assert vectors.rewritten == 1
    (done,) = await home.forget.receipts()
    assert done.state is State.PURGED


async def test_only_what_was_forgotten_can_be_purged(home: Household) -> None:
    """Not what was undone, and not twice."""
    await home.says("David", "le levain déborde")
    receipt = await home.forget.at_once(Selector(topic="levain"), RUNNER)
    await home.forget.undo(RUNNER)
    with pytest.raises(NothingToUndo):
        await purging_on(home).now(receipt.id, RUNNER)
    again = await home.forget.at_once(Selector(topic="levain"), RUNNER)
    await purging_on(home).now(again.id, RUNNER)
    with pytest.raises(NothingToUndo):
        await purging_on(home).now(again.id, RUNNER)

"""Purging: after a day there is no way back, and whatever interrupts it, it ends."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from memory.forgetting.purge import Purge
from memory.model.errors import VectorStoreUnavailable
from memory.rules.forgetting.receipt import ForgettingState, NothingToUndo
from memory.rules.forgetting.selector import Selector
from tests.cast import PLATFORM
from tests.forgotten import RUNNER, Household, forgettings_on, household
from tests.storage import open_truth, overhear


@pytest.fixture
async def home(tmp_path: Path) -> AsyncIterator[Household]:
    """David, with new tables."""
    async with open_truth(tmp_path) as opened:
        yield await household(opened, "David")


class Files:
    """Counts how often they were rewritten; refuses while the store is away."""

    def __init__(self, *, is_server: bool = False) -> None:
        self.rewritten = 0
        self.is_away = False
        self.is_server = is_server

    async def scrub(self) -> bool:
        """Rewrite them; a server does that when it likes."""
        if self.is_away:
            raise VectorStoreUnavailable("away")
        self.rewritten += 1
        return not self.is_server


def purging_on(home: Household, *files: Files) -> Purge:
    """Purging on these tables and files."""
    scrubs = [one.scrub for one in files]
    return Purge(forgettings_on(home.storage), home.storage.indexer.settle, scrubs)


async def test_what_was_forgotten_a_day_ago_is_purged(home: Household) -> None:
    """The receipt stays, without a word; what is younger waits."""
    await home.says("David", "le levain déborde")
    await home.forget.at_once(Selector(topic="levain"), RUNNER)
    files = Files()
    home.storage.clock.advance(timedelta(hours=23, minutes=59))
    assert await purging_on(home, files).run() == 0
    home.storage.clock.advance(timedelta(minutes=1))
    assert await purging_on(home, files).run() == 1
    assert await purging_on(home, files).run() == 0
    assert files.rewritten == 1
    (receipt,) = await home.forget.receipts()
    assert receipt.state is ForgettingState.PURGED
    assert receipt.kinds == ("topic",)
    assert await home.storage.count("forgettings", "selector <> ''") == 0
    assert await home.storage.count("forgetting_rows") == 0
    assert await home.storage.count("tombstones") == 1


async def test_a_purge_that_was_interrupted_goes_on(home: Household) -> None:
    """There is no way back once it began, and it has ended only when every file is clean."""
    await home.says("David", "le levain déborde")
    receipt = await home.forget.at_once(Selector(topic="levain"), RUNNER)
    storage, vectors = Files(), Files()
    vectors.is_away = True
    with pytest.raises(VectorStoreUnavailable):
        await purging_on(home, storage, vectors).now(receipt.id, RUNNER)
    with pytest.raises(NothingToUndo):
        await home.forget.undo(RUNNER)
    (begun,) = await home.forget.receipts()
    assert begun.state is ForgettingState.PURGING
    vectors.is_away = False
    assert await purging_on(home, storage, vectors).run() == 1
    assert vectors.rewritten == 1
    (done,) = await home.forget.receipts()
    assert done.state is ForgettingState.PURGED


@pytest.mark.parametrize("is_server", [False, True])
async def test_a_purge_says_when_a_server_may_still_hold_bytes(
    home: Household, *, is_server: bool
) -> None:
    """It has ended all the same: nothing can make the server hurry."""
    await home.says("David", "le levain déborde")
    receipt = await home.forget.at_once(Selector(topic="levain"), RUNNER)
    purged = await purging_on(home, Files(), Files(is_server=is_server)).now(receipt.id, RUNNER)
    assert purged.receipt.state is ForgettingState.PURGED
    assert purged.is_clean is not is_server


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


async def test_what_was_taken_back_is_cleaned_from_the_files_at_night(home: Household) -> None:
    """Once, and not at all when nobody took anything back."""
    files = Files()
    purging = purging_on(home, files)
    assert not await purging.clean()
    await overhear(home.storage, "mon code est 4711")
    await home.storage.messages.withdraw(PLATFORM, "m1")
    assert await purging.clean()
    assert not await purging.clean()
    assert files.rewritten == 1


async def test_what_is_taken_back_while_the_files_are_cleaned_waits_for_the_next_time(
    home: Household,
) -> None:
    """Its bytes may have been written after those files were."""
    await overhear(home.storage, "mon code est 4711", "et le tien ?")
    await home.storage.messages.withdraw(PLATFORM, "m1")

    async def meanwhile() -> None:
        home.storage.clock.advance(timedelta(seconds=1))
        await home.storage.messages.withdraw(PLATFORM, "m2")

    purging = Purge(forgettings_on(home.storage), home.storage.indexer.settle, [meanwhile])
    assert await purging.clean()
    assert await purging.clean()

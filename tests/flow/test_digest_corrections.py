"""What is taken back or reworded before, while and after a digest reads it, is learnt as it is."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from memory.model.audience import OPERATOR
from observers.errors import ExtractionFailed
from tests.cast import PLATFORM
from tests.flow.lobby import ListedExtractor, Lobby, reader
from tests.storage import open_truth, overhear


@pytest.fixture
async def lobby(tmp_path: Path) -> AsyncIterator[Lobby]:
    """A lobby where two things were said."""
    async with open_truth(tmp_path) as storage:
        await overhear(storage, "alpha", "beta")
        extractor = ListedExtractor()
        yield Lobby(storage=storage, extractor=extractor, digest=reader(storage, extractor))


async def recalled(lobby: Lobby) -> list[str]:
    """What is recalled of what was learnt."""
    await lobby.storage.indexer.settle()
    rows = await lobby.storage.memories.latest(None, OPERATOR, 50)
    return sorted(row.content.removeprefix("David aime ") for row in rows)


async def test_what_is_withdrawn_while_it_is_read_teaches_nothing(lobby: Lobby) -> None:
    """The extractor has seen it, and its answer comes too late."""
    lobby.extractor.meanwhile = lambda: lobby.storage.messages.withdraw(PLATFORM, "m1")
    assert (await lobby.digest.run()).facts == 1
    assert lobby.extractor.read == ["alpha", "beta"]
    assert await lobby.is_read("beta")


async def test_what_is_reworded_while_it_is_read_is_left_to_the_next_digest(lobby: Lobby) -> None:
    """The old words teach nothing, the new ones are read once."""
    lobby.extractor.meanwhile = lambda: lobby.storage.messages.edit(PLATFORM, "m1", "omega")
    await lobby.digest.run()
    assert await recalled(lobby) == ["beta"]
    assert (await lobby.storage.digests.live()).waiting == 1
    await lobby.digest.run()
    assert lobby.extractor.read == ["alpha", "beta", "omega"]
    assert await lobby.is_read("beta", "omega")


async def test_what_is_reworded_after_it_was_digested_is_digested_again(lobby: Lobby) -> None:
    """What its old words taught is forgotten at once; editing it to the same is no edit."""
    await lobby.digest.run()
    await lobby.storage.messages.edit(PLATFORM, "m1", "omega")
    assert await recalled(lobby) == ["beta"]
    await lobby.storage.messages.edit(PLATFORM, "m1", "omega")
    assert (await lobby.digest.run()).messages == 1
    assert await recalled(lobby) == ["beta", "omega"]
    assert (await lobby.digest.run()).messages == 0


async def test_what_is_reworded_between_storing_and_clearing_is_not_cleared(lobby: Lobby) -> None:
    """Its chunk was read, its digest is not finished."""
    lobby.extractor.fails["gamma"] = ExtractionFailed("nonsense")
    await overhear(lobby.storage, "filler", "gamma")

    async def second_chunk() -> None:
        lobby.extractor.meanwhile = reword

    async def reword() -> None:
        await lobby.storage.messages.edit(PLATFORM, "m1", "omega")

    lobby.extractor.meanwhile = second_chunk
    await lobby.digest.run()
    assert await recalled(lobby) == ["beta", "filler"]
    assert (await lobby.storage.digests.live()).quarantined == 1
    await lobby.digest.run()
    assert await recalled(lobby) == ["beta", "filler", "omega"]


async def test_a_quarantined_message_that_is_reworded_is_read_again(lobby: Lobby) -> None:
    """The words nobody could read are gone."""
    lobby.extractor.fails["alpha"] = ExtractionFailed("nonsense")
    await lobby.digest.run()
    await lobby.storage.messages.edit(PLATFORM, "m1", "omega")
    assert (await lobby.digest.run()).messages == 1
    assert await recalled(lobby) == ["omega"]


async def test_what_is_withdrawn_after_it_was_digested_is_forgotten(lobby: Lobby) -> None:
    """With the statement it taught."""
    await lobby.digest.run()
    await lobby.storage.messages.withdraw(PLATFORM, "m1")
    assert await recalled(lobby) == ["beta"]
    assert (await lobby.digest.run()).messages == 0

"""Search by meaning alone: what is near, the nearest first, within a scope."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from memory.model.audience import Origin, Scope, space_audience
from memory.model.rooms import HOME, Visibility
from memory.model.stores import Collection
from memory.retrieval.direct_search import MeaningSearch
from memory.retrieval.read_views import ReadViews
from tests.storage import StorageParts, open_truth, statement

HOME_ONLY = Scope(frozenset({space_audience(HOME)}))


@pytest.fixture
async def storage(tmp_path: Path) -> AsyncIterator[StorageParts]:
    """Tables with an index beside them."""
    async with open_truth(tmp_path) as opened:
        yield opened


def search(storage: StorageParts) -> MeaningSearch:
    """The search over these tables."""
    views = ReadViews(storage.database.readers, storage.index, storage.clock)
    return MeaningSearch(storage.embedder, views)


async def test_the_nearest_come_first_with_how_near_they_are(storage: StorageParts) -> None:
    """What shares more words is nearer, as the fake embedder has it."""
    for content in ("David plays the flute", "Léa hears the flute", "Zoé paints boats"):
        await storage.remember.store(statement(content))
    await storage.indexer.settle()
    found = await search(storage).find(
        "David plays the flute", [Collection.MEMORY, Collection.SELF], HOME_ONLY, 2
    )
    assert [one.content for one in found] == [
        "David plays the flute",
        "Léa hears the flute",
    ]
    assert found[0].similarity is not None
    assert found[1].similarity is not None
    assert found[0].similarity > found[1].similarity


async def test_what_the_scope_does_not_allow_is_not_found(storage: StorageParts) -> None:
    """However near it is."""
    david = await storage.people.person("chat", "david", "David")
    private = Origin(visibility=Visibility.PRIVATE, person=david.id)
    await storage.remember.store(statement("David hides a flute", origin=private))
    await storage.indexer.settle()
    found = await search(storage).find("David hides a flute", [Collection.MEMORY], HOME_ONLY, 5)
    assert found == []

"""What is kept that is close in meaning to a statement that is about to be."""

from collections.abc import Mapping

from memory.model.audience import Scope
from memory.model.errors import VectorStoreUnavailable
from memory.model.statements import MemoryId
from memory.model.stores import Store
from memory.ports import Vectors, VectorSearch

NEAREST = 10
"""Neighbours a new statement is compared with; what it repeats is among the first."""


async def nearest(
    index: VectorSearch, store: Store, vector: Vectors | None, scope: Scope
) -> Mapping[MemoryId, float]:
    """The cosine of each of the nearest of a store within a scope, best first.

    Empty where there is no vector or the index is away: full text proposes rows too.
    """
    if vector is None:
        return {}
    try:
        hits = await index.search(store.collection, vector, limit=NEAREST, scope=scope)
    except VectorStoreUnavailable:
        return {}
    return {MemoryId(hit.id): hit.similarity for hit in hits}

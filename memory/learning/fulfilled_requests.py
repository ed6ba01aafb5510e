"""A new capability closes the limitation it ends and the wish it grants."""

from collections.abc import Sequence
from typing import Protocol
from uuid import UUID

from memory.learning.nearest import nearest
from memory.model.audience import Scope, closable_from
from memory.model.statements import GoalCategory, Memory, MemoryId, NewMemory, SelfCategory
from memory.model.stores import Store
from memory.ports import Vectors, VectorSearch
from memory.statements.readings.capability import are_gained, denied, wished

CANDIDATES = 50
"""Statements of each kind that are compared: the nearest by words, and an equal one is nearest."""


class Statements(Protocol):
    """The statements of a store that share words with a text, or that are named."""

    async def alike(
        self, content: str, store: Store, scope: Scope, limit: int, *, category: str | None = None
    ) -> list[Memory]:
        """The best of one category within a scope."""
        ...

    async def visible(self, ids: Sequence[UUID], scope: Scope) -> list[Memory]:
        """Those of `ids` that still hold and are within a scope."""
        ...


_CLOSABLE = {
    Store.SELF: SelfCategory.LIMITATION,
    Store.GOALS: GoalCategory.CAPABILITY_REQUEST,
}


def may_close(new: NewMemory) -> bool:
    """Whether a statement may close others: what holds for a while would lose them for good."""
    return new.category == SelfCategory.CAPABILITY and new.ttl is None


async def met_by(
    new: NewMemory, vector: Vectors | None, index: VectorSearch, statements: Statements
) -> tuple[Memory, ...]:
    """The limitations and requests that a lasting capability may have to do with, nearest first.

    By meaning, whatever their language, and by words.
    """
    if not may_close(new):
        return ()
    scope = closable_from(new.origin)
    near: dict[MemoryId, float] = {}
    for store in _CLOSABLE:
        near |= await nearest(index, store, vector, scope)
    found = {one.id: one for one in await statements.visible(list(near), scope)}
    rows = sorted(found.values(), key=lambda one: -near[one.id])
    for store, category in _CLOSABLE.items():
        rows += await statements.alike(new.content, store, scope, CANDIDATES, category=category)
    distinct = {one.id: one for one in rows if one.category == _CLOSABLE.get(one.store)}
    return tuple(distinct.values())


def closes(capability: str, old: Memory) -> bool:
    """Whether everything that an old limitation denies, or an old request asks for, can be done.

    Abilities are compared as whole sets of words: "I can see images" leaves "I cannot see images
    and videos" and "I cannot see images over 5 MB" open, since both may be true together. A word
    and its translation are one; nearness of meaning is not enough, since "read PDF files" is nearer
    to "écrire des fichiers PDF" than "search the web" to "look at the internet".
    """
    is_limitation = old.category == SelfCategory.LIMITATION
    missing = denied(old.content) if is_limitation else wished(old.content)
    return bool(missing) and are_gained(missing, capability, old.content)

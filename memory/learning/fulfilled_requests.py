"""A new capability closes the limitation it ends and the wish it grants."""

from typing import Protocol

from memory.model.audience import Scope, closable_from
from memory.model.statements import GoalCategory, Memory, NewMemory, SelfCategory
from memory.model.stores import Store
from memory.statements.readings.capability import denied, gained, wished

CANDIDATES = 50
"""Statements of each kind that are compared: the nearest by words, and an equal one is nearest."""


class Statements(Protocol):
    """The statements of a store that share words with a text."""

    async def alike(
        self, content: str, store: Store, scope: Scope, limit: int, *, category: str | None = None
    ) -> list[Memory]:
        """The best of one category within a scope."""
        ...


async def closed_by(new: NewMemory, statements: Statements) -> tuple[Memory, ...]:
    """The limitations and requests that a new statement about the pet makes void.

    Only a capability that lasts closes anything: what holds for a while would lose them for good.
    """
    if new.category != SelfCategory.CAPABILITY or new.ttl is not None:
        return ()
    kinds = (
        (Store.SELF, SelfCategory.LIMITATION),
        (Store.GOALS, GoalCategory.CAPABILITY_REQUEST),
    )
    scope = closable_from(new.origin)
    found = [
        one
        for store, category in kinds
        for one in await statements.alike(new.content, store, scope, CANDIDATES, category=category)
    ]
    return tuple(one for one in found if closes(new.content, one))


def closes(capability: str, old: Memory) -> bool:
    """Whether everything that an old limitation denies, or an old request asks for, can be done.

    Abilities are compared as whole sets of words: "I can see images" leaves "I cannot see images
    and videos" and "I cannot see images over 5 MB" open, since both may be true together.
    """
    is_limitation = old.category == SelfCategory.LIMITATION
    missing = denied(old.content) if is_limitation else wished(old.content)
    return bool(missing) and missing <= gained(capability)

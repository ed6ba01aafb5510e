"""Statements kept by hand: one of them, or the seed of who the pet is."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from pydantic import Field

from bot.surfaces.operations import TopicOperations, operation
from bot.surfaces.requests import OperationRequest
from bot.surfaces.values import Event
from bot.transfer.seeds import plant, read_seed
from memory.learning.store import Stored
from memory.model.audience import Origin
from memory.model.rooms import Visibility
from memory.model.settings import Tuning
from memory.model.statements import GoalCategory, MemoryType, NewMemory, SelfCategory, Source
from memory.model.stores import Store
from memory.model.ttl import parse_ttl


class SeedRequest(OperationRequest):
    """Plant the first lines of `self`; None takes the seed that ships with the pet."""

    path: str | None = None
    dry_run: bool = False


class RememberRequest(OperationRequest):
    """Store one statement by hand; private to a person, or known in the home space."""

    text: Annotated[str, Field(min_length=1, max_length=2000)]
    about: tuple[str, ...] = ()
    memory_type: MemoryType = MemoryType.FACT
    self_category: SelfCategory | None = None
    goal_category: GoalCategory | None = None
    importance: Annotated[float | None, Field(ge=0, le=1)] = None
    ttl: str | None = None


class KeepingOperations(TopicOperations):
    """Statements kept by hand: one of them, or the seed of who the pet is."""

    @operation("seed")
    async def seed(self, seed: SeedRequest) -> Event:
        """Plant the lines of a seed that are not there yet, or only say which they are."""
        settings = self._app.settings
        path = seed.path or settings.seed.file
        planned = read_seed(None if path is None else Path(path), settings.locale)
        if seed.dry_run:
            stored, new = [], await self._would_be_new(planned)
        else:
            stored = await plant(self._app.services.writer, planned, self._caller.actor)
            new = sum(one.is_new for one in stored)
        return {
            "read": len(planned),
            "new": new,
            "closed": [old for one in stored for old in one.closed],
            "dry_run": seed.dry_run,
            "statements": [
                {"store": one.store, "category": one.category, "content": one.content}
                for one in planned
            ],
        }

    async def _would_be_new(self, planned: Sequence[NewMemory]) -> int:
        """How many lines of a seed neither are there, by their id or their words, nor were."""
        ids, scope = [one.id for one in planned if one.id], self._caller.scope
        memories = self._app.storage.memories
        there = {one.id for one in await memories.visible(ids, scope)}
        known = there | set(await memories.gone(ids, scope))
        plans = await self._app.services.writer.plan(planned)
        return sum(one.known is None and one.id not in known for one in plans)

    @operation("remember")
    async def remember(self, request: RememberRequest) -> Stored:
        """Store one statement, and say what it replaced or closed."""
        return await self._app.services.writer.store(
            _statement(request, self._app.live_settings.current()), self._caller.actor
        )


def _statement(request: RememberRequest, tuning: Tuning) -> NewMemory:
    store = Store.MEMORY
    if request.self_category is not None:
        store = Store.SELF
    elif request.goal_category is not None:
        store = Store.GOALS
    category = request.self_category or request.goal_category
    kind = category or request.memory_type
    return NewMemory(
        store=store,
        content=request.text,
        origin=Origin(
            visibility=Visibility.SPACE if store is Store.MEMORY else Visibility.EVERYONE
        ),
        source=Source.CHAT,
        memory_type=request.memory_type if store is Store.MEMORY else MemoryType.OBSERVATION,
        category=category,
        subjects=request.about,
        importance=request.importance,
        ttl=tuning.ttl_of(kind) if request.ttl is None else parse_ttl(request.ttl),
    )

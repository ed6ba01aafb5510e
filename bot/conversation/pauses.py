"""Pausing: where the pet is away for now, told from memory and kept on disk."""

from collections.abc import Callable
from datetime import datetime

import structlog

from memory.model.people import Signature
from memory.model.rooms import EVERYWHERE, Pause, SpaceId
from memory.storage.community.pauses import Pauses

log = structlog.get_logger()


class Pausing:
    """Knows every pause there was: what was said in one is not taken in later either.

    `resumed` is called when one has ended.
    """

    def __init__(self, pauses: Pauses, resumed: Callable[[], None] = lambda: None) -> None:
        self._pauses = pauses
        self._resumed = resumed
        self._known: tuple[Pause, ...] = ()

    async def load(self) -> None:
        """Take up the pauses that were begun before."""
        self._known = tuple(await self._pauses.all())

    @property
    def current(self) -> tuple[Pause, ...]:
        """The pauses that last."""
        return tuple(one for one in self._known if one.until is None)

    def of(self, space: SpaceId) -> Pause | None:
        """The pause that a space is in now: its own, else that of all."""
        here = {one.space: one for one in self.current}
        return here.get(space) or here.get(EVERYWHERE)

    def covers(self, space: SpaceId, at: datetime) -> bool:
        """Whether a space was, or is, paused at a moment."""
        return any(
            one.since <= at and (one.until is None or at < one.until)
            for one in self._known
            if one.space in {space, EVERYWHERE}
        )

    async def pause(self, space: SpaceId, *, by: Signature) -> bool:
        """Be away from a space from now on; whether the pet was not already."""
        begun = await self._pauses.begin(space, by=by)
        await self.load()
        if begun:
            log.info("space.paused", space=space, by=by)
        return begun

    async def resume(self, space: SpaceId, *, by: Signature) -> bool:
        """Be there again; whether the pet was away by a pause of just this space."""
        ended = await self._pauses.end(space, by=by)
        await self.load()
        if ended:
            log.info("space.resumed", space=space, by=by)
            self._resumed()
        return ended

"""The operations behind `eko forget --space`: what is kept of a community, and letting go of it."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from datetime import datetime

from bot.errors import BotError
from bot.surfaces.names import CalledNames
from bot.surfaces.operations import TopicOperations, operation
from bot.surfaces.requests import Name, OperationRequest
from bot.surfaces.values import Event
from memory.model.rooms import SpaceId
from memory.rules.forgetting.receipt import UNDO_WITHIN


class SpacesRequest(OperationRequest):
    """The communities of which something is kept."""


class LetGoRequest(OperationRequest):
    """One community, by its name or id: what would go, and with `confirmed` it does.

    With `now` so do the words of forgettings that touch it and could still be undone.
    """

    space: Name
    confirmed: bool = False
    now: bool = False


class StillUndoable(BotError):
    """Forgettings that touch a community can still be undone, which letting go would break."""


class LeavingOperations(TopicOperations):
    """Lists communities, and lets go of one that has moved to another folder."""

    @operation("spaces_kept")
    async def spaces(self, request: SpacesRequest) -> Event:
        """Every community with what its platform calls it and how many rooms it has."""
        del request
        return {"spaces": await self._app.storage.leaving.all()}

    @operation("let_go")
    async def let_go(self, request: LetGoRequest) -> AsyncIterator[Event]:
        """What is kept of a community; where that is confirmed it goes, and no byte of it is left.

        It goes in many steps; cut short, it goes on when it is asked for again.
        """
        leaving, purging = self._app.storage.leaving, self._app.services.purging
        space = await CalledNames(self._app, self._caller).space(request.space)
        contents = await leaving.contents(space.id)
        undoable = await leaving.undoable(space.id)
        if request.confirmed:
            async with self._app.services.importing:
                gone, finished = 0, False
                while not finished:  # something may be kept there meanwhile
                    await self._end_undoing(space.id, now=request.now)
                    async for some in leaving.let_go(space.id):
                        gone += some
                        yield {"progress": {"state": f"letting go, {gone} so far"}}
                        await asyncio.sleep(0)
                    finished = await leaving.finish(space.id, self._caller.actor)
            self._app.storage.people.refresh()
            yield {"progress": {"state": "rewriting the files"}}
            await purging.run()
            await purging.clean()
        yield {
            "result": {
                "space": space,
                "contents": contents,
                "undoable": len(undoable),
                "undoable_until": _until(undoable) if undoable else None,
                "gone": request.confirmed,
            }
        }

    async def _end_undoing(self, space: SpaceId, *, now: bool) -> None:
        """Let nothing that touches a space be undone any more.

        Raises:
            StillUndoable: it could be, and that was not asked for.

        """
        undoable = await self._app.storage.leaving.undoable(space)
        if undoable and not now:
            raise StillUndoable(
                f"{len(undoable)} forgettings that touch it can be undone until "
                f"{_until(undoable):%Y-%m-%d %H:%M} UTC: wait until then, or add --now, and they "
                "cannot be any more."
            )
        for forgetting in undoable:
            await self._app.storage.forgettings.begin_purge(forgetting, self._caller.requester)


def _until(undoable: Mapping[int, datetime]) -> datetime:
    return max(undoable.values()) + UNDO_WITHIN

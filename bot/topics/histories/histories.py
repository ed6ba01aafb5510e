"""Histories of other programs: previewed, brought along, listed, taken back as a whole."""

import asyncio
from collections.abc import AsyncIterator

from bot.errors import BotError
from bot.surfaces.operations import TopicOperations, operation
from bot.surfaces.values import Event
from bot.topics.histories.bringing import HistoryBringing
from bot.topics.histories.looking import HistoryLook
from bot.topics.histories.requests import (
    HistoriesRequest,
    HistoryRequest,
    UndoHistoryRequest,
)
from memory.model.histories import UNDO_IMPORT_WITHIN, BroughtHistory, ImportId
from memory.rules.forgetting.selector import Selector

FORGOTTEN_AT_ONCE = 1_000
"""Messages of one forgetting: the writer is free again within seconds."""


class ImportUnderWay(BotError):
    """Another file is being read."""


class DayOrderOpen(BotError):
    """A file writes days and months as numbers, and nothing in it says which come first."""


class BroughtOperations(TopicOperations):
    """Brings what people said elsewhere along, and takes it back."""

    @operation("history_preview")
    async def preview(self, request: HistoryRequest) -> AsyncIterator[Event]:
        """What an import would come to; nothing is written."""
        look = HistoryLook(self._app, self._caller, request)
        async for event in look.run():
            yield event
        async for event in look.preview():
            yield event

    @operation("history_import")
    async def take_in(self, request: HistoryRequest) -> AsyncIterator[Event]:
        """Take a file in, from where it was broken off; again adds only what is new."""
        self._refuse_two()
        async with self._app.services.importing:
            look = HistoryLook(self._app, self._caller, request)
            async for event in look.run():
                yield event
            if look.done.asks_day_order:
                raise DayOrderOpen(
                    f"Nothing in {look.done.path.name} says whether its days or its months come "
                    "first: say so with --day-first or --month-first."
                )
            async for event in HistoryBringing(self._app, self._caller, look.done).run():
                yield event

    @operation("history_list")
    async def listed(self, request: HistoriesRequest) -> Event:
        """The latest imports, newest first."""
        return {"imports": await self._app.storage.histories.latest(request.limit)}

    @operation("history_undo")
    async def undo(self, request: UndoHistoryRequest) -> AsyncIterator[Event]:
        """What goes with an import; where that is confirmed it goes, for a day without a trace.

        After that day it is forgotten as anything else is, and can be given back as that.
        """
        histories = self._app.storage.histories
        found = await histories.standing(ImportId(request.id))
        going = await histories.going(found.id)
        is_late = self._app.clock.now() - found.begun_at > UNDO_IMPORT_WITHIN
        numbers: list[int] = []
        if request.confirmed:
            self._refuse_two()
            async with self._app.services.importing:
                await histories.begin_undo(found.id)
                async for done in self._forgotten(found) if is_late else self._erased(found):
                    numbers += [done] if is_late else []
                    yield {"progress": {"state": "taking back"}}
                await histories.finish_undo(found, keeps_room=is_late)
                self._app.storage.people.refresh()
            yield {"progress": {"state": "rewriting the files"}}
            await self._app.services.purging.clean()
        undone = {"undone": request.confirmed, "late": is_late, "forgettings": numbers}
        yield {"result": {"import": found, "going": going, **undone}}

    async def _erased(self, found: BroughtHistory) -> AsyncIterator[int]:
        """Take an import back piece by piece; how much each time."""
        while done := await self._app.storage.histories.undo_some(found.id, self._caller.requester):
            yield done
            await asyncio.sleep(0)

    async def _forgotten(self, found: BroughtHistory) -> AsyncIterator[int]:
        """Forget an import piece by piece; the number of each forgetting."""
        histories, forgetting = self._app.storage.histories, self._app.services.forgetting
        while True:
            chosen = Selector(
                messages=await histories.messages_of(found.id, FORGOTTEN_AT_ONCE),
                memories=await histories.statements_of(found.id, FORGOTTEN_AT_ONCE),
            )
            if not chosen.messages and not chosen.memories:
                return
            yield (await forgetting.at_once(chosen, self._caller.requester)).id

    def _refuse_two(self) -> None:
        if self._app.services.importing.locked():
            raise ImportUnderWay("Another file is being read or taken back: wait until it is done.")

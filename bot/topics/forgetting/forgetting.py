"""The operations behind `eko forget`, as the operator."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Annotated
from uuid import UUID

from pydantic import Field

from bot.surfaces.access.caller import OperationCaller
from bot.surfaces.names import CalledNames, NotOne, moment_in
from bot.surfaces.operations import TopicOperations, operation
from bot.surfaces.requests import Name, OperationRequest
from bot.surfaces.values import Event, extended
from bot.wiring.app import App
from memory.model.knowledge import KnowledgeId
from memory.model.messages import MessageId, TurnId
from memory.model.shown import Shown
from memory.model.statements import MemoryId
from memory.rules.forgetting.receipt import NothingToUndo, Preview, Receipt, Undone
from memory.rules.forgetting.selector import Selector


class ForgetRequest(OperationRequest):
    """Show what would be forgotten, or forget it; criteria hold together, ids come on top.

    `start` and `end` are ISO moments or days; `about` adds what others said about the person alone,
    `erase` their names too.
    """

    topic: Annotated[str, Field(max_length=200)] = ""
    person: Name | None = None
    about: bool = False
    erase: bool = False
    room: Name | None = None
    start: Annotated[str | None, Field(max_length=40)] = None
    end: Annotated[str | None, Field(max_length=40)] = None
    ids: tuple[Annotated[str, Field(min_length=1, max_length=36)], ...] = ()
    confirmed: bool = False


class OneForgettingRequest(OperationRequest):
    """One forgetting, by its number."""

    id: Annotated[int, Field(ge=1)]


class ReceiptsRequest(OperationRequest):
    """The latest forgettings."""

    limit: Annotated[int, Field(ge=1, le=10000)] = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgettingDone(Preview):
    """What would be forgotten, or was: then with its receipt."""

    receipt: Shown[Receipt | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class PurgeDone(Receipt):
    """What was purged; `is_clean` where nothing of it is left in any file."""

    is_clean: Shown[bool]


class ForgetOperations(TopicOperations):
    """Shows what would be forgotten, forgets it, gives it back, purges it."""

    def __init__(self, app: App, caller: OperationCaller) -> None:
        self._app = app
        self._caller = caller
        self._names = CalledNames(app, caller)

    @operation("forget")
    async def forget(self, request: ForgetRequest) -> ForgettingDone:
        """Show what would be forgotten; forget it where that was said."""
        forgetting, selector = self._app.services.forgetting, await self._selector(request)
        preview, receipt = await forgetting.preview(selector, self._caller.requester), None
        if request.confirmed and not preview.is_empty:
            receipt = await forgetting.at_once(selector, self._caller.requester)
        return extended(ForgettingDone, preview, receipt=receipt)

    async def previewed(self, request: ForgetRequest) -> Preview:
        """What would be forgotten; nothing is changed."""
        return await self._app.services.forgetting.preview(
            await self._selector(request), self._caller.requester
        )

    async def asked(self, request: ForgetRequest) -> Preview:
        """The same, with the token that confirms it."""
        return await self._app.services.forgetting.ask(
            await self._selector(request), self._caller.requester
        )

    async def confirmed(self, token: str) -> Receipt:
        """Forget what the preview of a token showed.

        Raises:
            NothingToConfirm: there is none for this caller, or it is too old.

        """
        return await self._app.services.forgetting.confirm(self._caller.requester, token)

    @operation("forget_undo")
    async def undo(self, request: OneForgettingRequest) -> Undone:
        """Give back what a forgetting took."""
        return await self._app.services.forgetting.undo(self._caller.requester, request.id)

    @operation("forget_purge")
    async def purge(self, request: OneForgettingRequest) -> AsyncIterator[Event]:
        """Remove what was forgotten from every file now, for good."""
        yield {"progress": {"state": "rewriting the files"}}
        purged = await self._app.services.purging.now(request.id, self._caller.requester)
        yield {"result": extended(PurgeDone, purged.receipt, is_clean=purged.is_clean)}

    @operation("forget_list")
    async def receipts(self, request: ReceiptsRequest) -> Event:
        """What was forgotten, newest first, without a word of it."""
        return {"forgettings": await self._app.services.forgetting.receipts(request.limit)}

    @operation("forget_show")
    async def receipt(self, request: OneForgettingRequest) -> Receipt:
        """One forgetting."""
        found = await self._app.services.forgetting.receipt(request.id)
        if found is None:
            raise NothingToUndo(f"There is no forgetting {request.id}.")
        return found

    async def _selector(self, request: ForgetRequest) -> Selector:
        zone = self._app.settings.zone
        messages = tuple(MessageId(int(one)) for one in request.ids if one.isdecimal())
        rows = [await self._row(one) for one in request.ids if not one.isdecimal()]
        return Selector(
            topic=request.topic,
            person=None if request.person is None else await self._names.person(request.person),
            about=request.about or request.erase,
            erase=request.erase,
            room=None if request.room is None else await self._names.room(request.room),
            start=moment_in(request.start, zone),
            end=moment_in(request.end, zone, ends=True),
            messages=messages,
            turns=tuple(TurnId(row) for table, row in rows if table == "turns"),
            memories=tuple(MemoryId(row) for table, row in rows if table == "memories"),
            knowledge=tuple(KnowledgeId(row) for table, row in rows if table == "knowledge"),
        )

    async def _row(self, beginning: str) -> tuple[str, UUID]:
        found = await self._app.storage.forgettings.beginning(beginning.lower())
        if len(found) != 1:
            how = f"{len(found)} ids begin" if found else "No id begins"
            raise NotOne(f'{how} with "{beginning}".')
        return found[0]

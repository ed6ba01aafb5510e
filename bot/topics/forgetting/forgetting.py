"""The operations behind `eko forget`, as the operator."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field

from bot.release import VERSION
from bot.surfaces.access.caller import OperationCaller
from bot.surfaces.names import CalledNames, NotOne, moment_in
from bot.surfaces.operations import TopicOperations, operation
from bot.surfaces.requests import Name, OperationRequest
from bot.surfaces.values import Event, as_json, extended
from bot.topics.forgetting.signed_receipt import public_key, signed
from bot.wiring.app import App
from memory.model.knowledge import KnowledgeId
from memory.model.messages import MessageId, TurnId
from memory.model.shown import Shown
from memory.model.statements import MemoryId
from memory.model.vector_place import EMBEDDED
from memory.rules.forgetting.receipt import (
    LookedFor,
    NothingToUndo,
    Preview,
    Receipt,
    Undone,
)
from memory.rules.forgetting.selector import Selector
from memory.upkeep.indexer import OUTAGES


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


class PublicKeyRequest(OperationRequest):
    """The key by which receipts are known."""


class ReceiptsRequest(OperationRequest):
    """The latest forgettings."""

    limit: Annotated[int, Field(ge=1, le=10000)] = 50


_FILES_UNSEEN = "bytes of files: they are searched when it is purged, unless by then a restart came"


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgettingDone(Preview):
    """What would be forgotten, or was: then with its receipt."""

    receipt: Shown[Receipt | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class PurgeDone(Receipt):
    """What was purged; `is_clean` where nothing of it is left in any file."""

    is_clean: Shown[bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgettingProof:
    """A receipt with where what went was looked for afterwards, to be signed and handed out.

    Places of which nothing can be said are named in `not_looked_in`, with the reason. Backups made
    before keep it until they are rotated, and lose it when they are restored.
    """

    document: Shown[str] = "receipt of a forgetting"
    pet: Shown[str]
    pet_id: Shown[str]
    versions: Shown[Mapping[str, str]]
    written_at: Shown[datetime]
    forgetting: Shown[Receipt]
    looked_for_afterwards: Shown[tuple[LookedFor, ...]]
    not_looked_in: Shown[tuple[str, ...]]
    backups_made_before: Shown[int]


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

    @operation("forget_receipt")
    async def signed_receipt(self, request: OneForgettingRequest) -> Event:
        """A receipt to hand out, as text: signed, with where it was looked for afterwards."""
        return {"receipt": await self.signed(await self.receipt(request))}

    @operation("forget_key")
    async def key(self, request: PublicKeyRequest) -> Event:
        """The public key by which this pet's receipts are known."""
        del request
        return {"public_key": await asyncio.to_thread(public_key, self._app.settings.data_dir)}

    async def signed(self, receipt: Receipt) -> str:
        """A receipt with where what went was looked for just now, signed.

        Raises:
            NothingToUndo: it was only previewed.

        """
        if receipt.forgotten_at is None:
            raise NothingToUndo(f"Forgetting {receipt.id} was not confirmed: nothing went.")
        proof = as_json(await self._proof(receipt, receipt.forgotten_at))
        return await asyncio.to_thread(signed, proof, self._app.settings.data_dir)

    async def _proof(self, receipt: Receipt, forgotten_at: datetime) -> ForgettingProof:
        storage, services, now = self._app.storage, self._app.services, self._app.clock.now()
        looks = await storage.traces.in_tables(receipt.id, receipt.person)
        in_files = await storage.traces.in_files(receipt.id)
        unseen = [] if in_files else [_FILES_UNSEEN]
        try:
            kept = await services.indexer.differences()
            looks.append(
                LookedFor(
                    place="vector store: entries that the tables do not have",
                    looked_for=sum(one.expected for one in kept),
                    found=sum(one.surplus for one in kept),
                    at=now,
                )
            )
        except OUTAGES as error:
            unseen.append(f"vector store: {error}")
        kept_in = await services.index_move.places.kept()
        others = {one for one in (*kept_in.leaving, kept_in.to) if one}
        unseen += [f"vector store at {one}: it is not in use" for one in sorted(others)]
        if kept_in.at != EMBEDDED:
            unseen.append("files of the vector server: only the server reads them")
        if receipt.purged_at is None:
            unseen.append("the words for undoing it, which are kept until it is purged")
        schema, sqlite = await storage.health.version()
        return ForgettingProof(
            pet=self._app.settings.pet.name,
            pet_id=await storage.erasures.pet(),
            versions={"eko": VERSION, "schema": str(schema), "sqlite": sqlite},
            written_at=now,
            forgetting=receipt,
            looked_for_afterwards=(*looks, *in_files),
            not_looked_in=tuple(unseen),
            backups_made_before=await services.backups.made_before(forgotten_at),
        )

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

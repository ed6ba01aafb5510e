"""The operations behind `eko forget`, as the operator."""

from collections.abc import AsyncIterator, Sequence
from datetime import datetime, timedelta
from typing import TypeVar
from uuid import UUID
from zoneinfo import ZoneInfo

from bot.errors import BotError
from bot.operations import requests
from bot.operations.caller import OperationCaller
from bot.operations.json import Event
from bot.wiring.app import App
from memory.model.knowledge import KnowledgeId
from memory.model.messages import MessageId, TurnId
from memory.model.people import PersonId
from memory.model.rooms import RoomId
from memory.model.statements import MemoryId
from memory.rules.forgetting.receipt import NothingToUndo, Preview, Receipt
from memory.rules.forgetting.selector import Selector

Id = TypeVar("Id", PersonId, RoomId)


class ForgetOperations:
    """Shows what would be forgotten, forgets it, gives it back, purges it."""

    def __init__(self, app: App, caller: OperationCaller) -> None:
        self._app = app
        self._caller = caller

    async def forget(self, request: requests.ForgetRequest) -> AsyncIterator[Event]:
        """Show what would be forgotten; forget it where that was said."""
        selector = await self._selector(request)
        preview = await self._app.services.forgetting.preview(selector, self._caller.requester)
        receipt = None
        if request.confirmed and not preview.is_empty:
            receipt = await self._app.services.forgetting.at_once(selector, self._caller.requester)
        yield {
            "result": {
                **_preview_json(preview),
                "receipt": None if receipt is None else _receipt_json(receipt),
            }
        }

    async def undo(self, request: requests.OneForgettingRequest) -> AsyncIterator[Event]:
        """Give back what a forgetting took."""
        undone = await self._app.services.forgetting.undo(self._caller.requester, request.id)
        yield {
            "result": {
                "restored": undone.restored,
                "changed_since": undone.changed_since,
                "receipt": _receipt_json(undone.receipt),
            }
        }

    async def purge(self, request: requests.OneForgettingRequest) -> AsyncIterator[Event]:
        """Remove what was forgotten from every file now, for good."""
        yield {"progress": {"state": "rewriting the files"}}
        purged = await self._app.services.purging.now(request.id, self._caller.requester)
        yield {"result": {**_receipt_json(purged.receipt), "is_clean": purged.is_clean}}

    async def receipts(self, request: requests.ReceiptsRequest) -> AsyncIterator[Event]:
        """What was forgotten, newest first, without a word of it."""
        found = await self._app.services.forgetting.receipts(request.limit)
        yield {"result": {"forgettings": [_receipt_json(one) for one in found]}}

    async def receipt(self, request: requests.OneForgettingRequest) -> AsyncIterator[Event]:
        """One forgetting."""
        found = await self._app.services.forgetting.receipt(request.id)
        if found is None:
            raise NothingToUndo(f"There is no forgetting {request.id}.")
        yield {"result": _receipt_json(found)}

    async def _selector(self, request: requests.ForgetRequest) -> Selector:
        zone = ZoneInfo(self._app.settings.timezone)
        messages = tuple(MessageId(int(one)) for one in request.ids if one.isdecimal())
        rows = [await self._row(one) for one in request.ids if not one.isdecimal()]
        return Selector(
            topic=request.topic,
            person=None if request.person is None else await self._person(request.person),
            about=request.about or request.erase,
            erase=request.erase,
            room=None if request.room is None else await self._room(request.room),
            start=_moment(request.start, zone),
            end=_moment(request.end, zone, ends=True),
            messages=messages,
            turns=tuple(TurnId(row) for table, row in rows if table == "turns"),
            memories=tuple(MemoryId(row) for table, row in rows if table == "memories"),
            knowledge=tuple(KnowledgeId(row) for table, row in rows if table == "knowledge"),
        )

    async def _person(self, name: str) -> PersonId:
        found = await self._app.storage.people.named(name)
        return _one(found, f'Nobody goes by "{name}".', f'Several people go by "{name}"')

    async def _room(self, name: str) -> RoomId:
        found = await self._app.storage.people.rooms_named(name)
        return _one(found, f'No room is called "{name}".', f'Several rooms are called "{name}"')

    async def _row(self, beginning: str) -> tuple[str, UUID]:
        found = await self._app.storage.forgettings.beginning(beginning.lower())
        if len(found) != 1:
            how = f"{len(found)} ids begin" if found else "No id begins"
            raise NotOne(f'{how} with "{beginning}".')
        return found[0]


class NotOne(BotError):
    """A name or an id that stands for nothing, or for several."""


def _one(found: Sequence[Id], none: str, several: str) -> Id:
    if len(found) == 1:
        return found[0]
    raise NotOne(f"{several}: name one by its id ({', '.join(found)})." if found else none)


def _moment(text: str | None, zone: ZoneInfo, *, ends: bool = False) -> datetime | None:
    """A moment or a day in the pet's time zone; a day that ends is the first moment of the next."""
    if text is None:
        return None
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise NotOne(f'"{text}" is no date: write 2026-01-17 or 2026-01-17T18:30.') from None
    if ends and len(text) <= len("2026-01-17"):
        found += timedelta(days=1)
    return found if found.tzinfo else found.replace(tzinfo=zone)


def _preview_json(preview: Preview) -> Event:
    return {
        "counts": dict(preview.counts),
        "samples": [
            {"kind": one.kind, "text": one.text, "at": one.at.isoformat()}
            for one in preview.samples
        ],
        "kept": [{"text": row.text, "why": row.why} for row in preview.kept],
    }


def _receipt_json(receipt: Receipt) -> Event:
    moments = {
        "previewed_at": receipt.previewed_at,
        "forgotten_at": receipt.forgotten_at,
        "undo_until": receipt.undo_until,
        "undone_at": receipt.undone_at,
        "purged_at": receipt.purged_at,
    }
    return {
        "id": receipt.id,
        "state": receipt.state,
        "by": receipt.kinds,
        "asked_by": receipt.person or "operator",
        "counts": dict(receipt.counts),
        "more": receipt.more,
        **{name: at and at.isoformat() for name, at in moments.items()},
    }

"""A history on its way in: batch by batch, from where it was broken off."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from collections.abc import Set as AbstractSet
from hashlib import file_digest
from itertools import islice
from pathlib import Path
from typing import TypeGuard

from bot.conversation.inbox import AT_ONCE
from bot.conversation.rooms import room_id
from bot.model.events import Inbound
from bot.surfaces.access.caller import OperationCaller
from bot.surfaces.values import Event
from bot.topics.histories.looking import LookedHistory
from bot.topics.histories.stating import HistoryStating
from bot.transfer.history.inbounds import SPOKEN, HistoryInbounds, author_key
from bot.transfer.history.model import HistoryItem, HistoryLine, LineKind, UnreadableLine
from bot.wiring.app import App
from memory.model.histories import BroughtHistory, HistoryCounts, HistoryFile
from memory.tasks import paced


class HistoryBringing:
    """Takes in one file that was looked through, by the way that live messages come."""

    def __init__(self, app: App, caller: OperationCaller, looked: LookedHistory) -> None:
        self._app = app
        self._caller = caller
        self._looked = looked
        self._stating = HistoryStating(app, caller, looked)

    async def run(self) -> AsyncIterator[Event]:
        """Take it in; how far that is, then what became of its lines."""
        looked, histories = self._looked, self._app.storage.histories
        begun = await self._begun()
        inbounds = HistoryInbounds(begun.id, looked.placed.place, looked.people.known)
        items, read_to, counts = looked.items(), 0, begun.counts
        while some := await asyncio.to_thread(list, islice(items, AT_ONCE)):
            new = max(0, begun.read_to - read_to)
            read_to += len(some)
            counts += await self._taken(begun, inbounds, some, new)
            if read_to > begun.read_to:
                await histories.went_on(begun.id, read_to, counts)
            yield {"progress": {"done": read_to, "total": looked.scan.items}}
        done = await histories.finish(begun.id)
        self._app.services.history_learning.wake()
        yield {
            "result": {
                "id": None if done is None else begun.id,
                "file": looked.path.name,
                "room": looked.placed.place.room.name,
                "counts": counts,
                "reasons": looked.scan.reasons,
            }
        }

    async def _begun(self) -> BroughtHistory:
        looked, histories = self._looked, self._app.storage.histories
        place, members = looked.placed.place, looked.placed.members
        await self._app.register.keep(self._app.register.room(place.room))
        if members:
            await histories.let_know(place.room.space, members)
            self._app.storage.people.refresh()
        return await histories.begin(
            HistoryFile(
                file=looked.path.name,
                fingerprint=await asyncio.to_thread(_fingerprint, looked.path),
                format=looked.known.format,
                room=room_id(place.room),
                audience=place.audience,
                by_model=looked.by_model,
            )
        )

    async def _taken(
        self,
        begun: BroughtHistory,
        inbounds: HistoryInbounds,
        items: Sequence[HistoryItem],
        known: int,
    ) -> HistoryCounts:
        """Take in some entries, of which the first `known` were taken in before."""
        counts, waiting = HistoryCounts(), list[Inbound]()
        stated: dict[str, HistoryLine] = {}
        async for place, item in paced(enumerate(items)):
            made = inbounds.of(item) if self._is_kept(item) else None
            key = inbounds.stated(item) if self._is_stated(item) else ""
            if place < known:
                continue
            if isinstance(item, UnreadableLine):
                counts += HistoryCounts(unreadable=1)
            elif key:
                stated[key] = item
            elif made is None:
                counts += HistoryCounts(left_out=1)
            elif isinstance(made, Inbound):
                waiting.append(made)
            else:  # new words, of a line that may be among those that wait
                counts += await self._received(waiting)
                waiting = []
                await self._app.inbox.receive(made)
        counts += await self._received(waiting)
        return counts + await self._stating.take(begun, stated)

    def _is_kept(self, item: HistoryItem) -> TypeGuard[HistoryLine]:
        """Whether an entry is the words of a person who was not left out."""
        return self._is_of(item, SPOKEN)

    def _is_stated(self, item: HistoryItem) -> TypeGuard[HistoryLine]:
        """Whether another memory kept an entry of a person who was not left out."""
        return self._is_of(item, {LineKind.MEMORY})

    def _is_of(self, item: HistoryItem, kinds: AbstractSet[LineKind]) -> bool:
        if isinstance(item, UnreadableLine) or item.kind not in kinds:
            return False
        return author_key(item) not in self._looked.people.without

    async def _received(self, inbounds: Sequence[Inbound]) -> HistoryCounts:
        if not inbounds:
            return HistoryCounts()
        became = await self._app.inbox.receive_all(inbounds, recorded=True)
        return became.among(len(inbounds))


def _fingerprint(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()

"""A history on its way in: batch by batch, from where it was broken off."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from hashlib import file_digest
from itertools import islice
from pathlib import Path
from typing import TypeGuard
from uuid import NAMESPACE_OID, uuid5

from bot.conversation.inbox import AT_ONCE
from bot.conversation.rooms import room_id
from bot.model.events import Inbound
from bot.surfaces.access.caller import OperationCaller
from bot.surfaces.values import Event
from bot.topics.histories.looking import LookedHistory
from bot.transfer.history.inbounds import SPOKEN, HistoryInbounds, author_key, moment_of
from bot.transfer.history.model import HistoryItem, HistoryLine, LineKind, UnreadableLine
from bot.wiring.app import App
from memory.model.audience import origin_of
from memory.model.histories import BroughtHistory, HistoryCounts, HistoryFile
from memory.model.people import PersonId, account_parts
from memory.model.statements import MemoryId, NewMemory, Source
from memory.model.stores import Store
from memory.storage.linking.directory import PersonListing
from memory.storage.sqlite.database import Transaction
from memory.tasks import paced


class HistoryBringing:
    """Takes in one file that was looked through, by the way that live messages come."""

    def __init__(self, app: App, caller: OperationCaller, looked: LookedHistory) -> None:
        self._app = app
        self._caller = caller
        self._looked = looked

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
        stated: list[HistoryLine] = []
        async for place, item in paced(enumerate(items)):
            made = inbounds.of(item) if self._is_kept(item) else None
            if place < known:
                continue
            if isinstance(item, UnreadableLine):
                counts += HistoryCounts(unreadable=1)
            elif item.kind is LineKind.MEMORY:
                stated.append(item)
            elif made is None:
                counts += HistoryCounts(left_out=1)
            elif isinstance(made, Inbound):
                waiting.append(made)
            else:  # new words, of a line that may be among those that wait
                counts += await self._received(waiting)
                waiting = []
                await self._app.inbox.receive(made)
        counts += await self._received(waiting)
        return counts + await self._stated(begun, stated)

    def _is_kept(self, item: HistoryItem) -> TypeGuard[HistoryLine]:
        """Whether an entry is the words of a person who was not left out."""
        if isinstance(item, UnreadableLine) or item.kind not in SPOKEN:
            return False
        return author_key(item) not in self._looked.people.without

    async def _received(self, inbounds: Sequence[Inbound]) -> HistoryCounts:
        if not inbounds:
            return HistoryCounts()
        became = await self._app.inbox.receive_all(inbounds, recorded=True)
        return became.among(len(inbounds))

    async def _stated(self, begun: BroughtHistory, lines: Sequence[HistoryLine]) -> HistoryCounts:
        """Keep what another memory kept, as said by whom it is about, or else by the owner."""
        if not lines:
            return HistoryCounts()
        services, histories = self._app.services, self._app.storage.histories
        owner = await self._owner()
        plans = await services.writer.plan([await self._new(begun, line, owner) for line in lines])

        async def work(transaction: Transaction) -> HistoryCounts:
            counts = HistoryCounts()
            for plan in plans:
                stored = await services.writer.apply(transaction, plan, self._caller.actor)
                if stored.is_new:
                    await histories.add_statement(transaction, begun.id, stored.id)
                counts += HistoryCounts(
                    stored=int(stored.is_new),
                    forgotten=int(stored.is_forgotten),
                    known=int(not stored.is_new and not stored.is_forgotten),
                )
            return counts

        return await self._app.storage.memories.write(work)

    async def _new(
        self, begun: BroughtHistory, line: HistoryLine, owner: PersonListing | None
    ) -> NewMemory:
        place, about = self._looked.placed.place, self._about(line)
        of = owner if about is None else await self._app.storage.directory.one(about)
        name = line.author or (of.name if of else "")
        is_named = name.casefold() in line.text.casefold()
        return NewMemory(
            id=MemoryId(uuid5(NAMESPACE_OID, f"import:{begun.id}:{line.number}")),
            store=Store.MEMORY,
            content=line.text if is_named else f"{name}: {line.text}",
            origin=origin_of(place.audience, room_id(place.room)),
            source=Source.IMPORT,
            subjects=(name,) if name else (),
            said_by=of.name if of else None,
            author=of.id if of else None,
            about_person=about if line.author or of is None else of.id,
            said_at=min(moment_of(line, place.zone), self._app.clock.now()),
        )

    def _about(self, line: HistoryLine) -> PersonId | None:
        """Whom a statement is about: who is named beside it, else the one who alone may know it."""
        known = self._looked.people.known.get(author_key(line))
        return known if line.author else self._looked.placed.person

    async def _owner(self) -> PersonListing | None:
        """Who owns the pet, where the settings say whose account that is."""
        account = self._app.settings.notices.account
        if account is None:
            return None
        person = await self._app.storage.people.known(*account_parts(account))
        return None if person is None else await self._app.storage.directory.one(person)


def _fingerprint(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()

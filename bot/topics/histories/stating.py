"""What another memory kept, such as mem0: statements of a file, each kept once."""

from collections.abc import Mapping
from dataclasses import replace

from bot.conversation.rooms import room_id
from bot.surfaces.access.caller import OperationCaller
from bot.topics.histories.looking import LookedHistory
from bot.transfer.history.inbounds import KnownAuthor, account_of, author_key, moment_of
from bot.transfer.history.model import HistoryLine
from bot.wiring.app import App
from memory.model.audience import origin_of
from memory.model.histories import BroughtHistory, HistoryCounts
from memory.model.people import AccountId, PersonId, account_parts
from memory.model.statements import MemoryId, NewMemory, Source, StatedBefore
from memory.model.stores import Store
from memory.rules.plan import StorePlan
from memory.storage.linking.directory import PersonListing
from memory.storage.sqlite.database import Transaction


class HistoryStating:
    """Keeps statements as said by whom they are about, or else by the owner."""

    def __init__(self, app: App, caller: OperationCaller, looked: LookedHistory) -> None:
        self._app = app
        self._caller = caller
        self._looked = looked

    async def take(self, begun: BroughtHistory, lines: Mapping[str, HistoryLine]) -> HistoryCounts:
        """Keep what is new of these lines, by their keys; what became of all of them."""
        if not lines:
            return HistoryCounts()
        places = await self._app.storage.histories.stated(lines)
        before = [one.before for one in places.values()]
        counts = HistoryCounts(
            known=before.count(StatedBefore.KEPT), forgotten=before.count(StatedBefore.FORGOTTEN)
        )
        fresh = {
            places[key].id: line
            for key, line in lines.items()
            if places[key].before is StatedBefore.NOTHING
        }
        return counts + await self._kept(begun, fresh)

    async def _kept(
        self, begun: BroughtHistory, lines: Mapping[MemoryId, HistoryLine]
    ) -> HistoryCounts:
        owner, writer = await self._owner(), self._app.services.writer
        news = [await self._new(id_, line, owner) for id_, line in lines.items()]
        plans = await writer.plan(news)

        async def work(transaction: Transaction) -> HistoryCounts:
            counts = HistoryCounts()
            for plan in plans:
                counts += await self._stored(transaction, begun, plan)
            return counts

        return await self._app.storage.memories.write(work)

    async def _stored(
        self, transaction: Transaction, begun: BroughtHistory, plan: StorePlan
    ) -> HistoryCounts:
        stored = await self._app.services.writer.apply(transaction, plan, self._caller.actor)
        if stored.is_new:
            await self._app.storage.histories.add_statement(transaction, begun.id, stored.id)
        return HistoryCounts(
            stored=int(stored.is_new),
            forgotten=int(stored.is_forgotten),
            known=int(not stored.is_new and not stored.is_forgotten),
        )

    async def _new(
        self, id_: MemoryId, line: HistoryLine, owner: PersonListing | None
    ) -> NewMemory:
        place, known = self._looked.placed.place, self._looked.people.known.get(author_key(line))
        about = self._about(line, known)
        of = owner if about is None else await self._app.storage.directory.one(about)
        account = None if known is None else await self._account(line, known)
        name = line.author or (of.name if of else "")
        is_named = name.casefold() in line.text.casefold()
        return NewMemory(
            id=id_,
            store=Store.MEMORY,
            content=line.text if is_named else f"{name}: {line.text}",
            origin=replace(origin_of(place.audience, room_id(place.room)), account=account),
            source=Source.IMPORT,
            subjects=(name,) if name else (),
            said_by=of.name if of else None,
            author=of.id if of else None,
            about_person=about if line.author or of is None else of.id,
            said_at=min(moment_of(line, place.zone), self._app.clock.now()),
        )

    def _about(self, line: HistoryLine, known: KnownAuthor | None) -> PersonId | None:
        """Whom a statement is about: who is named beside it, else the one who alone may know it."""
        if line.author:
            return known.person if known else None
        return self._looked.placed.person

    async def _account(self, line: HistoryLine, known: KnownAuthor) -> AccountId:
        """The account that a statement is kept with; it is its person's from now on."""
        author = account_of(author_key(line), self._looked.placed.place)
        await self._app.register.author_in_file(known.person, author, known.account)
        return known.account or author.account

    async def _owner(self) -> PersonListing | None:
        """Who owns the pet, where the settings say whose account that is."""
        account = self._app.settings.notices.account
        if account is None:
            return None
        person = await self._app.storage.people.known(*account_parts(account))
        return None if person is None else await self._app.storage.directory.one(person)

"""Conversations: sessions, and turns with what was injected, answered and delivered."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from uuid import UUID, uuid4

from memory.model.audience import Scope
from memory.model.conversations import (
    NewTurn,
    PartReport,
    PlatformMessage,
    Session,
    Turn,
)
from memory.model.messages import TurnId
from memory.model.people import PersonId
from memory.model.rooms import RoomId
from memory.model.stores import Collection
from memory.ports import Clock
from memory.rules.forgetting.masking import masked
from memory.rules.forgetting.values import unsaid
from memory.storage.conversations.edits import standing
from memory.storage.conversations.ledger import add_retrieval
from memory.storage.conversations.messages import add_messages
from memory.storage.conversations.part_fates import PartFates
from memory.storage.conversations.quotations import any_erased, carried
from memory.storage.conversations.room_excerpts import keep_lines
from memory.storage.conversations.turn_rows import (
    pet_message,
    tool_rows,
    turn_audience,
    turn_columns,
    turn_in,
    turn_of_new,
)
from memory.storage.forgotten.value_marks import marked_in
from memory.storage.people.people import surviving_person
from memory.storage.search.outbox import announce
from memory.storage.sqlite.columns import audiences, json_list, millis
from memory.storage.sqlite.database import Database, Transaction
from memory.storage.sqlite.queries import queries
from memory.storage.sqlite.readers import Row
from memory.storage.sqlite.rows import row_as
from memory.storage.statements.statements import count_accesses

_SQL = queries("conversations/turns")


class Turns:
    """The sessions and turns tables."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._fates = PartFates()

    async def session(self, person: PersonId, room: RoomId, idle: timedelta) -> Session:
        """The open session of a person in a room, or a new one after `idle` of silence."""
        now = self._clock.now()
        return await self._database.write(
            lambda transaction: open_session(transaction, person, room, idle, now)
        )

    async def end_idle(self, idle: timedelta) -> int:
        """End the sessions that have been silent for `idle`; returns how many ended."""
        now = self._clock.now()

        async def work(transaction: Transaction) -> int:
            values = {"now": millis(now), "before": millis(now - idle)}
            return len(await transaction.all(_SQL["end_idle"], values))

        return await self._database.write(work)

    async def keep(self, new: NewTurn) -> Turn:
        """Store a turn with its reply, its retrieval and the messages it answers, all or nothing.

        From then on the reply survives a crash: `undelivered` returns it until `delivered` is
        called.
        """
        now = self._clock.now()
        return await self._database.write(lambda transaction: keep_turn(transaction, new, now))

    async def part_sent(self, turn: TurnId, parts: int, became: PlatformMessage | None) -> None:
        """Record that the platform took the first `parts` parts of the reply.

        `became` is the platform's message for the last of them: a quotation of it quotes the reply.
        """

        async def work(transaction: Transaction) -> None:
            await transaction.run(_SQL["part_sent"], {"id": str(turn), "parts": parts})
            if became is not None:
                platform, external_id = became
                values = {"platform": platform, "external_id": external_id}
                await transaction.run(
                    _SQL["add_part"], {**values, "turn": str(turn), "part": parts - 1}
                )
                await self._fates.catch_up(transaction, became)

        await self._database.write(work)

    async def part_reported(self, message: PlatformMessage, report: PartReport) -> None:
        """Apply a platform's report about a message, even before the message is known as a part."""
        await self._database.write(
            lambda transaction: self._fates.follow(transaction, message, report)
        )

    async def answered(self, turn: TurnId) -> str | None:
        """The platform's id of the last message that a turn answers, or None if it is gone."""
        row = await self._database.one(_SQL["last_answered"], {"id": str(turn)})
        return None if row is None else str(row["external_id"])

    async def delivered(self, turn: TurnId) -> None:
        """Record that the platform took the whole reply; the exchange becomes searchable."""

        async def work(transaction: Transaction) -> None:
            await transaction.run(_SQL["delivered"], {"id": str(turn)})
            await announce(transaction, Collection.CONVERSATIONS, [turn])

        await self._database.write(work)

    async def refused(self, turn: TurnId) -> None:
        """Record that the platform will never take the reply: it is not sent again, nor found."""
        await self._database.run(_SQL["refused"], {"id": str(turn)})

    async def undelivered(self) -> list[Turn]:
        """Turns whose reply the platform may not have taken whole, oldest first."""
        return [turn_in(row) for row in await self._database.all(_SQL["undelivered"])]

    async def waiting(self, turn: TurnId) -> Turn | None:
        """A turn that may not be wholly delivered, as it is now; None if it was delivered."""
        row = await self._database.one(_SQL["waiting"], {"id": str(turn)})
        return None if row is None else turn_in(row)

    async def window(self, session: str, scope: Scope) -> list[Turn]:
        """The turns of a session since its last checkpoint, oldest first, as a scope allows."""
        rows = await self._database.all(_SQL["window"], {"session": session})
        return [turn_in(row).within(scope) for row in rows]

    async def stale(self, turns: Sequence[TurnId], scope: Scope) -> frozenset[TurnId]:
        """The turns for which a row was recalled that the scope does not recall any more.

        A statement was forgotten, replaced or has expired; a lobby message was withdrawn or edited;
        an exchange is not found any more; or the scope of now does not allow a row that the scope
        of then did.
        """
        values = {
            "turns": json_list(map(str, turns)),
            "now": millis(self._clock.now()),
            "audiences": audiences(scope),
        }
        rows = await self._database.all(_SQL["stale"], values)
        overheard = await self._database.all(_SQL["overheard_for"], values)
        heard = json_list((row["turn_id"], _message_in(row["ref"])) for row in overheard)
        rows += await self._database.all(_SQL["unsaid"], {**values, "heard": heard})
        return frozenset(TurnId(UUID(row["turn_id"])) for row in rows)

    async def by_id(self, turn: TurnId, scope: Scope) -> Turn | None:
        """One turn, or None if there is none that the scope allows."""
        return await self._one("by_id", scope, id=str(turn))

    async def starting(self, beginning: str, scope: Scope, limit: int) -> list[Turn]:
        """The turns whose id (lower case, with hyphens) begins with `beginning`, latest first."""
        values = {"beginning": beginning, "audiences": audiences(scope), "limit": limit}
        rows = await self._database.all(_SQL["starting"], values)
        return [turn_in(row).within(scope) for row in rows]

    async def latest(
        self, scope: Scope, *, speaker: str | None = None, room: str | None = None
    ) -> Turn | None:
        """The last turn; of a speaker or in a room where one is named (case aside)."""
        return await self._one("latest", scope, speaker=speaker, room=room)

    async def previous(self, person: PersonId, room: RoomId, scope: Scope) -> Turn | None:
        """The last turn of a person's open session in a room, or else of anyone's there."""
        return await self._one("previous", scope, person=person, room=room)

    async def gone(self, ids: Sequence[UUID], scope: Scope) -> frozenset[UUID]:
        """The ids that searches do not find any more, as far as the scope allows them."""
        values = {"ids": json_list(map(str, ids)), "audiences": audiences(scope)}
        return frozenset(UUID(row["id"]) for row in await self._database.all(_SQL["gone"], values))

    async def visible(self, ids: Sequence[UUID], scope: Scope) -> list[Turn]:
        """Those of `ids` that the scope allows."""
        values = {"ids": json_list(map(str, ids)), "audiences": audiences(scope)}
        return [turn_in(row) for row in await self._database.all(_SQL["visible"], values)]

    async def _one(self, query: str, scope: Scope, **values: str | None) -> Turn | None:
        bound = {**values, "audiences": audiences(scope)}
        row = await self._database.one(_SQL[query], bound)
        return None if row is None else turn_in(row).within(scope)


async def open_session(
    transaction: Transaction, person: PersonId, room: RoomId, idle: timedelta, now: datetime
) -> Session:
    """The open session of a person in a room, or a new one after `idle` of silence."""
    who = await surviving_person(transaction, person)
    values = {"person": who, "room": room, "now": millis(now)}
    row = await transaction.one(_SQL["open_session"], values)
    if row is not None and row["last_at"] >= millis(now - idle):
        return _session(row, who, room)
    if row is not None:
        await transaction.run(_SQL["end_session"], {"id": row["id"], "now": millis(now)})
    begun = await transaction.all(_SQL["start_session"], {**values, "id": uuid4().hex})
    return _session(begun[0], who, room)


async def keep_turn(transaction: Transaction, new: NewTurn, now: datetime) -> Turn:
    """Store a turn with all its rows, inside a transaction.

    Stored words hold no value that was forgotten in the room. The returned turn, which is to be
    delivered, may hold forgotten values that its message states.
    """
    turn = TurnId(uuid4())
    new = await _as_it_stands(transaction, new)
    spoken = await _masked_reply(transaction, new)
    told = await _without_forgotten(transaction, new)
    own = turn_audience(told)
    carries = await carried(transaction, told, own)
    columns = turn_columns(turn, told, millis(now))
    await transaction.run(
        _SQL["add"], {**columns, "audience": own, "carries": json_list(sorted(carries))}
    )
    await transaction.many(_SQL["add_tool"], tool_rows(turn, told.tools))
    await keep_lines(transaction, turn, told.excerpt)
    await transaction.run(_SQL["answered"], {"id": str(turn), "messages": json_list(told.messages)})
    await add_messages(transaction, [pet_message(turn, told, now)], millis(now))
    await transaction.run(_SQL["touch_session"], {"id": told.session.id, "now": millis(now)})
    if told.retrieval is not None:
        await add_retrieval(transaction, turn, told.retrieval, millis(now))
        await count_accesses(transaction, told.retrieval.injected, millis(now))
    return turn_of_new(turn, replace(told, reply=spoken), carries, now)


async def _as_it_stands(transaction: Transaction, new: NewTurn) -> NewTurn:
    """The turn with the present words of its messages, without those withdrawn or forgotten.

    Its tools were asked about the old words, so their results go too.
    """
    new = await _unless_forgotten(transaction, new)
    said = await standing(transaction, new.messages)
    if not (said.withdrawn or said.edited) or said.text == new.text:
        return new
    looked_up = new.retrieval and replace(new.retrieval, query="")
    is_found = new.searchable and not said.withdrawn
    return replace(new, text=said.text, searchable=is_found, retrieval=looked_up, tools=())


async def _masked_reply(transaction: Transaction, new: NewTurn) -> str:
    """The reply with forgotten values masked, except those that its message states."""
    found = await marked_in(transaction, new.reply, turn_audience(new))
    return masked(new.reply, unsaid(found, new.text))


async def _without_forgotten(transaction: Transaction, new: NewTurn) -> NewTurn:
    """The turn without forgotten values in its words, its query and its tool calls."""

    async def kept(text: str, speaker: PersonId | None = None) -> str:
        return masked(text, await marked_in(transaction, text, turn_audience(new), speaker))

    looked_up = new.retrieval
    if looked_up is not None:
        query = await kept(looked_up.query, new.session.person)
        looked_up = replace(looked_up, query=query)
    text, reply = await kept(new.text, new.session.person), await kept(new.reply)
    tools = [
        use
        for use in new.tools
        if text == new.text
        and not await marked_in(transaction, f"{use.arguments}\n{use.result}", turn_audience(new))
    ]
    return replace(new, text=text, reply=reply, retrieval=looked_up, tools=tuple(tools))


async def _unless_forgotten(transaction: Transaction, new: NewTurn) -> NewTurn:
    """The turn, without what was recalled if a row of it was forgotten meanwhile."""
    if new.retrieval is None:
        return new
    refs = [one.candidate.ref for one in new.retrieval.items if one.kept]
    if not await any_erased(transaction, (*refs, *(one.ref for one in new.excerpt.lines))):
        return new
    looked_up = replace(new.retrieval, query="")
    return replace(new, recalled=(), searchable=False, retrieval=looked_up, tools=())


def _message_in(ref: str) -> int:
    """The id of the lobby message in a reference; SQL cannot read it from an id of 128 bits."""
    return UUID(ref.partition(":")[2].partition("@")[0]).int


def _session(row: Row, person: PersonId, room: RoomId) -> Session:
    return row_as(Session, row, person=person, room=room, is_new=not row["last_turn"])

"""A turn as it is kept: all its rows, and the turn of a row."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from uuid import uuid4

from memory.language.text import search_text
from memory.model.audience import Audience, Origin, audience_of
from memory.model.conversations import NewTurn, ToolUse, Turn, words_found
from memory.model.messages import Arrival, AuthorKind, Handling, TurnId
from memory.model.people import PersonId
from memory.rules.forgetting.masking import masked
from memory.rules.forgetting.values import unsaid
from memory.storage.conversations.edits import standing
from memory.storage.conversations.ledger import add_retrieval
from memory.storage.conversations.messages import add_messages
from memory.storage.conversations.quotations import any_erased, carried
from memory.storage.conversations.room_excerpts import keep_lines
from memory.storage.elsewhere.given import keep_given, told_again
from memory.storage.forgotten.value_marks import marked_in
from memory.storage.sqlite.database import Transaction
from memory.storage.sqlite.rows import (
    Row,
    columns_of,
    json_list,
    millis,
    queries,
    recalled_in,
    recalled_json,
    row_as,
)
from memory.storage.statements.statements import count_accesses

_SQL = queries("conversations/kept_turns")


async def keep_turn(transaction: Transaction, new: NewTurn, now: datetime) -> Turn:
    """Store a turn with all its rows, inside a transaction.

    Stored words hold no value that was forgotten in the room. The returned turn, which is to be
    delivered, may hold forgotten values that its message states.
    """
    turn = TurnId(uuid4())
    new = await _as_it_stands(transaction, new)
    spoken = await _masked_reply(transaction, new)
    told = await _without_forgotten(transaction, new)
    own = _audience(told)
    carries = await carried(transaction, told, own)
    again = await told_again(transaction, told)
    told = replace(told, searchable=told.searchable and not again)
    columns = _columns(turn, told, millis(now))
    await transaction.run(
        _SQL["add"], {**columns, "audience": own, "carries": json_list(sorted(carries))}
    )
    await transaction.many(_SQL["add_tool"], _tool_rows(turn, told.tools))
    await keep_lines(transaction, turn, told.excerpt)
    await transaction.run(_SQL["answered"], {"id": str(turn), "messages": json_list(told.messages)})
    if told.reply or told.notice:  # a turn without words is no line of the room
        await add_messages(transaction, [_pet_message(turn, told, now)], millis(now))
    await transaction.run(_SQL["touch_session"], {"id": told.session.id, "now": millis(now)})
    await keep_given(transaction, turn, again)
    if told.retrieval is not None:
        await add_retrieval(transaction, turn, told.retrieval, millis(now))
        given = told.retrieval.given
        await keep_given(transaction, turn, ((one.address, one.ref, millis(now)) for one in given))
        await count_accesses(transaction, told.retrieval.injected, millis(now))
    return _stored(turn, replace(told, reply=spoken), carries, now)


def turn_in(row: Row) -> Turn:
    """The turn of a row."""
    return row_as(
        Turn,
        row,
        session=row["session_id"],
        room=row["room_id"],
        person=row["person_id"],
        recalled=recalled_in(row["recalled"]),
        words=row["search_text"],
    )


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
    found = await marked_in(transaction, new.reply, _audience(new))
    return masked(new.reply, unsaid(found, new.text))


async def _without_forgotten(transaction: Transaction, new: NewTurn) -> NewTurn:
    """The turn without forgotten values in its words, its query and its tool calls."""

    async def kept(text: str, speaker: PersonId | None = None) -> str:
        return masked(text, await marked_in(transaction, text, _audience(new), speaker))

    looked_up = new.retrieval
    if looked_up is not None:
        query = await kept(looked_up.query, new.session.person)
        looked_up = replace(looked_up, query=query)
    text, reply = await kept(new.text, new.session.person), await kept(new.reply)
    tools = [
        use
        for use in new.tools
        if text == new.text
        and not await marked_in(transaction, f"{use.arguments}\n{use.result}", _audience(new))
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


def _audience(new: NewTurn) -> Audience:
    """The audience of a new turn."""
    return audience_of(
        Origin(
            visibility=new.room.visibility,
            person=new.session.person,
            room=new.room.id,
            space=new.room.space,
        )
    )


def _columns(turn: TurnId, new: NewTurn, now: int) -> dict[str, object]:
    """The columns of a new turn, without its audience and what it carries."""
    found = words_found(new.text, new.reply, failed=new.error is not None)
    return {
        "id": str(turn),
        "session": new.session.id,
        "room": new.room.id,
        "person": new.session.person,
        "channel": new.channel,
        "speaker": new.speaker,
        "text": new.text,
        "account": new.account,
        "messages": json_list(new.messages),
        "recalled": recalled_json(new.recalled),
        "reply": new.reply,
        "notice": new.notice,
        "expression": new.expression,
        "search_text": search_text(found) if new.searchable else "",
        "visibility": new.room.visibility,
        "error": new.error,
        "asked_at": millis(new.excerpt.at),
        "now": now,
    }


def _tool_rows(turn: TurnId, tools: Sequence[ToolUse]) -> list[dict[str, object]]:
    """One row for each call of a tool in a turn, in order."""
    return [
        {**columns_of(use), "turn": str(turn), "position": position}
        for position, use in enumerate(tools)
    ]


def _pet_message(turn: TurnId, new: NewTurn, now: datetime) -> Arrival:
    """The reply of a new turn as a message of the pet."""
    return Arrival(
        platform="eko",
        external_id=str(turn),
        room=new.room,
        author=new.pet_name,
        author_kind=AuthorKind.PET,
        person=new.session.person,
        text=new.reply,
        sent_at=now,
        handling=Handling.KEPT,
        turn=turn,
    )


def _stored(turn: TurnId, new: NewTurn, carries: frozenset[Audience], now: datetime) -> Turn:
    """A new turn as it is once it is stored, before any part of it is sent."""
    return Turn(
        id=turn,
        session=new.session.id,
        room=new.room.id,
        person=new.session.person,
        speaker=new.speaker,
        text=new.text,
        recalled=new.recalled,
        reply=new.reply,
        expression=new.expression,
        notice=new.notice,
        parts_sent=0,
        asked_at=new.excerpt.at,
        at=now,
        carries=carries,
    )

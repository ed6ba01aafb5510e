"""Turns and rows: the columns of a new turn, and the turn of a row."""

from collections.abc import Sequence
from datetime import datetime

from memory.language.text import search_text
from memory.model.audience import Audience, Origin, audience_of
from memory.model.conversations import NewTurn, ToolUse, Turn, words_found
from memory.model.messages import Arrival, AuthorKind, Handling, TurnId
from memory.storage.sqlite.columns import json_list, millis, recalled_in, recalled_json
from memory.storage.sqlite.readers import Row
from memory.storage.sqlite.rows import columns_of, row_as


def turn_audience(new: NewTurn) -> Audience:
    """The audience of a new turn."""
    return audience_of(
        Origin(
            visibility=new.room.visibility,
            person=new.session.person,
            room=new.room.id,
            space=new.room.space,
        )
    )


def turn_columns(turn: TurnId, new: NewTurn, now: int) -> dict[str, object]:
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


def tool_rows(turn: TurnId, tools: Sequence[ToolUse]) -> list[dict[str, object]]:
    """One row for each call of a tool in a turn, in order."""
    return [
        {**columns_of(use), "turn": str(turn), "position": position}
        for position, use in enumerate(tools)
    ]


def pet_message(turn: TurnId, new: NewTurn, now: datetime) -> Arrival:
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


def turn_of_new(turn: TurnId, new: NewTurn, carries: frozenset[Audience], now: datetime) -> Turn:
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

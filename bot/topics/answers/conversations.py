"""Turns: the latest ones, one with everything behind it, and those that found nothing."""

from collections.abc import Sequence
from functools import cache
from itertools import islice

from bot.agent.tools.places import in_words
from bot.surfaces.access.caller import OperationCaller
from bot.surfaces.json import Event
from bot.texts.catalogue import languages, texts_in
from bot.topics.answers.why import ExplainOperations
from bot.wiring.app import App
from memory.language.questions.asking import share_that_asks
from memory.model.conversations import ToolUse
from memory.model.ledger import DOLLAR
from memory.model.messages import TurnId
from memory.model.people import PersonId
from memory.model.rooms import RoomId
from memory.storage.conversations.turn_records import BEYOND, TurnCall, TurnListing

LATELY = 400
"""Turns among which unanswered questions are looked for: some days of a busy pet."""

_LEAST_ASKING = 0.5
"""The share of a text that asks, from which it is a question."""


async def turns(
    app: App,
    caller: OperationCaller,
    limit: int,
    *,
    before: int | None = None,
    person: PersonId | None = None,
) -> Event:
    """The latest turns before a position, of one person or of all."""
    found = await app.storage.turn_records.latest(
        caller.scope, limit + 1, before=BEYOND if before is None else before, person=person
    )
    page = found[:limit]
    return {
        "items": [await _listing_json(app, one) for one in page],
        "next": page[-1].position if len(found) > limit else None,
    }


async def turn(app: App, caller: OperationCaller, id_: TurnId) -> Event | None:
    """One turn: its recall, the room's lines, tools and calls; None where there is none."""
    found = await app.storage.turns.by_id(id_, caller.scope)
    if found is None:
        return None
    records = app.storage.turn_records
    tools = await records.tools(id_, caller.scope)
    return {
        **await ExplainOperations(app, caller).told(found, dropped=True),
        "person_id": found.person,
        "took_s": round((found.at - found.asked_at).total_seconds(), 3),
        "tools": [_tool_json(one) for one in tools],
        "calls": [_call_json(one) for one in await records.calls(id_, caller.scope)],
    }


async def unanswered(app: App, caller: OperationCaller, most: int) -> list[Event]:
    """The latest questions for which nothing was recalled, or which were answered with that."""
    found = await app.storage.turn_records.latest(caller.scope, LATELY)
    chosen = islice((one for one in found if _found_nothing(one)), most)
    return [await _listing_json(app, one) for one in chosen]


def _found_nothing(one: TurnListing) -> bool:
    if not one.asked or not one.reply:
        return False
    says_so = one.reply in _admissions()
    return says_so or (not one.injected and share_that_asks(one.asked) >= _LEAST_ASKING)


@cache
def _admissions() -> frozenset[str]:
    """What the pet without a model says where it does not know."""
    told = (texts_in(one).choices("offline.unknown") for one in languages())
    return frozenset(text for texts in told for text in texts)


async def _listing_json(app: App, one: TurnListing) -> Event:
    return {
        "turn": str(one.id),
        "at": one.at.isoformat(),
        "person": one.speaker,
        "person_id": one.person,
        "room": one.room,
        "where": await place(app, one.room),
        "asked": one.asked,
        "reply": one.reply,
        "expression": one.expression,
        "recall": {
            "reason": one.lookup.reason,
            "considered": one.lookup.considered,
            "injected": one.injected,
            "tokens": one.lookup.tokens,
            "took_ms": one.lookup.took_ms,
            "late": list(one.lookup.late),
        },
        "error": one.error,
    }


async def place(app: App, room: RoomId) -> str:
    """A room in words, "" where it is not known any more."""
    known = await app.storage.people.room(room)
    return "" if known is None else in_words(known, is_inside=True)


async def places(app: App, rooms: Sequence[RoomId]) -> dict[RoomId, str]:
    """The same for several."""
    return {one: await place(app, one) for one in dict.fromkeys(rooms)}


def _tool_json(one: ToolUse) -> Event:
    return {
        "name": one.name,
        "arguments": one.arguments,
        "result": one.result,
        "failed": one.failed,
    }


def _call_json(one: TurnCall) -> Event:
    return {
        "purpose": one.purpose,
        "model": one.model,
        "outcome": one.outcome,
        "input": one.input,
        "output": one.output,
        "cache_read": one.cache_read,
        "cache_write": one.cache_write,
        "dollars": one.cost / DOLLAR,
        "took_ms": one.took_ms,
    }

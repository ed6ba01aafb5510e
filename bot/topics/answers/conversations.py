"""Turns: the latest ones, one with everything behind it, and those that found nothing."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from itertools import islice

from bot.agent.tools.places import in_words
from bot.llm.offline.model import OFFLINE
from bot.surfaces.access.caller import OperationCaller
from bot.surfaces.api.cursors import Page, page_of
from bot.surfaces.values import Event, extended
from bot.texts.catalogue import languages, texts_in
from bot.topics.answers.why import ExplainOperations
from bot.wiring.app import App
from memory.language.questions.asking import share_that_asks
from memory.model.ledger import Lookup
from memory.model.messages import TurnId
from memory.model.people import PersonId
from memory.model.rooms import RoomId
from memory.model.shown import Shown
from memory.storage.conversations.turn_records import BEYOND, TurnListing

LATELY = 400
"""Turns among which unanswered questions are looked for: some days of a busy pet."""

_LEAST_ASKING = 0.5
"""The share of a text that asks, from which it is a question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LookupShown(Lookup):
    """Why something was looked up or not; of the rows `considered` so many were `injected`.

    `late` are the sources that missed the deadline.
    """

    injected: Shown[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnsweredTurn:
    """An answer with what was looked up for it; `error` says why rules answered.

    `where` is the room in words; `asked` is "" once its words were taken back.
    """

    turn: Shown[TurnId]
    at: Shown[datetime]
    person: Shown[str]
    person_id: Shown[PersonId]
    room: Shown[RoomId]
    where: Shown[str]
    asked: Shown[str]
    reply: Shown[str]
    expression: Shown[str]
    recall: Shown[LookupShown]
    error: Shown[str | None]


async def turns(
    app: App,
    caller: OperationCaller,
    limit: int,
    *,
    before: int | None = None,
    person: PersonId | None = None,
) -> Page[AnsweredTurn]:
    """The latest turns before a position, of one person or of all."""
    found = await app.storage.turn_records.latest(
        caller.scope, limit + 1, before=BEYOND if before is None else before, person=person
    )
    page = page_of(found, limit, lambda one: one.position)
    return Page([await _answer(app, one) for one in page.items], page.next)


async def turn(app: App, caller: OperationCaller, id_: TurnId) -> Event | None:
    """One turn: its recall, the room's lines, tools and calls; None where there is none."""
    found = await app.storage.turns.by_id(id_, caller.scope)
    if found is None:
        return None
    records = app.storage.turn_records
    return {
        **await ExplainOperations(app, caller).told(found, dropped=True),
        "person_id": found.person,
        "took_s": round((found.at - found.asked_at).total_seconds(), 3),
        "tools": await records.tools(id_, caller.scope),
        "calls": await records.calls(id_, caller.scope),
    }


async def unanswered(app: App, caller: OperationCaller, most: int) -> list[AnsweredTurn]:
    """The latest questions for which nothing was recalled, or which were answered with that.

    Rules say themselves when they do not know; a model says it in words of its own.
    """
    found = await app.storage.turn_records.latest(caller.scope, LATELY)
    by_rules = app.services.model.name == OFFLINE
    chosen = islice((one for one in found if _found_nothing(one, by_rules=by_rules)), most)
    return [await _answer(app, one) for one in chosen]


def _found_nothing(one: TurnListing, *, by_rules: bool) -> bool:
    if not one.asked or not one.reply:
        return False
    says_so = one.reply.partition("\n\n")[0] in admissions()
    if says_so or by_rules or one.error:
        return says_so
    is_found = one.injected or one.in_window
    return not is_found and share_that_asks(one.asked) >= _LEAST_ASKING


@cache
def admissions() -> frozenset[str]:
    """What the pet without a model says where it does not know."""
    keys = ("offline.unknown", "offline.unknown_in_group")
    told = (texts_in(one).choices(key) for one in languages() for key in keys)
    return frozenset(text for texts in told for text in texts)


async def _answer(app: App, one: TurnListing) -> AnsweredTurn:
    return AnsweredTurn(
        turn=one.id,
        at=one.at,
        person=one.speaker,
        person_id=one.person,
        room=one.room,
        where=await place(app, one.room),
        asked=one.asked,
        reply=one.reply,
        expression=one.expression,
        recall=extended(LookupShown, one.lookup, injected=one.injected),
        error=one.error,
    )


async def place(app: App, room: RoomId) -> str:
    """A room in words, "" where it is not known any more."""
    known = await app.storage.people.room(room)
    return "" if known is None else in_words(known, is_inside=True)


async def places(app: App, rooms: Sequence[RoomId]) -> dict[RoomId, str]:
    """The same for several."""
    return {one: await place(app, one) for one in dict.fromkeys(rooms)}

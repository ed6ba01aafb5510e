"""Core facts: what is always known of a person, a value by a key such as `city` or `job`."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Path, Query, Response

from bot.surfaces.access.dependencies import Allowed
from bot.surfaces.api.cursors import Cursor, Limit, Page, position_in
from bot.surfaces.api.documented import refusals
from bot.surfaces.api.revisions import IfMatch, came_too_late, check_revision, etag_of
from bot.surfaces.api.routing import ValueRoute
from bot.surfaces.parts import Parts
from bot.topics.facts.facts import CoreFactOperations
from bot.topics.statements.requests import FactEditRequest, NewFactRequest
from memory.model.errors import HoldsNoMore
from memory.model.knowledge import CoreFact
from memory.model.people import PersonId
from memory.model.shown import Shown
from memory.rules.forgetting.receipt import Receipt
from memory.rules.forgetting.selector import Selector
from memory.storage.sqlite.database import Check

router = APIRouter(
    prefix="/api/memory/facts", tags=["facts"], responses=refusals(), route_class=ValueRoute
)

Key = Annotated[str, Path(min_length=1, max_length=60)]
Of = Annotated[str, Query(min_length=1, max_length=300, description="A name or an id.")]
FactId = Annotated[str | None, Query(alias="id", max_length=36)]


@dataclass(frozen=True, slots=True, kw_only=True)
class FactsOfKey:
    """The values that hold for a person and a key, one for each audience."""

    key: Shown[str]
    items: Shown[Sequence[CoreFact]]


@dataclass(frozen=True, slots=True, kw_only=True)
class FactForgotten:
    """A fact that was forgotten, with the statement it rested on, and the receipt."""

    fact: Shown[CoreFact]
    receipt: Shown[Receipt]


@router.get("", responses=refusals(400))
async def core_facts(
    parts: Parts,
    principal: Allowed,
    *,
    person: Annotated[str | None, Query(min_length=1, max_length=300)] = None,
    history: bool = False,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Page[CoreFact]:
    """Core facts by person, by name; with `history` also those that ended."""
    facts = parts.of(CoreFactOperations, principal)
    if person is not None:
        return Page(await facts.of_person(person, history=history))
    position = position_in(cursor, str, str)
    after = (position[0], PersonId(position[1])) if position else None
    page = await facts.page(limit, after, history=history)
    return Page([fact for one in page.items for fact in one.facts], page.next)


@router.post("", status_code=201)
async def add_core_fact(parts: Parts, principal: Allowed, new: NewFactRequest) -> CoreFact:
    """Keep a fact about a person, as if they had said it."""
    return await parts.of(CoreFactOperations, principal).add(new)


@router.get("/{key}", responses=refusals(404))
async def core_fact(
    parts: Parts, principal: Allowed, key: Key, person: Of, response: Response
) -> FactsOfKey:
    """The values that hold for a person and a key, one for each audience."""
    items, _ = await parts.of(CoreFactOperations, principal).held(person, key)
    shown = FactsOfKey(key=key, items=items)
    response.headers["etag"] = etag_of(shown)
    return shown


@router.patch("/{key}", responses=refusals(404, 409, 412))
async def edit_core_fact(
    parts: Parts,
    principal: Allowed,
    *,
    key: Key,
    person: Of,
    edit: FactEditRequest,
    if_match: IfMatch = None,
) -> CoreFact:
    """Replace the value that holds, from now on."""
    facts = parts.of(CoreFactOperations, principal)
    check = await _held(facts, person, key, if_match)
    fact = await facts.one(person, key, edit.id)
    try:
        return await facts.edit(fact, edit.value, check)
    except HoldsNoMore as error:
        now = FactsOfKey(key=key, items=await facts.of_person(person, key))
        raise came_too_late(if_match, str(error), now) from error


@router.delete("/{key}", responses=refusals(404, 409, 412))
async def forget_core_fact(
    parts: Parts,
    principal: Allowed,
    *,
    key: Key,
    person: Of,
    id_: FactId = None,
    if_match: IfMatch = None,
) -> FactForgotten:
    """Forget a fact and the statement it rests on; it can be undone for a day."""
    facts = parts.of(CoreFactOperations, principal)
    check = await _held(facts, person, key, if_match)
    fact = await facts.one(person, key, id_)
    selector, asker = Selector(memories=(fact.memory,)), principal.caller.requester
    try:
        receipt = await parts.app.services.forgetting.at_once(selector, asker, check)
    except HoldsNoMore as error:
        now = FactsOfKey(key=key, items=await facts.of_person(person, key))
        raise came_too_late(if_match, str(error), now) from error
    return FactForgotten(fact=fact, receipt=receipt)


async def _held(facts: CoreFactOperations, person: str, key: str, if_match: str | None) -> Check:
    """What lets a change be made while all that holds of a key is what it was made for."""
    items, check = await facts.held(person, key)
    check_revision(if_match, FactsOfKey(key=key, items=items))
    return check

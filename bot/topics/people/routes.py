"""`/api/people`: who the pet knows, and what it knows of each."""

from typing import Annotated

from fastapi import APIRouter, Query

from bot.surfaces.access.dependencies import Allowed
from bot.surfaces.access.principal import Principal
from bot.surfaces.api.cursors import Cursor, Limit, Page, position_in
from bot.surfaces.api.documented import refusals
from bot.surfaces.api.problems import NotFound
from bot.surfaces.api.routing import ValueRoute
from bot.surfaces.names import CalledNames, NotOne
from bot.surfaces.parts import Parts, WebParts
from bot.topics.people import people
from bot.topics.people.people import PersonView
from memory.model.people import PersonId
from memory.storage.linking.directory import PersonListing

router = APIRouter(prefix="/api", tags=["people"], route_class=ValueRoute)


@router.get("/people", responses=refusals(400))
async def list_people(
    _principal: Allowed,
    parts: Parts,
    limit: Limit = 50,
    cursor: Cursor = None,
    q: Annotated[str, Query(max_length=100, description="Part of a name.")] = "",
) -> Page[PersonListing]:
    """People by name, with their accounts."""
    (after,) = position_in(cursor, str) or (None,)
    return await people.people(parts.app, limit, after=after, called=q.strip())


@router.get("/people/{person}", responses=refusals(400, 404))
async def read_person(
    person: str, principal: Allowed, parts: Parts, limit: Limit = 50, cursor: Cursor = None
) -> PersonView:
    """One person by id or name, with what is known; a joined one as who they turned out to be.

    A key of one person sees that one alone.
    """
    (before,) = position_in(cursor, int) or (None,)
    found = await people.person(parts.app, principal.caller, PersonId(person), limit, before)
    found = found or await _named(parts, principal, person, limit, before)
    if principal.person not in (None, found.id):
        raise NotFound("There is no such person.")
    return found


async def _named(
    parts: WebParts, principal: Principal, name: str, limit: int, before: int | None
) -> PersonView:
    """The same of the one person who goes by a name.

    Raises:
        NotFound: it is no one person's.

    """
    try:
        id_ = await parts.of(CalledNames, principal).person(name)
    except NotOne as error:
        raise NotFound(str(error)) from error
    found = await people.person(parts.app, principal.caller, id_, limit, before)
    if found is None:
        raise NotFound("There is no such person.")
    return found

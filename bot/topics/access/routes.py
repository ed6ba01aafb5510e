"""`/api/access`: the sessions of browsers, and the keys of programs."""

from typing import Annotated

from fastapi import APIRouter, Path, Response
from pydantic import BaseModel, Field

from bot.surfaces.access.dependencies import Allowed
from bot.surfaces.access.granting import may_grant
from bot.surfaces.api.cursors import Cursor, Limit, Page, page_of, position_in
from bot.surfaces.api.documented import refusals
from bot.surfaces.api.routing import ValueRoute
from bot.surfaces.parts import Parts
from bot.topics.access.access import AccessOperations, AddKeyRequest, KeyMade, OneAccessRequest
from memory.model.access import ApiKey, Right, WebSession

router = APIRouter(prefix="/api/access", tags=["access"], route_class=ValueRoute)

Number = Annotated[int, Path(ge=1, le=(1 << 53) - 1)]


class KeyWanted(BaseModel):
    """A key to be made; `expires` is such as 90d, null lasts until it is revoked.

    `space` or `person` bounds what it sees to what a manager of that community, or that person, may
    know.
    """

    name: Annotated[str, Field(min_length=1, max_length=80)]
    rights: Annotated[list[Right], Field(min_length=1, max_length=len(Right))]
    expires: Annotated[str | None, Field(pattern=r"^[0-9]{1,5}[mhdw]$")] = None
    space: Annotated[str | None, Field(min_length=1, max_length=200)] = None
    person: Annotated[str | None, Field(min_length=1, max_length=300)] = None


@router.get("/sessions", responses=refusals(400))
async def sessions(
    parts: Parts, _principal: Allowed, limit: Limit = 50, cursor: Cursor = None
) -> Page[WebSession]:
    """Browsers that are logged in."""
    found = await parts.app.storage.web_sessions.listed(limit + 1, _before(cursor))
    return page_of(found, limit, lambda one: one.id)


@router.delete("/sessions/{number}", status_code=204, responses=refusals(404))
async def end_session(parts: Parts, principal: Allowed, number: Number) -> Response:
    """Log a browser out."""
    await parts.of(AccessOperations, principal).end_session(OneAccessRequest(id=number))
    return Response(status_code=204)


@router.get("/keys", responses=refusals(400))
async def keys(
    parts: Parts, _principal: Allowed, limit: Limit = 50, cursor: Cursor = None
) -> Page[ApiKey]:
    """Keys of programs."""
    found = await parts.app.storage.api_keys.listed(limit + 1, _before(cursor))
    return page_of(found, limit, lambda one: one.id)


@router.post("/keys", status_code=201, responses=refusals())
async def add_key(parts: Parts, principal: Allowed, wanted: KeyWanted) -> KeyMade:
    """Make a key, with at most the rights of the key that asks."""
    may_grant(principal, frozenset(wanted.rights))
    asked = AddKeyRequest(**wanted.model_dump())
    return await parts.of(AccessOperations, principal).add_key(asked)


@router.delete("/keys/{number}", status_code=204, responses=refusals(404))
async def revoke_key(parts: Parts, principal: Allowed, number: Number) -> Response:
    """Revoke a key."""
    await parts.of(AccessOperations, principal).revoke_key(OneAccessRequest(id=number))
    return Response(status_code=204)


def _before(cursor: str | None) -> int | None:
    position = position_in(cursor, int)
    return None if position is None else position[0]

"""`/api/access`: the sessions of browsers, and the keys of programs."""

from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Path, Response
from pydantic import BaseModel, Field

from bot.surfaces.access.dependencies import Allowed
from bot.surfaces.access.granting import may_grant
from bot.surfaces.api.cursors import Cursor, Limit, cursor_of, position_in
from bot.surfaces.api.documented import refusals
from bot.surfaces.parts import Parts
from memory.model.access import Right

router = APIRouter(prefix="/api/access", tags=["access"])

Number = Annotated[int, Path(ge=1, le=(1 << 53) - 1)]


class SessionShown(BaseModel):
    """A browser that is logged in; `space` is the community of a manager, null for the owner."""

    id: int
    space: str | None
    address: str
    agent: str
    created_at: datetime
    last_used_at: datetime
    expires_at: datetime


class SessionPage(BaseModel):
    """Sessions, the latest first."""

    items: list[SessionShown]
    next: str | None


class KeyShown(BaseModel):
    """A key of programs, without its token."""

    id: int
    name: str
    rights: list[Right]
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None


class KeyPage(BaseModel):
    """Keys, the latest first."""

    items: list[KeyShown]
    next: str | None


class KeyWanted(BaseModel):
    """A key to be made; `expires` is such as 90d, null lasts until it is revoked."""

    name: Annotated[str, Field(min_length=1, max_length=80)]
    rights: Annotated[list[Right], Field(min_length=1, max_length=len(Right))]
    expires: Annotated[str | None, Field(pattern=r"^[0-9]{1,5}[mhdw]$")] = None


class KeyMade(KeyShown):
    """A new key with its token, which is told this once."""

    token: str


@router.get("/sessions", responses=refusals(400))
async def sessions(
    parts: Parts, principal: Allowed, limit: Limit = 50, cursor: Cursor = None
) -> SessionPage:
    """The browsers that are logged in."""
    asked = {"limit": limit, "before": _before(cursor)}
    found = (await parts.operations(principal).result("sessions", asked))["sessions"]
    return SessionPage(items=found, next=_next(found, limit))


@router.delete("/sessions/{number}", status_code=204, responses=refusals(404))
async def end_session(parts: Parts, principal: Allowed, number: Number) -> Response:
    """Log a browser out."""
    await parts.operations(principal).result("session_end", {"id": number})
    return Response(status_code=204)


@router.get("/keys", responses=refusals(400))
async def keys(
    parts: Parts, principal: Allowed, limit: Limit = 50, cursor: Cursor = None
) -> KeyPage:
    """The keys of programs."""
    asked = {"limit": limit, "before": _before(cursor)}
    found = (await parts.operations(principal).result("keys", asked))["keys"]
    return KeyPage(items=found, next=_next(found, limit))


@router.post("/keys", status_code=201, responses=refusals())
async def add_key(parts: Parts, principal: Allowed, wanted: KeyWanted) -> KeyMade:
    """Make a key, with no more rights than the one that asks has."""
    may_grant(principal, frozenset(wanted.rights))
    made = await parts.operations(principal).result("key_add", wanted.model_dump())
    return KeyMade.model_validate(made)


@router.delete("/keys/{number}", status_code=204, responses=refusals(404))
async def revoke_key(parts: Parts, principal: Allowed, number: Number) -> Response:
    """Make a key worthless."""
    await parts.operations(principal).result("key_revoke", {"id": number})
    return Response(status_code=204)


def _before(cursor: str | None) -> int | None:
    position = position_in(cursor, int)
    return None if position is None else position[0]


def _next(found: list[dict[str, Any]], limit: int) -> str | None:
    return cursor_of(found[-1]["id"]) if len(found) == limit else None

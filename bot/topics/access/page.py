"""Who may look in: sessions, keys, and links for the managers of communities."""

from typing import Annotated, Any

from fastapi import APIRouter, Form, Path, Query, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import BaseModel, Field, ValidationError

from bot.errors import BotError
from bot.surfaces.access.browsers import browser_of
from bot.surfaces.access.dependencies import Allowed
from bot.surfaces.access.granting import may_grant, may_invite
from bot.surfaces.access.principal import Principal
from bot.surfaces.pages.navigation import PREFIX
from bot.surfaces.pages.rendering import Renderer
from bot.surfaces.parts import Parts, WebParts
from bot.surfaces.requests import refusal
from bot.topics.access.access import (
    MOST_LISTED,
    AccessOperations,
    AddKeyRequest,
    EndOthersRequest,
    LoginRequest,
    OneAccessRequest,
    login_address,
)
from memory.model.access import Right
from memory.model.errors import EkoMemoryError

router = APIRouter(prefix=f"{PREFIX}/access")

_HERE = f"{PREFIX}/access"

_DONE = {
    "ended": "access.done.ended",
    "others": "access.done.others",
    "revoked": "access.done.revoked",
}
"""What is said after a change, by the value in the address."""

Number = Annotated[int, Path(ge=1, le=(1 << 53) - 1)]


class KeyForm(BaseModel):
    """A key that is wanted, as its form says it."""

    name: Annotated[str, Field(max_length=200)] = ""
    rights: Annotated[list[Right], Field(max_length=len(Right))] = []
    expires: Annotated[str, Field(max_length=20)] = ""
    space: Annotated[str, Field(max_length=200)] = ""
    person: Annotated[str, Field(max_length=300)] = ""


@router.get("")
async def access_page(
    request: Request,
    parts: Parts,
    principal: Allowed,
    done: Annotated[str, Query(max_length=20)] = "",
) -> Response:
    """Every browser and every key that is let in."""
    return await _page(request, parts, principal, done=_DONE.get(done))


@router.post("/sessions/{number}/end")
async def end_session(parts: Parts, principal: Allowed, number: Number) -> Response:
    """Log a browser out."""
    await parts.of(AccessOperations, principal).end_session(OneAccessRequest(id=number))
    return _back("ended")


@router.post("/sessions/end-others")
async def end_others(parts: Parts, principal: Allowed) -> Response:
    """Log every other browser out."""
    others = EndOthersRequest(kept=principal.session)
    await parts.of(AccessOperations, principal).end_others(others)
    return _back("others")


@router.post("/keys")
async def add_key(
    request: Request,
    parts: Parts,
    principal: Allowed,
    form: Annotated[KeyForm, Form()],
) -> Response:
    """Make a key, and show it on the page that answers: nothing can show it again."""
    may_grant(principal, frozenset(form.rights))
    try:
        asked = AddKeyRequest(
            name=form.name,
            rights=frozenset(form.rights),
            expires=form.expires.strip() or None,
            space=form.space or None,
            person=form.person.strip() or None,
        )
        made = await parts.of(AccessOperations, principal).add_key(asked)
    except ValidationError as error:
        return await _page(request, parts, principal, status=422, wrong=refusal(error))
    except (BotError, EkoMemoryError) as error:
        return await _page(request, parts, principal, status=422, wrong=str(error))
    return await _page(request, parts, principal, key=made)


@router.post("/keys/{number}/revoke")
async def revoke_key(parts: Parts, principal: Allowed, number: Number) -> Response:
    """Make a key worthless."""
    await parts.of(AccessOperations, principal).revoke_key(OneAccessRequest(id=number))
    return _back("revoked")


@router.post("/links")
async def make_link(
    request: Request,
    parts: Parts,
    principal: Allowed,
    space: Annotated[str, Form(max_length=200)] = "",
) -> Response:
    """Make a link for a manager of a community, or for another browser of the owner; shown once."""
    may_invite(principal)
    made = await parts.of(AccessOperations, principal).login(LoginRequest(space=space or None))
    link = login_address(str(request.base_url), made.code)
    return await _page(request, parts, principal, link={"address": link, "space": made.space})


async def _page(
    request: Request,
    parts: WebParts,
    principal: Principal,
    *,
    status: int = 200,
    **shown: Any,
) -> Response:
    storage, access = parts.app.storage, parts.of(AccessOperations, principal)
    sessions = await storage.web_sessions.listed(MOST_LISTED)
    values = {
        "sessions": [(one, browser_of(one.agent)) for one in sessions],
        "keys": await storage.api_keys.listed(MOST_LISTED),
        "spaces": await access.known_spaces(),
        "rights": [one for one in Right if one in principal.rights],
        "done": None,
        "wrong": None,
        "key": None,
        "link": None,
        **shown,
    }
    return Renderer(request, principal).page("access/access.html", status=status, **values)


def _back(done: str) -> Response:
    return RedirectResponse(f"{_HERE}?done={done}", status_code=303)

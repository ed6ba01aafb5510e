"""Logging in by a one-time link, and out."""

import re
from typing import Annotated

from fastapi import APIRouter, Form, Query, Request, Response
from fastapi.responses import RedirectResponse

from bot.surfaces.access.authenticator import Logins
from bot.surfaces.access.principal import Authenticator, Principal
from bot.surfaces.pages.navigation import sections_for
from bot.surfaces.pages.rendering import Renderer
from memory.model.errors import UnknownCode

router = APIRouter()

_INSIDE = re.compile(r"/dashboard(?:[/?][!-\[\]-~]*)?")
"""Addresses to which a login may lead: of the dashboard itself, without what browsers rewrite."""

Next = Annotated[str, Query(max_length=2000)]
Code = Annotated[str, Form(max_length=400)]


@router.get("/login")
async def login_page(request: Request, next: Next = "") -> Response:  # noqa: A002 - its name in addresses
    """A form for the code of a link, which a small module takes out of the address."""
    authenticator: Authenticator = request.app.state.authenticator
    principal = await authenticator.principal_of(request)
    onward = inside(next) or (first_page(principal) if principal else "")
    return Renderer(request, None).page(
        "access/login.html", next=inside(next), wrong=False, onward=principal and onward
    )


@router.post("/login")
async def log_in(
    request: Request,
    logins: Logins,
    code: Code = "",
    next: Annotated[str, Form(max_length=2000)] = "",  # noqa: A002 - its name in the form
) -> Response:
    """Use a link up, for a session of this browser."""
    try:
        principal, token = await logins.log_in(request, code)
    except UnknownCode:
        return Renderer(request, None).page(
            "access/login.html", status=401, next=inside(next), wrong=True, onward=None
        )
    answer = RedirectResponse(inside(next) or first_page(principal), status_code=303)
    logins.keep(request, answer, token)
    return answer


@router.post("/logout")
async def log_out(request: Request, logins: Logins) -> Response:
    """End the session of this browser."""
    answer = RedirectResponse("/login", status_code=303)
    await logins.log_out(request)
    logins.drop(request, answer)
    return answer


def inside(address: str) -> str:
    """An address of the dashboard as it is; "" for every other one."""
    return address if _INSIDE.fullmatch(address) else ""


def first_page(principal: Principal) -> str:
    """The page with which one begins."""
    return sections_for(principal)[0].path

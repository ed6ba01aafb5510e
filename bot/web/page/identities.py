"""Who a visitor is: made, renamed and brought back by the forms of the page alone.

`OriginGuard` stands before them: no other page can send them.
"""

from collections.abc import MutableMapping, Sequence
from typing import Annotated, Any
from uuid import uuid4

from fastapi import APIRouter, Form, Request
from fastapi.responses import RedirectResponse

from bot.channels.local.hub import LOBBY
from bot.channels.local.web_accounts import PLATFORM, recovery_address
from bot.model.events import AuthorRef
from bot.texts.lookalikes import looks_like, reads_as_namesake
from bot.texts.sanitizing import name_of
from bot.web.page.parts import Page, count_visit
from bot.web.page.visit_rates import Doing
from memory.language.text import fold
from memory.model.errors import UnknownCode

Session = MutableMapping[str, Any]
"""What the signed cookie of a browser holds."""

_ID, _NAME, _CODE = "id", "name", "recovery"


router = APIRouter()


@router.post("/name")
async def choose_name(
    request: Request, parts: Page, name: Annotated[str, Form(max_length=1000)] = ""
) -> RedirectResponse:
    """Keep the name a person chose; a browser without an account gets one, and its code."""
    chosen = name_of(name)
    if refused := objection(chosen, parts.options.pet_name):
        return _to(f"/?name={refused}")
    session: Session = request.session
    count_visit(request, parts, Doing.NAME, session.get(_ID))
    if _ID not in session:
        session[_ID] = str(uuid4())
        session[_CODE] = await parts.recovery.offer(PLATFORM, session[_ID])
    is_new = session.get(_NAME) != chosen
    session[_NAME] = chosen
    visitor = visitor_of(session)
    # Told once: the same name given again is meant.
    if is_new and visitor is not None and _is_anothers(visitor, parts.hub.here(LOBBY)):
        return _to("/?name=shared")
    return _to("/")


def _is_anothers(visitor: AuthorRef, here: Sequence[AuthorRef]) -> bool:
    """Whether another visitor who is in the lobby now has this name, as everybody there sees."""
    others = (one.name for one in here if one.account != visitor.account)
    return fold(visitor.name) in map(fold, others)


@router.post("/recovery")
async def offer_code(request: Request, parts: Page) -> RedirectResponse:
    """A new recovery code for the account of a browser, shown on the next page."""
    session: Session = request.session
    if _ID in session:
        count_visit(request, parts, Doing.CODE, session[_ID])
        session[_CODE] = await parts.recovery.offer(PLATFORM, session[_ID])
    return _to("/")


@router.post("/recover")
async def redeem_code(
    request: Request, parts: Page, code: Annotated[str, Form(max_length=100)] = ""
) -> RedirectResponse:
    """Make this browser the account that a code is for; its next code is shown at once."""
    count_visit(request, parts, Doing.CODE)
    try:
        account = await parts.recovery.redeem(code)
    except UnknownCode:
        return _to("/recover?code=unknown")
    session: Session = request.session
    session.clear()
    session[_ID] = account.external_id
    session[_NAME] = account.name
    session[_CODE] = await parts.recovery.offer(PLATFORM, account.external_id)
    return _to("/")


def objection(name: str, pet_name: str) -> str:
    """Why a name cannot be taken, as the page's address says it; "" where it can.

    It is the pet's (`taken`), or what that calls one of several people (`marked`), or none (`ask`).
    """
    if looks_like(name, pet_name):
        return "taken"
    if reads_as_namesake(name):
        return "marked"
    return "" if name else "ask"


def visitor_of(session: Session) -> AuthorRef | None:
    """The account of a browser, an id that cannot be guessed; None before it has a name."""
    if not session.get(_ID) or not session.get(_NAME):
        return None
    return AuthorRef(platform=PLATFORM, external_id=session[_ID], name=session[_NAME])


def keep(session: Session) -> None:
    """Have the cookie written again, so that it lives on."""
    session[_NAME] = session[_NAME]


def pop_recovery_code(session: Session) -> str | None:
    """The code that is to be shown, once."""
    code: str | None = session.pop(_CODE, None)
    return code


def recovery_link(request: Request, code: str) -> str:
    """The address that brings back an account, as this browser reaches the page."""
    return recovery_address(str(request.base_url), code)


def _to(address: str) -> RedirectResponse:
    return RedirectResponse(address, status_code=303)

"""The page Memory: everything that is kept, searched, filtered, and as of any day."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import BaseModel, ValidationError

from bot.errors import BotError
from bot.surfaces.access.dependencies import Allowed
from bot.surfaces.access.principal import Principal
from bot.surfaces.api.cursors import position_in
from bot.surfaces.pages.navigation import PREFIX
from bot.surfaces.pages.rendering import Renderer
from bot.surfaces.parts import Parts, WebParts
from bot.surfaces.requests import refusal
from bot.topics.statements.changing import StatementChanges
from bot.topics.statements.listing import ListedStatement, StatementListing
from bot.topics.statements.requests import (
    NewStatementRequest,
    SearchMemoryRequest,
    StatementsRequest,
)
from bot.topics.statements.searching import FoundRow, StatementSearch
from memory.model.errors import EkoMemoryError
from memory.model.listing import StatementPosition
from memory.model.rooms import Visibility
from memory.model.statements import GoalCategory, MemoryType, SelfCategory
from memory.model.stores import Store

HERE = f"{PREFIX}/memory"
router = APIRouter(prefix=HERE)

A_PAGE = 30
"""Entries of a page: a few screens of a phone."""

SLIDER_DAYS = 180
"""How far back the slider goes; any day before can be typed."""

_FILTERS = ("q", "mode", "who", "room", "from", "to", "kind", "store", "visibility", "as_of")
_MODES = ("hybrid", "semantic", "text")
_STORES = (*(one.value for one in Store), "said")
_TYPES = tuple(one.value for one in MemoryType)
_CATEGORIES = tuple(
    one.value for kinds in (SelfCategory, GoalCategory) for one in kinds if one.value not in _TYPES
)
_KINDS = (*_TYPES, *_CATEGORIES)
_VISIBILITIES = tuple(one.value for one in Visibility)


class NewStatementForm(BaseModel):
    """A statement as its form has it; `sort` is a type of memories, or a store with a category."""

    content: str = ""
    sort: str = ""
    person: str = ""


@router.get("")
async def memory_page(request: Request, parts: Parts, principal: Allowed) -> Response:
    """What is searched for, or the latest of what is kept."""
    return await _page(request, parts, principal)


@router.post("")
async def write_down(
    request: Request,
    parts: Parts,
    principal: Allowed,
    form: Annotated[NewStatementForm, Form()],
) -> Response:
    """Keep a statement, and show it."""
    try:
        new = NewStatementRequest.model_validate(_arguments_of(form))
        stored = await parts.of(StatementChanges, principal).add(new)
    except ValidationError as error:
        return await _page(request, parts, principal, wrong=refusal(error), draft=form)
    except (BotError, EkoMemoryError) as error:
        return await _page(request, parts, principal, wrong=str(error), draft=form)
    done = "added" if stored.new else "freshened"
    return RedirectResponse(f"{HERE}/{stored.id}?done={done}", status_code=303)


def _arguments_of(form: NewStatementForm) -> dict[str, Any]:
    store, _, sort = form.sort.rpartition(".")
    sorted_as = {"store": store, "category": sort} if store else {"kind": sort or "fact"}
    person = {"person": form.person.strip()} if form.person.strip() else {}
    return {"content": form.content.strip(), **sorted_as, **person}


async def _page(
    request: Request,
    parts: WebParts,
    principal: Principal,
    *,
    wrong: str = "",
    draft: NewStatementForm | None = None,
) -> Response:
    asked = {name: request.query_params.get(name, "").strip() for name in _FILTERS}
    found: Sequence[ListedStatement | FoundRow] = ()
    older = None
    try:
        found, older = await _found(parts, principal, asked, request.query_params.get("cursor"))
    except ValidationError as error:
        wrong = wrong or refusal(error)
    except (BotError, EkoMemoryError) as error:
        wrong = wrong or str(error)
    today = parts.app.clock.now().astimezone(parts.app.settings.zone).date()
    given = {name: value for name, value in asked.items() if value}
    return Renderer(request, principal).page(
        "statements/memory.html",
        status=422 if wrong else 200,
        asked=asked,
        found=found,
        older=older and f"{HERE}?{urlencode({**given, 'cursor': older})}",
        wrong=wrong,
        draft=draft or NewStatementForm(),
        today=today.isoformat(),
        first_day=(today - timedelta(days=SLIDER_DAYS)).isoformat(),
        slider_days=SLIDER_DAYS,
        filtered=any(asked[name] for name in _FILTERS if name not in ("q", "mode", "as_of")),
        modes=_MODES,
        stores=_STORES,
        kinds=_KINDS,
        visibilities=_VISIBILITIES,
        sorts=_sorts(),
    )


async def _found(
    parts: WebParts, principal: Principal, asked: Mapping[str, str], cursor: str | None
) -> tuple[Sequence[ListedStatement | FoundRow], str | None]:
    """The entries of the page, and the cursor of the next one."""
    given = {name: value for name, value in asked.items() if value}
    if "q" in given:
        given.pop("as_of", None)
        search = SearchMemoryRequest.model_validate({**given, "limit": A_PAGE})
        return await parts.of(StatementSearch, principal).found(search), None
    given.pop("mode", None)
    kind = given.pop("kind", None)
    if kind:
        given["category" if kind in _CATEGORIES else "kind"] = kind
    wanted = StatementsRequest.model_validate({**given, "limit": A_PAGE})
    position = position_in(cursor, int, int)
    after = StatementPosition(*position) if position else None
    page = await parts.of(StatementListing, principal).page(wanted, after)
    return page.items, page.next


def _sorts() -> Sequence[str]:
    """What a statement can be written down as."""
    return (
        *(one.value for one in MemoryType),
        *(f"{Store.SELF}.{one}" for one in SelfCategory),
        *(f"{Store.GOALS}.{one}" for one in GoalCategory),
    )

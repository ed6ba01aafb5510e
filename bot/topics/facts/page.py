"""The page Facts: what is always known of people, edited in place."""

from collections.abc import Awaitable, Callable
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Form, Query, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import BaseModel, ValidationError

from bot.errors import BotError
from bot.surfaces.access.dependencies import Allowed
from bot.surfaces.access.principal import Principal
from bot.surfaces.api.cursors import position_in
from bot.surfaces.pages.navigation import PREFIX
from bot.surfaces.pages.rendering import Renderer
from bot.surfaces.parts import Parts, WebParts, texts_of
from bot.surfaces.requests import refusal
from bot.topics.facts.facts import CoreFactOperations
from bot.topics.people.told import told_lately
from bot.topics.statements.requests import FactEditRequest, NewFactRequest
from memory.model.errors import EkoMemoryError
from memory.model.people import PersonId

HERE = f"{PREFIX}/facts"
router = APIRouter(prefix=HERE)

A_PAGE = 20
"""People of a page."""

_DONE = {"added": "facts.done.added", "edited": "facts.done.edited"}
_KEYS = ("city", "job", "employer", "birthday", "age", "country", "partner", "phone", "email")


class FactFields(BaseModel):
    """A fact as its form has it; `was` is the value that was edited."""

    person: str = ""
    key: str = ""
    value: str = ""
    visibility: str = "private"
    id: str = ""
    was: str = ""


class EditedMeanwhile(BotError):
    """The fact has another value by now than the one that was edited."""


@router.get("")
async def facts_page(
    request: Request,
    parts: Parts,
    principal: Allowed,
    done: Annotated[str, Query(max_length=20)] = "",
) -> Response:
    """Core facts by person."""
    return await _page(request, parts, principal, done=_DONE.get(done))


@router.post("")
async def add_fact(
    request: Request, parts: Parts, principal: Allowed, form: Annotated[FactFields, Form()]
) -> Response:
    """Keep a value of a key of a person."""
    facts = parts.of(CoreFactOperations, principal)

    async def added() -> None:
        asked = {"key": form.key.strip().lower().replace(" ", "_"), "value": form.value.strip()}
        whose = {"person": form.person.strip(), "visibility": form.visibility}
        await facts.add(NewFactRequest.model_validate({**asked, **whose}))

    return await _done(request, parts, principal, added, "added", draft=form)


@router.post("/edit")
async def edit_fact(
    request: Request, parts: Parts, principal: Allowed, form: Annotated[FactFields, Form()]
) -> Response:
    """Let another value take the place of the one that was shown."""
    facts = parts.of(CoreFactOperations, principal)

    async def edited() -> None:
        wanted = FactEditRequest.model_validate({"value": form.value.strip(), "id": form.id})
        if wanted.value == form.was:
            return
        held = await facts.of_person(form.person, form.key)
        if form.id not in {str(one.id) for one in held}:
            now = ", ".join(one.value for one in held)
            raise EditedMeanwhile(texts_of(request).say("facts.changed", value=now))
        fact = await facts.one(form.person, form.key, form.id)
        await facts.edit(fact, wanted.value)

    return await _done(request, parts, principal, edited, "edited")


async def _done(
    request: Request,
    parts: WebParts,
    principal: Principal,
    work: Callable[[], Awaitable[None]],
    done: str,
    *,
    draft: FactFields | None = None,
) -> Response:
    """Back to the page, or the page with what is wrong."""
    try:
        await work()
    except ValidationError as error:
        wrong, status = refusal(error), 422
    except EditedMeanwhile as error:
        wrong, status = str(error), 409
    except (BotError, EkoMemoryError) as error:
        wrong, status = str(error), 422
    else:
        return RedirectResponse(f"{HERE}?done={done}", status_code=303)
    return await _page(request, parts, principal, wrong=wrong, status=status, draft=draft)


async def _page(
    request: Request, parts: WebParts, principal: Principal, *, status: int = 200, **said: Any
) -> Response:
    query = request.query_params
    history = query.get("history") == "1"
    position = position_in(query.get("cursor"), str, str)
    after = (position[0], PersonId(position[1])) if position else None
    page = await parts.of(CoreFactOperations, principal).page(A_PAGE, after, history=history)
    kept = {"history": "1"} if history else {}
    told = await told_lately(parts.app, principal.caller) if not position else []
    older = page.next and f"{HERE}?{urlencode({**kept, 'cursor': page.next})}"
    return Renderer(request, principal).page(
        "facts/facts.html",
        status=status,
        people=page.items,
        told=told,
        older=older,
        history=history,
        keys=_KEYS,
        draft=said.get("draft") or FactFields(),
        done=said.get("done"),
        wrong=said.get("wrong"),
    )

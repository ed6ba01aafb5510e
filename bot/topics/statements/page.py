"""The page of one statement: its words, a form to correct them, its history, what hangs on it."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Form, Query, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import BaseModel, ValidationError

from bot.surfaces.access.dependencies import Allowed
from bot.surfaces.access.principal import Principal
from bot.surfaces.api.problems import Conflict
from bot.surfaces.api.revisions import etag_of
from bot.surfaces.pages.navigation import PREFIX
from bot.surfaces.pages.rendering import Renderer
from bot.surfaces.parts import Parts, WebParts
from bot.surfaces.requests import refusal
from bot.topics.statements.changing import SaysTheSame
from bot.topics.statements.listing import StatementListing
from bot.topics.statements.requests import CorrectionRequest
from bot.topics.statements.routes import corrected
from memory.model.statements import MemoryId, MemoryType, RowState

HERE = f"{PREFIX}/memory"
router = APIRouter(prefix=HERE)

_DONE = {
    "added": "memory.done.added",
    "freshened": "memory.done.freshened",
    "corrected": "memory.done.corrected",
}
_KINDS = tuple(one.value for one in MemoryType)


class CorrectionForm(BaseModel):
    """Other words for a statement; `revision` is the one they were written for."""

    content: str = ""
    kind: str = ""
    revision: str = ""


@router.get("/{memory}")
async def statement_page(
    request: Request,
    parts: Parts,
    principal: Allowed,
    memory: UUID,
    done: Annotated[str, Query(max_length=20)] = "",
) -> Response:
    """One statement, with all that belongs to it."""
    state = await parts.of(StatementListing, principal).fate(MemoryId(memory))
    if state is RowState.FORGOTTEN:
        return await _gone(request, parts, principal, memory, status=404)
    return await _page(request, parts, principal, memory, done=_DONE.get(done))


@router.post("/{memory}")
async def correct(
    request: Request,
    parts: Parts,
    principal: Allowed,
    memory: UUID,
    form: Annotated[CorrectionForm, Form()],
) -> Response:
    """Put a statement right; what was changed meanwhile is shown instead."""
    try:
        right = await _corrected(parts, principal, memory, form)
    except Conflict:
        state = await parts.of(StatementListing, principal).fate(MemoryId(memory))
        if state is RowState.KNOWN:
            return await _page(request, parts, principal, memory, draft=form, status=412)
        return await _gone(request, parts, principal, memory)
    except ValidationError as error:
        wrong = refusal(error)
        return await _page(request, parts, principal, memory, draft=form, wrong=wrong, status=422)
    except SaysTheSame:
        right = MemoryId(memory)
    return RedirectResponse(f"{HERE}/{right}?done=corrected", status_code=303)


async def _corrected(
    parts: WebParts, principal: Principal, memory: UUID, form: CorrectionForm
) -> MemoryId:
    kind = {"kind": form.kind} if form.kind else {}
    wanted = CorrectionRequest.model_validate({"content": form.content.strip(), **kind})
    return await corrected(parts, principal, memory, wanted, form.revision or None)


async def _page(
    request: Request,
    parts: WebParts,
    principal: Principal,
    memory: UUID,
    *,
    status: int = 200,
    **said: Any,
) -> Response:
    listing, id_ = parts.of(StatementListing, principal), MemoryId(memory)
    shown = await listing.one(id_)
    draft = said.pop("draft", None)
    return Renderer(request, principal).page(
        "statements/memory_one.html",
        status=status,
        one=shown,
        history=(await listing.history(id_)).items,
        around=await listing.dependents(id_),
        revision=etag_of(shown),
        words=draft.content if draft else shown.content,
        changed=status == 412,
        kinds=_KINDS,
        done=said.get("done"),
        wrong=said.get("wrong"),
    )


async def _gone(
    request: Request, parts: WebParts, principal: Principal, memory: UUID, *, status: int = 409
) -> Response:
    """What is said of a statement that was forgotten or replaced before it could be changed."""
    standing = await parts.of(StatementListing, principal).now(MemoryId(memory))
    return Renderer(request, principal).page(
        "statements/memory_gone.html", status=status, standing=standing
    )

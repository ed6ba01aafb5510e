"""What can be done about a person: joined, split, taken along as a file, forgotten; shown first."""

from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, StreamingResponse

from bot.surfaces.access.dependencies import Allowed
from bot.surfaces.access.principal import Principal
from bot.surfaces.api.problems import NotFound
from bot.surfaces.names import NotOne
from bot.surfaces.pages.rendering import Renderer
from bot.surfaces.parts import Parts, WebParts
from bot.topics.forgetting.forgetting import (
    ForgetOperations,
    ForgetRequest,
    OneForgettingRequest,
)
from bot.topics.people import people
from bot.topics.people.accounts import (
    MOST_NAMED,
    JoinAccountsRequest,
    PeopleOperations,
    SplitAccountRequest,
)
from bot.topics.people.people import PersonView
from memory.model.errors import AccountRefused
from memory.model.export import End, ExportSelection, Header, written
from memory.model.people import PersonId

router = APIRouter()

Account = Annotated[str, Query(min_length=3, max_length=300)]


@router.post("/dashboard/people/{person}/link", response_class=HTMLResponse)
async def offer_code(
    request: Request, principal: Allowed, parts: Parts, person: str
) -> HTMLResponse:
    """A code that joins another account to a person's, shown once; it is in no address."""
    known = await _known(parts, principal, person)
    code = await parts.app.storage.linking.offer(known.id, principal.label)
    return Renderer(request, principal).page("people/link.html", person=known, code=code)


@router.get("/dashboard/people/{person}/join", response_class=HTMLResponse)
async def preview_join(
    request: Request,
    principal: Allowed,
    parts: Parts,
    person: str,
    other: Annotated[str, Query(min_length=1, max_length=300)],
) -> HTMLResponse:
    """What joining another person to this one makes known to whom, or who is meant."""
    known = await _known(parts, principal, person)
    found, meant, trouble = None, [], ""
    try:
        wanted = JoinAccountsRequest(account=other, other=known.id)
        found = (await parts.of(PeopleOperations, principal).join(wanted))["join"]
    except NotOne:
        called = await parts.app.storage.accounts.called(other.strip())
        meant = [one for one in called if one.person != known.id][:MOST_NAMED]
    except AccountRefused as error:
        trouble = str(error)
    return Renderer(request, principal).page(
        "people/join.html", person=known, join=found, meant=meant, trouble=trouble
    )


@router.post("/dashboard/people/{person}/join")
async def join(
    principal: Allowed,
    parts: Parts,
    person: str,
    other: Annotated[str, Form(min_length=1, max_length=300)],
) -> RedirectResponse:
    """Make two people one; the page's person keeps name and settings."""
    known = await _known(parts, principal, person)
    wanted = JoinAccountsRequest(account=other, other=known.id, yes=True)
    await parts.of(PeopleOperations, principal).join(wanted)
    return RedirectResponse(f"/dashboard/people/{known.id}?done=joined", status_code=303)


@router.get("/dashboard/people/{person}/split", response_class=HTMLResponse)
async def preview_split(
    request: Request, principal: Allowed, parts: Parts, person: str, account: Account
) -> HTMLResponse:
    """What splitting an account off would move."""
    known = await _with_account(parts, principal, person, account)
    found = await parts.of(PeopleOperations, principal).split(SplitAccountRequest(account=account))
    return Renderer(request, principal).page(
        "people/split.html", person=known, account=account, splitting=found
    )


@router.post("/dashboard/people/{person}/split")
async def split(
    principal: Allowed,
    parts: Parts,
    person: str,
    account: Annotated[str, Form(min_length=3, max_length=300)],
) -> RedirectResponse:
    """Let an account be a person of its own again."""
    known = await _with_account(parts, principal, person, account)
    wanted = SplitAccountRequest(account=account, yes=True)
    await parts.of(PeopleOperations, principal).split(wanted)
    return RedirectResponse(f"/dashboard/people/{known.id}?done=split", status_code=303)


@router.get("/dashboard/people/{person}/export")
async def export(principal: Allowed, parts: Parts, person: str) -> StreamingResponse:
    """Everything that belongs to a person as a file: the one that `eko export` writes."""
    known = await _known(parts, principal, person)
    name = f"eko-export-{known.id[:8]}-{parts.app.clock.now():%Y%m%d}.jsonl"
    return StreamingResponse(
        _lines(parts, principal, known.id),
        media_type="application/x-ndjson",
        headers={"content-disposition": f'attachment; filename="{name}"'},
    )


@router.get("/dashboard/people/{person}/forget", response_class=HTMLResponse)
async def preview_forget(
    request: Request,
    principal: Allowed,
    parts: Parts,
    person: str,
    *,
    about: bool = False,
) -> HTMLResponse:
    """What forgetting a person would take; `about` adds what others said of them alone."""
    known = await _known(parts, principal, person)
    wanted = ForgetRequest(person=known.id, about=about)
    found = await parts.of(ForgetOperations, principal).previewed(wanted)
    return Renderer(request, principal).page(
        "people/forget_person.html", person=known, about=about, preview=found
    )


@router.post("/dashboard/people/{person}/forget")
async def forget(
    principal: Allowed,
    parts: Parts,
    person: str,
    about: Annotated[bool, Form()] = False,  # noqa: FBT002 - a field of a form
) -> RedirectResponse:
    """Forget what a person said; it can be undone for a day."""
    known = await _known(parts, principal, person)
    wanted = ForgetRequest(person=known.id, about=about, confirmed=True)
    found = await parts.of(ForgetOperations, principal).forget(wanted)
    address = f"/dashboard/people/{known.id}"
    if found.receipt is None:
        return RedirectResponse(f"{address}?done=nothing", status_code=303)
    return RedirectResponse(f"{address}?done=forgotten&receipt={found.receipt.id}", status_code=303)


@router.post("/dashboard/people/{person}/undo")
async def undo(
    principal: Allowed, parts: Parts, person: str, receipt: Annotated[int, Form(ge=1)]
) -> RedirectResponse:
    """Give back what a forgetting took."""
    known = await _known(parts, principal, person)
    await parts.of(ForgetOperations, principal).undo(OneForgettingRequest(id=receipt))
    return RedirectResponse(f"/dashboard/people/{known.id}?done=undone", status_code=303)


async def _known(parts: WebParts, principal: Principal, person: str) -> PersonView:
    found = await people.person(parts.app, principal.caller, PersonId(person), 1)
    if found is None:
        raise NotFound("There is no such person.")
    return found


async def _with_account(
    parts: WebParts, principal: Principal, person: str, account: str
) -> PersonView:
    known = await _known(parts, principal, person)
    if account not in {one.id for one in known.accounts}:
        raise NotFound("That account is not this person's any more.")
    return known


async def _lines(parts: WebParts, principal: Principal, person: PersonId) -> AsyncIterator[bytes]:
    entries = 0
    yield written(Header(at=parts.app.clock.now(), person=person))
    selection = ExportSelection(person=person)
    async for row in parts.app.storage.exports.entries(selection, principal.caller.scope):
        entries += 1
        yield written(row)
    yield written(End(entries=entries))

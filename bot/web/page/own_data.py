"""What is kept of a visitor, and the commands that show, hand out or forget it; and their menu."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated
from urllib.parse import quote
from uuid import uuid4

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from bot.channels.local.hub import direct_room
from bot.commands.syntax import usage
from bot.conversation.rooms import room_id
from bot.model.commands import Action, Answer, Attached, Authority, Command
from bot.model.events import AuthorRef, Invoked
from bot.web.page.markdown import words_html
from bot.web.page.parts import SLOTS, Page, PageParts, room_of
from bot.web.page.visitors import MaybeVisitor, Visitor
from memory.model.claims import ToldClaim
from memory.model.rooms import HOME

GIVEN = "given_"
"""The beginning of the names of fields that are arguments of a command."""

SHOWING = "what-do-you-know"
"""The command as which claims are read: they are told where its answer is."""

TOO_MANY = 429

router = APIRouter()


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedCommand:
    """A command as the menu shows it; `line` is what choosing it writes into the box."""

    line: str
    usage: str
    summary: str


@router.get("/commands")
async def list_commands(request: Request, parts: Page, visitor: Visitor) -> HTMLResponse:
    """What a visitor can type behind a slash, in their language."""
    del visitor
    locale = parts.texts(request).language
    listed = [
        _listed(one, locale) for one in parts.commands.table.values() if one.needs is Authority.NONE
    ]
    return HTMLResponse(parts.html(request, "page/commands.html", commands=listed))


@router.get("/me", response_model=None)
async def show_own_data(request: Request, parts: Page, visitor: MaybeVisitor) -> Response:
    """What a visitor can do about what is kept of them; a browser without a name is asked first."""
    if visitor is None:
        return RedirectResponse("/", status_code=303)
    return await _page(request, parts, visitor)


@router.post("/me", response_model=None)
async def run_command(
    request: Request, parts: Page, visitor: Visitor, command: Annotated[str, Form(max_length=40)]
) -> Response:
    """Call a command on one's own behalf; its answer, or the file that it brings."""
    if not parts.commands.admits(visitor, direct_room(visitor)):
        note = parts.texts(request).say("page.too_fast")
        return await _page(request, parts, visitor, status=TOO_MANY, note=note)
    arguments = _arguments(await request.form())
    answer = await parts.commands.call(_invoked(request, parts, visitor, command, arguments))
    if answer is not None and answer.file is not None:
        return _download(answer.file)
    return await _page(request, parts, visitor, answer=answer)


def _invoked(
    request: Request,
    parts: PageParts,
    visitor: AuthorRef,
    command: str,
    arguments: Mapping[str, str],
) -> Invoked:
    """A command that a visitor calls in their own room."""
    return Invoked(
        external_id=uuid4().hex,
        room=direct_room(visitor),
        author=visitor,
        command=command,
        arguments=arguments,
        locale=parts.texts(request).language,
        spaces=frozenset({HOME}),
    )


async def _page(
    request: Request,
    parts: PageParts,
    visitor: AuthorRef,
    *,
    answer: Answer | None = None,
    status: int = 200,
    note: str = "",
) -> HTMLResponse:
    actions: Sequence[Action] = () if answer is None else answer.actions
    html = parts.html(
        request,
        "page/own_data.html",
        visitor=visitor,
        answer=None if answer is None else words_html(answer.text),
        actions=actions,
        given=GIVEN,
        note=note,
        told=await parts.claims.of(_invoked(request, parts, visitor, SHOWING, {})),
        address_of=partial(_line_address, visitor),
        when=parts.moments(request),
    )
    return HTMLResponse(html, status_code=status)


def _line_address(visitor: AuthorRef, claim: ToldClaim) -> str:
    """Where a visitor changes or takes back the line of a claim; "" if it is of another account."""
    rooms = {room_id(room_of(slot, visitor)): slot for slot in SLOTS}
    if claim.account != visitor.account or claim.room not in rooms:
        return ""
    return f"/rooms/{rooms[claim.room]}/messages/{quote(claim.key, safe='')}"


def _arguments(fields: Mapping[str, object]) -> dict[str, str]:
    return {
        name.removeprefix(GIVEN): value
        for name, value in fields.items()
        if name.startswith(GIVEN) and isinstance(value, str)
    }


def _download(file: Attached) -> Response:
    name = quote(file.name)
    return Response(
        file.content,
        media_type="application/octet-stream",
        headers={"content-disposition": f"attachment; filename*=UTF-8''{name}"},
    )


def _listed(command: Command, locale: str) -> ListedCommand:
    """A command in the menu; one that takes nothing is ready to be sent."""
    takes = any(option.shown for option in command.options)
    line = f"/{command.called(locale)}"
    return ListedCommand(
        line=f"{line} " if takes else line,
        usage=usage(command, locale),
        summary=command.summary[locale],
    )

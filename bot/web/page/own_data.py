"""What is kept of a visitor, and the commands that show, hand out or forget it; and their menu."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated
from urllib.parse import quote
from uuid import uuid4

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from bot.channels.local.hub import direct_room
from bot.commands.syntax import usage
from bot.model.commands import Action, Answer, Attached, Authority, Command
from bot.model.events import AuthorRef, Invoked
from bot.web.page.markdown import words_html
from bot.web.page.parts import Page, PageParts
from bot.web.page.visitors import MaybeVisitor, Visitor
from memory.model.rooms import HOME

GIVEN = "given_"
"""The beginning of the names of fields that are arguments of a command."""

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
    return _page(request, parts, visitor)


@router.post("/me", response_model=None)
async def run_command(
    request: Request, parts: Page, visitor: Visitor, command: Annotated[str, Form(max_length=40)]
) -> Response:
    """Call a command on one's own behalf; its answer, or the file that it brings."""
    texts, room = parts.texts(request), direct_room(visitor)
    if not parts.commands.admits(visitor, room):
        return _page(request, parts, visitor, status=TOO_MANY, note=texts.say("page.too_fast"))
    invoked = Invoked(
        external_id=uuid4().hex,
        room=room,
        author=visitor,
        command=command,
        arguments=_arguments(await request.form()),
        locale=texts.language,
        spaces=frozenset({HOME}),
    )
    answer = await parts.commands.call(invoked)
    if answer is not None and answer.file is not None:
        return _download(answer.file)
    return _page(request, parts, visitor, answer=answer)


def _page(
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
    )
    return HTMLResponse(html, status_code=status)


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

"""What visitors do with a message: reply, react, change, take back. By a page without script."""

from typing import Annotated

from fastapi import APIRouter, Form, HTTPException, Path, Response
from fastapi.responses import HTMLResponse, PlainTextResponse

from bot.channels.local.reactions import EMOJI
from bot.errors import TooFast
from bot.web.page.rooms import lines_for
from bot.web.page.talking import FAILED, Here, VisitedRoom, Words, done, refusal_of
from memory.language.parts.written import typed_in

Key = Annotated[str, Path(max_length=80)]
"""The key of a message."""

router = APIRouter(prefix="/rooms/{slot}/messages/{key}")


@router.get("", response_model=None)
async def show_words(here: Here, key: Key) -> Response:
    """The words of a message as they were typed; for people a page of what to do with it."""
    if here.wants_page:
        return await _message_page(here, key)
    shown = await here.line(key)
    if shown is None:
        raise HTTPException(404, here.say("page.gone"))
    return PlainTextResponse(typed_in(shown.text))


@router.post("", response_model=None)
async def change_words(here: Here, key: Key, words: Words = "") -> Response:
    """Put other words in the place of one's own message; none take it back."""
    words = words.replace("\r\n", "\n")
    try:
        await here.parts.own_messages.change(here.room, here.visitor, key, words)
    except FAILED as error:
        text, status = refusal_of(error)
        return await _refused(here, key, here.say(text), status, words)
    return done(here, key if words.strip() else "")


@router.post("/reactions", response_model=None)
async def react(here: Here, key: Key, emoji: Annotated[str, Form(max_length=8)]) -> Response:
    """Put an emoji to a message, or take it away where it is from oneself."""
    if emoji not in EMOJI:
        raise HTTPException(422, here.say("page.reaction_unknown"))
    try:
        if not here.parts.commands.admits(here.visitor, here.room):
            raise TooFast("Reactions come as fast as messages at most.")
        await here.parts.reactions.toggle(here.room, here.visitor, key, emoji)
    except FAILED as error:
        text, status = refusal_of(error)
        note = here.say("page.reacted_too_fast" if isinstance(error, TooFast) else text)
        return await _refused(here, key, note, status)
    return done(here, key)


async def _refused(
    here: VisitedRoom, key: str, note: str, status: int, words: str | None = None
) -> Response:
    if not here.wants_page:
        raise HTTPException(status, note)
    return await _message_page(here, key, note=note, status=status, words=words)


async def _message_page(
    here: VisitedRoom, key: str, *, note: str = "", status: int = 200, words: str | None = None
) -> HTMLResponse:
    """A message with forms for what can be done with it; `words` that were refused stay there."""
    shown = await here.line(key)
    if shown is None:
        raise HTTPException(404, here.say("page.gone"))
    page = here.parts.html(
        here.request,
        "page/message.html",
        slot=here.slot,
        key=key,
        shown=shown,
        line=lines_for(here.request, here.parts).html(shown, here.slot),
        words=typed_in(shown.text) if words is None else words,
        note=note,
        emoji=EMOJI,
    )
    return HTMLResponse(page, status_code=status)

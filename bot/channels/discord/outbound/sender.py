"""What the pet sends on Discord: replies, reactions, and that it is writing."""

from base64 import b32encode
from collections.abc import Awaitable
from dataclasses import dataclass, replace
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from io import BytesIO
from typing import Any, Literal, TypeVar

import discord
import structlog

from bot.channels.discord.service.http import RequestRefused, requested
from bot.channels.discord.service.markup import TEXT_LIMIT
from bot.conversation.emoji import is_one_emoji
from bot.errors import DeliveryFailed, DeliveryRefused
from bot.model.commands import Attached
from bot.model.turns import Expression, Outgoing
from bot.platforms.expressions import with_emoji
from memory.model.rooms import Room

log = structlog.get_logger()

FaceStyle = Literal["emoji", "picture", "none"]


@cache
def picture_of(expression: Expression) -> bytes:
    """The face as a PNG of 96 x 96, with nothing behind it."""
    return (files("bot.channels.discord.outbound") / "faces" / f"{expression}.png").read_bytes()


T = TypeVar("T")

_QUIET = discord.AllowedMentions(everyone=False, users=False, roles=False, replied_user=True)
"""No one is mentioned but the person who is answered."""

_WRONG_FORM = 50035
_NO_PERMISSION = 50013
_TOO_LARGE = 40005
_ARCHIVED = 50083
_UNKNOWN_MESSAGE = 10008
_NO_HISTORY = 160002
"""Replying needs the right to read what was said before; sending does not."""
_SYSTEM_MESSAGE = 50068
"""Numbers that Discord gives for why it refuses; the last one: such a message has no replies."""

_OF_THE_PICTURE = frozenset({_NO_PERMISSION, _TOO_LARGE, _WRONG_FORM})
_OF_THE_REFERENCE = frozenset({_NO_HISTORY, _UNKNOWN_MESSAGE, _WRONG_FORM, _SYSTEM_MESSAGE})


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """One message as it is posted: its words, what it answers, the face that is attached.

    `file` is attached beside no face; `calls` is the account that is notified of it.
    """

    text: str
    answers: int | None = None
    picture: Expression | None = None
    file: Attached | None = None
    calls: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SendingRules:
    """How the face is shown, and how many seconds a message or the sign of writing may take."""

    face: FaceStyle = "emoji"
    limit_s: float = 30
    typing_limit_s: float = 3


class Sender:
    """Sends over one client, whatever that has in its cache."""

    def __init__(self, client: discord.Client, rules: SendingRules) -> None:
        self._client = client
        self._rules = rules

    async def send(self, message: Outgoing) -> str | None:
        """Put a message into its room: the id it got there, None where it became a reaction.

        An answer that is one emoji is put on the message it answers.

        Raises:
            DeliveryFailed: Discord cannot be reached, is overloaded or knows this bot no more.
            DeliveryRefused: the room is gone or closed to the pet, or the text is not taken.

        """
        channel = self._channel(message.room)
        form = form_of(message, self._rules.face)
        if form.answers and is_one_emoji(message.text):
            reacted = channel.get_partial_message(form.answers).add_reaction(message.text)
            if await self._taken(reacted):
                return None
        return await self._posted(channel, form, nonce_of(message.nonce))

    async def post(self, channel: int, form: Form, nonce: str) -> str:
        """Put a message into a channel by its number, as it is; its id.

        Raises:
            DeliveryFailed: Discord cannot be reached, is overloaded or knows this bot no more.
            DeliveryRefused: it does not take the message there.

        """
        place = self._client.get_partial_messageable(channel)
        return await self._posted(place, form, nonce_of(nonce))

    async def show_typing(self, room: Room) -> None:
        """Show for ten seconds that the pet is writing; a failure shows nothing."""
        try:
            typing = self._channel(room).typing()
            await requested(typing, limit_s=self._rules.typing_limit_s)
        except DeliveryFailed as error:
            log.debug("typing.failed", room=room.id, reason=str(error))

    def _channel(self, room: Room) -> discord.PartialMessageable:
        if self._client.user is None or self._client.is_closed():
            raise DeliveryFailed("There is no connection to Discord.")
        return self._client.get_partial_messageable(int(room.external_id))

    async def _taken(self, work: Awaitable[object]) -> bool:
        """Whether Discord did what it was asked, and did not refuse."""
        try:
            await self._requested(work)
        except RequestRefused as refusal:
            log.debug("request.refused", code=refusal.code, status=refusal.status)
            return False
        return True

    async def _posted(self, channel: discord.PartialMessageable, form: Form, nonce: str) -> str:
        """The id of the message, in the fullest form that Discord takes."""
        try:
            return str((await self._requested(_post(channel, form, nonce))).id)
        except RequestRefused as refusal:
            lesser = plainer(form, refusal.code)
            if lesser is None and refusal.code == _ARCHIVED and await self._reopened(channel):
                lesser = form
            if lesser is None:
                raise DeliveryRefused(str(refusal)) from refusal
        return await self._posted(channel, lesser, nonce)

    async def _reopened(self, channel: discord.PartialMessageable) -> bool:
        """Whether an archived thread is open again; a locked one stays shut."""
        try:
            thread = await self._requested(self._client.fetch_channel(channel.id))
        except RequestRefused:
            return False
        if not isinstance(thread, discord.Thread) or thread.locked or not thread.archived:
            return False
        return await self._taken(thread.edit(archived=False))

    async def _requested(self, work: Awaitable[T]) -> T:
        return await requested(work, limit_s=self._rules.limit_s)


def form_of(message: Outgoing, face: FaceStyle) -> Form:
    """The fullest form of a message."""
    picture = message.expression if face == "picture" else None
    emoji = message.expression if face == "emoji" else None
    return Form(
        text=with_emoji(message.text, emoji, TEXT_LIMIT),
        answers=int(message.answers) if message.answers else None,
        picture=picture,
    )


def plainer(form: Form, code: int) -> Form | None:
    """The form without what a refusal with this number may be about; None when it is its words."""
    if form.picture is not None and code in _OF_THE_PICTURE:
        return replace(form, picture=None)
    if form.answers is not None and code in _OF_THE_REFERENCE:
        return replace(form, answers=None)
    return None


def nonce_of(nonce: str) -> str:
    """The same for the same nonce, in 24 of the 25 characters that Discord takes."""
    return b32encode(blake2b(nonce.encode(), digest_size=15).digest()).decode()


async def _post(channel: discord.PartialMessageable, form: Form, nonce: str) -> discord.Message:
    """Post a form; the library asks Discord to enforce any nonce it is given.

    Links are not unfurled: a remembered link is not what the answer is about, and the crawler
    need not hear of it again.
    """
    more: dict[str, Any] = {}
    if form.answers is not None:
        more["reference"] = discord.MessageReference(
            message_id=form.answers, channel_id=channel.id, fail_if_not_exists=False
        )
    if form.picture is not None:
        picture = BytesIO(picture_of(form.picture))
        more["file"] = discord.File(picture, filename=f"{form.picture}.png")
    if form.file is not None:
        more["file"] = discord.File(BytesIO(form.file.content), filename=form.file.name)
    return await channel.send(
        form.text,
        nonce=nonce,
        allowed_mentions=_mentioned_by(form),
        suppress_embeds="://" in form.text,
        **more,
    )


def _mentioned_by(form: Form) -> discord.AllowedMentions:
    if form.calls is None:
        return _QUIET
    called = [discord.Object(form.calls)]
    return discord.AllowedMentions(everyone=False, users=called, roles=False, replied_user=True)

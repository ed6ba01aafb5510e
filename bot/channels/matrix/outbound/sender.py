"""What the pet sends on Matrix: replies, reactions, and that it is writing."""

import asyncio
from typing import Literal

import structlog

from bot.channels.matrix.inbound.known_events import KnownEvents
from bot.channels.matrix.inbound.rooms import KnownRooms, parts_of
from bot.channels.matrix.outbound.contents import (
    message_content,
    reaction_content,
    transaction_of,
)
from bot.channels.matrix.service.encryption import Encryption
from bot.channels.matrix.service.homeserver import Homeserver
from bot.channels.matrix.service.json_values import Json
from bot.channels.matrix.service.markup import TEXT_LIMIT
from bot.conversation.emoji import is_one_emoji
from bot.errors import DeliveryFailed, DeliveryRefused
from bot.model.turns import Outgoing
from bot.platforms.expressions import with_emoji
from bot.platforms.http_api import ApiBusy, ApiRefused
from memory.model.rooms import Room

log = structlog.get_logger()

LIMIT_S = 30.0
"""Seconds for one message, the waits that the server asks for included."""

TYPING_S = 15.0
"""Seconds that the sign of writing lasts."""

FIRST_WAIT_S = 1.0
"""Seconds to wait where the server does not say how long."""


class EventSender:
    """Sends over one session."""

    def __init__(
        self,
        homeserver: Homeserver,
        encryption: Encryption,
        rooms: KnownRooms,
        known: KnownEvents,
        face: Literal["emoji", "none"],
    ) -> None:
        self._homeserver = homeserver
        self._encryption = encryption
        self._rooms = rooms
        self._known = known
        self._face = face
        self._typing: set[str] = set()

    async def send(self, message: Outgoing) -> str | None:
        """Put a message into its room: the id it got there, None where it became a reaction.

        The same nonce is one event: the server knows it as a transaction of this device.

        Raises:
            DeliveryFailed: the server is away, overloaded or knows the session no more.
            DeliveryRefused: the room is gone or closed to the pet, or the text is not taken.

        """
        kept, thread = parts_of(message.room.external_id)
        room = self._rooms.moves.now_of(kept)
        answers = message.answers
        transaction = transaction_of(message.nonce)
        try:
            async with asyncio.timeout(LIMIT_S):
                if answers is not None and is_one_emoji(message.text):
                    content = reaction_content(message.text, answers)
                    await self._put(room, "m.reaction", transaction, content)
                    return None
                return await self._said(room, thread, message, transaction)
        except TimeoutError:
            raise DeliveryFailed("The homeserver did not take it in time.") from None
        except ApiRefused as refusal:
            raise DeliveryRefused(str(refusal)) from refusal

    async def show_typing(self, room: Room, pet: str) -> None:
        """Show for some seconds that the pet is writing; a failure shows nothing."""
        kept, _ = parts_of(room.external_id)
        id_ = self._rooms.moves.now_of(kept)
        try:
            self._typing.add(id_)
            await self._homeserver.show_typing(id_, pet, lasts_s=TYPING_S)
        except DeliveryFailed as error:
            log.debug("typing.failed", room=room.id, reason=str(error))

    async def end_typing(self, room: Room, pet: str) -> None:
        """Take the sign away, if it was shown."""
        kept, _ = parts_of(room.external_id)
        id_ = self._rooms.moves.now_of(kept)
        if id_ in self._typing:
            self._typing.discard(id_)
            try:
                await self._homeserver.show_typing(id_, pet, lasts_s=0)
            except DeliveryFailed as error:
                log.debug("typing.failed", room=room.id, reason=str(error))

    async def _said(
        self, room: str, thread: str | None, message: Outgoing, transaction: str
    ) -> str:
        answered = self._known.of(message.answers) if message.answers else None
        if thread is None and answered is not None:
            thread = answered.thread
        face = message.expression if self._face == "emoji" else None
        text = with_emoji(message.text, face, TEXT_LIMIT)
        content = message_content(text, message.answers, answered, thread)
        kind = "m.room.message"
        if self._rooms.joined(room).is_encrypted:
            members = await self._homeserver.joined_members(room)
            kind, content = await self._encryption.encrypted(room, kind, content, members)
        return await self._put(room, kind, transaction, content)

    async def _put(self, room: str, kind: str, transaction: str, content: Json) -> str:
        """Send an event, again as often as the server asks for patience; it is taken once."""
        while True:
            try:
                return await self._homeserver.send(room, kind, transaction, content)
            except ApiBusy as busy:
                wait_s = FIRST_WAIT_S if busy.retry_after_s is None else busy.retry_after_s
                if wait_s > LIMIT_S:
                    raise
                log.info("sending.delayed", wait_s=round(wait_s, 1))
                await asyncio.sleep(wait_s)

"""Delivery: a stored reply is cut, sent and marked part by part; a crash repeats at most one."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace

import structlog

from bot.conversation.kept_notes import KeptNoteWriter
from bot.conversation.splitting import MARKDOWN, messages_of
from bot.errors import ChannelAway, DeliveryFailed, DeliveryRefused
from bot.model.turns import Expression, Outgoing, Reply
from bot.ports import Channel
from memory.model.conversations import Turn
from memory.model.messages import TurnId
from memory.model.rooms import Room, RoomId
from memory.storage.conversations.turns import Turns
from memory.storage.people.people import People
from memory.tasks import background_task

log = structlog.get_logger()

ATTEMPTS = 3
"""Tries of one part before it waits for the next start; the wait doubles from `FIRST_WAIT_S`."""

FIRST_WAIT_S = 0.5
"""A platform that hiccups is mostly back within a second or two."""

TYPING_LASTS_S = 8
"""Seconds until it is shown again that the pet is writing: platforms show it for ten or more."""


class Delivery:
    """Sends replies through the channel of their room.

    `after_reply` are called with each whole reply that the platform has taken. `notes` say beside
    a reply what was kept, and are no part of it.
    """

    def __init__(
        self,
        channels: Mapping[str, Channel],
        turns: Turns,
        people: People,
        after_reply: Sequence[Callable[[Turn], None]] = (),
        notes: KeptNoteWriter | None = None,
    ) -> None:
        self._channels = channels
        self._turns = turns
        self._people = people
        self._afterwards = after_reply
        self._notes = notes
        self._sending: set[TurnId] = set()
        self._resuming = asyncio.Lock()

    @asynccontextmanager
    async def typing(self, room: Room) -> AsyncIterator[None]:
        """Show in the room that the pet is writing, for as long as the body takes."""
        channel = self._channel(room)
        if channel is None:
            yield
            return
        async with background_task(_show_typing(channel, room), name="typing"):
            yield

    async def say(
        self, room: Room, reply: Reply, nonce: str, *, answers: str | None = None
    ) -> None:
        """Send words that belong to no turn (the answer to a command); failure is logged.

        `answers` is the platform's id of the message they answer.
        """
        try:
            for message in _messages(room, reply, nonce, answers, self._channel(room)):
                await self._send(message)
        except DeliveryRefused as error:
            log.warning("reply.refused", room=room.id, reason=str(error))

    async def deliver(
        self, room: Room, turn: Turn, *, spoken: str = "", attempts: int | None = None
    ) -> bool:
        """Send what the platform has not taken yet of a turn's reply; whether it has all now.

        A reply that it refuses is given up; one that is being sent already is left alone. What was
        sent of it is read again: a turn that was listed a while ago may have been delivered since.
        `spoken` is a reply that was made just now, whole: of forgotten values it may repeat what
        was said to it, and what is kept of it may not. With one of `attempts` nothing is sent
        twice, even where a platform took it and did not say so.
        """
        if turn.id in self._sending:
            return False
        self._sending.add(turn.id)
        try:
            waiting = await self._turns.waiting(turn.id)
            if waiting is None:
                return True
            reply = spoken if waiting.reply else ""
            whole = replace(waiting, reply=reply or waiting.reply)
            return await self._deliver(room, whole, attempts)
        except DeliveryRefused as error:
            log.warning("reply.refused", room=room.id, turn=str(turn.id), reason=str(error))
            await self._turns.refused(turn.id)
            return False
        finally:
            self._sending.discard(turn.id)

    async def _deliver(self, room: Room, turn: Turn, attempts: int | None) -> bool:
        reply = Reply(text=turn.said, expression=Expression(turn.expression))
        answers = await self._turns.answered(turn.id)
        parts = _messages(room, reply, str(turn.id), answers, self._channel(room))
        for number, message in enumerate(parts[turn.parts_sent :], start=turn.parts_sent + 1):
            sent = await self._send(message, attempts)
            if sent is None:
                return False
            became = (room.platform, sent) if sent else None
            await self._turns.part_sent(turn.id, number, became)
        await self._send_note(room, turn)
        await self._turns.delivered(turn.id)
        for told in self._afterwards:
            told(turn)
        return True

    async def _send_note(self, room: Room, turn: Turn) -> None:
        """Say beside a reply what was kept; what is not taken waits for a later reply.

        It is taken before it is sent: after a crash in between it is not said, and never twice.
        """
        note = None if self._notes is None else await self._notes.take(room, turn)
        if self._notes is None or note is None:
            return
        try:
            is_taken = await self._send(note) is not None
        except DeliveryRefused as error:
            log.warning("note.refused", room=room.id, turn=str(turn.id), reason=str(error))
            is_taken = False
        if not is_taken:
            await self._notes.give_back(turn, note)

    async def resume(self) -> int:
        """Send what a crash or a platform left unsent, oldest first; how many replies were tried.

        Where one is not taken the room's others wait for the next time: they would come before it,
        and hold up other rooms for as long as it did.
        """
        tried, stuck = 0, set[RoomId]()
        async with self._resuming:
            for turn in await self._turns.undelivered():
                room = await self._people.room(turn.room)
                if room is None or room.id in stuck or turn.id in self._sending:
                    continue
                tried += 1
                if not await self.deliver(room, turn):
                    stuck.add(room.id)
        return tried

    async def _send(self, message: Outgoing, attempts: int | None = None) -> str | None:
        """The platform's id of the message, "" where it has none; None when it was not taken.

        Raises:
            DeliveryRefused: the platform will never take it.

        """
        room = message.room
        channel = self._channel(room)
        if channel is None:
            log.warning("reply.kept", room=room.id, platform=room.platform)
            return None
        wait_s, most = FIRST_WAIT_S, attempts or ATTEMPTS
        for attempt in range(1, most + 1):
            try:
                return await channel.send(message) or ""
            except DeliveryRefused:
                raise
            except ChannelAway as error:
                log.warning("reply.kept", room=room.id, reason=str(error))
                return None
            except DeliveryFailed as error:
                log.warning("delivery.failed", room=room.id, attempt=attempt, reason=str(error))
            if attempt < most:
                await asyncio.sleep(wait_s)
                wait_s *= 2
        return None

    def _channel(self, room: Room) -> Channel | None:
        return self._channels.get(room.platform)


def _messages(
    room: Room, reply: Reply, nonce: str, answers: str | None, channel: Channel | None
) -> Sequence[Outgoing]:
    """The parts of a reply: the first one answers, the last one shows the face."""
    limit = channel.text_limit if channel is not None else len(reply.text) + 1
    parts = messages_of(reply.text, limit, channel.markup if channel is not None else MARKDOWN)
    return [
        Outgoing(
            room=room,
            text=part,
            nonce=f"{nonce}:{number}",
            expression=reply.expression if number == len(parts) - 1 else None,
            answers=answers if number == 0 else None,
        )
        for number, part in enumerate(parts)
    ]


async def _show_typing(channel: Channel, room: Room) -> None:
    while True:
        await channel.show_typing(room)
        await asyncio.sleep(TYPING_LASTS_S)

"""Delivery: a stored reply is cut, sent and marked part by part; a crash repeats at most one."""

import asyncio
from collections.abc import Callable, Mapping, Sequence

import structlog

from bot.cutting import cut, quiet_mentions
from bot.errors import DeliveryFailed
from bot.model import Expression, Reply
from bot.ports import Channel
from memory.adapters.sqlite.people import People
from memory.adapters.sqlite.turns import Turn, Turns
from memory.model import Room, TurnId

log = structlog.get_logger()

ATTEMPTS = 3
"""Tries of one part before it waits for the next start; the wait doubles from `FIRST_WAIT_S`."""

FIRST_WAIT_S = 0.5
"""A platform that hiccups is mostly back within a second or two."""


class Delivery:
    """Sends replies through the channel of their room.

    `afterwards` are told of each whole reply that the platform has taken.
    """

    def __init__(
        self,
        channels: Mapping[str, Channel],
        turns: Turns,
        people: People,
        afterwards: Sequence[Callable[[Turn], None]] = (),
    ) -> None:
        self._channels = channels
        self._turns = turns
        self._people = people
        self._afterwards = afterwards
        self._sending: set[TurnId] = set()

    async def show_typing(self, room: Room) -> None:
        """Show in the room that the pet is writing."""
        channel = self._channels.get(room.platform)
        if channel is not None:
            await channel.show_typing(room)

    async def say(self, room: Room, reply: Reply, nonce: str) -> None:
        """Send words that belong to no turn (the answer to a command); failure is logged."""
        channel = self._channels.get(room.platform)
        for number, part in enumerate(_parts(reply.text, channel)):
            await self._send(
                room, Reply(text=part, expression=reply.expression), f"{nonce}:{number}"
            )

    async def deliver(self, room: Room, turn: Turn) -> bool:
        """Send what the platform has not taken yet of a turn's reply; whether it has all now."""
        self._sending.add(turn.id)
        try:
            return await self._deliver(room, turn)
        finally:
            self._sending.discard(turn.id)

    async def _deliver(self, room: Room, turn: Turn) -> bool:
        channel = self._channels.get(room.platform)
        parts = _parts(turn.reply, channel)
        for number in range(turn.parts_sent, len(parts)):
            reply = Reply(text=parts[number], expression=Expression(turn.expression))
            if not await self._send(room, reply, f"{turn.id}:{number}"):
                return False
            await self._turns.part_sent(turn.id, number + 1)
        await self._turns.delivered(turn.id)
        for told in self._afterwards:
            told(turn)
        return True

    async def resume(self) -> int:
        """Send what a crash or a platform left unsent, oldest first; how many replies."""
        turns = [turn for turn in await self._turns.undelivered() if turn.id not in self._sending]
        for turn in turns:
            room = await self._people.room(turn.room)
            if room is not None:
                await self.deliver(room, turn)
        return len(turns)

    async def _send(self, room: Room, reply: Reply, nonce: str) -> bool:
        channel = self._channels.get(room.platform)
        if channel is None:
            log.warning("reply.kept", room=room.id, platform=room.platform)
            return False
        wait_s = FIRST_WAIT_S
        for attempt in range(1, ATTEMPTS + 1):
            try:
                await channel.send(room, reply, nonce=nonce)
            except DeliveryFailed as error:
                log.warning("delivery.failed", room=room.id, attempt=attempt, reason=str(error))
            else:
                return True
            if attempt < ATTEMPTS:
                await asyncio.sleep(wait_s)
                wait_s *= 2
        return False


def _parts(text: str, channel: Channel | None) -> Sequence[str]:
    quiet = quiet_mentions(text)
    return cut(quiet, channel.text_limit if channel is not None else 2 * len(quiet) + 2)

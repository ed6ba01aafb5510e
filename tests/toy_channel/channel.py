"""A telegraph: a line of JSON for each message, from and to a station on this machine."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

from bot.errors import ChannelAway, RoomUnreadable
from bot.model.events import AuthorRef, Inbound, RoomRef
from bot.model.turns import Outgoing
from bot.platforms.backoff import Backoff
from bot.platforms.receiver import Read, Receiver
from bot.platforms.room_queues import RoomQueues
from bot.ports import CatchUpRules, Communities, FileStore, Host, Markup, Past, Webhook
from memory.model.rooms import Room, RoomKind, RoomRole
from memory.ports import Clock
from memory.tasks import background_task

PLATFORM = "telegraph"
TEXT_LIMIT = 40


def quieted(text: str) -> str:
    """The text without the sign that calls every station."""
    return text.replace("CQ", "C-Q")


@dataclass(frozen=True, slots=True)
class NoPast:
    """What was sent over a wire is not there any more."""

    platform: str = PLATFORM

    async def threads(self) -> Mapping[str, str]:
        """No room hangs under another."""
        return {}

    async def said(self, room: str, start: datetime, end: datetime | None, limit: int) -> Past:
        """Nothing can be read back."""
        raise RoomUnreadable(f"{room} {start} {end} {limit}")


class Telegraph:
    """The Platform port over a station."""

    platform = PLATFORM
    text_limit = TEXT_LIMIT
    markup = Markup(blocks=False, tokens="", quieted=quieted)
    past = NoPast()
    catch_up = CatchUpRules(reach=timedelta(0), most_messages=0)
    files: FileStore | None = None
    communities: Communities | None = None
    webhook: Webhook | None = None

    def __init__(self, port: int) -> None:
        self._port = port
        self._wire: asyncio.StreamWriter | None = None

    @property
    def is_connected(self) -> bool:
        """Whether there is a wire to the station."""
        return self._wire is not None

    async def send(self, message: Outgoing) -> str | None:
        """Send one message to where it belongs."""
        if self._wire is None:
            raise ChannelAway("There is no wire.")
        line = {"to": message.room.external_id, "text": message.text}
        self._wire.write(json.dumps(line).encode() + b"\n")
        await self._wire.drain()
        return None

    async def show_typing(self, room: Room) -> None:
        """Nobody sees a hand on a key."""

    async def quiet(self) -> None:
        """It has no commands of its own."""

    async def run(self, host: Host) -> None:
        """Listen to the station, again after a while whenever the wire is cut."""
        queues: RoomQueues[Read] = RoomQueues(Receiver(host.inbox).take)
        waits = Backoff(first_s=0.01, longest_s=0.1, healthy_s=60)
        async with background_task(queues.run(), name="telegraph rooms"):
            while True:
                try:
                    await self._listen(host, queues, waits)
                except OSError:
                    self._wire = None
                await asyncio.sleep(waits.failed())

    async def _listen(self, host: Host, queues: RoomQueues[Read], waits: Backoff) -> None:
        lines, wire = await asyncio.open_connection("127.0.0.1", self._port)
        try:
            self._wire = wire
            waits.succeeded()
            host.connected()
            async for line in lines:
                said = json.loads(line)
                queues.put(said["from"], partial(self._read, said, host.clock))
        finally:
            self._wire = None
            wire.close()

    async def _read(self, said: Mapping[str, str], clock: Clock) -> Sequence[Inbound]:
        author = AuthorRef(platform=PLATFORM, external_id=said["from"], name=said["from"])
        room = RoomRef(
            platform=PLATFORM,
            external_id=said["from"],
            name=said["from"],
            kind=RoomKind.DIRECT,
            role=RoomRole.PET,
        )
        id_, now = said["id"], clock.now()
        return [Inbound(external_id=id_, room=room, author=author, text=said["text"], sent_at=now)]

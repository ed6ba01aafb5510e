"""A daemon as small as the page needs one: rooms, a history in memory and a pet that obeys.

Run as a program with a port and a folder; it says `ready` and serves until its input ends.
"""

import asyncio
import json
import sys
from collections import defaultdict
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from fastapi import FastAPI

from bot.channels.local.hub import LOBBY, LocalHub
from bot.channels.local.web.origins import OwnAddresses
from bot.channels.local.web.site import WebOptions, build_web
from bot.conversation.placement import addressed
from bot.daemon.connections import ConnectionLimits
from bot.daemon.http_server import listen, serve
from bot.model.events import Inbound, InboundEvent, RoomRef
from bot.model.turns import Expression, Outgoing
from memory.clock import SystemClock
from memory.model.messages import AuthorKind, Message, MessageId
from memory.model.rooms import Room, RoomId
from memory.storage.database import open_database
from memory.storage.people.recovery_codes import RecoveryCodes


@dataclass
class MemoryHistory:
    """The History port over a dictionary: what was added, oldest first."""

    rooms: dict[tuple[str, str], list[Message]] = field(default_factory=lambda: defaultdict(list))

    async def recent(
        self, room_platform: str, room_external_id: str, limit: int
    ) -> Sequence[Message]:
        """The last `limit` messages of a room."""
        return self.rooms[room_platform, room_external_id][-limit:]

    def add(self, room: RoomRef, kind: AuthorKind, author: str, text: str, at: datetime) -> None:
        """Add a message to the end of a room."""
        messages = self.rooms[room.platform, room.external_id]
        message = Message(
            id=MessageId(len(messages)),
            room=RoomId(room.external_id),
            person=None,
            author_kind=kind,
            author=author,
            text=text,
            sent_at=at,
        )
        messages.append(message)


@dataclass
class ObedientPet:
    """A daemon whose pet answers `face <expression>` with that face, and repeats the rest."""

    hub: LocalHub
    history: MemoryHistory

    async def receive(self, event: InboundEvent) -> bool:
        """Keep a message, and answer it when it is for the pet."""
        if not isinstance(event, Inbound):
            return True
        at = event.sent_at
        self.history.add(event.room, AuthorKind.PERSON, event.author.name, event.text, at)
        if addressed(event.text, ["Eko"]) or event.room.role == "pet":
            await self._answer(event)
        return True

    async def _answer(self, event: Inbound) -> None:
        room = room_of(event.room)
        await self.hub.show_typing(room)
        *_, last = event.text.split()
        looks = {look.value: look for look in Expression}
        look = looks.get(last, Expression.NEUTRAL)
        text = f"You said: {event.text}"
        self.history.add(event.room, AuthorKind.PET, "Eko", text, datetime.now(UTC))
        if not event.text.endswith("think"):
            await self.hub.send(
                Outgoing(room=room, text=text, nonce=event.external_id, expression=look)
            )


def room_of(ref: RoomRef) -> Room:
    """The stored room of a reference."""
    return Room(
        id=RoomId(ref.external_id),
        platform=ref.platform,
        external_id=ref.external_id,
        name=ref.name,
        kind=ref.kind,
        role=ref.role,
        space=ref.space,
    )


async def main(port: int, folder: Path) -> None:
    """Serve the page until the input ends; the lobby's history is a file in the folder."""
    hub = LocalHub(pet_name="Eko", clock=SystemClock())
    history = MemoryHistory()
    pet = ObedientPet(hub, history)
    _load(history, folder / "lobby.json")
    app = FastAPI()
    options = WebOptions(
        locale="en",
        pet_name="Eko",
        secret=f"not a secret {folder}",
        storage=folder / "pages",
        own=OwnAddresses(),
    )
    async with AsyncExitStack() as stack:
        beside = stack.enter_context(TemporaryDirectory())
        database = await stack.enter_async_context(open_database(Path(beside) / "eko.sqlite3"))
        build_web(app, hub, history, RecoveryCodes(database, SystemClock()), options)
        await _until_told(app, hub, pet, port)


async def _until_told(app: FastAPI, hub: LocalHub, pet: ObedientPet, port: int) -> None:
    async with asyncio.TaskGroup() as tasks:
        running = tasks.create_task(hub.run(pet.receive))
        listener = listen("127.0.0.1", port)
        serving = tasks.create_task(serve(app, listener, limits=ConnectionLimits()))
        print("ready", flush=True)  # noqa: T201 - the signal the test waits for
        await asyncio.to_thread(sys.stdin.readline)
        serving.cancel()
        running.cancel()


def _load(history: MemoryHistory, file: Path) -> None:
    if not file.exists():
        return
    for kind, author, text in json.loads(file.read_text()):
        history.add(LOBBY, AuthorKind(kind), author, text, datetime.now(UTC))


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), Path(sys.argv[2])))

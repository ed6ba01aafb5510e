"""A daemon as small as the page needs one: rooms, a history in memory and a pet that obeys.

Run as a program with a port and a folder; it says `ready` and serves until its input ends.
"""

import asyncio
import json
import sys
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import UUID

from fastapi import FastAPI

from bot.channels.local.hub import LOBBY, LocalHub
from bot.channels.local.ports import Shown
from bot.channels.local.uploads import UploadedPictures
from bot.conversation.placement import addressed
from bot.daemon.connections import ConnectionLimits
from bot.daemon.http_server import listen, serve
from bot.model.commands import Answer
from bot.model.events import Inbound, InboundEvent, RoomRef
from bot.model.turns import Expression, Outgoing
from bot.web.page.parts import PageOptions
from bot.web.page.site import PagePorts
from bot.web.site import build_site
from memory.clock import SystemClock
from memory.model.listing import KeptStatement
from memory.model.messages import AuthorKind
from memory.model.rooms import Room, RoomId
from memory.model.statements import MemoryId
from memory.storage.linking.codes import RecoveryCodes
from memory.storage.sqlite.database import open_database
from tests.databases import begin_database
from tests.web.served_page import GivenAnswers, GivenClaims
from tests.web.transcripts import MemoryTranscript

KEPT = MemoryId(UUID("1a2b3c4d-0000-4000-8000-000000000000"))
"""What it keeps, whatever that is."""


@dataclass
class ObedientPet:
    """A daemon whose pet answers `face <expression>` with that face, and repeats the rest.

    Of `keep <words>` it says below its answer that it kept the words.
    """

    hub: LocalHub
    transcript: MemoryTranscript

    async def receive(self, event: InboundEvent) -> bool:
        """Keep what is done, and answer a message when it is for the pet."""
        self.transcript.follow(event)
        if not isinstance(event, Inbound):
            return True
        if addressed(event.text, ["Eko"]) or event.room.role == "pet":
            await self._answer(event)
        return True

    async def _answer(self, event: Inbound) -> None:
        room = room_of(event.room)
        await self.hub.show_typing(room)
        *_, last = (event.text or "silence").split()
        looks = {look.value: look for look in Expression}
        look = looks.get(last, Expression.NEUTRAL)
        text = f"You said: {event.text}"
        key = f"answer-{event.external_id}"
        said = pet_line(key, text, look)
        self.transcript.add(event.room.external_id, said)
        if not event.text.endswith("think"):
            await self.hub.send(
                Outgoing(
                    room=room,
                    text=text,
                    nonce=f"{key}:0",
                    expression=look,
                    answers=event.external_id,
                )
            )
        if event.text.startswith("keep "):
            kept = KeptStatement(seq=1, id=KEPT, content=event.text[5:], replaced=("it was so",))
            note = Outgoing(room=room, text="in words", nonce=f"kept:{key}", kept=(kept,))
            await self.hub.send(note)


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


def pet_line(key: str, text: str, look: Expression) -> Shown:
    """Something the pet says now."""
    return Shown(
        key=key,
        kind=AuthorKind.PET,
        author="Eko",
        text=text,
        sent_at=datetime.now(UTC),
        expression=look,
    )


async def main(port: int, folder: Path) -> None:
    """Serve the page until the input ends; the lobby's history is a file in the folder."""
    hub = LocalHub(pet_name="Eko", clock=SystemClock())
    transcript = MemoryTranscript()
    pet = ObedientPet(hub, transcript)
    _load(transcript, folder / "lobby.json")
    options = PageOptions(
        locale="en",
        pet_name="Eko",
        secret=f"not a secret {folder}",
        by_rules=True,
        sees=True,
        hears_s=180,
    )
    async with AsyncExitStack() as stack:
        beside = Path(stack.enter_context(TemporaryDirectory())) / "eko.sqlite3"
        await begin_database(beside)
        database = await stack.enter_async_context(open_database(beside))
        ports = PagePorts(
            hub=hub,
            transcript=transcript,
            recovery=RecoveryCodes(database, SystemClock()),
            commands=GivenAnswers(answer=Answer(text="I know **nothing** yet.")),
            claims=GivenClaims(),
            uploads=UploadedPictures(),
            reactions=transcript,
            clock=SystemClock(),
        )
        await _until_told(build_site(ports, options), hub, pet, port)


async def _until_told(app: FastAPI, hub: LocalHub, pet: ObedientPet, port: int) -> None:
    async with asyncio.TaskGroup() as tasks:
        running = tasks.create_task(hub.run(pet.receive))
        listener = listen("127.0.0.1", port)
        serving = tasks.create_task(serve(app, listener, limits=ConnectionLimits()))
        print("ready", flush=True)  # noqa: T201 - the signal the test waits for
        await asyncio.to_thread(sys.stdin.readline)
        serving.cancel()
        running.cancel()


def _load(transcript: MemoryTranscript, file: Path) -> None:
    if not file.exists():
        return
    for number, (kind, author, text) in enumerate(json.loads(file.read_text())):
        said = Shown(
            key=f"loaded-{number}",
            kind=AuthorKind(kind),
            author=author,
            text=text,
            sent_at=datetime.now(UTC),
        )
        transcript.add(LOBBY.external_id, said)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), Path(sys.argv[2])))

"""The page in this process, with its daemon behind it, for visitors that are no browsers."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import httpx
from fastapi import FastAPI
from nicegui import Client
from nicegui.testing import User
from nicegui.testing.general import nicegui_reset_globals

from bot.channels.local.hub import LocalHub
from bot.channels.local.web.origins import OwnAddresses
from bot.channels.local.web.site import WebOptions, build_web
from bot.model.events import InboundEvent
from memory.clock import FrozenClock
from memory.model.messages import AuthorKind, Message, MessageId
from memory.model.rooms import RoomId
from memory.storage.database import open_database
from memory.storage.people.recovery_codes import RecoveryCodes
from tests.databases import begin_database

SECRET = "s" * 32
NOON = datetime(2026, 1, 17, 12, tzinfo=UTC)


@dataclass
class MemoryHistory:
    """The History port over a dictionary: what was added, oldest first."""

    rooms: dict[str, list[Message]] = field(default_factory=lambda: defaultdict(list))

    async def recent(
        self, room_platform: str, room_external_id: str, limit: int
    ) -> Sequence[Message]:
        """The last `limit` messages of a local room."""
        assert room_platform == "local"
        return self.rooms[room_external_id][-limit:]

    def add(
        self, room: str, text: str, author: str = "Zoé", kind: AuthorKind = AuthorKind.PERSON
    ) -> None:
        """Add a message said at noon."""
        message = Message(
            id=MessageId(len(self.rooms[room])),
            room=RoomId(room),
            person=None,
            author_kind=kind,
            author=author,
            text=text,
            sent_at=NOON,
        )
        self.rooms[room].append(message)


@dataclass
class ServedPage:
    """A page with its daemon: visitors come in through the real application."""

    app: FastAPI
    hub: LocalHub
    history: MemoryHistory
    received: list[InboundEvent] = field(default_factory=list)
    browsers: list[httpx.AsyncClient] = field(default_factory=list)
    broken: bool = False
    hurried: bool = False

    async def receive(self, event: InboundEvent) -> bool:
        """Keep what people do unless it is too fast, or fail like a full disk."""
        if self.broken:
            raise OSError("disk full")
        self.received.append(event)
        return not self.hurried

    def browser(self, language: str = "en", host: str = "localhost") -> User:
        """Somebody with a fresh browser."""
        client = httpx.AsyncClient(
            transport=httpx.ASGITransport(self.app),
            base_url=f"http://{host}",
            headers={"accept-language": language},
        )
        self.browsers.append(client)
        return User(client)

    async def visitor(self, name: str, language: str = "en") -> User:
        """Somebody who has come in and said their name."""
        user = self.browser(language)
        await user.open("/")
        await user.http_client.post("/name", data={"name": name})
        await user.open("/")
        return user


@asynccontextmanager
async def serving_page(
    folder: Path, data: Path, own: OwnAddresses | None = None
) -> AsyncIterator[ServedPage]:
    """The page of a pet named Eko, with a running hub, its tables in `data`."""
    with nicegui_reset_globals():
        hub = LocalHub(pet_name="Eko", clock=FrozenClock(NOON))
        served = ServedPage(FastAPI(), hub, MemoryHistory())
        options = WebOptions(
            locale="en",
            pet_name="Eko",
            secret=SECRET,
            storage=folder / "pages",
            own=own or OwnAddresses(),
        )
        path = data / "eko.sqlite3"
        await begin_database(path)
        async with open_database(path) as database:
            recovery = RecoveryCodes(database, FrozenClock(NOON))
            build_web(served.app, hub, served.history, recovery, options)
            running = asyncio.create_task(hub.run(served.receive))
            async with served.app.router.lifespan_context(served.app):
                yield served
                for browser in served.browsers:
                    await browser.aclose()
            running.cancel()
            with suppress(asyncio.CancelledError):
                await running
            Client.page_routes.clear()  # or NiceGUI's reset unloads our modules for later tests

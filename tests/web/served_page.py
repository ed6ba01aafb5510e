"""The page in this process, with its daemon behind it, for visitors that are no browsers."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import httpx2
from fastapi import FastAPI
from starlette.types import Message

from bot.channels.local.hub import LOBBY, LocalHub
from bot.channels.local.ports import Shown
from bot.channels.local.uploads import UploadedPictures
from bot.model.commands import Answer, Choice, Command
from bot.model.events import AuthorRef, InboundEvent, Invoked, RoomRef
from bot.model.turns import Expression
from bot.surfaces.access.origins import OwnAddresses
from bot.topics.people.told import ToldSlot
from bot.web.headers import SecurityHeaders
from bot.web.page.parts import PageOptions
from bot.web.page.site import PagePorts
from bot.web.site import build_site
from memory.clock import FrozenClock
from memory.model.messages import AuthorKind
from memory.storage.linking.codes import RecoveryCodes
from memory.storage.sqlite.database import open_database
from tests.databases import begin_database
from tests.patience import PATIENCE_S
from tests.table import real_table
from tests.web.transcripts import MemoryTranscript

SECRET = "s" * 32
NOON = datetime(2026, 1, 17, 12, tzinfo=UTC)


@dataclass
class GivenAnswers:
    """The PlatformCommands port: the real table, and the answer that a test gives."""

    table: Mapping[str, Command] = field(default_factory=real_table)
    answer: Answer | None = None
    called: list[Invoked] = field(default_factory=list)
    busy: bool = False

    def admits(self, _author: AuthorRef, _room: RoomRef) -> bool:
        """Every command, unless the test says otherwise."""
        return not self.busy

    async def call(self, invoked: Invoked) -> Answer | None:
        """What the test wants to be said."""
        self.called.append(invoked)
        return self.answer

    async def complete(self, _invoked: Invoked, _option: str) -> Sequence[Choice]:
        """Nothing."""
        return ()


class GivenClaims:
    """The ClaimReader port, of visitors who told nothing of themselves."""

    async def of(self, _invoked: Invoked) -> Sequence[ToldSlot]:
        """Nothing."""
        return ()


class _Document(HTMLParser):
    """What stands on a page: sentences outside of messages, messages by room, fields by name."""

    def __init__(self) -> None:
        super().__init__()
        self.rooms: dict[str, list[str]] = {"private": [], "lobby": []}
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self._open: list[tuple[str, set[str]]] = []
        self._room = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note where it begins."""
        given = dict(attrs)
        self.tags.append((tag, given))
        kinds = set((given.get("class") or "").split())
        self._room = given.get("data-room") or self._room
        if "words" in kinds and self._room:
            self.rooms[self._room].append("")
        if tag not in {"input", "meta", "link", "br"}:
            self._open.append((tag, kinds))

    def handle_endtag(self, tag: str) -> None:
        """Note where it ends."""
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        """Take the words of messages."""
        if self._room and any("words" in kinds for _, kinds in self._open):
            self.rooms[self._room][-1] += data


def tags_of(html: str, tag: str) -> list[dict[str, str | None]]:
    """The attributes of every tag of a kind on a page."""
    document = _Document()
    document.feed(html)
    return [given for name, given in document.tags if name == tag]


def attributes_of(html: str) -> set[str]:
    """The names of all attributes on a page."""
    document = _Document()
    document.feed(html)
    return {name for _, given in document.tags for name in given}


def words_of(html: str, room: str) -> list[str]:
    """The messages of a room on a page."""
    document = _Document()
    document.feed(html)
    return [one.strip() for one in document.rooms[room]]


@dataclass
class Visit:
    """Somebody with a browser of their own that runs no script."""

    app: FastAPI
    client: httpx2.AsyncClient

    async def page(self, path: str = "/") -> str:
        """A page that is there."""
        answer = await self.client.get(path)
        assert answer.status_code == httpx2.codes.OK, answer.text
        return answer.text

    async def say(self, room: str, words: str, **fields: Any) -> httpx2.Response:
        """Send words from the box of a room, as the script of the page does."""
        data = {"words": words, **fields}
        return await self.client.post(
            f"/rooms/{room}/say", data=data, headers={"accept": "application/json"}
        )

    async def post(self, path: str, **data: str) -> httpx2.Response:
        """Send a form by script."""
        return await self.client.post(path, data=data, headers={"accept": "application/json"})

    @asynccontextmanager
    async def events(self, since: str = "", last: str = "") -> AsyncIterator["Events"]:
        """The stream of this browser, as it comes."""
        events = Events()
        task = asyncio.create_task(self._stream(since, last, events))
        try:
            yield events
        finally:
            events.left.set()
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    async def _stream(self, since: str, last: str, events: "Events") -> None:
        cookies = "; ".join(f"{name}={value}" for name, value in self.client.cookies.items())
        language = self.client.headers["accept-language"]
        headers = {
            "host": "localhost",
            "cookie": cookies,
            "accept-language": language,
            "last-event-id": last,
        }
        scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "method": "GET",
            "scheme": "http",
            "path": "/events",
            "raw_path": b"/events",
            "query_string": f"since={since}".encode(),
            "root_path": "",
            "headers": [
                (name.encode(), value.encode()) for name, value in headers.items() if value
            ],
            "client": ("127.0.0.1", 1),
            "server": ("localhost", 80),
        }
        await self.app(scope, events.receive, events.send)


class Events:
    """What a stream has told so far."""

    def __init__(self) -> None:
        self.left = asyncio.Event()
        self.status = 0
        self.headers: dict[str, str] = {}
        self._asked = False
        self._text = ""
        self._queue: asyncio.Queue[tuple[str, dict[str, Any], str]] = asyncio.Queue()

    async def receive(self) -> Message:
        """The request, and later that the browser left."""
        if not self._asked:
            self._asked = True
            return {"type": "http.request", "body": b"", "more_body": False}
        await self.left.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Message) -> None:
        """Take a piece of the answer."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = {name.decode(): value.decode() for name, value in message["headers"]}
            return
        self._text += message["body"].decode()
        *whole, self._text = self._text.split("\n\n")
        for one in whole:
            fields = dict(line.split(": ", 1) for line in one.split("\n") if ": " in line)
            if "event" in fields:
                told = (fields["event"], json.loads(fields["data"]), fields.get("id", ""))
                self._queue.put_nowait(told)

    async def next(self, *kinds: str) -> tuple[str, dict[str, Any], str]:
        """The next event of these kinds."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                told = await self._queue.get()
                if told[0] in kinds:
                    return told

    async def begun(self) -> None:
        """Wait until it is connected."""
        await self.next("here")

    def waiting(self, *kinds: str) -> list[tuple[str, dict[str, Any], str]]:
        """What was told of these kinds and not looked at."""
        told = []
        while not self._queue.empty():
            told.append(self._queue.get_nowait())
        return [one for one in told if one[0] in kinds]


@dataclass
class ServedPage:
    """A page with its daemon: visitors come in through the real application."""

    app: FastAPI
    hub: LocalHub
    transcript: MemoryTranscript
    commands: GivenAnswers
    uploads: UploadedPictures
    clock: FrozenClock
    received: list[InboundEvent] = field(default_factory=list)
    clients: list[httpx2.AsyncClient] = field(default_factory=list)
    broken: bool = False
    hurried: bool = False

    async def receive(self, event: InboundEvent) -> bool:
        """Keep what people do unless it is too fast, or fail like a full disk."""
        if self.broken:
            raise OSError("disk full")
        self.received.append(event)
        if not self.hurried:
            self.transcript.follow(event)
        return not self.hurried

    def browser(self, language: str = "en", host: str = "localhost") -> Visit:
        """A fresh browser."""
        client = httpx2.AsyncClient(
            transport=httpx2.ASGITransport(self.app, raise_app_exceptions=False),
            base_url=f"http://{host}",
            headers={"accept-language": language, "accept": "text/html"},
        )
        self.clients.append(client)
        return Visit(self.app, client)

    async def visitor(self, name: str, language: str = "en") -> Visit:
        """A browser whose person has come in and said their name."""
        visit = self.browser(language)
        await visit.client.post("/name", data={"name": name})
        return visit

    def tell(self, room: RoomRef, text: str, **more: Any) -> None:
        """Have something said in a room before, by Zoé unless it is said otherwise."""
        shown: dict[str, Any] = {
            "key": f"said-{len(self.transcript.rooms[room.external_id])}",
            "kind": AuthorKind.PERSON,
            "author": "Zoé",
            "text": text,
            "sent_at": NOON,
        }
        self.transcript.add(room.external_id, Shown(**{**shown, **more}))

    def tell_by_pet(self, text: str, look: Expression = Expression.NEUTRAL) -> None:
        """Have the pet have said something in the lobby."""
        self.tell(LOBBY, text, kind=AuthorKind.PET, author="Eko", expression=look)


@asynccontextmanager
async def serving_page(data: Path, **options: Any) -> AsyncIterator[ServedPage]:
    """The page of a pet named Eko, with a running hub, its tables in `data`."""
    clock = FrozenClock(NOON)
    hub = LocalHub(pet_name="Eko", clock=clock)
    transcript, commands, uploads = MemoryTranscript(), GivenAnswers(), UploadedPictures()
    path = data / "eko.sqlite3"
    await begin_database(path)
    async with open_database(path) as database:
        ports = PagePorts(
            hub=hub,
            transcript=transcript,
            recovery=RecoveryCodes(database, clock),
            commands=commands,
            claims=GivenClaims(),
            uploads=uploads,
            reactions=transcript,
            clock=clock,
        )
        given = {"locale": "en", "pet_name": "Eko", "secret": SECRET, "own": OwnAddresses()}
        site = build_site(ports, PageOptions(**{**given, **options}))
        site.add_middleware(SecurityHeaders)  # as the server does
        served = ServedPage(site, hub, transcript, commands, uploads, clock)
        running = asyncio.create_task(hub.run(served.receive))
        await hub.listening()
        yield served
        for client in served.clients:
            await client.aclose()
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running

"""Somebody at the page of a daemon, who talks there as a browser does: by its forms and stream."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import httpx2

from memory.tasks import background_task
from tests.channels.trial import until
from tests.patience import PATIENCE_S
from tests.peers.daemon import NO_TLS
from tests.web.served_page import words_of

ALONE, LOBBY = "private", "lobby"
"""The rooms of the page."""

_DATA = "data: "


@dataclass(frozen=True)
class PageVisitor:
    """A browser with an account of its own, and what the pet said in its rooms so far."""

    client: httpx2.AsyncClient
    told: dict[str, list[str]] = field(default_factory=lambda: {ALONE: [], LOBBY: []})
    follows: asyncio.Event = field(default_factory=asyncio.Event)

    async def hears(self, text: str, room: str = ALONE) -> str:
        """What the pet says to words, which call it where others are."""
        before = len(self.told[room])
        said = text if room == ALONE else f"Eko, {text}"
        answer = await self.client.post(
            f"/rooms/{room}/say", data={"words": said}, headers={"accept": "application/json"}
        )
        assert answer.status_code == 204, answer.text

        async def look() -> str | None:
            return "\n".join(self.told[room][before:]) or None

        return await until(look)

    async def follow(self) -> None:
        """Keep what the pet says, until the page is closed."""
        async with self.client.stream("GET", "/events") as stream:
            async for line in stream.aiter_lines():
                self.follows.set()
                if line.startswith(_DATA):
                    self._take(json.loads(line.removeprefix(_DATA)))

    def _take(self, event: dict[str, str]) -> None:
        if event.get("kind") == "pet" and "html" in event:
            room = event["room"]
            page = f'<main data-room="{room}">{event["html"]}</main>'
            self.told[room] += words_of(page, room)


@asynccontextmanager
async def at_page(address: str, name: str) -> AsyncIterator[PageVisitor]:
    """A browser that was never there before, whose person has said a name."""
    async with httpx2.AsyncClient(
        base_url=address,
        verify=NO_TLS,
        trust_env=False,
        timeout=PATIENCE_S,
        headers={"accept": "text/html", "accept-language": "en"},
    ) as client:
        await client.post("/name", data={"name": name})
        visitor = PageVisitor(client)
        async with background_task(visitor.follow(), name="stream"):
            await visitor.follows.wait()
            yield visitor

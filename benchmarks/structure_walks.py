"""Which modules four things that people do touch: one message, one digest, and two changes.

A module is touched when any function of it runs, in any thread, while the thing is done and for a
second after it, in which what follows it in the background is done too.
"""

import asyncio
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any

import httpx2
from fastapi import FastAPI

from benchmarks.settings import bench_settings
from benchmarks.web_pages import OwnerAsks
from bot.channels.local.hub import LOBBY, LocalHub, direct_room
from bot.channels.local.ports import Shown
from bot.model.events import AuthorRef
from bot.surfaces.parts import WebParts
from bot.web.site import add_dashboard
from bot.wiring.app import App, open_app
from memory.model.audience import OPERATOR
from memory.model.messages import AuthorKind

PATIENCE_S = 60.0
"""An answer that has not come by then never will."""

ASKER = AuthorRef(platform="console", external_id="structure", name="Alice")

Walk = Callable[[App, httpx2.AsyncClient], Awaitable[None]]


async def message(app: App, _client: httpx2.AsyncClient) -> None:
    """Ask a question that has an answer, of a pet that has no model."""
    await _ask(app.hub, "Tu te souviens où j'habite ?")


async def digest(app: App, _client: httpx2.AsyncClient) -> None:
    """Digest what was said in the lobby."""
    await app.services.digest.run()


async def forgetting(app: App, _client: httpx2.AsyncClient) -> None:
    """Have a topic forgotten in a private talk: what would go is shown, and confirmed."""
    await _ask(app.hub, "oublie Lyon")
    await _ask(app.hub, "oui")


async def correction(app: App, client: httpx2.AsyncClient) -> None:
    """Correct the newest memory on its page of the dashboard."""
    newest = (await app.storage.memories.latest(None, OPERATOR, 1))[0]
    address = f"/dashboard/memory/{newest.id}"
    await client.get(address)
    answer = await client.post(address, data={"content": "Alice works as a nurse in Grenoble."})
    if answer.status_code != httpx2.codes.SEE_OTHER:
        raise RuntimeError(f"Nothing was corrected: {answer.status_code}.")


WALKS: Mapping[str, Walk] = {
    "message": message,
    "digest": digest,
    "correction": correction,
    "forgetting": forgetting,
}


async def files_touched() -> Mapping[str, set[str]]:
    """The source files that each walk touches, in a pet that was told of one person's life."""
    found: dict[str, set[str]] = {name: set() for name in WALKS}
    current: set[str] | None = None

    def watch(frame: FrameType, _event: str, _argument: Any) -> None:
        if current is not None:
            current.add(frame.f_code.co_filename)

    sys.setprofile(watch)
    threading.setprofile(watch)  # before the pet starts its threads
    try:
        with TemporaryDirectory() as folder:
            async with _told_pet(Path(folder)) as (app, client):
                for name, walk in WALKS.items():
                    current = found[name]
                    await walk(app, client)
                    await asyncio.sleep(1)
                    current = None
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return found


@asynccontextmanager
async def _told_pet(folder: Path) -> AsyncIterator[tuple[App, httpx2.AsyncClient]]:
    async with open_app(bench_settings(folder)) as app:
        site = FastAPI()
        add_dashboard(site, WebParts(app=app), OwnerAsks())
        await _ask(app.hub, "J'habite à Lyon et je travaille comme infirmière.")
        await app.hub.talk(ASKER, LOBBY).say("Ma sœur Nora a un chat qui s'appelle Biscuit.")
        transport = httpx2.ASGITransport(site)
        async with httpx2.AsyncClient(transport=transport, base_url="http://localhost") as client:
            yield app, client


async def _ask(hub: LocalHub, text: str) -> None:
    talk = hub.talk(ASKER, direct_room(ASKER))
    async with asyncio.timeout(PATIENCE_S), talk.events() as events:
        await talk.say(text)
        async for event in events:
            if isinstance(event, Shown) and event.kind is AuthorKind.PET:
                break

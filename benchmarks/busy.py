"""Keeps a pet busy while it is asked: lobbies that pour in without a pause, and digests of them."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import uuid4

from benchmarks.town import SPACES, Talk, group_room
from bot.model.events import Inbound
from bot.wiring.app import App
from memory.model.rooms import RoomRole
from memory.tasks import background_task

CHUNK = 64
"""Messages of one call in bulk, as `eko replay` and a catch-up after a restart send them."""

NOTHING_LIVE_S = 0.05
"""Before a digest looks again."""


@dataclass(slots=True)
class Load:
    """What was done beside the questions."""

    ingested: int = 0
    digests: int = 0
    digested: int = 0
    """Messages of the digests that were finished."""


@asynccontextmanager
async def busy(app: App) -> AsyncIterator[Load]:
    """Ingest and digest for as long as the body runs."""
    load = Load()
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(background_task(_ingest(app, load), name="ingesting"))
        await stack.enter_async_context(background_task(_digest(app, load), name="digesting"))
        yield load


async def _ingest(app: App, load: Load) -> None:
    talk = Talk(3)
    while True:
        await app.inbox.receive_all(list(heard(talk, CHUNK)))
        load.ingested += CHUNK


async def _digest(app: App, load: Load) -> None:
    while True:
        report = await app.services.digest.run()
        load.digests += report.digests
        load.digested += report.messages
        if not report.messages:
            await asyncio.sleep(NOTHING_LIVE_S)


def heard(talk: Talk, messages: int) -> Iterator[Inbound]:
    """New messages in the lobbies of the town."""
    now = datetime.now(UTC)
    for _ in range(messages):
        yield Inbound(
            external_id=uuid4().hex,
            room=group_room(talk.random.choice(SPACES), RoomRole.LOBBY),
            author=talk.resident().account,
            text=talk.line(),
            sent_at=now,
        )

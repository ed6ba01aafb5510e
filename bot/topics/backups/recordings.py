"""A recorded room, fed through the inbox as if it were said in the lobby."""

import asyncio
from collections.abc import AsyncIterator
from itertools import islice
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from bot.channels.local.hub import LOBBY
from bot.model.events import Inbound
from bot.surfaces.operations import TopicOperations, operation
from bot.surfaces.requests import OperationRequest
from bot.surfaces.values import Event
from bot.transfer.recordings import Unreadable, lines_in, read_recording

AT_ONCE = 64
"""Messages of a recording in one transaction."""


class ReplayRequest(OperationRequest):
    """Feed a recorded room in. `speed` is how many times faster than it was, None for at once."""

    path: str
    room: Literal["lobby"] = "lobby"
    format: Literal["irc", "jsonl"] | None = None
    speed: Annotated[float | None, Field(gt=0)] = None


class RecordingOperations(TopicOperations):
    """A recorded room, fed through the inbox as if it were said in the lobby."""

    @operation("replay")
    async def replay(self, replay: ReplayRequest) -> AsyncIterator[Event]:
        """Feed a recording in, at once or at a speed; lines known already add nothing."""
        path, at_once = Path(replay.path), AT_ONCE if replay.speed is None else 1
        total = await asyncio.to_thread(lines_in, path)
        items = read_recording(path, replay.format, LOBBY)
        bad: list[Event] = []
        lines = stored = known = forgotten = 0
        last: Inbound | None = None
        while some := await asyncio.to_thread(list, islice(items, at_once)):
            for item in some:
                if isinstance(item, Unreadable):
                    bad.append({"line": item.line, "reason": item.reason})
                    yield {"progress": {"warning": f"Line {item.line}: {item.reason}."}}
            inbounds = [item for item in some if isinstance(item, Inbound)]
            if not inbounds:
                continue
            if replay.speed is not None and last is not None:
                await _pause(last, inbounds[0], replay.speed)
            last = inbounds[-1]
            received = await self._app.inbox.receive_all(inbounds, recorded=True)
            stored, known = stored + received.stored, known + received.known
            lines, forgotten = lines + len(inbounds), forgotten + received.forgotten
            yield {"progress": {"done": lines, "total": total}}
        yield {
            "result": {
                "unindexed": await self._app.services.indexer.settle_or_wait(),
                "lines": lines,
                "stored": stored,
                "known": known,
                "forgotten": forgotten,
                "unreadable": bad,
            }
        }


async def _pause(before: Inbound, after: Inbound, speed: float) -> None:
    await asyncio.sleep(max(0.0, (after.sent_at - before.sent_at).total_seconds()) / speed)

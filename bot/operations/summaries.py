"""The operation behind `eko summaries`: what left the windows of conversations."""

from collections.abc import AsyncIterator

from bot.operations import requests
from bot.operations.caller import OperationCaller
from bot.operations.json import Event
from bot.wiring.app import App
from memory.rules.compaction import Checkpoint


class SummaryOperations:
    """Lists checkpoints to the operator."""

    def __init__(self, app: App, caller: OperationCaller) -> None:
        self._app = app
        self._caller = caller

    async def listed(self, request: requests.ListSummariesRequest) -> AsyncIterator[Event]:
        """The checkpoints of the latest conversations, in the order they were made."""
        found = await self._app.storage.summaries.listed(
            self._caller.scope, name=request.name, session=request.session, limit=request.limit
        )
        yield {"result": {"summaries": [_shape(one) for one in found]}}


def _shape(one: Checkpoint) -> Event:
    return {
        "id": str(one.id),
        "session": one.session,
        "level": one.level,
        "state": one.state.value,
        "person": one.speaker,
        "where": f"{one.channel}, {one.room_name}" if one.room_name else f"{one.channel}, private",
        "since": one.since.isoformat(),
        "at": one.at.isoformat(),
        "content": one.content,
        "tokens": one.tokens,
        "messages": one.messages,
        "attempts": one.attempts,
        "error": one.error,
        "rolled_into": None if one.rolled_into is None else str(one.rolled_into),
    }

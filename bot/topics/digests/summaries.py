"""The operation behind `eko summaries`: what left the windows of conversations."""

from typing import Annotated

from pydantic import Field

from bot.surfaces.operations import TopicOperations, operation
from bot.surfaces.requests import Name, OperationRequest
from bot.surfaces.values import Event
from memory.rules.compaction import Checkpoint


class ListSummariesRequest(OperationRequest):
    """List what was summarised, of a person's conversations, of one conversation, or of all."""

    name: Name | None = None
    session: Annotated[str | None, Field(min_length=1, max_length=36)] = None
    limit: Annotated[int, Field(ge=1, le=1000)] = 20


class SummaryOperations(TopicOperations):
    """Lists checkpoints to the operator."""

    @operation("summaries")
    async def listed(self, request: ListSummariesRequest) -> Event:
        """The checkpoints of the latest conversations, in the order they were made."""
        found = await self._app.storage.summaries.listed(
            self._caller.scope, name=request.name, session=request.session, limit=request.limit
        )
        return {"summaries": [_shape(one) for one in found]}


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

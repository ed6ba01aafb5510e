"""Saying once to each person, alone with them, that rules answer: the pet has no model yet."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from bot.agent.toolbox import ToolContext
from bot.conversation.fallback import TurnLoop
from bot.model.requests import AssistantMessage, ModelRequest
from bot.model.turns import Reply
from bot.texts.catalogue import say
from bot.texts.choice import language_of
from memory.model.messages import AuthorKind, Message
from memory.model.rooms import Room, RoomId, RoomKind

_FIRST_WORDS = 20
"""Messages of a person before the first answer: more are no first words."""


class RecentMessages(Protocol):
    """Knows what was said last in a room."""

    async def recent(self, room: RoomId, limit: int) -> Sequence[Message]:
        """The last `limit` messages of a room, oldest first."""
        ...


class IntroducingLoop:
    """Answers as its loop does; below the first answer in a direct room it says what answers."""

    def __init__(self, loop: TurnLoop, messages: RecentMessages) -> None:
        self._loop = loop
        self._messages = messages

    async def until_closed(self, request: ModelRequest, context: ToolContext) -> Reply | None:
        """The reply to a request; None when there is none."""
        reply = await self._loop.until_closed(request, context)
        if reply is None or not reply.text or context.batch.is_system:
            return reply
        if not await self._is_first(request, context.batch.room):
            return reply
        told = say("turn.by_rules", language_of(request))
        return replace(reply, text=f"{reply.text}\n\n{told}")

    async def _is_first(self, request: ModelRequest, room: Room) -> bool:
        if room.kind is not RoomKind.DIRECT:
            return False
        if any(isinstance(one, AssistantMessage) for one in request.messages):
            return False
        said = await self._messages.recent(room.id, _FIRST_WORDS)
        return all(one.author_kind is not AuthorKind.PET for one in said)

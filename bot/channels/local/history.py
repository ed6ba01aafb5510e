"""What a room said before, for a reader who opens it."""

from collections.abc import Sequence

from memory.model.messages import Message
from memory.model.rooms import RoomId
from memory.storage.conversations.messages import Messages


class StoredTranscript:
    """The History port of the channels, over the messages table."""

    def __init__(self, messages: Messages) -> None:
        self._messages = messages

    async def recent(
        self, room_platform: str, room_external_id: str, limit: int
    ) -> Sequence[Message]:
        """The last `limit` messages of a room, oldest first; empty for a room never heard of.

        Answers that failed altogether have no words, and are left out.
        """
        room = RoomId(f"{room_platform}:{room_external_id}")
        return [one for one in await self._messages.recent(room, limit) if one.text]

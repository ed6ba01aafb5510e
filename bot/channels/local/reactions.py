"""What people put to messages of the local rooms, shown to everybody there at once."""

from bot.channels.local.hub import PLATFORM, LocalHub
from bot.channels.local.ports import Reacted, StoredReactions
from bot.errors import MessageGone
from bot.model.events import AuthorRef, RoomRef
from memory.model.rooms import RoomId

EMOJI = ("👍", "❤️", "😂", "😮", "😢", "🎉")
"""What there is to choose from: few enough for one row on a phone."""


class LineReactions:
    """Puts emoji to messages for an account, and takes away those that it put there."""

    def __init__(self, hub: LocalHub, stored: StoredReactions) -> None:
        self._hub = hub
        self._stored = stored

    async def toggle(self, room: RoomRef, author: AuthorRef, key: str, emoji: str) -> None:
        """Put an emoji to a message of a room that the author is in, or take it away.

        Raises:
            MessageGone: there is no such message in the room.
            TooManyReactions: it has as many as it can have.

        """
        stored = await self._stored.toggle(
            RoomId(f"{PLATFORM}:{room.external_id}"), key, author.account, author.name, emoji
        )
        if stored is None:
            raise MessageGone("There is no such message here any more.")
        self._hub.show_reactions(room, Reacted(key=key, reactions=stored))

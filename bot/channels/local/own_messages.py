"""What people do with their own messages afterwards: put others in their place, take them back."""

from bot.channels.local.hub import LocalHub
from bot.channels.local.ports import RoomTranscript, Shown
from bot.errors import NotYourMessage
from bot.model.events import AuthorRef, RoomRef


class OwnMessages:
    """Changes messages for the account they were written from, and for no other."""

    def __init__(self, hub: LocalHub, transcript: RoomTranscript) -> None:
        self._hub = hub
        self._transcript = transcript

    async def change(self, room: RoomRef, author: AuthorRef, key: str, text: str) -> None:
        """Put other words in the place of a message; blank ones take it back.

        Raises:
            NotYourMessage: there is no such message of this account in the room.
            NotYourRoom: it is neither the lobby nor this person's own direct room.
            MessageTooLong: it has more characters than a message may have.
            NobodyListens: the daemon is starting or stopping.

        """
        shown = await self._own(room, author, key)
        if text.strip():
            await self._hub.change(room, author, shown, text)
        else:
            await self._hub.take_back(room, author, key)

    async def _own(self, room: RoomRef, author: AuthorRef, key: str) -> Shown:
        line = await self._transcript.line(room.external_id, key)
        if line is None or line.account != author.account:
            raise NotYourMessage("There is no such message of yours here any more.")
        return line.shown

"""What becomes of messages afterwards: others are put in their place, or their words appear."""

from bot.channels.local.hub import PLATFORM, LocalHub
from bot.channels.local.ports import RoomTranscript, Shown
from bot.errors import NotYourMessage
from bot.model.events import AuthorRef, RoomRef
from memory.storage.conversations.voices import WaitingVoice


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

    async def show_words(self, heard: WaitingVoice) -> None:
        """Show a voice note with its words, if it was sent to one of the local rooms."""
        platform, _, room = heard.room.partition(":")
        line = None
        if platform == PLATFORM:
            line = await self._transcript.line(room, heard.external_id)
        if line is not None and line.account is not None:
            name, _, account = line.account.partition(":")
            author = AuthorRef(platform=name, external_id=account, name=line.shown.author)
            self._hub.show_change(room, line.shown, by=author)

    async def _own(self, room: RoomRef, author: AuthorRef, key: str) -> Shown:
        line = await self._transcript.line(room.external_id, key)
        if line is None or line.account != author.account:
            raise NotYourMessage("There is no such message of yours here any more.")
        return line.shown

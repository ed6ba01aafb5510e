"""What a room said before, for a reader who opens it."""

from collections.abc import Sequence

from bot.channels.local.hub import PLATFORM
from bot.channels.local.ports import Shown, TranscriptLine
from bot.model.turns import Expression
from memory.model.messages import AuthorKind, SpokenLine
from memory.model.rooms import RoomId
from memory.storage.conversations.room_lines import RoomLines


class StoredTranscript:
    """The RoomTranscript port, over the messages table."""

    def __init__(self, lines: RoomLines) -> None:
        self._lines = lines

    async def recent(self, room_external_id: str, limit: int) -> Sequence[TranscriptLine]:
        """The last `limit` messages of a room, oldest first; empty for a room never heard of.

        Answers that failed altogether have no words, and are left out.
        """
        lines = await self._lines.recent(_room(room_external_id), limit)
        last = {one.turn: one.key for one in lines if one.message.author_kind is AuthorKind.PERSON}
        return [_told(one, is_last=last.get(one.turn) == one.key) for one in lines]

    async def line(self, room_external_id: str, key: str) -> TranscriptLine | None:
        """One message of a room, None where it is not there or gone."""
        line = await self._lines.line(_room(room_external_id), key)
        return None if line is None else _told(line, is_last=True)


def _room(external_id: str) -> RoomId:
    return RoomId(f"{PLATFORM}:{external_id}")


def _told(line: SpokenLine, *, is_last: bool) -> TranscriptLine:
    """A line as it is shown; of several that one turn answers the last has its face."""
    message = line.message
    look = None if line.expression is None else Expression(line.expression)
    is_pet = message.author_kind is AuthorKind.PET
    shown = Shown(
        key=line.key,
        kind=message.author_kind,
        author=message.author,
        text=message.text,
        sent_at=message.sent_at,
        expression=look or Expression.NEUTRAL if is_pet else None,
        edited=message.edited_at is not None and not is_pet,
        reaction=look if is_last and not is_pet else None,
        quoted=line.quoted,
    )
    # A reply is stored with the account that it answers, whose words it is not.
    account = None if is_pet else line.account
    return TranscriptLine(shown=shown, account=account, reactions=line.reactions)

"""What rooms said, in memory: the RoomTranscript port over lists, for pages without a database."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from bot.channels.local.ports import Shown, TranscriptLine
from bot.conversation.wording import kept_text
from bot.model.events import Deleted, Edited, Inbound, InboundEvent
from memory.model.messages import AuthorKind, QuotedLine, Reaction
from memory.model.people import AccountId
from memory.model.rooms import RoomId


@dataclass
class MemoryTranscript:
    """Rooms by their ids, the lines of each oldest first; it keeps what an inbox is told."""

    rooms: dict[str, list[TranscriptLine]] = field(default_factory=lambda: defaultdict(list))

    async def recent(self, room_external_id: str, limit: int) -> Sequence[TranscriptLine]:
        """The last `limit` lines of a room."""
        return self.rooms[room_external_id][-limit:]

    async def line(self, room_external_id: str, key: str) -> TranscriptLine | None:
        """One line of a room."""
        return next((one for one in self.rooms[room_external_id] if one.shown.key == key), None)

    async def toggle(
        self, room: RoomId, key: str, account: AccountId, name: str, emoji: str
    ) -> tuple[Reaction, ...] | None:
        """Put an emoji to a line or take it away, as a table would."""
        place = room.removeprefix("local:")
        line = await self.line(place, key)
        if line is None:
            return None
        people = {
            one.emoji: dict(zip(one.accounts, one.names, strict=True)) for one in line.reactions
        }
        if people.setdefault(emoji, {}).pop(account, None) is None:
            people[emoji][account] = name
        reactions = tuple(
            Reaction(emoji=one, accounts=tuple(those), names=tuple(those.values()))
            for one, those in people.items()
            if those
        )
        self.rooms[place] = [
            replace(one, reactions=reactions) if one is line else one for one in self.rooms[place]
        ]
        return reactions

    def add(self, room: str, shown: Shown, account: AccountId | None = None) -> None:
        """Add a line to the end of a room."""
        self.rooms[room].append(TranscriptLine(shown=shown, account=account))

    def follow(self, event: InboundEvent) -> None:
        """Do to the lines what a person did."""
        match event:
            case Inbound():
                quoted = self._find(event.reply_to)
                shown = Shown(
                    key=event.external_id,
                    kind=AuthorKind.PERSON,
                    author=event.author.name,
                    text=kept_text(event),
                    sent_at=event.sent_at,
                    quoted=None if quoted is None else _quotation(quoted),
                )
                self.add(event.room.external_id, shown, event.author.account)
            case Edited():
                self._change(event.external_id, kept_text(event))
            case Deleted():
                self._change(event.external_id, None)

    def _find(self, key: str | None) -> Shown | None:
        lines = (one.shown for room in self.rooms.values() for one in room)
        return next((one for one in lines if one.key == key), None)

    def _change(self, key: str, text: str | None) -> None:
        for room, lines in self.rooms.items():
            self.rooms[room] = [
                replace(one, shown=replace(one.shown, text=text or "", edited=True))
                if one.shown.key == key
                else one
                for one in lines
                if one.shown.key != key or text is not None
            ]


def _quotation(shown: Shown) -> QuotedLine:
    return QuotedLine(key=shown.key, author=shown.author, text=shown.text[:200])

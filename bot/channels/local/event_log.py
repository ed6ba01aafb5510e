"""What was said lately in the local rooms, for readers whose connection was cut for a moment."""

from collections import deque
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from uuid import uuid4

from bot.channels.local.ports import Changed, LocalEvent, Reacted, RoomEvent, Shown, TakenBack
from bot.model.events import AuthorRef

MOST_EVENTS = 500
"""Events that are kept: some minutes of a busy lobby."""

MOST_CHARACTERS = 2_000_000
"""Characters of them: a hundred of the longest messages."""


@dataclass(frozen=True, slots=True)
class _Entry:
    number: int
    room: str
    event: LocalEvent
    by: AuthorRef | None


class EventLog:
    """Numbers events, and knows the last of them again.

    A position names the process too: after a restart it leads nowhere, and its reader starts again.
    """

    def __init__(self) -> None:
        self._process = uuid4().hex[:8]
        self._number = 0
        self._entries: deque[_Entry] = deque()
        self._characters = 0

    @property
    def position(self) -> str:
        """After the last event."""
        return f"{self._process}-{self._number}"

    def add(self, room: str, event: LocalEvent, by: AuthorRef | None) -> None:
        """Keep an event as the latest; what was taken back is kept no more."""
        if isinstance(event, TakenBack):
            self._drop(room, event.key)
        self._number += 1
        self._entries.append(_Entry(self._number, room, event, by))
        self._characters += _length(event)
        while len(self._entries) > MOST_EVENTS or self._characters > MOST_CHARACTERS:
            self._characters -= _length(self._entries.popleft().event)

    def since(
        self, position: str, rooms: Collection[str]
    ) -> list[tuple[RoomEvent, AuthorRef | None]] | None:
        """What came after a position in some rooms; None where that is not known whole."""
        process, _, number = position.partition("-")
        if process != self._process or not (number.isascii() and number.isdecimal()):
            return None
        after = int(number[:20])
        oldest = self._entries[0].number if self._entries else self._number + 1
        if after > self._number or after + 1 < oldest:
            return None
        return [
            (RoomEvent(room=one.room, event=one.event, position=self._at(one.number)), one.by)
            for one in self._entries
            if one.number > after and one.room in rooms
        ]

    def _at(self, number: int) -> str:
        return f"{self._process}-{number}"

    def _drop(self, room: str, key: str) -> None:
        """Forget the words of a message; positions stay as they are."""
        kept = deque(self._without(room, key))
        self._characters = sum(_length(one.event) for one in kept)
        self._entries = kept

    def _without(self, room: str, key: str) -> Iterator[_Entry]:
        for one in self._entries:
            if one.room == room and _key(one.event) == key:
                yield _Entry(one.number, one.room, TakenBack(key=key), None)
            else:
                yield one


def _key(event: LocalEvent) -> str | None:
    match event:
        case Shown() | Reacted():
            return event.key
        case Changed(shown=shown):
            return shown.key
    return None


def _length(event: LocalEvent) -> int:
    match event:
        case Shown():
            return len(event.text)
        case Changed(shown=shown):
            return len(shown.text)
    return 0

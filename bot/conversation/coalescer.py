"""Gathers rapid messages of one person in one room into one batch. Pure: time comes in."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from bot.model.turns import Batch, Heard
from memory.model.messages import MessageId
from memory.model.people import PersonId
from memory.model.rooms import RoomId
from memory.model.voices import VoiceState

Key = tuple[PersonId, RoomId]


@dataclass(frozen=True, slots=True, kw_only=True)
class Windows:
    """How long to wait: `quiet` after each message, never past `longest` after the first."""

    quiet: timedelta
    longest: timedelta
    most_messages: int


@dataclass(slots=True)
class _Gathering:
    first_at: datetime
    due_at: datetime
    heard: list[Heard] = field(default_factory=list)

    @property
    def awaits_words(self) -> bool:
        """Whether it waits for a voice note to be listened to, which has an end of its own."""
        return any(one.awaits_words for one in self.heard)


class Coalescer:
    """What is being gathered. Arrival times are ours: a platform's clock may be skewed."""

    def __init__(self, windows: Windows) -> None:
        self._windows = windows
        self._gathering: dict[Key, _Gathering] = {}
        self._ready: list[Batch] = []

    @property
    def next_due(self) -> datetime | None:
        """When the next batch is complete if nothing more is said; None if there is no batch."""
        gathered = self._gathering.values()
        return min((one.due_at for one in gathered if not one.awaits_words), default=None)

    @property
    def has_ready(self) -> bool:
        """Whether a batch is complete now, whatever the time."""
        return bool(self._ready)

    @property
    def is_empty(self) -> bool:
        """Whether nothing is gathered and nothing complete."""
        return not self._gathering and not self.has_ready

    def add(self, heard: Heard, now: datetime) -> None:
        """Take a message. A system event is not held back, but keeps its place in the order.

        What waits for a voice note to be listened to comes after it.
        """
        key = (heard.person.id, heard.room.id)
        if heard.is_system:
            self._complete(key)
            self._ready.append(Batch(heard=(heard,), since=now))
            return
        gathering = self._gathering.setdefault(key, _Gathering(now, now))
        gathering.heard.append(heard)
        self._extend(gathering, now)
        if len(gathering.heard) >= self._windows.most_messages:
            self._complete(key)

    def typing(self, person: PersonId, room: RoomId, now: datetime) -> None:
        """Wait longer for someone who is writing on."""
        gathering = self._gathering.get((person, room))
        if gathering is not None:
            self._extend(gathering, now)

    def reword(self, message: MessageId, text: str, voice: VoiceState | None = None) -> None:
        """Take the new words of a message not handed out yet; none takes it back.

        Its place and the time of the rest stay; a gathering or a batch left empty disappears.
        `voice` says what became of its voice note, if that is news.
        """
        for key, gathering in list(self._gathering.items()):
            batch = Batch(heard=tuple(gathering.heard)).reworded(message, text, voice)
            if batch is None:
                del self._gathering[key]
            else:
                gathering.heard = list(batch.heard)
        rest = [batch.reworded(message, text, voice) for batch in self._ready]
        self._ready = [batch for batch in rest if batch is not None]

    def take_due(self, now: datetime) -> list[Batch]:
        """The batches that are complete by now, in the order they were begun."""
        for key in [key for key, one in self._gathering.items() if one.due_at <= now]:
            self._complete(key)
        ready, self._ready = self._ready, []
        return ready

    def _extend(self, gathering: _Gathering, now: datetime) -> None:
        windows = self._windows
        gathering.due_at = min(now + windows.quiet, gathering.first_at + windows.longest)

    def _complete(self, key: Key) -> None:
        gathering = self._gathering.get(key)
        if gathering is not None and not gathering.awaits_words:
            del self._gathering[key]
            heard = tuple(gathering.heard)
            self._ready.append(Batch(heard=heard, since=gathering.first_at))

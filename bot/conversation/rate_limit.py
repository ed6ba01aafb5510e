"""Keeps the pet from talking with a program for ever: a person answered too often must pause."""

from collections import OrderedDict, deque
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import structlog

from bot.conversation.arrival_rates import ArrivalLimiter
from bot.conversation.coalescer import Key
from bot.conversation.inbox import Listener
from bot.conversation.placement import Incoming
from bot.conversation.unread_notes import UnreadNotices
from bot.model.authority import HERE
from bot.model.turns import Heard
from memory.model.conversations import Turn
from memory.model.messages import MessageId
from memory.model.people import PersonId
from memory.model.rooms import RoomId
from memory.model.voices import VoiceState
from memory.ports import Clock

log = structlog.get_logger()

MOST_WATCHED = 10_000
"""People in rooms that are kept in mind at once; the one not heard for longest is let go."""

SHARE = 3
"""Answers that make a person part of a room's loop; in a crowd the others are still answered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopRules:
    """How many answers within `window` are too many, for one person and for a room.

    A person who had them must be silent for `pause` before the pet answers again, the next time
    twice as long, up to `longest_pause`; after that long without a loop it is forgotten.
    """

    per_person: int
    per_room: int
    window: timedelta
    pause: timedelta
    longest_pause: timedelta


@dataclass(slots=True)
class _Watched:
    """One person in one room. `heard_at` is set while the pet is silent towards them."""

    pause: timedelta
    answers: deque[datetime] = field(default_factory=deque)
    heard_at: datetime | None = None
    heeded_again_at: datetime | None = None


class LoopGuard:
    """Who is answered how often. Pure: time comes in. What it keeps is bounded."""

    def __init__(self, rules: LoopRules) -> None:
        self._rules = rules
        self._watched: OrderedDict[Key, _Watched] = OrderedDict()
        self._rooms: OrderedDict[RoomId, deque[tuple[datetime, PersonId]]] = OrderedDict()

    def heeds(self, person: PersonId, room: RoomId, now: datetime) -> bool:
        """Whether something said now is answered; while it is not, the pause starts again."""
        one = self._watched.get((person, room))
        if one is None or one.heard_at is None:
            return True
        self._watched.move_to_end((person, room))
        if now - one.heard_at < one.pause:
            one.heard_at = now
            return False
        one.heard_at, one.heeded_again_at = None, now
        return True

    def answered(self, person: PersonId, room: RoomId, at: datetime) -> list[PersonId]:
        """Count an answer; towards whom in the room the pet falls silent because of it."""
        one = self._watch(person, room)
        one.answers.append(at)
        _drop_before(one.answers, at - self._rules.window)
        looping = [person] if len(one.answers) > self._rules.per_person else []
        looping += [each for each in self._crowding(person, room, at) if each not in looping]
        return [each for each in looping if self._silence(each, room, at)]

    def _watch(self, person: PersonId, room: RoomId) -> _Watched:
        one = self._watched.setdefault((person, room), _Watched(self._rules.pause))
        self._watched.move_to_end((person, room))
        if len(self._watched) > MOST_WATCHED:
            self._watched.popitem(last=False)
        return one

    def _crowding(self, person: PersonId, room: RoomId, at: datetime) -> list[PersonId]:
        """Who has a share in the answers of a room where there are too many."""
        answers = self._rooms.setdefault(room, deque())
        self._rooms.move_to_end(room)
        answers.append((at, person))
        while answers[0][0] < at - self._rules.window:
            answers.popleft()
        if len(self._rooms) > MOST_WATCHED:
            self._rooms.popitem(last=False)
        if len(answers) <= self._rules.per_room:
            return []
        answered = [each for _, each in answers]
        answers.popleft()
        return [each for each in dict.fromkeys(answered) if answered.count(each) >= SHARE]

    def _silence(self, person: PersonId, room: RoomId, at: datetime) -> bool:
        """Fall silent towards a person; whether that is news."""
        one = self._watch(person, room)
        if one.heard_at is not None:
            return False
        again = one.heeded_again_at
        is_repeated = again is not None and at - again < self._rules.longest_pause
        doubled = min(one.pause * 2, self._rules.longest_pause)
        one.pause = doubled if is_repeated else self._rules.pause
        one.heard_at = at
        one.answers.clear()
        return True


class GuardedListener:
    """What stands between the inbox and the conversations: it heeds whom the guard heeds.

    What comes too fast the limiter refuses; of what is not read people are told once in a while.
    """

    def __init__(
        self,
        listener: Listener,
        guard: LoopGuard,
        limiter: ArrivalLimiter,
        notices: UnreadNotices,
        clock: Clock,
    ) -> None:
        self._listener = listener
        self._guard = guard
        self._limiter = limiter
        self._notices = notices
        self._clock = clock

    def admits(self, incoming: Incoming, *, for_pet: bool) -> bool:
        """Whether a message that has just arrived is taken, or comes too fast to be kept."""
        return self._limiter.admits(incoming, for_pet=for_pet)

    def heeds(self, text: str, person: PersonId, room: RoomId) -> bool:
        """Whether what this person says to the pet now is answered at all."""
        now = self._clock.now()
        return self._guard.heeds(person, room, now) and self._notices.answers(
            text, person, room, now
        )

    def hear(self, heard: Heard) -> None:
        """Take a message that waits for an answer."""
        self._listener.hear(heard)

    def reword(self, message: MessageId, text: str, voice: VoiceState | None = None) -> None:
        """Take the new words of a message that waits for an answer; see Listener."""
        self._listener.reword(message, text, voice)

    def typing(self, person: PersonId, room: RoomId) -> None:
        """Wait a little longer for this person."""
        self._listener.typing(person, room)

    def answered(self, turn: Turn) -> None:
        """Count a reply, at the time it was thought of: some are delivered much later.

        On its own machine no loop is looked for: scripts may ask there as fast as they are heard.
        """
        if turn.room.startswith(f"{HERE}:"):
            return
        for person in self._guard.answered(turn.person, turn.room, turn.at):
            log.warning("loop.suspected", person=person, room=turn.room)


def _drop_before(moments: deque[datetime], oldest: datetime) -> None:
    while moments and moments[0] < oldest:
        moments.popleft()

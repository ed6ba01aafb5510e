"""Check-ins: what the pet may ask after of its own accord, and where people want that. Values."""

from dataclasses import dataclass
from datetime import datetime, time, timedelta
from enum import StrEnum
from uuid import UUID

from memory.model.claims import Claim
from memory.model.messages import MessageId
from memory.model.people import AccountId, PersonId
from memory.model.rooms import Room, RoomKind, SpaceId
from memory.model.stores import Collection

MOST_A_DAY = 2
"""Check-ins of one room, and to one person, on one day."""

FIRST_HOUR, LAST_HOUR = 9, 21
"""Between these hours, by the clock of who reads it, the pet may write first."""

SNOOZE = timedelta(days=14)
"""The silence after two check-ins in a row without an answer."""

UNANSWERED = 2
"""Check-ins in a row without an answer before that silence; one more ends them."""


REASON = "check-in: "
"""Begins the reason of the look-up of a check-in; its rule follows."""


class CheckinRule(StrEnum):
    """Why the pet writes first, in the order in which one goes before another."""

    BIRTHDAY = "birthday"
    PLAN = "plan"
    """It is the day of something that was arranged."""
    OUTCOME = "outcome"
    """Something is over, and it is asked how it went."""
    PROMISE = "promise"
    """What a person said that they would do was due."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckinRoom:
    """A room in which check-ins are wanted, and how it stands.

    In a direct room `person` is who is written to, there at `account`. `word_at` is the time of the
    last message of a person there, `asked` are the latest check-ins there and to that person,
    `unanswered` counts those since that message. `spaces` are those that the platform vouched for
    when the person last wrote.
    """

    room: Room
    person: PersonId | None
    account: AccountId | None
    locale: str
    spaces: frozenset[SpaceId] = frozenset()
    word_at: datetime | None = None
    asked: tuple[datetime, ...] = ()
    unanswered: int = 0

    @property
    def is_direct(self) -> bool:
        """Whether one person alone reads what is written there."""
        return self.room.kind is RoomKind.DIRECT

    @property
    def is_last(self) -> bool:
        """Whether the next check-in is the last one until a person writes there."""
        return self.unanswered >= UNANSWERED


@dataclass(frozen=True, slots=True, kw_only=True)
class HeardLine:
    """A message of a person as check-ins read it.

    `stands` is False where what was learnt from it was replaced, corrected or forgotten.
    """

    message: MessageId
    person: PersonId
    name: str
    account: AccountId | None
    text: str
    at: datetime
    stands: bool = True
    claims: tuple[Claim, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownBirthday:
    """A birthday as its person told it: the core fact, its value, and the statement behind it."""

    fact: UUID
    person: PersonId
    name: str
    account: AccountId | None
    value: str
    content: str
    said_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrangedPlan:
    """What several people arranged: what was said of it, in order, and who comes."""

    lines: tuple[HeardLine, ...]
    coming: tuple[HeardLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Occasion:
    """Something that may be asked after: by which rule, of whom, and in which words it was told.

    The same `thing` is asked after once. `source` names the row it rests on. `coming` are the
    names of who takes part. `at` is its time of day where that was said.
    """

    rule: CheckinRule
    thing: str
    person: PersonId
    name: str
    account: AccountId | None
    words: str
    said_at: datetime
    source: tuple[Collection, UUID]
    message: MessageId | None = None
    coming: tuple[str, ...] = ()
    at: time | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedThing:
    """Something that was asked after lately: of whom, and in which words it was told."""

    thing: str
    person: PersonId
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NewCheckin:
    """A check-in that is about to be kept and sent: where, about what, in which words."""

    place: CheckinRoom
    occasion: Occasion
    words: str
    pet_name: str
    idle: timedelta

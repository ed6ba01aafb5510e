"""What people say, as claims: of whom, which slot, and whether it is so."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from memory.model.messages import MessageId
from memory.model.people import AccountId
from memory.model.rooms import RoomId
from memory.model.shown import Shown


class Slot(StrEnum):
    """What of a person a claim tells."""

    NAME = "name"
    NICKNAME = "nickname"
    HOME = "home"
    ORIGIN = "origin"
    WORK = "work"
    EMPLOYER = "employer"
    STUDY = "study"
    AGE = "age"
    BIRTHDAY = "birthday"
    FAMILY = "family"
    PARTNER = "partner"
    PET = "pet"
    HEALTH = "health"
    DIET = "diet"
    LIKE = "like"
    DISLIKE = "dislike"
    HOBBY = "hobby"
    POSSESSION = "possession"
    LANGUAGE = "language"
    PLAN = "plan"
    LOSS = "loss"
    HABIT = "habit"
    OTHER = "other"
    """Something personal of no other slot: kept word for word."""


class Status(StrEnum):
    """Whether what a clause says is so."""

    HOLDS = "holds"
    PLANNED = "planned"
    PAST = "past"
    """It was so once."""
    ENDED = "ended"
    """It is said to be so no longer."""
    WISHED = "wished"
    """It is wished for, or only supposed."""
    JOKED = "joked"
    QUOTED = "quoted"
    """Another's words: a song, a sign, a story, a game."""
    ASKED = "asked"

    @property
    def is_stated(self) -> bool:
        """Whether its author states something that is true in one way or another."""
        return self in _STATED

    @property
    def is_over(self) -> bool:
        """Whether it is said of what is no longer so."""
        return self in {Status.PAST, Status.ENDED}


_STATED = frozenset((Status.HOLDS, Status.PLANNED, Status.PAST, Status.ENDED))


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """What a clause of a message claims; `start` and `end` are its place in the message.

    `certainty` in 0..1 says how surely something is stated at all. `of_author`: it is about who
    says it.
    """

    start: int
    end: int
    slot: Slot
    status: Status
    of_author: bool
    certainty: float


SURELY = 0.8
"""The certainty from which a clause is taken for a statement of its author."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldClaim:
    """A clause in which its author states something of their life: its words, and when said.

    `message` is the line it stands in: in `room`, written from `account`, `key` on its platform.
    """

    slot: Shown[Slot]
    status: Shown[Status]
    words: Shown[str]
    said_at: Shown[datetime]
    message: Shown[MessageId]
    room: RoomId
    account: AccountId | None
    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedSlot:
    """What a question wants to know of people: a slot, with its chance in 0..1."""

    slot: Slot
    chance: float

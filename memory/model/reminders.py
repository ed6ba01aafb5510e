"""Reminders: what a person asked to be told of later, and where they stand. Values."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NewType
from uuid import UUID

from memory.model.audience import Audience, Scope
from memory.model.messages import MessageId
from memory.model.people import AccountId, PersonId
from memory.model.rooms import Room
from memory.model.shown import Shown

ReminderId = NewType("ReminderId", int)
"""The number by which people cancel one; never used again."""

LONGEST_REMINDER = 500
"""Characters of what is to be reminded of: a longer text is a note."""


class ReminderState(StrEnum):
    """Where a reminder stands. Only an open one has its words."""

    OPEN = "open"
    DELIVERED = "delivered"
    """Its message is stored to be sent, as any reply is."""
    CANCELLED = "cancelled"
    DROPPED = "dropped"
    """Its room is none any more in which the pet speaks."""


class ReminderRefusal(StrEnum):
    """Why no reminder was set: the first ones are those of a time that cannot be told."""

    UNSAID = "unsaid"
    IMPOSSIBLE = "impossible"
    PAST = "past"
    TWO_WAYS = "two_ways"
    REPEATED = "repeated"
    TOO_FAR = "too_far"
    NOTHING = "nothing"
    """It is not said of what."""
    TOO_LONG = "too_long"
    TOO_MANY = "too_many"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReminderRequest:
    """What a person asks for, in their words, and where.

    `when` are their words of time, or a moment as machines write it. `asking` are the messages of
    the turn, oldest first, and `message` the one of them that asks; `scope` is what they may know
    there, and `locale` the language that they are told it in.
    """

    person: PersonId
    account: AccountId | None
    room: Room
    asking: tuple[MessageId, ...]
    message: MessageId
    scope: Scope
    locale: str
    text: str
    when: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NewReminder:
    """A reminder that can be kept; `zone` is the one in which its time is told, by its name.

    The same `key` is the same reminder: a turn that a crash cut short asks for it again.
    """

    key: UUID
    request: ReminderRequest
    due_at: datetime
    zone: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reminder:
    """One open reminder as it is kept."""

    id: ReminderId
    person: PersonId
    audience: Audience
    text: Shown[str]
    due_at: Shown[datetime]
    zone: str
    locale: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DueReminder:
    """A reminder that is due, where it is said and what its person goes by there."""

    reminder: Reminder
    account: AccountId | None
    room: Room
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReminderSet:
    """A reminder is kept, and is told in `zone`."""

    id: ReminderId
    text: str
    due_at: datetime
    zone: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReminderRefused:
    """None is kept; `choices` are the moments that may be meant, told in `zone`.

    `most` is how many characters or open reminders there may be, where that is why.
    """

    why: ReminderRefusal
    choices: tuple[datetime, ...] = ()
    zone: str = "UTC"
    most: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnReminders:
    """The open reminders of a person that may be shown, soonest first; `hidden` more are others."""

    rows: tuple[Reminder, ...]
    hidden: int = 0

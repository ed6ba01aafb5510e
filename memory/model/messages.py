"""Messages: as they arrive, as they are stored, as they wait for an answer."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NewType
from uuid import UUID

from memory.model.histories import Brought
from memory.model.people import AccountId, Person, PersonId
from memory.model.rooms import Room, RoomId, SpaceId
from memory.model.voices import VoiceFile, VoiceState

MessageId = NewType("MessageId", int)

TurnId = NewType("TurnId", UUID)

MOST_REACTIONS = 120
"""Reactions that a message can have: six emoji of twenty people, and still light to draw."""

MOST_OF_ONE = 20
"""Emoji of one account at one message: no platform shows more."""


class AuthorKind(StrEnum):
    """Who wrote a stored message."""

    PERSON = "person"
    PET = "pet"
    SYSTEM = "system"


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One stored message of a room."""

    id: MessageId
    room: RoomId
    person: PersonId | None
    author_kind: AuthorKind
    author: str
    text: str
    sent_at: datetime
    words: str = ""
    """Its stems, as full text keeps them."""
    edited_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReactionChange:
    """The emoji that an account has at a message of a platform from now on."""

    platform: str
    external_id: str
    account: AccountId
    name: str
    emoji: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reaction:
    """One emoji at a message: the accounts it is from, and their names beside, oldest first."""

    emoji: str
    accounts: tuple[AccountId, ...]
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotedLine:
    """The beginning of a message that another one is a reply to."""

    key: str
    author: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SpokenLine:
    """A message as a room shows it.

    `key` is its id on its platform. `expression` is the face of the turn that it belongs to: the
    pet's own, or that of the answer to it.
    """

    message: Message
    key: str
    account: AccountId | None
    turn: TurnId | None
    expression: str | None
    quoted: QuotedLine | None
    reactions: tuple[Reaction, ...] = ()


class Handling(StrEnum):
    """What is done with a stored message."""

    KEPT = "kept"
    """It is stored only."""
    OBSERVED = "observed"
    """It is recalled as what was overheard, too."""
    PENDING = "pending"
    """It waits for an answer."""
    ANSWERED = "answered"
    STALE = "stale"
    """It spoke to the pet and is not answered: it waited too long, or its author is not heeded."""


@dataclass(frozen=True, slots=True)
class Reworded:
    """A message that was changed, and its words as they were said: of some, less is kept."""

    id: MessageId
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """A message on its way into the database."""

    platform: str
    external_id: str
    room: Room
    author: str
    text: str
    sent_at: datetime
    handling: Handling
    author_kind: AuthorKind = AuthorKind.PERSON
    person: PersonId | None = None
    account: AccountId | None = None
    reply_to: str | None = None
    turn: TurnId | None = None
    spaces: frozenset[SpaceId] = frozenset()
    """What the platform vouched the author is a member of, for an answer after a restart."""
    zone: str | None = None
    """The time zone that its author is in, as their device or they themselves say it."""
    brought: Brought | None = None
    """Where it comes from a file and was not heard."""
    voice: VoiceFile | None = None
    """The sound whose words are to be written down."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unanswered:
    """A stored message that still waits for the pet, as found at start."""

    message: Message
    person: Person
    reply_to: str | None
    platform: str
    external_id: str
    account: AccountId | None
    spaces: frozenset[SpaceId]
    voice: VoiceState | None
    """What became of its voice note; None where there is none."""

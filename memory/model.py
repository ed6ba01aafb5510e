"""The values everything talks in: people, rooms, messages, memories and who may know them."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NewType
from uuid import UUID

PersonId = NewType("PersonId", str)
RoomId = NewType("RoomId", str)
SpaceId = NewType("SpaceId", str)
MessageId = NewType("MessageId", int)
MemoryId = NewType("MemoryId", UUID)
TurnId = NewType("TurnId", UUID)
KnowledgeId = NewType("KnowledgeId", UUID)
Audience = NewType("Audience", str)
"""Who may know a row, as one key: `person:<id>`, `space:<id>`, `room:<id>` or `everyone`."""

HOME = SpaceId("home")
"""The space of everything that belongs to no guild."""


class Collection(StrEnum):
    """A collection of the vector store."""

    LIVE = "live"
    MEMORY = "memory"
    SELF = "self"
    GOALS = "goals"
    CONVERSATIONS = "conversations"
    KNOWLEDGE = "knowledge"


class Store(StrEnum):
    """A store of durable statements; each has a collection of its own name."""

    MEMORY = "memory"
    SELF = "self"
    GOALS = "goals"

    @property
    def collection(self) -> Collection:
        """The vector collection that indexes this store."""
        return Collection(self.value)


class Visibility(StrEnum):
    """How far a statement may travel from where it was said."""

    PRIVATE = "private"
    """Said in a direct room: recalled in that person's direct rooms only, on any channel."""
    SPACE = "space"
    """Said in a group: recalled in that space and in its members' direct rooms."""
    ROOM = "room"
    """Said in a confidential room: never leaves it."""
    EVERYONE = "everyone"
    """About the pet itself, written by whoever runs it."""


class Source(StrEnum):
    """Where a statement came from."""

    CONVERSATION = "conversation"
    CHAT = "chat"
    DIGEST = "digest"
    NOTE = "note"
    SEED = "seed"
    IMPORT = "import"


class MemoryType(StrEnum):
    """What kind of statement about people and their world this is."""

    IDENTITY = "identity"
    GOAL = "goal"
    DECISION = "decision"
    TODO = "todo"
    PREFERENCE = "preference"
    FACT = "fact"
    EVENT = "event"
    OBSERVATION = "observation"

    @property
    def default_importance(self) -> float:
        """Importance in 0..1 of a statement whose source gave none."""
        return _DEFAULT_IMPORTANCE[self]


_DEFAULT_IMPORTANCE = {
    MemoryType.IDENTITY: 1.0,
    MemoryType.GOAL: 0.9,
    MemoryType.DECISION: 0.8,
    MemoryType.TODO: 0.8,
    MemoryType.PREFERENCE: 0.7,
    MemoryType.FACT: 0.6,
    MemoryType.EVENT: 0.4,
    MemoryType.OBSERVATION: 0.3,
}


class SelfCategory(StrEnum):
    """What the pet notices about itself."""

    CONTEXT = "context"
    CAPABILITY = "capability"
    LIMITATION = "limitation"
    PREFERENCE = "preference"
    RELATION = "relation"


class KnowledgeKind(StrEnum):
    """What a row of knowledge is."""

    SUMMARY = "summary"
    """What a stretch of conversation came to."""
    FACT = "fact"
    """A core fact: a key and a value about a person."""
    NOTE = "note"
    """A piece of a note, or a text that somebody asked to keep."""


class GoalCategory(StrEnum):
    """What the pet wants."""

    CAPABILITY_REQUEST = "capability_request"
    UNDERSTANDING = "understanding"
    CONNECTION = "connection"


class Relation(StrEnum):
    """How one statement is tied to another, read from the first to the second."""

    RELATED_TO = "related_to"
    """They speak of the same thing; the only one without a direction."""
    UPDATES = "updates"
    """It took the place of the other, saying more or what is so now; kept as history."""
    CONTRADICTS = "contradicts"
    """It says the opposite of the other and took its place; or disagrees with it, and both stay
    where taking the place would lose something or nobody can tell what was meant."""
    CAUSED_BY = "caused_by"
    """Its reason is the other, by words such as "because"."""
    RESULT_OF = "result_of"
    """It follows from the other, by words such as "therefore"."""
    PART_OF = "part_of"
    """It happened in, or belongs to, what the other names."""


class Fate(StrEnum):
    """What became of a row since something was made of it."""

    KNOWN = "known"
    """It is recalled as before."""
    FORGOTTEN = "forgotten"
    REPLACED = "replaced"
    """Another statement took its place."""
    EXPIRED = "expired"
    WITHDRAWN = "withdrawn"
    """A message that its author took back."""


class RoomKind(StrEnum):
    """How many people a room holds."""

    DIRECT = "direct"
    GROUP = "group"


class RoomRole(StrEnum):
    """What the pet does in a room."""

    LOBBY = "lobby"
    """Observed; answered only when addressed."""
    PET = "pet"
    """Everything is answered."""
    MENTION = "mention"
    """Answered when addressed; nothing is observed."""
    IGNORED = "ignored"
    """Neither."""


class AuthorKind(StrEnum):
    """Who wrote a stored message."""

    PERSON = "person"
    PET = "pet"
    SYSTEM = "system"


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A human, whatever accounts they write from."""

    id: PersonId
    name: str
    observed: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """A place where people and the pet talk."""

    id: RoomId
    platform: str
    external_id: str
    name: str
    kind: RoomKind
    role: RoomRole
    space: SpaceId = HOME
    confidential: bool = False
    parent: RoomId | None = None
    """The room that it hangs under, as a thread does."""
    proposed: RoomRole | None = None
    """The role that its platform proposes, where it has another one."""

    @property
    def visibility(self) -> Visibility:
        """How far what is said here may travel."""
        if self.confidential:
            return Visibility.ROOM
        return Visibility.PRIVATE if self.kind is RoomKind.DIRECT else Visibility.SPACE


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
class Origin:
    """Where a statement was made, which decides who may ever know it."""

    visibility: Visibility
    person: PersonId | None = None
    room: RoomId | None = None
    space: SpaceId = HOME


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMemory:
    """A statement on its way into a store.

    `importance` is in 0..1; None takes the default of the type.
    """

    store: Store
    content: str
    origin: Origin
    source: Source
    memory_type: MemoryType = MemoryType.FACT
    category: str | None = None
    subjects: tuple[str, ...] = ()
    importance: float | None = None
    ttl: timedelta | None = None
    said_by: str | None = None
    about_person: PersonId | None = None
    said_at: datetime | None = None
    """When it was said, if not now: its age and its time to live run from there."""
    corrects: bool = False
    """Whether it was said as a correction, by words that may stand beside it: "en fait"."""
    beside: str = ""
    """What its author said around it then, which may tell what a correction is about."""
    messages: tuple[MessageId, ...] = ()
    core: tuple[str, str] | None = None
    """The key and the value of what it says of whoever said it, where that was read with it."""
    id: MemoryId | None = None
    """Given when the id is derived, so that writing it twice stores it once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """One durable statement as it is kept."""

    id: MemoryId
    store: Store
    content: str
    memory_type: MemoryType
    category: str | None
    subjects: tuple[str, ...]
    importance: float
    source: Source
    said_by: str | None
    about_person: PersonId | None
    origin: Origin
    created_at: datetime
    updated_at: datetime
    expires_at: datetime | None
    revision: int
    words: str = ""
    """Its stems, as full text keeps them."""
    uses: int = 0
    """How often it was put before the model or listed by a tool."""
    valid_from: datetime | None = None
    """When it was said; None where only when it was kept is known."""
    valid_until: datetime | None = None
    """When what took its place was said; None while it holds."""

    @property
    def held_from(self) -> datetime:
        """Since when it holds: since it was said, as far as that is known."""
        return self.valid_from or self.created_at


@dataclass(frozen=True, slots=True, kw_only=True)
class NewKnowledge:
    """A summary, core fact or note on its way into the store.

    `id` is derived by whoever writes it, so that the same again is the same row. `title` is the
    key of a fact, the path of a note, "" for a summary. `at` is when it was said or written, for a
    summary the end of its stretch and `since` the beginning. `about` is whom a fact or a summary
    is about; `channel` where a summary's conversation took place.
    """

    id: KnowledgeId
    kind: KnowledgeKind
    content: str
    origin: Origin
    at: datetime
    title: str = ""
    since: datetime | None = None
    about: PersonId | None = None
    channel: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Knowledge:
    """A summary, core fact or note as it is kept; see `NewKnowledge`."""

    id: KnowledgeId
    kind: KnowledgeKind
    title: str
    content: str
    origin: Origin
    at: datetime
    since: datetime | None
    about: PersonId | None
    channel: str
    revision: int
    words: str = ""
    """Its stems, as full text keeps them."""


Statement = NewMemory | Memory
"""What is about to be kept, or is: either can be compared with what is kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Association:
    """One statement tied to another; `weight` in 0..1 says how closely."""

    start: MemoryId
    end: MemoryId
    relation: Relation
    weight: float

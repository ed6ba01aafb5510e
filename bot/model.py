"""The values between a channel and the model: what came in, what is asked, what is answered."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Any, Literal

from memory.model import (
    HOME,
    MessageId,
    Person,
    PersonId,
    Room,
    RoomKind,
    RoomRole,
    SpaceId,
)
from memory.retrieval import RecalledLine


class Expression(StrEnum):
    """The face the pet makes with an answer."""

    NEUTRAL = "neutral"
    HAPPY = "happy"
    CURIOUS = "curious"
    THINKING = "thinking"
    SURPRISED = "surprised"
    SAD = "sad"
    LOVE = "love"
    SLEEPY = "sleepy"


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomRef:
    """A room as its platform names it. `role` is a proposal; settings and what was chosen decide.

    `confidential` says that only some of the community can see it. `parent` is the id of the room
    that it hangs under, as a thread does, whose role and rules it has unless it has its own.
    """

    platform: str
    external_id: str
    name: str
    kind: RoomKind
    role: RoomRole
    space: SpaceId = HOME
    confidential: bool = False
    parent: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthorRef:
    """An account as its platform names it."""

    platform: str
    external_id: str
    name: str
    is_bot: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """A file that came with a message: its name and media type are noted, its content is not.

    `size` is in bytes; `url` is where its platform has it, for a model that can see.
    """

    name: str
    media_type: str
    size: int
    url: str


class InboundKind(StrEnum):
    """What a platform event is."""

    MESSAGE = "message"
    SYSTEM = "system"
    """Something the platform says of itself (a join, a rename): kept, never observed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Inbound:
    """One message as a platform delivered it.

    `external_id` is unique within the author's platform. `spaces` are the spaces the platform
    vouches the author is a member of, `manages_space` that they manage that of the room. `text` is
    as received; the inbox cleans it.
    """

    external_id: str
    room: RoomRef
    author: AuthorRef
    text: str
    sent_at: datetime
    kind: InboundKind = InboundKind.MESSAGE
    reply_to: str | None = None
    mentions_pet: bool = False
    spaces: frozenset[SpaceId] = frozenset()
    manages_space: bool = False
    attachments: tuple[Attachment, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Edited:
    """A message whose author changed it; `room` is as it is now, None where nobody knows."""

    platform: str
    external_id: str
    text: str
    room: RoomRef | None = None
    attachments: tuple[Attachment, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Deleted:
    """A message whose author took it back."""

    platform: str
    external_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Typing:
    """Someone is writing in a room."""

    room: RoomRef
    author: AuthorRef


InboundEvent = Inbound | Edited | Deleted | Typing


@dataclass(frozen=True, slots=True, kw_only=True)
class Invoked:
    """A command of the platform's own, as somebody used it there.

    `external_id` is unique within the platform. `spaces` and `manages_space` are as in `Inbound`;
    `locale` is the language the platform says they read, None where it says nothing.
    """

    external_id: str
    room: RoomRef
    author: AuthorRef
    command: str
    arguments: Mapping[str, str]
    locale: str | None = None
    spaces: frozenset[SpaceId] = frozenset()
    manages_space: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """A stored message that waits for the pet's answer."""

    message: MessageId
    kind: InboundKind
    person: Person
    room: Room
    channel: str
    """The platform the author writes from."""
    external_id: str
    """The message's id there."""
    text: str
    reply_to: str | None = None
    spaces: frozenset[SpaceId] = frozenset()
    attachments: tuple[Attachment, ...] = ()
    """Only until the next start: what is kept of them is a note in the text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """The messages of one person in one room that one turn answers, oldest first."""

    heard: tuple[Heard, ...]

    @property
    def person(self) -> Person:
        """Who speaks."""
        return self.heard[-1].person

    @property
    def room(self) -> Room:
        """Where."""
        return self.heard[-1].room

    @property
    def is_system(self) -> bool:
        """Whether the platform itself speaks, and nobody asks for memories."""
        return all(one.kind is InboundKind.SYSTEM for one in self.heard)

    @property
    def text(self) -> str:
        """Everything that was said, a line each message."""
        return "\n".join(one.text for one in self.heard)

    def joined(self, later: "Batch") -> "Batch":
        """One batch of this and a later one of the same person and room."""
        return Batch(heard=self.heard + later.heard)

    def reworded(self, message: MessageId, text: str) -> "Batch | None":
        """The same with the new words of a message; none takes it out, and None is left."""
        heard = tuple(
            replace(one, text=text) if one.message == message else one
            for one in self.heard
            if text or one.message != message
        )
        return Batch(heard=heard) if heard else None


@dataclass(slots=True)
class Effects:
    """What thinking about a batch has done already that cannot be taken back by giving it up.

    `changed`: a tool has stored or deleted something. `forgot`: it was something to be forgotten,
    so that the exchange which names it must not be found again either.
    """

    changed: bool = False
    forgot: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What the pet says: plain text with the face it makes."""

    text: str
    expression: Expression = Expression.NEUTRAL


@dataclass(frozen=True, slots=True, kw_only=True)
class Outgoing:
    """One message of the pet's on its way to a platform.

    The same `nonce` is shown once. `answers` is the platform's id of the message it answers, None
    where it answers none or another part does. `expression` is None where another part shows it.
    """

    room: Room
    text: str
    nonce: str
    expression: Expression | None = None
    answers: str | None = None


# What a model is asked and what it answers: provider-neutral, in the field's terms.


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSpec:
    """A tool the model may call; `schema` is the JSON Schema of its arguments."""

    name: str
    description: str
    schema: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A picture as a model is shown it; `media_type` is what its first bytes say it is."""

    media_type: str
    content: bytes = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """Words of a person, after the injected block that was recalled for them.

    `speaker` is "" when the platform itself speaks.
    `injection` is replayed byte-identically for as long as the message is in the window; empty
    when nothing was recalled. `recalled` are its lines as values, for a model that needs no prose.
    `pictures` came with the words and are shown with them, in the turn that answers them only.
    `in_group`: others read the answer too.
    """

    text: str
    speaker: str
    injection: str = ""
    recalled: tuple[RecalledLine, ...] = ()
    pictures: tuple[Picture, ...] = ()
    in_group: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """An earlier reply of the pet, as plain text."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """A call the model asked for."""

    id: str
    name: str
    arguments: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResult:
    """What a call came to; `failed` tells the model that it was wrong and why."""

    call_id: str
    text: str
    failed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolRound:
    """One round of the loop: what the model said and called, and what came back."""

    text: str
    calls: tuple[ToolCall, ...]
    results: tuple[ToolResult, ...]


ModelMessage = Said | Answered | ToolRound


class Purpose(StrEnum):
    """What a model call is for, as the ledger and the caps count it."""

    TURN = "turn"
    DIGEST = "digest"
    EXTRACTION = "extraction"
    EVALUATION = "evaluation"
    BRANCH = "branch"
    JUDGING = "judging"
    COMPACTION = "compaction"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRequest:
    """Everything one model call needs.

    `messages` start with a Said and may end with a Said or a ToolRound. `force` names a tool that
    must be called. `locale` is the language people read when theirs cannot be told.
    """

    system: str
    messages: tuple[ModelMessage, ...]
    tools: tuple[ToolSpec, ...]
    purpose: Purpose
    max_tokens: int
    locale: str = "en"
    force: str | None = None
    person: PersonId | None = None
    """On whose behalf, for the ledger and the caps."""
    injected_tokens: int = 0
    """How many of the input tokens the injection adds, estimated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens of one call; `input` excludes what came from or went to the provider's cache."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelReply:
    """What a model answered: text, calls, or both."""

    text: str
    calls: tuple[ToolCall, ...]
    usage: Usage
    model: str
    stop_reason: Literal["end", "tools", "length", "refusal"] = "end"

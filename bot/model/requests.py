"""What a model is asked and what it answers: provider-neutral, in the field's terms."""

from dataclasses import dataclass, field
from datetime import tzinfo
from enum import StrEnum
from typing import Any, Literal

from bot.model.tool_values import ToolValue
from memory.model.conversations import SessionBackground
from memory.model.people import PersonId
from memory.model.retrieval import RecalledLine
from memory.model.room_excerpts import RoomExcerpt
from memory.model.rooms import Room, RoomId, SpaceId

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
class UserMessage:
    """Words of a person, after what their room said before and what was recalled for them.

    `speaker` is "" when the platform itself speaks. `surroundings` tell when they were said, who
    speaks and what the room said since the turn before, which `excerpt` has as values.
    `injection` is replayed byte-identically for as long as the message is in the window; empty
    when nothing was recalled. `recalled` are its lines as values, for a model that needs no prose.
    `pictures` came with the words and are shown with them, in the turn that answers them only.
    `in_group`: others read the answer too.
    """

    text: str
    speaker: str
    surroundings: str = ""
    excerpt: RoomExcerpt | None = None
    injection: str = ""
    recalled: tuple[RecalledLine, ...] = ()
    pictures: tuple[Picture, ...] = ()
    in_group: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AssistantMessage:
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
    """What a call came to; `failed` tells the model that it was wrong and why.

    `value` says the same as the text, for a model that reads no prose.
    """

    call_id: str
    text: str
    failed: bool = False
    value: ToolValue | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolRound:
    """One round of the loop: what the model said and called, and what came back."""

    text: str
    calls: tuple[ToolCall, ...]
    results: tuple[ToolResult, ...]


ModelMessage = UserMessage | AssistantMessage | ToolRound


class Purpose(StrEnum):
    """What a model call is for, as the ledger and the caps count it."""

    TURN = "turn"
    DIGEST = "digest"
    EXTRACTION = "extraction"
    EVALUATION = "evaluation"
    BRANCH = "branch"
    JUDGING = "judging"
    COMPACTION = "compaction"
    CHECK = "check"
    CHECKIN = "checkin"
    VOICE = "voice"


ANSWERING = frozenset({Purpose.TURN, Purpose.BRANCH})
"""Purposes that people are answered with: the others are the pet's own work."""

ON_BEHALF = ANSWERING | {Purpose.VOICE}
"""Purposes that are counted for the person and the community that they are for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionContext:
    """Where a conversation is, and as whom the pet is there; `names` begin with its own."""

    names: tuple[str, ...]
    room: Room
    background: SessionBackground


ANY_TOOL = "*"
"""Forces a call of any tool."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRequest:
    """Everything one model call needs.

    `messages` start with a Said and may end with a Said or a ToolRound. `force` names a tool that
    must be called, `ANY_TOOL` one of them. `locale` is the language people read when theirs cannot
    be told.
    """

    system: str
    """The stable rules: the same in every session, so that a provider caches them for all."""
    messages: tuple[ModelMessage, ...]
    tools: tuple[ToolSpec, ...]
    purpose: Purpose
    max_tokens: int
    locale: str = "en"
    zone: tzinfo | None = None
    """The time zone of whom it answers; the pet's own where there is none."""
    system_of_session: str = ""
    """What else holds for one session, the same in all its requests."""
    session: SessionContext | None = None
    """Where the session is and what it began with, as values, for a model that needs no prose."""
    force: str | None = None
    person: PersonId | None = None
    """On whose behalf, for the ledger and the caps."""
    space: SpaceId | None = None
    """For which community, for the same."""
    room: RoomId | None = None
    """In which room, for the ledger."""
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

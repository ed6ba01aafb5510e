"""Conversations with the pet: sessions, turns, and what is to be learnt from them."""

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from memory.model.audience import Audience, Scope
from memory.model.messages import Message, MessageId, TurnId
from memory.model.people import AccountId, PersonId
from memory.model.retrieval import RecalledLine, Retrieval
from memory.model.room_excerpts import RoomExcerpt
from memory.model.rooms import Room, RoomId
from memory.model.shown import Shown

PlatformMessage = tuple[str, str]
"""A message as its platform names it: the platform and the id there."""


class PartFate(StrEnum):
    """What became of a message that a platform took, in the order in which it comes so far."""

    SENT = "sent"
    DELIVERED = "delivered"
    READ = "read"
    FAILED = "failed"

    def is_beyond(self, other: "PartFate") -> bool:
        """Whether this comes after another; what failed stays so."""
        order = list(PartFate)
        return order.index(self) > order.index(other)


@dataclass(frozen=True, slots=True, kw_only=True)
class PartReport:
    """What a platform says of a message of the pet's, and of when."""

    fate: PartFate
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One person's conversation in one room."""

    id: str
    person: PersonId
    room: RoomId
    started_at: datetime
    mark: str
    """A random word that no person knows: it fences what its model is shown of others' words."""
    is_new: bool = False
    """Whether it has no turn yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolUse:
    """One call that the model made while it thought about a turn; `arguments` are JSON."""

    name: Shown[str]
    arguments: Shown[str]
    result: Shown[str]
    failed: Shown[bool] = False


def words_found(text: str, reply: str, *, failed: bool) -> str:
    """By which words an exchange is found; of one that failed by the person's alone."""
    return text if failed else f"{text}\n{reply}"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTurn:
    """A turn whose reply is known and about to be delivered.

    `searchable` is False where nothing is worth finding again; with an `error`, the person's words
    alone are. `notice` is a sentence
    that is sent before the reply, and is no part of the conversation: that something failed.
    """

    session: Session
    room: Room
    channel: str
    speaker: str
    text: str
    messages: tuple[MessageId, ...]
    recalled: tuple[RecalledLine, ...]
    reply: str
    expression: str
    searchable: bool
    pet_name: str
    excerpt: RoomExcerpt
    notice: str = ""
    retrieval: Retrieval | None = None
    error: str | None = None
    tools: tuple[ToolUse, ...] = ()
    listed: tuple[str, ...] = ()
    """References of the rows that tools listed."""
    account: AccountId | None = None
    """Whom it is for, where it answers no message."""

    @classmethod
    def unasked(
        cls, session: Session, room: Room, reply: str, *, at: datetime, **given: Any
    ) -> "NewTurn":
        """A turn that answers no words, such as a reminder; `given` are its other fields."""
        return cls(
            session=session,
            room=room,
            reply=reply,
            text="",
            messages=(),
            recalled=(),
            expression="neutral",
            searchable=False,
            excerpt=RoomExcerpt(at=at),
            **given,
        )

    @property
    def told(self) -> tuple[str, ...]:
        """References of what was recalled for it, said in its room or listed by its tools."""
        items = self.retrieval.items if self.retrieval else ()
        recalled = (one.candidate.ref for one in items if one.kept)
        return (*recalled, *(one.ref for one in self.excerpt.lines), *self.listed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One exchange as it is kept."""

    id: TurnId
    session: str
    room: RoomId
    person: PersonId
    speaker: str
    text: str
    recalled: tuple[RecalledLine, ...]
    reply: str
    expression: str
    parts_sent: int
    asked_at: datetime
    """When its request was made."""
    at: datetime
    notice: str = ""
    """Sent before the reply, and no part of the conversation."""
    words: str = ""
    """Its stems, as full text keeps them."""
    carries: frozenset[Audience] = frozenset()
    """The audiences of what its reply repeats, but for its own."""

    @property
    def said(self) -> str:
        """All that its person read."""
        return "\n".join(filter(None, (self.notice, self.reply)))

    def within(self, scope: Scope) -> "Turn":
        """The turn as it may be told within a scope of now: its reply goes with what it repeats."""
        if all(scope.allows(one) for one in self.carries):
            return self
        return replace(self, reply="", recalled=())


@dataclass(frozen=True, slots=True, kw_only=True)
class Unread:
    """A session with `turns` turns that were not read for facts; the last one at `last_at`."""

    session: str
    room: RoomId
    turns: int
    last_at: datetime
    ended_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractionSpan:
    """A stretch of one session, from its first turn to its last, all said to one audience.

    `reading` counts how often it was read before, in words that were changed since.
    """

    session: str
    first: int
    last: int
    room: RoomId
    person: PersonId
    audience: Audience
    reading: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SpokenTurn:
    """One turn of a span as it stands now.

    `lines` are the messages of the person that still stand; `recalled`, `reply` and `tools` are
    what the pet recalled, said and looked up. `room` is what others said there before it.
    `is_by_rules`: rules answered it, since the model could not.
    """

    seq: int
    at: datetime
    lines: tuple[Message, ...]
    recalled: tuple[RecalledLine, ...]
    reply: str
    tools: tuple[ToolUse, ...]
    room: tuple[Message, ...]
    is_by_rules: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PastTurn:
    """An earlier exchange of the session, for understanding what follows."""

    at: datetime
    speaker: str
    text: str
    reply: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionBackground:
    """Statements that were chosen when a session began, as they stand now.

    `self_lines` say who the pet is, `goals` what it wants of the person, best first. `quiet_topics`
    are those that the person asked it to leave alone, `told_quiet` the ones among them that may be
    named where the session is. `ids` are those of the statements.
    """

    self_lines: tuple[str, ...] = ()
    goals: tuple[str, ...] = ()
    quiet_topics: tuple[str, ...] = ()
    told_quiet: tuple[str, ...] = ()
    ids: frozenset[UUID] = frozenset()

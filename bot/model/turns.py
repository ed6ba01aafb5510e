"""A turn: what is answered, what answering it has done, and what is said."""

from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum

from bot.model.events import Attachment
from memory.language.parts.reading import own_words
from memory.model.listing import KeptStatement
from memory.model.messages import Arrival, AuthorKind, MessageId
from memory.model.people import AccountId, Person
from memory.model.rooms import Room
from memory.model.voices import VoiceState


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
class Heard:
    """A stored message that waits for the pet's answer."""

    message: MessageId
    arrival: Arrival
    person: Person
    attachments: tuple[Attachment, ...] = ()
    """Only until the next start: what is kept of them is a note in the text."""
    voice: VoiceState | None = None
    """What became of its voice note; None where there is none."""

    @property
    def awaits_words(self) -> bool:
        """Whether its voice note is still to be listened to."""
        return self.voice is VoiceState.WAITING

    @property
    def is_system(self) -> bool:
        """Whether the platform says it of itself."""
        return self.arrival.author_kind is AuthorKind.SYSTEM

    @property
    def room(self) -> Room:
        """Where it was said."""
        return self.arrival.room

    @property
    def channel(self) -> str:
        """The platform that its author writes from."""
        return self.arrival.platform

    @property
    def account(self) -> AccountId | None:
        """Their account there."""
        return self.arrival.account

    @property
    def external_id(self) -> str:
        """The message's id there."""
        return self.arrival.external_id

    @property
    def text(self) -> str:
        """What it says, as it was said or changed since."""
        return self.arrival.text

    def reworded(self, text: str, voice: VoiceState | None) -> "Heard":
        """The same with new words, and with what became of its voice note."""
        return replace(self, arrival=replace(self.arrival, text=text), voice=voice)


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """The messages of one person in one room that one turn answers, oldest first."""

    heard: tuple[Heard, ...]
    since: datetime | None = field(default=None, compare=False)
    """When the first of them came, as far as they were gathered."""

    @property
    def person(self) -> Person:
        """Who speaks."""
        return self.heard[-1].person

    @property
    def account(self) -> AccountId | None:
        """From which account."""
        return self.heard[-1].account

    @property
    def room(self) -> Room:
        """Where."""
        return self.heard[-1].room

    @property
    def is_system(self) -> bool:
        """Whether the platform itself speaks, so that no one asks for memories."""
        return all(one.is_system for one in self.heard)

    @property
    def text(self) -> str:
        """Everything that was said, a line each message."""
        return "\n".join(one.text for one in self.heard)

    @property
    def own_text(self) -> str:
        """What the person said themselves: what they quote or forward orders and states nothing."""
        return "\n".join(own for one in self.heard if (own := own_words(one.text)))

    def joined(self, later: "Batch") -> "Batch":
        """One batch of this and a later one of the same person and room."""
        return replace(self, heard=self.heard + later.heard)

    def reworded(
        self, message: MessageId, text: str, voice: VoiceState | None = None
    ) -> "Batch | None":
        """The same with the new words of a message; none takes it out, and None is left.

        `voice` says what became of its voice note, if that is news.
        """
        heard = tuple(
            one.reworded(text, voice or one.voice) if one.message == message else one
            for one in self.heard
            if text or one.message != message
        )
        return replace(self, heard=heard) if heard else None


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
    """What the pet says: plain text with the face it makes.

    `notice` is one sentence that is sent before it and never told to a model again: why rules
    answer. `failure` is the reason in the log's words, None where nothing failed.
    """

    text: str
    expression: Expression = Expression.NEUTRAL
    notice: str = ""
    failure: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Outgoing:
    """One message of the pet's on its way to a platform.

    The same `nonce` is shown once. `answers` is the platform's id of the message it answers, None
    where it answers none or another part does. `expression` is None where another part shows it.
    `kept` are the statements that a note names, for a channel that draws buttons beside them.
    """

    room: Room
    text: str
    nonce: str
    expression: Expression | None = None
    answers: str | None = None
    kept: tuple[KeptStatement, ...] = ()

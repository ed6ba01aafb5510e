"""What the observers need from outside: what finds facts, and what has notes."""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta, tzinfo
from typing import Protocol

from memory.learning.known import KnownBeside
from memory.model.messages import Message, MessageId
from memory.model.people import PersonId
from memory.model.statements import MemoryId, MemoryType
from memory.rules.notes.chunks import Note, NoteChoice, NoteEntry


@dataclass(frozen=True, slots=True, kw_only=True)
class LobbyLine:
    """One message as an observer reads it. `said_at` is in the pet's time zone.

    `person` wrote it, whatever others of that name there are.
    """

    message: MessageId
    author: str
    said_at: datetime
    text: str
    person: PersonId | None = None

    @classmethod
    def of(cls, message: Message, zone: tzinfo) -> "LobbyLine":
        """A message as it is read in the pet's time zone."""
        return cls(
            message=message.id,
            author=message.author,
            said_at=message.sent_at.astimezone(zone),
            text=message.text,
            person=message.person,
        )


TOOL = "tool "
"""Begins by whom an aside is, where a tool said it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Aside:
    """What no person said: the pet's answer after a line, or what a tool told the pet.

    It helps to understand and is never learnt from. `by` is the pet's name, or `TOOL` and that of
    the tool; `stored` where one kept something.
    """

    after: MessageId
    by: str
    text: str
    stored: bool = False


NOTHING_KNOWN = KnownBeside()
"""What is kept where nothing is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """A stretch of one room: `lines` to learn from, `before` and `asides` to understand them.

    `around` has what others said before some of the lines, which is read elsewhere. `known` is what
    is kept already of those who speak.
    """

    room: str
    before: tuple[LobbyLine, ...]
    lines: tuple[LobbyLine, ...]
    asides: tuple[Aside, ...] = ()
    around: Mapping[MessageId, tuple[LobbyLine, ...]] = field(default_factory=dict)
    known: KnownBeside = NOTHING_KNOWN


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One durable statement found in a chunk, self-contained and in the language it was said in.

    `messages` are the lines it rests on; `said_by` is one of their authors and `author` their
    person, where that one is known. Without a `ttl` it
    lasts as long as its type does by default, unless it `stays` true for ever. `core` is the key
    and the value of what it says about its speaker, such as ("city", "Lyon"); `ends` are statements
    of the chunk's `known` that no longer hold by it, `shown` all of those.
    """

    content: str
    memory_type: MemoryType
    subjects: tuple[str, ...]
    said_by: str
    messages: tuple[MessageId, ...]
    author: PersonId | None = None
    importance: float | None = None
    ttl: timedelta | None = None
    stays: bool = False
    core: tuple[str, str] | None = None
    ends: tuple[MemoryId, ...] = ()
    shown: tuple[MemoryId, ...] = ()

    def lasts(self, by_default: timedelta | None) -> timedelta | None:
        """How long it holds, where its type holds so long by default; None for ever."""
        return self.ttl if self.ttl is not None or self.stays else by_default


class Extractor(Protocol):
    """Reads a stretch of conversation and finds what deserves keeping."""

    async def extract(self, chunk: Chunk) -> Sequence[Fact]:
        """The facts of a chunk, in order; empty when there are none.

        Raises:
            ExtractorUnavailable: nothing is wrong with the chunk, try later.
            ExtractionFailed: this chunk gave no usable answer.

        """
        ...


class NoteSource(Protocol):
    """A vault of notes. It hands out only those that are wanted."""

    @property
    def vault(self) -> str:
        """Which vault this is; the notes of one are never taken for those of another."""
        ...

    async def entries(self, choice: NoteChoice) -> Sequence[NoteEntry]:
        """Every wanted note that there is.

        Raises:
            NotesUnavailable: the vault cannot be read now.

        """
        ...

    async def read(self, path: str) -> Note | None:
        """One note, or None when it is gone.

        Raises:
            NoteTooLarge: it is larger than notes are read.
            NotesUnavailable: the vault cannot be read now.

        """
        ...

    def changes(self) -> AsyncIterator[None]:
        """Something each time that notes may have changed; nothing where the vault does not tell.

        Raises:
            NotesUnavailable: changes cannot be followed now.

        """
        ...

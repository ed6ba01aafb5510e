"""What the observers need from outside: what finds facts, and what has notes."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from memory.model import Audience, MemoryType, MessageId
from memory.notes import Note, NoteChoice, NoteEntry


@dataclass(frozen=True, slots=True, kw_only=True)
class LobbyLine:
    """One message of a lobby, as the digest reads it. `said_at` is in the pet's time zone."""

    message: MessageId
    author: str
    said_at: datetime
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """A stretch of one lobby: `lines` to learn from, and `before` them what helps to understand."""

    room: str
    before: tuple[LobbyLine, ...]
    lines: tuple[LobbyLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One durable statement found in a chunk, self-contained and in the language it was said in.

    `messages` are the lines it rests on; `said_by` is one of their authors.
    """

    content: str
    memory_type: MemoryType
    subjects: tuple[str, ...]
    said_by: str
    messages: tuple[MessageId, ...]
    importance: float | None = None
    ttl: timedelta | None = None


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
        """Something each time that notes may have changed; nothing where nobody tells.

        Raises:
            NotesUnavailable: changes cannot be followed now.

        """
        ...


class Forgotten(Protocol):
    """What people had the pet forget, and what must not come back by another way."""

    async def refuses(self, text: str, audience: Audience) -> bool:
        """Whether a text, for that audience, was forgotten.

        When the note was written to does not matter: that is no saying of each of its lines anew.
        """
        ...

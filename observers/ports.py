"""What the observers need from outside: something that reads a stretch of lobby and finds facts."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from memory.model import MemoryType, MessageId


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

    `messages` are the lines it rests on; `said_by` is one of their authors. Without a `ttl` it
    lasts as long as its type does by default, unless it `stays` true for ever.
    """

    content: str
    memory_type: MemoryType
    subjects: tuple[str, ...]
    said_by: str
    messages: tuple[MessageId, ...]
    importance: float | None = None
    ttl: timedelta | None = None
    stays: bool = False


class Extractor(Protocol):
    """Reads a stretch of conversation and finds what deserves keeping."""

    async def extract(self, chunk: Chunk) -> Sequence[Fact]:
        """The facts of a chunk, in order; empty when there are none.

        Raises:
            ExtractorUnavailable: nothing is wrong with the chunk, try later.
            ExtractionFailed: this chunk gave no usable answer.

        """
        ...

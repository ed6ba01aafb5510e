"""The values of this package: who says something, and the statements found in it."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from memory.language.text import Language
from memory.model.statements import MemoryType


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One self-contained sentence worth keeping, in the language it was said in."""

    content: str
    memory_type: MemoryType
    subjects: tuple[str, ...]
    ttl: timedelta | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Speech:
    """Who says something, when (aware, in the pet's time zone), and whom the room knows."""

    speaker: str
    said_at: datetime
    names: Collection[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A statement before its dates and subjects are worked out."""

    content: str
    memory_type: MemoryType
    language: Language
    about: tuple[str, ...] = ()
    dated: bool = True
    """Whether relative dates in it are to be resolved."""

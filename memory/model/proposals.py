"""Proposals to join two statements that say the same."""

from dataclasses import dataclass
from enum import StrEnum

from memory.model.audience import Audience
from memory.model.statements import Memory, MemoryId


class Likeness(StrEnum):
    """In what two statements differ that say the same."""

    SMALL_WORDS = "small words"
    ANOTHER_ORDER = "another order"
    SAYS_MORE = "says more"
    """The kept one says all of the other, and when, where or with whom."""
    ANOTHER_WORD = "another word"


@dataclass(frozen=True, slots=True, kw_only=True)
class Duplicate:
    """Two statements that say the same: the one to keep, the one to drop, and how they differ."""

    keep: Memory
    drop: Memory
    why: Likeness


@dataclass(frozen=True, slots=True, kw_only=True)
class Passed:
    """A statement the nightly pass comes to: its place, and whose eyes it is read with."""

    seq: int
    id: MemoryId
    audience: Audience


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundDuplicate:
    """Two statements to propose, with their cosine in -1..1 where both have a vector."""

    duplicate: Duplicate
    similarity: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """One open proposal: `drop` would be replaced by `keep`."""

    id: int
    keep: MemoryId
    drop: MemoryId
    why: Likeness
    similarity: float | None

"""Backups: what one is, how the last one went, and what lost its words since. Values."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class ErasureKind(StrEnum):
    """What an erasure is about."""

    MESSAGE = "message"
    TURN = "turn"
    MEMORY = "memory"
    MUTED = "muted"
    """A statement that is recalled no more and keeps its words."""
    KNOWLEDGE = "knowledge"
    ACCOUNT = "account"
    """An account that goes by no name any more, or the id of a person whose import was undone."""
    UNOBSERVED = "unobserved"
    """An account whose person is not read along with."""
    TOMBSTONE = "tombstone"
    """A mark by which what was forgotten is known when it comes back."""
    REMINDER = "reminder"
    """A reminder that was told, cancelled or forgotten."""
    VALUE = "value"
    """The mark of a value that was forgotten; its key is all there is to it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasureStone:
    """A tombstone as it is written down: keyed hashes, and no words."""

    forgetting: int
    kind: str
    audience: str
    content: int
    stems: tuple[int, ...]
    telling: str
    forgotten_at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Erasure:
    """One row that lost its words or was muted, or has them back, or is recalled again.

    In the order of `seq`; the last of each kind counts.
    """

    seq: int
    kind: ErasureKind
    key: str
    erased: bool
    stone: ErasureStone | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseCopy:
    """What a copy of the database holds: which pet, how much, up to which erasure."""

    pet: str
    schema: int
    erasures: int
    counts: dict[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupRecord:
    """How a backup went: where it is, or why it failed."""

    at: datetime
    path: str = ""
    size: int = 0
    reason: str = ""

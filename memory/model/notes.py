"""Notes of a vault, as they were read and as they are listed."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from memory.model.knowledge import KnowledgeId


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A part of a note of at most `PIECE` characters, by an id of what it says and where."""

    id: KnowledgeId
    title: str
    content: str
    at: datetime


NoteState = Literal["kept", "too large"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadNote:
    """A note as it was read: its pieces, without the `refused` ones that were forgotten before."""

    path: str
    etag: str
    pieces: tuple[Piece, ...] = ()
    refused: int = 0
    state: NoteState = "kept"


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedNote:
    """A note that is kept, for the operator; `at` is when its latest piece was written."""

    path: str
    state: NoteState
    pieces: int
    refused: int
    at: datetime | None
    synced_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class VaultState:
    """When a vault was read last; its trouble and since when, while it cannot be read."""

    refreshed_at: datetime | None = None
    trouble: str | None = None
    troubled_since: datetime | None = None

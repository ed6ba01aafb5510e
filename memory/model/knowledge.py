"""Knowledge besides statements: summaries, core facts, notes."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Literal, NewType
from uuid import UUID

from memory.model.audience import Origin
from memory.model.people import PersonId
from memory.model.rooms import Visibility
from memory.model.shown import Shown
from memory.model.statements import MemoryId

KnowledgeId = NewType("KnowledgeId", UUID)


class KnowledgeKind(StrEnum):
    """What a row of knowledge is."""

    SUMMARY = "summary"
    """What a stretch of conversation came to."""
    FACT = "fact"
    """A core fact: a key and a value about a person."""
    NOTE = "note"
    """A piece of a note, or a text that a person asked to keep."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewKnowledge:
    """A summary, core fact or note on its way into the store.

    `id` is derived by its writer, so that the same again is the same row. `title` is the
    key of a fact, the path of a note, "" for a summary. `at` is when it was said or written, for a
    summary the end of its stretch and `since` the beginning. `about` is whom a fact or a summary
    is about; `channel` where a summary's conversation took place.
    """

    id: KnowledgeId
    kind: KnowledgeKind
    content: str
    origin: Origin
    at: datetime
    title: str = ""
    since: datetime | None = None
    about: PersonId | None = None
    channel: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Knowledge:
    """A summary, core fact or note as it is kept; see `NewKnowledge`."""

    id: KnowledgeId
    kind: KnowledgeKind
    title: str
    content: str
    origin: Origin
    at: datetime
    since: datetime | None
    about: PersonId | None
    channel: str
    revision: int
    words: str = ""
    """Its stems, as full text keeps them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CoreFact:
    """A value of a key about a person, as it is kept; in force until `until`."""

    id: Shown[KnowledgeId]
    person: Shown[str]
    key: Shown[str]
    value: Shown[str]
    content: Shown[str]
    visibility: Shown[Visibility]
    since: Shown[datetime]
    until: Shown[datetime | None]
    memory: Shown[MemoryId]


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
    """A note that is kept, for the operator; `at` is when its latest piece was written.

    `refused` pieces were forgotten before.
    """

    path: Shown[str]
    state: Shown[NoteState]
    pieces: Shown[int]
    refused: Shown[int]
    at: Shown[datetime | None]
    synced_at: Shown[datetime]


@dataclass(frozen=True, slots=True, kw_only=True)
class VaultState:
    """When a vault was read last; its trouble and since when, while it cannot be read."""

    refreshed_at: Shown[datetime | None] = None
    trouble: Shown[str | None] = None
    troubled_since: Shown[datetime | None] = None

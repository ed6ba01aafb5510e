"""The format of an export: one entry a line, each checked as it is read. Values, and pure."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal, Self
from uuid import UUID

from pydantic import Field, TypeAdapter, ValidationError, model_validator

from memory.model.audience import Origin, Scope
from memory.model.errors import EkoMemoryError
from memory.model.export_fields import (
    CheckedEntry,
    Count,
    Key,
    Moment,
    Name,
    Reference,
    Share,
    Statement,
    Text,
)
from memory.model.knowledge import KnowledgeKind
from memory.model.messages import AuthorKind
from memory.model.people import AccountId, PersonId
from memory.model.quiet_topics import LONGEST_TOPIC
from memory.model.rooms import RoomId, RoomKind, RoomRole, SpaceId, Visibility
from memory.model.space_entries import (
    MarksKeyEntry,
    SpaceSettingEntry,
    TombstoneEntry,
    ValueMarkEntry,
)
from memory.model.statements import GoalCategory, MemoryType, Relation, SelfCategory, Source
from memory.model.stores import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportSelection:
    """What is exported: everybody's, one person's or a space's, since when, `within` which scope.

    Without one a person's export holds whatever they may know anywhere. What is a space's is what
    was said in its groups; of people what they are called and wrote from there, and who opted out.
    """

    person: PersonId | None = None
    space: SpaceId | None = None
    since: datetime | None = None
    within: Scope | None = None


VERSION = 2
"""Raised when an older reader would misunderstand a newer file.

Since 2 exchanges and summaries say whose words they repeat, and rooms whether others read them too.
"""

READABLE = frozenset({1, VERSION})
"""Versions that are read."""

LONGEST_LINE = 12 << 20
"""Bytes of a line: more than the longest turn takes, little enough to hold."""


class Header(CheckedEntry):
    """What the file holds: everything, or what is one person's or space's; or only since then."""

    entry: Literal["eko-export"] = "eko-export"
    version: int = VERSION
    at: Moment
    person: Key | None = None
    space: Key | None = None
    community: Name = ""
    """What the space is called on its platform."""
    since: Moment | None = None


class AccountEntry(CheckedEntry):
    """A person's account on a platform."""

    platform: Key
    external_id: Key
    name: Name


class PersonEntry(CheckedEntry):
    """A human; without accounts when they are only spoken of."""

    entry: Literal["person"] = "person"
    id: Key
    name: Name
    observed: bool
    met_at: Moment
    accounts: tuple[AccountEntry, ...] = ()


class RoomEntry(CheckedEntry):
    """A place where something was said."""

    entry: Literal["room"] = "room"
    id: Key
    platform: Key
    external_id: Key
    name: Name
    kind: RoomKind
    role: RoomRole
    proposed: RoomRole | None = None
    space: Key
    confidential: bool
    public: bool = False
    parent: Key | None = None
    starter: Key | None = None
    community: Name = ""
    met_at: Moment


class SessionEntry(CheckedEntry):
    """One person's conversation in one room; imported ones are over."""

    entry: Literal["session"] = "session"
    id: Key
    person: Key
    room: Key
    started_at: Moment
    last_at: Moment


class TurnEntry(CheckedEntry):
    """What a person said to the pet and what it answered.

    From one that is `extracted`, what there was to learn has been learnt; one that is `compacted`
    has left the window of its conversation, and is told in a summary if it says anything. `carries`
    are the audiences of what its reply repeats.
    """

    entry: Literal["turn"] = "turn"
    id: UUID
    session: Key
    room: Key
    person: Key
    account: Key | None = None
    channel: Key
    speaker: Name
    text: Text
    reply: Text
    expression: Name
    searchable: bool
    extracted: bool
    compacted: bool
    visibility: Visibility
    audience: Key
    carries: tuple[Key, ...] = ()
    at: Moment


class ReactionEntry(CheckedEntry):
    """An emoji that an account put to a message, under the name that it had then."""

    emoji: Name
    account: Key
    name: Name
    at: Moment


class MessageEntry(CheckedEntry):
    """One message of a room; `live` ones still wait for a digest."""

    entry: Literal["message"] = "message"
    platform: Key
    external_id: Key
    room: Key
    person: Key | None
    account: Key | None = None
    author_kind: AuthorKind
    author: Name
    text: Text
    audience: Key
    reply_to: Key | None
    spaces: tuple[Key, ...]
    handling: Literal["kept", "observed", "answered", "stale"]
    turn: UUID | None
    sent_at: Moment
    received_at: Moment
    edited_at: Moment | None
    zone: Key | None = None
    live: bool
    reactions: tuple[ReactionEntry, ...] = ()


class _Placed(CheckedEntry):
    """Where something was said, which decides who may know it, and from which account."""

    visibility: Visibility
    person: Key | None
    account: Key | None = None
    room: Key | None
    space: Key


_CATEGORIES: dict[Store, frozenset[str]] = {
    Store.MEMORY: frozenset(),
    Store.SELF: frozenset(SelfCategory),
    Store.GOALS: frozenset(GoalCategory),
}
"""The categories of each store."""


class MemoryEntry(_Placed):
    """One statement, also one whose place another took: then `superseded_by` names that one.

    `author` is whose claim it is, `about` whom it is about.
    """

    entry: Literal["memory"] = "memory"
    id: UUID
    store: Store
    content: Statement
    memory_type: MemoryType
    category: Name | None
    subjects: Annotated[tuple[Name, ...], Field(max_length=100)]
    importance: Share
    source: Source
    said_by: Name | None
    author: Key | None = None
    about: Key | None
    messages: tuple[Reference, ...]
    created_at: Moment
    updated_at: Moment
    last_accessed_at: Moment | None
    access_count: Count
    expires_at: Moment | None
    archived_at: Moment | None
    valid_from: Moment
    valid_until: Moment | None
    superseded_by: UUID | None
    superseded_at: Moment | None
    revision: Count

    @model_validator(mode="after")
    def _of_its_store(self) -> Self:
        if self.category and self.category not in _CATEGORIES[self.store]:
            raise ValueError("there is no such category in this store")
        if (self.superseded_by is None) != (self.superseded_at is None):
            raise ValueError("superseded_by and superseded_at go together")
        if self.superseded_by == self.id:
            raise ValueError("a statement cannot take its own place")
        return self


class AssociationEntry(CheckedEntry):
    """One statement tied to another."""

    entry: Literal["association"] = "association"
    start: UUID
    end: UUID
    relation: Relation
    weight: Annotated[float, Field(gt=0, le=1)]
    origin: Literal["write", "pass"]
    created_at: Moment


class KnowledgeEntry(_Placed):
    """A summary, a core fact or a piece of a note; a retired one is history."""

    entry: Literal["knowledge"] = "knowledge"
    id: UUID
    kind: KnowledgeKind
    title: Text
    content: Text
    channel: Name
    about: Key | None
    carries: tuple[Key, ...] = ()
    since: Moment | None
    at: Moment
    created_at: Moment
    retired_at: Moment | None
    revision: Count


class CoreFactEntry(CheckedEntry):
    """A value of a key about a person: the knowledge of the same id, behind it a statement."""

    entry: Literal["core_fact"] = "core_fact"
    id: UUID
    person: Key
    audience: Key
    key: Name
    value: Text
    valid_from: Moment
    valid_until: Moment | None
    memory: UUID


class ReminderEntry(CheckedEntry):
    """A reminder that is still to be told, in the room where `message` asked for it."""

    entry: Literal["reminder"] = "reminder"
    id: UUID
    person: Key
    account: Key | None
    room: Key
    message: Reference | None
    audience: Key
    text: Statement
    due_at: Moment
    zone: Key
    locale: Key
    created_at: Moment


class QuietTopicEntry(CheckedEntry):
    """What a person asked the pet to leave alone."""

    entry: Literal["quiet_topic"] = "quiet_topic"
    person: Key
    topic: Annotated[Statement, Field(max_length=LONGEST_TOPIC)]
    audience: Key
    created_at: Moment


class End(CheckedEntry):
    """The last line: without it the file was cut off."""

    entry: Literal["end"] = "end"
    entries: Count


Row = (
    PersonEntry
    | RoomEntry
    | SpaceSettingEntry
    | MarksKeyEntry
    | TombstoneEntry
    | ValueMarkEntry
    | SessionEntry
    | TurnEntry
    | MessageEntry
    | MemoryEntry
    | AssociationEntry
    | KnowledgeEntry
    | CoreFactEntry
    | ReminderEntry
    | QuietTopicEntry
)

Entry = Header | Row | End

_READER: TypeAdapter[Entry] = TypeAdapter(Annotated[Entry, Field(discriminator="entry")])

_QUOTING = {
    "union_tag_invalid": "there is no such entry",
    "union_tag_not_found": "it does not say which entry it is",
    "uuid_parsing": "it is no UUID",
    "json_invalid": "it is no JSON",
}
"""Instead of complaints that would repeat what stands there."""


class NotAnEntry(EkoMemoryError, ValueError):
    """A line of an export cannot be read as what it should be."""


def read_entry(line: bytes) -> Entry:
    """The entry that a line holds.

    Raises:
        NotAnEntry: it holds none; the sentence says which field is wrong and never quotes text.

    """
    if len(line) > LONGEST_LINE:
        raise NotAnEntry(f"the line: it is longer than {LONGEST_LINE} bytes")
    try:
        return _READER.validate_json(line)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False, include_context=False)[0]
        where = ".".join(map(str, first["loc"][1:])) or "the line"
        told = _QUOTING.get(first["type"], first["msg"])
        raise NotAnEntry(f"{where}: {told}") from None


def origin_of_entry(entry: MemoryEntry | KnowledgeEntry) -> Origin:
    """Where a statement or a piece of knowledge was said."""
    return Origin(
        visibility=entry.visibility,
        person=None if entry.person is None else PersonId(entry.person),
        room=None if entry.room is None else RoomId(entry.room),
        space=SpaceId(entry.space),
        account=None if entry.account is None else AccountId(entry.account),
    )


def written(entry: Entry) -> bytes:
    """The line of an entry, with its end."""
    return entry.model_dump_json().encode() + b"\n"

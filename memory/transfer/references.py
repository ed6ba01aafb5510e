"""What the lines of an export may refer to: what stands before them, under its name here."""

from collections.abc import Callable
from datetime import datetime
from typing import Any
from uuid import UUID

from memory.language.names import name_key
from memory.language.times.zones import zone_called
from memory.model.audience import Audience, audience_of
from memory.model.clock import not_later
from memory.model.export import (
    AssociationEntry,
    CoreFactEntry,
    KnowledgeEntry,
    MemoryEntry,
    MessageEntry,
    PersonEntry,
    ReminderEntry,
    RoomEntry,
    Row,
    SessionEntry,
    TurnEntry,
    origin_of_entry,
)
from memory.model.messages import AuthorKind
from memory.model.people import PersonId
from memory.model.reminders import LONGEST_REMINDER
from memory.model.rooms import RoomId, RoomRole
from memory.model.space_entries import (
    MarksKeyEntry,
    SpaceSettingEntry,
    TombstoneEntry,
    ValueMarkEntry,
)

_AHEAD = {"due_at", "expires_at", "valid_until", "until"}
"""Moments that say until when something holds, or for when it is; others say when it was."""

_ROLES = frozenset({"", *RoomRole})
"""What a room can be chosen to be; nothing where only that it is closed was chosen."""

Naming = Callable[[str], str]
"""What a person of this name is called here: a name can neither forge a line nor be the pet's."""


class EntryRefused(Exception):
    """One entry cannot be taken; its text is the reason."""


class NamedSoFar:
    """What a file has named so far, with its name in this database."""

    def __init__(self, naming: Naming, now: datetime) -> None:
        self.naming = naming
        self.now = now
        self.people: dict[str, PersonId] = {}
        self.called_so: dict[str, set[str]] = {}
        """Who of the file goes by a name."""
        self.rooms: dict[str, RoomId] = {}
        self.space: str | None = None
        """The space that the file is of, as its first line says."""
        self.rooms_there: set[str] = set()
        """The rooms of that space, in the file and here."""
        self.sessions: set[str] = set()
        self.turns: set[UUID] = set()
        self.memories: dict[UUID, Audience] = {}
        self.knowledge: dict[UUID, Audience] = {}
        self.own_words: dict[UUID, PersonId | None] = {}
        """Whose own word about themselves a statement is, if it is that."""
        self._checks: dict[type[Row], Callable[[Any], None]] = {
            SpaceSettingEntry: self._check_setting,
            MarksKeyEntry: self._check_space,
            TombstoneEntry: self._check_mark,
            ValueMarkEntry: self._check_mark,
            TurnEntry: self._check_turn,
            AssociationEntry: self._check_tie,
            ReminderEntry: self._check_reminder,
        }
        """What refuses an entry that stands where it cannot."""

    def meet(self, row: PersonEntry, here: PersonId) -> None:
        """Note who a person of the file is here, and which names they go by in the file."""
        self.people[row.id] = here
        for name in (row.name, *(account.name for account in row.accounts)):
            self.called_so.setdefault(name_key(name), set()).add(row.id)

    def find(self, row: RoomEntry, here: RoomId | None, space: str) -> None:
        """Note which room a room of the file is here, and whose it is here."""
        self.rooms[row.id] = here or RoomId(row.id)
        if row.space == space == self.space:
            self.rooms_there.add(row.id)

    def here(self, row: Row) -> Row:
        """The row with the people, rooms and audience of this database.

        Raises:
            EntryRefused: it refers to what the file has not named.

        """
        if check := self._checks.get(type(row)):
            check(row)
        named: dict[str, object] = {}
        for field in ("person", "about"):
            if field in type(row).model_fields:
                named[field] = self._person(getattr(row, field), field)
        if (audience := getattr(row, "audience", None)) is not None:
            named["audience"] = self._audience(audience)
        if (room := getattr(row, "room", None)) is not None:
            named["room"] = self._room(room)
        if isinstance(row, TurnEntry | KnowledgeEntry):
            named["carries"] = tuple(map(self._carried, row.carries))
        placed = row.model_copy(update={**named, **self._speaking(row)})
        self._note(placed)
        return placed

    def _speaking(self, row: Row) -> dict[str, object]:
        """Who speaks, under their name here."""
        match row:
            case TurnEntry():
                return {"speaker": self.naming(row.speaker)}
            case MessageEntry():
                is_person = row.author_kind is AuthorKind.PERSON
                author = self.naming(row.author) if is_person else row.author
                return {"author": author, "turn": row.turn if row.turn in self.turns else None}
            case MemoryEntry():
                said_by = None if row.said_by is None else self.naming(row.said_by)
                return {"said_by": said_by, "author": self._person(self._author(row), "author")}
            case _:
                return {}

    def past(self, row: Row) -> Row:
        """The row with no word said later than now."""
        dated = {name: at for name, at in row if isinstance(at, datetime) and name not in _AHEAD}
        late = {name: not_later(at, self.now) for name, at in dated.items() if at > self.now}
        return row.model_copy(update=late) if late else row

    def called(self, row: PersonEntry) -> PersonEntry:
        """A new person, under the names they have here."""
        accounts = tuple(
            each.model_copy(update={"name": self.naming(each.name)}) for each in row.accounts
        )
        return row.model_copy(update={"name": self.naming(row.name), "accounts": accounts})

    def lose(self, row: Row) -> None:
        """Take back that a row is there, since it was not taken in."""
        match row:
            case TurnEntry():
                self.turns.discard(row.id)
            case MemoryEntry():
                self.memories.pop(row.id, None)
            case KnowledgeEntry():
                self.knowledge.pop(row.id, None)

    def has_taken_over(self, row: Row) -> bool:
        """Whether the statement that took this one's place is there."""
        return isinstance(row, MemoryEntry) and row.superseded_by in self.memories

    def _check_space(self, _row: Row) -> None:
        if self.space is None:
            raise EntryRefused("entry: the file is no community's")

    def _check_setting(self, row: SpaceSettingEntry) -> None:
        self._check_space(row)
        if row.space != self.space:
            raise EntryRefused("space: the file is another community's")
        if row.room is not None and row.room not in self.rooms_there:
            raise EntryRefused("room: it is none of this community's")
        if row.room is None and row.kind in {"room", "checkins"}:
            raise EntryRefused("room: it is chosen in no room")
        if row.kind == "room" and row.value not in _ROLES:
            raise EntryRefused("value: it is no role of a room")
        if row.person is None and row.kind == "member":
            raise EntryRefused("person: nobody is let know it")

    def _check_mark(self, row: TombstoneEntry | ValueMarkEntry) -> None:
        self._check_space(row)
        kind, _, whose = row.audience.partition(":")
        is_room = kind == "room" and whose in self.rooms_there
        if not is_room and (kind, whose) != ("space", self.space):
            raise EntryRefused("audience: it is not this community's")

    def _check_turn(self, row: TurnEntry) -> None:
        if row.session not in self.sessions:
            raise EntryRefused("session: the file does not name it before")

    def _check_reminder(self, row: ReminderEntry) -> None:
        if row.due_at <= self.now:
            raise EntryRefused("due_at: it is past")
        if zone_called(row.zone) is None or len(row.text) > LONGEST_REMINDER:
            raise EntryRefused("zone, text: it is not what a reminder has")

    def _check_tie(self, row: AssociationEntry) -> None:
        ends = [self.memories.get(row.start), self.memories.get(row.end)]
        if None in ends:
            raise EntryRefused("start, end: the file does not name both before")
        if ends[0] != ends[1] or row.start == row.end:
            raise EntryRefused("start, end: nothing ties what different people may know")

    def _note(self, row: Row) -> None:
        """Note what later entries may refer to; a core fact refers to both that it is made of."""
        match row:
            case SessionEntry():
                self.sessions.add(row.id)
            case TurnEntry():
                self.turns.add(row.id)
            case MemoryEntry():
                author = None if row.author is None else PersonId(row.author)
                self.memories[row.id] = audience_of(origin_of_entry(row))
                self.own_words[row.id] = author if row.about in (author, None) else None
            case KnowledgeEntry():
                self.knowledge[row.id] = audience_of(origin_of_entry(row))
            case CoreFactEntry():
                known = self.knowledge.get(row.id), self.memories.get(row.memory)
                if known != (row.audience, row.audience):
                    raise EntryRefused(
                        "id, memory: the file does not name both before, for whom it is"
                    )
                if self.own_words.get(row.memory) != row.person:
                    raise EntryRefused("memory: it is not what this person says of themselves")

    def _author(self, row: MemoryEntry) -> str | None:
        """Whose claim it is: in files of versions that wrote names only, who alone has the name."""
        if "author" in row.model_fields_set or row.said_by is None:
            return row.author
        named = self.called_so.get(name_key(row.said_by), set())
        likely = [person for person in (row.about, row.person) if person in named]
        return likely[0] if likely else next(iter(named)) if len(named) == 1 else None

    def _person(self, person: str | None, where: str) -> PersonId | None:
        if person is None:
            return None
        if person not in self.people:
            raise EntryRefused(f"{where}: the file does not name this person before")
        return self.people[person]

    def _room(self, room: str | None) -> RoomId | None:
        if room is None:
            return None
        if room not in self.rooms:
            raise EntryRefused("room: the file does not name this room before")
        return self.rooms[room]

    def _carried(self, audience: str) -> Audience:
        """An audience of what is repeated; one that the file does not name has no reader here."""
        try:
            return self._audience(audience)
        except EntryRefused:
            return Audience(audience)

    def _audience(self, audience: str) -> Audience:
        kind, _, whose = audience.partition(":")
        match kind:
            case "person" if whose:
                return Audience(f"person:{self._person(whose, 'audience')}")
            case "room" if whose:
                return Audience(f"room:{self._room(whose)}")
            case "space" if whose:
                return Audience(audience)
            case _:
                raise EntryRefused("audience: there is no such audience")

"""Reads all rows, or those of one person or space, as the entries of an export, page by page."""

import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import Any, TypeVar
from uuid import UUID

from pydantic import BaseModel

from memory.model.audience import (
    EVERYONE,
    Audience,
    Scope,
    person_audience,
    room_audience,
    space_audience,
)
from memory.model.export import (
    AccountEntry,
    AssociationEntry,
    CoreFactEntry,
    ExportSelection,
    KnowledgeEntry,
    MemoryEntry,
    MessageEntry,
    PersonEntry,
    QuietTopicEntry,
    ReactionEntry,
    ReminderEntry,
    RoomEntry,
    SessionEntry,
    TurnEntry,
)
from memory.model.export import Row as Exported
from memory.model.people import PSEUDONYM, Person, PersonId
from memory.model.rooms import RoomId, RoomKind, SpaceId
from memory.model.space_entries import (
    MarksKeyEntry,
    SpaceSettingEntry,
    TombstoneEntry,
    ValueMarkEntry,
)
from memory.storage.sqlite.database import Table
from memory.storage.sqlite.rows import Row, audiences, json_list, maybe_millis, queries, row_as
from memory.storage.transfer.paging import paged
from memory.storage.transfer.space_reader import SpaceReader

_SQL = queries("transfer/exports")

E = TypeVar("E", bound=BaseModel)

_BEYOND = 1 << 62
"""Later than every moment: a list that goes back in time begins before it."""


class Exports(Table):
    """The rows of an export; a person's has what they said and what they may know of others."""

    async def called(self, name: str) -> list[Person]:
        """The people with this name, id or account (`platform:id`), by the name of any account."""
        rows = await self._database.all(_SQL["people_called"], {"name": name})
        return [row_as(Person, row, observed=True) for row in rows]

    async def total(self) -> int:
        """About how many entries everything makes."""
        row = await self._database.one(_SQL["total"])
        return int(row["total"]) if row else 0

    async def entries(
        self, selection: ExportSelection, everything: Scope
    ) -> AsyncIterator[Exported]:
        """The entries in the order of the format; `everything` is the scope of a full export."""
        values = await self._values(selection, everything)
        there = None if selection.space is None else SpaceReader(self._database, values)
        rooms = list[str]()
        async for named in self._named(values, there):
            if isinstance(named, RoomEntry):
                rooms.append(named.id)
            yield named if there is None else there.told(named)
        exported = set[str]()
        for part in (
            self._talk(values, rooms),
            self._statements(values, exported),
            self._knowledge(values, exported),
            self._wishes(values),
            self._marks(there),
        ):
            async for entry in part:
                yield entry if there is None else there.told(entry)

    async def _named(
        self, values: Mapping[str, Any], there: SpaceReader | None
    ) -> AsyncIterator[PersonEntry | RoomEntry | SpaceSettingEntry]:
        """People and rooms, then what was chosen for a space and in its rooms."""
        async for person in self._people(values) if there is None else there.people():
            yield person
        rooms = "rooms" if there is None else "rooms_there"
        async for row in self._pages(rooms, values, _after_id, ""):
            yield _entry(RoomEntry, row)
        if there is not None:
            async for chosen in there.settings():
                yield chosen

    async def _talk(
        self, values: Mapping[str, Any], rooms: Sequence[str]
    ) -> AsyncIterator[SessionEntry | TurnEntry | MessageEntry]:
        """Sessions, their exchanges, and the messages of each room."""
        async for row in self._pages("sessions", values, _after_id, ""):
            yield _entry(SessionEntry, row)
        async for row in self._pages("turns", values, _after_seq, -1):
            yield _turn(row)
        for room in rooms:
            async for row in self._pages("messages", {**values, "room": room}, _after_sent, -1):
                yield _message(row, values["space"])

    async def _marks(
        self, there: SpaceReader | None
    ) -> AsyncIterator[MarksKeyEntry | TombstoneEntry | ValueMarkEntry]:
        if there is not None:
            async for mark in there.marks():
                yield mark

    async def _people(self, values: Mapping[str, Any]) -> AsyncIterator[PersonEntry]:
        async for row in self._pages("people", values, _after_id, ""):
            yield _person(row)

    async def _statements(
        self, values: Mapping[str, Any], exported: set[str]
    ) -> AsyncIterator[MemoryEntry | AssociationEntry]:
        """Statements, whose ids are added to `exported`, then associations between two of them."""
        async for row in self._pages("memories", values, _after_created, _BEYOND):
            exported.add(row["id"])
            yield _memory(row)
        async for row in self._pages("associations", values, _after_seq, -1):
            if row["from_id"] in exported and row["to_id"] in exported:
                yield _entry(AssociationEntry, row)

    async def _knowledge(
        self, values: Mapping[str, Any], exported: set[str]
    ) -> AsyncIterator[KnowledgeEntry | CoreFactEntry]:
        """Knowledge, then the core facts whose knowledge and statement are exported."""
        async for row in self._pages("knowledge", values, _after_seq, -1):
            exported.add(row["id"])
            yield _entry(KnowledgeEntry, row)
        async for row in self._pages("core_facts", values, _after_id, ""):
            if row["id"] in exported and row["memory_id"] in exported:
                yield _entry(CoreFactEntry, row)

    async def _wishes(
        self, values: Mapping[str, Any]
    ) -> AsyncIterator[ReminderEntry | QuietTopicEntry]:
        """Reminders, then quiet topics."""
        async for row in self._pages("reminders", values, _after_id, -1):
            yield _reminder(row)
        async for row in self._pages("quiet_topics", values, _after_topic, ""):
            yield _entry(QuietTopicEntry, row)

    def _pages(
        self,
        query: str,
        values: Mapping[str, Any],
        place: Callable[[Row], Mapping[str, Any]],
        first: str | int,
    ) -> AsyncIterator[Row]:
        return paged(self._database, _SQL[query], values, place, first)

    async def _values(self, selection: ExportSelection, everything: Scope) -> dict[str, Any]:
        person = selection.person
        within = selection.within
        if selection.space is not None:
            return await self._values_there(selection.space)
        scope = within or (everything if person is None else await self._scope_of(person))
        names = [] if person is None else await self._names_of(person)
        return {
            "person": person,
            "space": None,
            "audiences": audiences(scope),
            "within": None if within is None else audiences(within),
            "names": json_list(names),
            "pseudonym": PSEUDONYM,
            "since": maybe_millis(selection.since),
        }

    async def _values_there(self, space: SpaceId) -> dict[str, Any]:
        """The values of a space: what was said to it or in a closed room of it, nothing else.

        A reply that repeats what is for everyone repeats nothing of others.
        """
        rows = await self._database.all(_SQL["audiences_of_space"], {"space": space})
        keys = frozenset(Audience(row["audience"]) for row in rows)
        return {
            "person": None,
            "space": space,
            "audiences": audiences(Scope(keys)),
            "within": audiences(Scope(keys | {EVERYONE})),
            "names": json_list([]),
            "pseudonym": PSEUDONYM,
            "since": None,
        }

    async def _names_of(self, person: PersonId) -> list[str]:
        rows = await self._database.all(_SQL["names_of"], {"person": person})
        return [row["name"] for row in rows]

    async def _scope_of(self, person: PersonId) -> Scope:
        """The scope of a person: their own, the rooms they spoke in, and the spaces vouched for."""
        keys: set[Audience] = {EVERYONE, person_audience(person)}
        for row in await self._database.all(_SQL["rooms_spoken_in"], {"person": person}):
            keys.add(room_audience(RoomId(row["id"])))
            if row["kind"] == RoomKind.GROUP:
                keys.add(space_audience(SpaceId(row["space"])))
        for row in await self._database.all(_SQL["last_vouched"], {"person": person}):
            keys.update(space_audience(SpaceId(space)) for space in json.loads(row["spaces"]))
        return Scope(frozenset(keys))


def _after_id(row: Row) -> Mapping[str, Any]:
    return {"after": row["id"]}


def _after_seq(row: Row) -> Mapping[str, Any]:
    return {"after": row["seq"]}


def _after_sent(row: Row) -> Mapping[str, Any]:
    return {"after": row["sent_at"], "after_id": row["id"]}


def _after_topic(row: Row) -> Mapping[str, Any]:
    return {"after": row["person_id"], "after_id": row["topic"]}


def _after_created(row: Row) -> Mapping[str, Any]:
    return {"after": row["created_at"], "after_id": row["id"]}


_COLUMNS = {
    "about": "about_person",
    "end": "to_id",
    "memory": "memory_id",
    "met_at": "created_at",
    "person": "person_id",
    "room": "room_id",
    "session": "session_id",
    "start": "from_id",
    "turn": "turn_id",
}
"""The columns of fields that go by another name in the tables."""


def _entry(kind: type[E], row: Row, **given: Any) -> E:
    """An entry of a row and of the fields in `given`; it was checked when it was kept."""
    there = row.keys()
    named = {field: row[column] for field, column in _COLUMNS.items() if column in there}
    known = {"entry": kind.model_fields["entry"].default, **given}
    return row_as(kind, {**dict(row), **named}, **known)


def _person(row: Row) -> PersonEntry:
    accounts = (AccountEntry.model_construct(**each) for each in json.loads(row["accounts"]))
    return _entry(PersonEntry, row, accounts=tuple(accounts))


def _turn(row: Row) -> TurnEntry:
    reply = "" if row["is_mute"] else row["reply"]
    # What it repeats is told to others only as far as it is told here.
    carries = () if row["is_mute"] else tuple(json.loads(row["carries"]))
    return _entry(TurnEntry, row, reply=reply, carries=carries, searchable=row["search_text"] != "")


def _message(row: Row, only: SpaceId | None) -> MessageEntry:
    # No author waits for an answer where it is imported.
    handling = "stale" if row["handling"] == "pending" else row["handling"]
    spaces = tuple(one for one in json.loads(row["spaces"]) if only in {None, one})
    given = {"handling": handling, "spaces": spaces, "reactions": _reactions(row["reactions"])}
    return _entry(MessageEntry, row, **given)


def _reactions(written: str) -> tuple[ReactionEntry, ...]:
    return tuple(row_as(ReactionEntry, each) for each in json.loads(written))


def _memory(row: Row) -> MemoryEntry:
    messages = tuple((platform, id_) for platform, id_ in json.loads(row["messages"]))
    account, author = row["known_account"], row["author_id"]
    return _entry(MemoryEntry, row, messages=messages, account=account, author=author)


def _reminder(row: Row) -> ReminderEntry:
    message = None if row["platform"] is None else (row["platform"], row["external_id"])
    return _entry(ReminderEntry, row, id=UUID(row["key"]), message=message)

"""Reads all rows, or those of one person or space, as the entries of an export, page by page."""

import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from functools import partial
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
from memory.storage.sqlite.database import Table
from memory.storage.sqlite.rows import Row, audiences, json_list, maybe_millis, queries, row_as
from memory.storage.transfer.paging import paged
from memory.storage.transfer.space_reader import SpaceReader

_SQL = queries("transfer/exports")

E = TypeVar("E", bound=BaseModel)


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
        for part in (
            self._read("people", values) if there is None else there.people(),
            self._rooms("rooms" if there is None else "rooms_there", values, rooms),
            *(() if there is None else (there.settings(),)),
            self._read("sessions", values),
            self._read("turns", values),
            self._messages(values, rooms),
            self._learnt(values),
            self._read("reminders", values),
            self._read("quiet_topics", values),
            *(() if there is None else (there.marks(),)),
        ):
            async for entry in part:
                yield entry if there is None else there.told(entry)

    async def _rooms(
        self, query: str, values: Mapping[str, Any], rooms: list[str]
    ) -> AsyncIterator[RoomEntry]:
        """The rooms, whose ids are added to `rooms`."""
        async for row in self._pages(query, values):
            rooms.append(row["id"])
            yield _entry(RoomEntry, row)

    async def _messages(
        self, values: Mapping[str, Any], rooms: Sequence[str]
    ) -> AsyncIterator[Exported]:
        for room in rooms:
            async for message in self._read("messages", {**values, "room": room}):
                yield message

    async def _learnt(self, values: Mapping[str, Any]) -> AsyncIterator[Exported]:
        """Statements and knowledge, with associations and core facts of those that are exported."""
        told = set[str]()
        for query, rests_on in _LEARNT.items():
            async for row in self._pages(query, values):
                if all(row[column] in told for column in rests_on):
                    yield _READERS[query](row)
                    told.update(() if rests_on else (row["id"],))

    async def _read(self, query: str, values: Mapping[str, Any]) -> AsyncIterator[Exported]:
        async for row in self._pages(query, values):
            yield _READERS[query](row)

    def _pages(self, query: str, values: Mapping[str, Any]) -> AsyncIterator[Row]:
        first, *along = _ALONG[query]
        return paged(self._database, _SQL[query], values, along, first)

    async def _values(self, selection: ExportSelection, everything: Scope) -> dict[str, Any]:
        """What every query is asked with: whose, and by which audiences.

        Of a space that is what was said to it or in a closed room of it, nothing else; a reply that
        repeats what is for everyone repeats nothing of others.
        """
        person, space, within = selection.person, selection.space, selection.within
        if space is not None:
            rows = await self._database.all(_SQL["audiences_of_space"], {"space": space})
            keys = frozenset(Audience(row["audience"]) for row in rows)
            scope, within = Scope(keys), Scope(keys | {EVERYONE})
        elif within is not None:
            scope = within
        else:
            scope = everything if person is None else await self._scope_of(person)
        names = [] if person is None else await self._names_of(person)
        return {
            "person": person,
            "space": space,
            "audiences": audiences(scope),
            "within": None if within is None else audiences(within),
            "names": json_list(names),
            "pseudonym": PSEUDONYM,
            "since": maybe_millis(selection.since) if space is None else None,
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


_ALONG: Mapping[str, tuple[Any, ...]] = {
    **dict.fromkeys(("people", "rooms", "rooms_there", "sessions", "core_facts"), ("", "id")),
    **dict.fromkeys(("turns", "associations", "knowledge"), (-1, "seq")),
    "messages": (-1, "sent_at", "id"),
    "memories": (1 << 62, "created_at", "id"),
    "reminders": (-1, "id"),
    "quiet_topics": ("", "person_id", "topic"),
}
"""The columns that each query goes along, behind what comes before their first row."""

_LEARNT = {
    "memories": (),
    "associations": ("from_id", "to_id"),
    "knowledge": (),
    "core_facts": ("id", "memory_id"),
}
"""What was learnt, and by which columns it rests on what is told before."""

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


def _message(row: Row) -> MessageEntry:
    # No author waits for an answer where it is imported.
    handling = "stale" if row["handling"] == "pending" else row["handling"]
    reactions = tuple(row_as(ReactionEntry, each) for each in json.loads(row["reactions"]))
    return _entry(MessageEntry, row, handling=handling, reactions=reactions)


def _memory(row: Row) -> MemoryEntry:
    messages = tuple((platform, id_) for platform, id_ in json.loads(row["messages"]))
    account, author = row["known_account"], row["author_id"]
    return _entry(MemoryEntry, row, messages=messages, account=account, author=author)


def _reminder(row: Row) -> ReminderEntry:
    message = None if row["platform"] is None else (row["platform"], row["external_id"])
    return _entry(ReminderEntry, row, id=UUID(row["key"]), message=message)


_READERS: Mapping[str, Callable[[Row], Exported]] = {
    "people": _person,
    "sessions": partial(_entry, SessionEntry),
    "turns": _turn,
    "messages": _message,
    "memories": _memory,
    "associations": partial(_entry, AssociationEntry),
    "knowledge": partial(_entry, KnowledgeEntry),
    "core_facts": partial(_entry, CoreFactEntry),
    "reminders": _reminder,
    "quiet_topics": partial(_entry, QuietTopicEntry),
}

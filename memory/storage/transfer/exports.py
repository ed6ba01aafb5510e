"""Reads all rows, or those of one person, as the entries of an export, page by page."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any
from uuid import UUID

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
    ReminderEntry,
    RoomEntry,
    SessionEntry,
    TurnEntry,
)
from memory.model.export import Row as Exported
from memory.model.knowledge import KnowledgeKind
from memory.model.messages import AuthorKind
from memory.model.people import PSEUDONYM, Person, PersonId
from memory.model.rooms import RoomId, RoomKind, RoomRole, SpaceId, Visibility
from memory.model.statements import MemoryType, Relation, Source
from memory.model.stores import Store
from memory.storage.sqlite.columns import audiences, json_list, maybe_millis, maybe_moment, moment
from memory.storage.sqlite.database import Table
from memory.storage.sqlite.queries import queries
from memory.storage.sqlite.readers import Row
from memory.storage.sqlite.rows import row_as

_SQL = queries("transfer/exports")

_PAGE = 2_000
"""Rows that are read at once: some megabytes at most."""

_BREATH = 50
"""Rows after which other tasks may run: 10 ms of writing."""

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
        rooms = []
        async for row in self._pages("people", values, _after_id, ""):
            yield _person(row)
        async for row in self._pages("rooms", values, _after_id, ""):
            rooms.append(row["id"])
            yield _room(row)
        async for row in self._pages("sessions", values, _after_id, ""):
            yield _session(row)
        async for row in self._pages("turns", values, _after_seq, -1):
            yield _turn(row)
        for room in rooms:
            async for row in self._pages("messages", {**values, "room": room}, _after_sent, -1):
                yield _message(row)
        exported = set[str]()
        async for entry in self._statements(values, exported):
            yield entry
        async for fact in self._knowledge(values, exported):
            yield fact
        async for wish in self._wishes(values):
            yield wish

    async def _statements(
        self, values: Mapping[str, Any], exported: set[str]
    ) -> AsyncIterator[MemoryEntry | AssociationEntry]:
        """Statements, whose ids are added to `exported`, then associations between two of them."""
        async for row in self._pages("memories", values, _after_created, _BEYOND):
            exported.add(row["id"])
            yield _memory(row)
        async for row in self._pages("associations", values, _after_seq, -1):
            if row["from_id"] in exported and row["to_id"] in exported:
                yield _association(row)

    async def _knowledge(
        self, values: Mapping[str, Any], exported: set[str]
    ) -> AsyncIterator[KnowledgeEntry | CoreFactEntry]:
        """Knowledge, then the core facts whose knowledge and statement are exported."""
        async for row in self._pages("knowledge", values, _after_seq, -1):
            exported.add(row["id"])
            yield _knowledge(row)
        async for row in self._pages("core_facts", values, _after_id, ""):
            if row["id"] in exported and row["memory_id"] in exported:
                yield _core_fact(row)

    async def _wishes(
        self, values: Mapping[str, Any]
    ) -> AsyncIterator[ReminderEntry | QuietTopicEntry]:
        """Reminders, then quiet topics."""
        async for row in self._pages("reminders", values, _after_id, -1):
            yield _reminder(row)
        async for row in self._pages("quiet_topics", values, _after_topic, ""):
            yield _quiet_topic(row)

    async def _pages(
        self,
        query: str,
        values: Mapping[str, Any],
        place: Callable[[Row], Mapping[str, Any]],
        first: str | int,
    ) -> AsyncIterator[Row]:
        after: Mapping[str, Any] = {"after": first, "after_id": ""}
        while True:
            bound = {**values, **after, "limit": _PAGE}
            rows = await self._database.all(_SQL[query], bound)
            for number, row in enumerate(rows):
                if not number % _BREATH:
                    await asyncio.sleep(0)
                yield row
            if len(rows) < _PAGE:
                return
            after = place(rows[-1])

    async def _values(self, selection: ExportSelection, everything: Scope) -> dict[str, Any]:
        person = selection.person
        within = selection.within
        scope = within or (everything if person is None else await self._scope_of(person))
        names = [] if person is None else await self._names_of(person)
        return {
            "person": person,
            "audiences": audiences(scope),
            "within": None if within is None else audiences(within),
            "names": json_list(names),
            "pseudonym": PSEUDONYM,
            "since": maybe_millis(selection.since),
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


# Entries are Pydantic's models with its own types for fields, which `row_as` does not read.
def _person(row: Row) -> PersonEntry:
    return PersonEntry.model_construct(
        id=row["id"],
        name=row["name"],
        observed=bool(row["observed"]),
        met_at=moment(row["created_at"]),
        accounts=tuple(
            AccountEntry.model_construct(**each) for each in json.loads(row["accounts"])
        ),
    )


def _room(row: Row) -> RoomEntry:
    return RoomEntry.model_construct(
        **_given(row, "id", "platform", "external_id", "name", "space"),
        kind=RoomKind(row["kind"]),
        role=RoomRole(row["role"]),
        confidential=bool(row["confidential"]),
        met_at=moment(row["created_at"]),
    )


def _session(row: Row) -> SessionEntry:
    return SessionEntry.model_construct(
        id=row["id"],
        person=row["person_id"],
        room=row["room_id"],
        started_at=moment(row["started_at"]),
        last_at=moment(row["last_at"]),
    )


def _turn(row: Row) -> TurnEntry:
    return TurnEntry.model_construct(
        **_given(row, "account", "channel", "speaker", "text", "expression"),
        reply="" if row["is_mute"] else row["reply"],
        audience=row["audience"],
        visibility=Visibility(row["visibility"]),
        id=UUID(row["id"]),
        session=row["session_id"],
        room=row["room_id"],
        person=row["person_id"],
        searchable=row["search_text"] != "",
        extracted=bool(row["extracted"]),
        compacted=bool(row["compacted"]),
        at=moment(row["at"]),
    )


def _message(row: Row) -> MessageEntry:
    return MessageEntry.model_construct(
        **_given(row, "platform", "external_id", "account", "author", "text", "audience"),
        author_kind=AuthorKind(row["author_kind"]),
        room=row["room_id"],
        person=row["person_id"],
        reply_to=row["reply_to"],
        spaces=tuple(json.loads(row["spaces"])),
        # No author waits for an answer where it is imported.
        handling="stale" if row["handling"] == "pending" else row["handling"],
        turn=None if row["turn_id"] is None else UUID(row["turn_id"]),
        sent_at=moment(row["sent_at"]),
        received_at=moment(row["received_at"]),
        edited_at=maybe_moment(row["edited_at"]),
        live=bool(row["live"]),
    )


def _memory(row: Row) -> MemoryEntry:
    return MemoryEntry.model_construct(
        **_given(row, "content", "category", "importance", "said_by", "access_count", "revision"),
        account=row["known_account"],
        author=row["author_id"],
        store=Store(row["store"]),
        memory_type=MemoryType(row["memory_type"]),
        source=Source(row["source"]),
        visibility=Visibility(row["visibility"]),
        space=row["space"],
        id=UUID(row["id"]),
        subjects=tuple(json.loads(row["subjects"])),
        about=row["about_person"],
        person=row["person_id"],
        room=row["room_id"],
        messages=tuple((platform, id_) for platform, id_ in json.loads(row["messages"])),
        created_at=moment(row["created_at"]),
        updated_at=moment(row["updated_at"]),
        last_accessed_at=maybe_moment(row["last_accessed_at"]),
        expires_at=maybe_moment(row["expires_at"]),
        archived_at=maybe_moment(row["archived_at"]),
        valid_from=moment(row["valid_from"]),
        valid_until=maybe_moment(row["valid_until"]),
        superseded_by=None if row["superseded_by"] is None else UUID(row["superseded_by"]),
        superseded_at=maybe_moment(row["superseded_at"]),
    )


def _association(row: Row) -> AssociationEntry:
    return AssociationEntry.model_construct(
        **_given(row, "weight", "origin"),
        relation=Relation(row["relation"]),
        start=UUID(row["from_id"]),
        end=UUID(row["to_id"]),
        created_at=moment(row["created_at"]),
    )


def _knowledge(row: Row) -> KnowledgeEntry:
    return KnowledgeEntry.model_construct(
        **_given(row, "title", "content", "account", "channel", "space", "revision"),
        kind=KnowledgeKind(row["kind"]),
        visibility=Visibility(row["visibility"]),
        id=UUID(row["id"]),
        about=row["about_person"],
        person=row["person_id"],
        room=row["room_id"],
        since=maybe_moment(row["since"]),
        at=moment(row["at"]),
        created_at=moment(row["created_at"]),
        retired_at=maybe_moment(row["retired_at"]),
    )


def _core_fact(row: Row) -> CoreFactEntry:
    return CoreFactEntry.model_construct(
        **_given(row, "audience", "key", "value"),
        id=UUID(row["id"]),
        person=row["person_id"],
        valid_from=moment(row["valid_from"]),
        valid_until=maybe_moment(row["valid_until"]),
        memory=UUID(row["memory_id"]),
    )


def _reminder(row: Row) -> ReminderEntry:
    message = (row["platform"], row["external_id"])
    return ReminderEntry.model_construct(
        **_given(row, "account", "audience", "text", "zone", "locale"),
        id=UUID(row["key"]),
        person=row["person_id"],
        room=row["room_id"],
        message=None if row["platform"] is None else message,
        due_at=moment(row["due_at"]),
        created_at=moment(row["created_at"]),
    )


def _quiet_topic(row: Row) -> QuietTopicEntry:
    return QuietTopicEntry.model_construct(
        **_given(row, "topic", "audience"),
        person=row["person_id"],
        created_at=moment(row["created_at"]),
    )


def _given(row: Row, *names: str) -> dict[str, Any]:
    """These columns by their own names."""
    return {name: row[name] for name in names}

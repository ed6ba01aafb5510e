"""Writes the entries of an export: what is there already stays as it is."""

import json
from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID

from memory.language.synonyms import knowledge_words
from memory.language.text import search_text
from memory.model.audience import audience_of
from memory.model.export import (
    KnowledgeEntry,
    MemoryEntry,
    MessageEntry,
    PersonEntry,
    ReminderEntry,
    RoomEntry,
    Row,
    TurnEntry,
    origin_of_entry,
)
from memory.model.people import PSEUDONYM, PersonId
from memory.model.rooms import RoomId, SpaceId
from memory.model.space_entries import (
    MarksKeyEntry,
    SpaceSettingEntry,
    TombstoneEntry,
)
from memory.model.statements import MemoryId, NewMemory
from memory.model.stores import Collection
from memory.rules.supersession import slot_of
from memory.storage.forgotten.tombstones import keep_key
from memory.storage.people.aliases import keep_spoken, keep_stated
from memory.storage.search.outbox import announce
from memory.storage.sqlite.database import Table, Transaction
from memory.storage.sqlite.rows import json_list, maybe_millis, queries

_SQL = queries("transfer/imports")


class Imports(Table):
    """The tables an import writes; ids and (platform, external id) say what is there already."""

    async def person_with(self, entry: PersonEntry) -> PersonId | None:
        """The person who has one of these accounts here."""
        if not entry.accounts:
            return None
        accounts = json_list([each.platform, each.external_id] for each in entry.accounts)
        row = await self._database.one(_SQL["person_with"], {"accounts": accounts})
        return PersonId(row["person_id"]) if row else None

    async def knows_person(self, person: str) -> bool:
        """Whether a person has this id here."""
        return await self._database.one(_SQL["person_known"], {"id": person}) is not None

    async def room_at(self, entry: RoomEntry) -> tuple[RoomId, SpaceId] | None:
        """The room with this address here, and the space that it is of."""
        values = {"platform": entry.platform, "external_id": entry.external_id}
        row = await self._database.one(_SQL["room_at"], values)
        return (RoomId(row["id"]), SpaceId(row["space"])) if row else None

    async def knows_room(self, room: str) -> bool:
        """Whether a room has this id here."""
        return await self._database.one(_SQL["room_known"], {"id": room}) is not None

    async def meet_again(self, entry: RoomEntry, here: RoomId) -> None:
        """Keep a room as closed as either folder has it, and what it is called."""
        values = {**_columns(entry), "here": here, "pseudonym": PSEUDONYM}
        await self._database.run(_SQL["met_again"], values)

    async def unobserve(self, person: PersonId) -> None:
        """Read along with a person no more, who opted out elsewhere."""
        await self._database.run(_SQL["unobserve"], {"person": person})

    async def known(self, rows: Sequence[Row]) -> list[bool]:
        """Which of these rows, all of one kind, are here already."""
        keys = json_list(_key(row) for row in rows)
        found = await self._database.all(_SQL[f"known_{rows[0].entry}"], {"keys": keys})
        places = {each["place"] for each in found}
        return [place in places for place in range(len(rows))]

    async def add(self, rows: Sequence[Row]) -> None:
        """Write new rows, all of one kind, in one transaction, with whatever goes beside them.

        Raises:
            StorageFailed: none of them was written.

        """
        write = _WRITERS[rows[0].entry]
        prepared = [_columns(row) for row in rows]  # stemming takes time: not in there
        await self._database.write(lambda transaction: write(transaction, rows, prepared))


_KEYS: dict[str, Callable[[Any], str | tuple[str | int | None, ...]]] = {
    "message": lambda row: (row.platform, row.external_id),
    "association": lambda row: (str(row.start), str(row.end), row.relation),
    "quiet_topic": lambda row: (row.person, row.topic),
    "space_setting": lambda row: (
        *(row.kind, row.space, row.room, row.person, maybe_millis(row.at), row.confidential),
    ),
    "marks_key": lambda row: row.key,
    "tombstone": lambda row: (
        *(row.forgetting, row.kind, row.audience, row.content, min(row.stems, default=None)),
    ),
    "value_mark": lambda row: (row.forgetting, row.audience, row.mark),
}
"""What a row of a kind is known by, where that is not its id."""


def _key(row: Row) -> str | tuple[str | int | None, ...]:
    return _KEYS.get(row.entry, lambda one: str(one.id))(row)


async def _add_person(
    transaction: Transaction, rows: Sequence[Row], columns: Sequence[dict[str, Any]]
) -> None:
    await transaction.many(_SQL["add_person"], columns)
    accounts = [
        {**account.model_dump(), "person": row.id}
        for row in rows
        if isinstance(row, PersonEntry)
        for account in row.accounts
    ]
    await transaction.many(_SQL["add_account"], accounts)


async def _add_space_setting(
    transaction: Transaction, rows: Sequence[Row], columns: Sequence[dict[str, Any]]
) -> None:
    for row, values in zip(rows, columns, strict=True):
        if isinstance(row, SpaceSettingEntry):
            is_room = row.kind == "room"
            query = _SQL["add_room_choice"] if is_room else _SQL[f"add_{row.kind}"]
            await transaction.run(query, values)


async def _add_marks_key(
    transaction: Transaction, rows: Sequence[Row], _columns: Sequence[dict[str, Any]]
) -> None:
    for row in rows:
        if isinstance(row, MarksKeyEntry):
            await keep_key(transaction, bytes.fromhex(row.key))


async def _add_tombstone(
    transaction: Transaction, rows: Sequence[Row], columns: Sequence[dict[str, Any]]
) -> None:
    numbers = await _numbers(transaction, columns)
    for row, values in zip(rows, columns, strict=True):
        if isinstance(row, TombstoneEntry):
            placed = {**values, "id": numbers[row.forgetting]}
            counted = {**placed, "stems": len({*row.stems}), "telling": json_list(row.telling)}
            (added,) = await transaction.all(_SQL["add_tombstone"], counted)
            stems = {"id": added["id"], "stems": json_list(row.stems)}
            await transaction.run(_SQL["add_stem"], stems)


async def _add_value_mark(
    transaction: Transaction, _rows: Sequence[Row], columns: Sequence[dict[str, Any]]
) -> None:
    numbers = await _numbers(transaction, columns)
    placed = [{**each, "id": numbers[each["forgetting"]]} for each in columns]
    await transaction.many(_SQL["add_value_mark"], placed)


async def _numbers(transaction: Transaction, columns: Sequence[dict[str, Any]]) -> dict[str, int]:
    """The numbers here of the forgettings of these marks, which are added where they are new."""
    done = json.dumps({each["forgetting"]: each["forgotten_at"] for each in columns})
    await transaction.run(_SQL["add_forgetting"], {"done": done})
    rows = await transaction.all(_SQL["forgettings_called"], {"done": done})
    return {row["token"]: row["id"] for row in rows}


async def _add_turn(
    transaction: Transaction, rows: Sequence[Row], columns: Sequence[dict[str, Any]]
) -> None:
    await transaction.many(_SQL["add_turn"], columns)
    reading = [
        {"id": str(row.id), "extracted": row.extracted, "compacted": row.compacted}
        for row in rows
        if isinstance(row, TurnEntry)
    ]
    await transaction.many(_SQL["mark_read"], reading)
    found = [row.id for row in rows if isinstance(row, TurnEntry) and row.searchable]
    await announce(transaction, Collection.CONVERSATIONS, found)


async def _add_message(
    transaction: Transaction, rows: Sequence[Row], columns: Sequence[dict[str, Any]]
) -> None:
    await transaction.many(_SQL["add_message"], columns)
    await keep_spoken(transaction, columns)
    reactions = [
        {**one.model_dump(), "at": maybe_millis(one.at), **_address(row)}
        for row in rows
        if isinstance(row, MessageEntry)
        for one in row.reactions
    ]
    await transaction.many(_SQL["add_reaction"], reactions)
    live = [_key(row) for row in rows if isinstance(row, MessageEntry) and row.live]
    ids = await transaction.all(_SQL["add_live"], {"keys": json_list(live)})
    await announce(transaction, Collection.LIVE, [UUID(int=row["id"]) for row in ids])


def _address(row: MessageEntry) -> dict[str, str]:
    return {"platform": row.platform, "external_id": row.external_id}


async def _add_memory(
    transaction: Transaction, rows: Sequence[Row], columns: Sequence[dict[str, Any]]
) -> None:
    await transaction.many(_SQL["add_memory"], columns)
    for row in rows:
        if isinstance(row, MemoryEntry):
            await _add_beside(transaction, row)


async def _add_beside(transaction: Transaction, row: MemoryEntry) -> None:
    """The subjects and sources of a statement, the aliases it tells, its place in the index."""
    memory = MemoryId(row.id)
    subjects = [
        {"id": str(memory), "position": position, "subject": subject}
        for position, subject in enumerate(row.subjects)
    ]
    await transaction.many(_SQL["add_subject"], subjects)
    await transaction.run(_SQL["add_source"], {"id": str(memory), "keys": json_list(row.messages)})
    if row.superseded_by is None:
        await keep_stated(transaction, memory, _new(row))
        await announce(transaction, row.store.collection, [memory])


async def _add_knowledge(
    transaction: Transaction, rows: Sequence[Row], columns: Sequence[dict[str, Any]]
) -> None:
    await transaction.many(_SQL["add_knowledge"], columns)
    found = [row.id for row in rows if isinstance(row, KnowledgeEntry) and row.retired_at is None]
    await announce(transaction, Collection.KNOWLEDGE, found)


def _plainly(query: str) -> Callable[..., Any]:
    async def write(
        transaction: Transaction, _rows: Sequence[Row], columns: Sequence[dict[str, Any]]
    ) -> None:
        await transaction.many(_SQL[query], columns)

    return write


_WRITERS: dict[str, Callable[..., Any]] = {
    "person": _add_person,
    "room": _plainly("add_room"),
    "space_setting": _add_space_setting,
    "marks_key": _add_marks_key,
    "tombstone": _add_tombstone,
    "value_mark": _add_value_mark,
    "session": _plainly("add_session"),
    "turn": _add_turn,
    "message": _add_message,
    "memory": _add_memory,
    "association": _plainly("add_association"),
    "knowledge": _add_knowledge,
    "core_fact": _plainly("add_core_fact"),
    "reminder": _plainly("add_reminder"),
    "quiet_topic": _plainly("add_quiet_topic"),
}


def _columns(row: Row) -> dict[str, Any]:
    """The values of a row's own table."""
    values = row.model_dump(exclude=_BESIDE)
    for name in _MOMENTS & values.keys():
        values[name] = maybe_millis(values[name])
    for name in _IDS & values.keys():
        values[name] = None if values[name] is None else str(values[name])
    match row:
        case MessageEntry():
            values |= {"spaces": json_list(row.spaces), "search_text": search_text(row.text)}
        case TurnEntry():
            said = f"{row.text}\n{row.reply}"
            values["search_text"] = search_text(said) if row.searchable else ""
            values["carries"] = json_list(row.carries)
        case MemoryEntry():
            values["search_text"] = search_text(" ".join((row.content, *row.subjects)))
            values["audience"] = audience_of(origin_of_entry(row))
            values["slot"] = slot_of(_new(row))
        case KnowledgeEntry():
            values["search_text"] = search_text(knowledge_words(row.kind, row.title, row.content))
            values["carries"] = json_list(row.carries)
            values["audience"] = audience_of(origin_of_entry(row))
        case ReminderEntry():
            platform, external_id = values.pop("message") or (None, None)
            values |= {"platform": platform, "external_id": external_id}
    return values


_BESIDE = {
    *("entry", "accounts", "subjects", "messages", "live", "reactions", "extracted", "compacted"),
    *("carries", "stems", "telling"),
}
"""Fields that stand in other tables, or are written as lists."""

_MOMENTS = frozenset(
    {
        *("at", "met_at", "started_at", "last_at", "sent_at", "received_at", "edited_at", "since"),
        *("due_at", "created_at", "updated_at", "last_accessed_at", "expires_at", "valid_from"),
        *("valid_until", "superseded_at", "retired_at", "archived_at", "until", "forgotten_at"),
    }
)
"""Fields that hold a moment."""

_IDS = frozenset({"id", "turn", "superseded_by", "start", "end", "memory"})
"""Fields that hold a UUID, or an id that is a text already."""


def _new(row: MemoryEntry) -> NewMemory:
    """The statement as the rules of aliases read it."""
    return NewMemory(
        store=row.store,
        content=row.content,
        origin=origin_of_entry(row),
        source=row.source,
        memory_type=row.memory_type,
        said_by=row.said_by,
        author=None if row.author is None else PersonId(row.author),
        about_person=None if row.about is None else PersonId(row.about),
    )

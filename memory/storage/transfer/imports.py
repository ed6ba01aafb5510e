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
from memory.storage.sqlite.rows import columns_of, json_list, maybe_millis, queries

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
        """Which of these rows, all of one kind, are here already, or are before in the list."""
        keys = [_key(row) for row in rows]
        values = {"keys": json_list(keys)}
        found = await self._database.all(_SQL[f"known_{rows[0].entry}"], values)
        places = {each["place"] for each in found}
        return [place in places or keys.index(key) < place for place, key in enumerate(keys)]

    async def add(self, rows: Sequence[Row]) -> None:
        """Write new rows, all of one kind, in one transaction, with whatever goes beside them.

        Raises:
            StorageFailed: none of them was written.

        """
        write = _WRITERS[rows[0].entry]
        prepared = [_columns(row) for row in rows]  # stemming takes time: not in there
        await self._database.write(lambda transaction: write(transaction, rows, prepared))


_Columns = Sequence[dict[str, Any]]
"""The values of rows, each for its own table."""

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
    transaction: Transaction, rows: Sequence[PersonEntry], columns: _Columns
) -> None:
    await transaction.many(_SQL["add_person"], columns)
    accounts = [
        {**columns_of(account), "person": row.id} for row in rows for account in row.accounts
    ]
    await transaction.many(_SQL["add_account"], accounts)


async def _add_space_setting(
    transaction: Transaction, rows: Sequence[SpaceSettingEntry], columns: _Columns
) -> None:
    for row, values in zip(rows, columns, strict=True):
        await transaction.run(_ADD_SETTING[row.kind], values)


_ADD_SETTING = {
    "greeted": _SQL["add_greeted"],
    "everyone_role": _SQL["add_everyone_role"],
    "pause": _SQL["add_pause"],
    "member": _SQL["add_member"],
    "room": _SQL["add_room_choice"],
    "checkins": _SQL["add_checkins"],
}
"""The query for each kind of what is chosen in a community."""


async def _add_marks_key(
    transaction: Transaction, rows: Sequence[MarksKeyEntry], _columns: _Columns
) -> None:
    for row in rows:
        await keep_key(transaction, bytes.fromhex(row.key))


async def _add_tombstone(
    transaction: Transaction, rows: Sequence[TombstoneEntry], columns: _Columns
) -> None:
    numbers = await _numbers(transaction, columns)
    for row, values in zip(rows, columns, strict=True):
        counted = {**values, "id": numbers[row.forgetting], "stems": len({*row.stems})}
        (added,) = await transaction.all(_SQL["add_tombstone"], counted)
        await transaction.run(_SQL["add_stem"], {"id": added["id"], "stems": values["stems"]})


async def _add_value_mark(
    transaction: Transaction, _rows: Sequence[Row], columns: _Columns
) -> None:
    numbers = await _numbers(transaction, columns)
    placed = [{**each, "id": numbers[each["forgetting"]]} for each in columns]
    await transaction.many(_SQL["add_value_mark"], placed)


async def _numbers(transaction: Transaction, columns: _Columns) -> dict[str, int]:
    """The numbers here of the forgettings of these marks, which are added where they are new."""
    done = json.dumps({each["forgetting"]: each["forgotten_at"] for each in columns})
    await transaction.run(_SQL["add_forgetting"], {"done": done})
    rows = await transaction.all(_SQL["forgettings_called"], {"done": done})
    return {row["token"]: row["id"] for row in rows}


async def _add_turn(transaction: Transaction, rows: Sequence[TurnEntry], columns: _Columns) -> None:
    await transaction.many(_SQL["add_turn"], columns)
    await transaction.many(_SQL["mark_read"], columns)
    found = [row.id for row in rows if row.searchable]
    await announce(transaction, Collection.CONVERSATIONS, found)


async def _add_message(
    transaction: Transaction, rows: Sequence[MessageEntry], columns: _Columns
) -> None:
    await transaction.many(_SQL["add_message"], columns)
    await keep_spoken(transaction, columns)
    reactions = [
        {**columns_of(one), "platform": row.platform, "external_id": row.external_id}
        for row in rows
        for one in row.reactions
    ]
    await transaction.many(_SQL["add_reaction"], reactions)
    live = json_list(_key(row) for row in rows if row.live)
    ids = await transaction.all(_SQL["add_live"], {"keys": live})
    await announce(transaction, Collection.LIVE, [UUID(int=row["id"]) for row in ids])


async def _add_memory(
    transaction: Transaction, rows: Sequence[MemoryEntry], columns: _Columns
) -> None:
    await transaction.many(_SQL["add_memory"], columns)
    for row in rows:
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
    transaction: Transaction, rows: Sequence[KnowledgeEntry], columns: _Columns
) -> None:
    await transaction.many(_SQL["add_knowledge"], columns)
    found = [row.id for row in rows if row.retired_at is None]
    await announce(transaction, Collection.KNOWLEDGE, found)


def _plainly(query: str) -> Callable[..., Any]:
    async def write(transaction: Transaction, _rows: Sequence[Row], columns: _Columns) -> None:
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
    values = columns_of(row, "accounts", "reactions")  # those are rows of other tables
    match row:
        case MessageEntry():
            values["search_text"] = search_text(row.text)
        case TurnEntry():
            values["search_text"] = (
                search_text(f"{row.text}\n{row.reply}") if row.searchable else ""
            )
        case MemoryEntry():
            values["search_text"] = search_text(" ".join((row.content, *row.subjects)))
            values["audience"] = audience_of(origin_of_entry(row))
            values["slot"] = slot_of(_new(row))
        case KnowledgeEntry():
            values["search_text"] = search_text(knowledge_words(row.kind, row.title, row.content))
            values["audience"] = audience_of(origin_of_entry(row))
        case ReminderEntry():
            platform, external_id = row.message or (None, None)
            values |= {"platform": platform, "external_id": external_id}
    return values


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

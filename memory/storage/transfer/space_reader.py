"""Reads of a space who is known there, what was chosen for it, and what was forgotten there."""

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from memory.model.export import AccountEntry, MessageEntry, PersonEntry, QuietTopicEntry
from memory.model.export import Row as Exported
from memory.model.space_entries import (
    MarksKeyEntry,
    SpaceSettingEntry,
    TombstoneEntry,
    ValueMarkEntry,
)
from memory.storage.forgotten.tombstones import key_name, keys_of
from memory.storage.people.people import first_person_id
from memory.storage.sqlite.database import Database
from memory.storage.sqlite.rows import Row, json_list, moment, queries, row_as
from memory.storage.transfer.paging import paged

_SQL = queries("transfer/exports")


class SpaceReader:
    """Reads one space; `values` are bound in every query (`Exports`)."""

    def __init__(self, database: Database, values: Mapping[str, Any]) -> None:
        self._database = database
        self._values = values
        self._called: dict[str, str] = {}
        """The ids under which people are told of, so that they tell of no account elsewhere."""

    async def people(self) -> AsyncIterator[PersonEntry]:
        """Everybody who is named there, with the accounts that wrote there and no other."""
        seen: dict[str, list[Row]] = {}
        for row in await self._database.all(_SQL["seen_there"], self._values):
            seen.setdefault(row["person"], []).append(row)
        values = {**self._values, "people": json_list(seen)}
        async for row in paged(self._database, _SQL["people_there"], values, ["id"], ""):
            person = _person(row, seen[row["id"]])
            self._called[row["id"]] = self._id_of(person)
            yield person

    def told(self, row: Exported) -> Exported:
        """A row with the people in it under the ids that the file has for them."""
        fields = ("id",) if isinstance(row, PersonEntry) else ("person", "about", "author")
        named = {field: getattr(row, field, None) for field in fields}
        told: dict[str, Any] = {
            field: self._called[who] for field, who in named.items() if who in self._called
        }
        if isinstance(row, MessageEntry):
            told["spaces"] = tuple(one for one in row.spaces if one == self._values["space"])
        if isinstance(row, QuietTopicEntry) and row.audience == f"person:{row.person}":
            told["audience"] = f"person:{told.get('person', row.person)}"
        return row.model_copy(update=told) if told else row

    def _id_of(self, person: PersonEntry) -> str:
        """The id of a person first met by an account that wrote there; else one of this space."""
        if person.accounts:
            return first_person_id(person.accounts[0].platform, person.accounts[0].external_id)
        return uuid5(NAMESPACE_URL, f"{self._values['space']}:{person.id}").hex

    async def settings(self) -> AsyncIterator[SpaceSettingEntry]:
        """What was chosen for it and in its rooms."""
        given = {"entry": "space_setting", "space": self._values["space"]}
        for row in await self._database.all(_SQL["space_settings"], self._values):
            yield row_as(SpaceSettingEntry, row, **given)

    async def marks(self) -> AsyncIterator[MarksKeyEntry | TombstoneEntry | ValueMarkEntry]:
        """What was forgotten there, each mark after its key.

        They come last in a file: what is in it was let pass by them where it was said.
        """
        keys = {key_name(key): key for key in await keys_of(self._database)}
        own = next(iter(keys))
        for kind, query, along, first in _MARKS:
            async for row in paged(self._database, _SQL[query], self._values, along, first):
                # The name of the key that it was made with, and its forgetting's number there.
                is_own = ":" not in row["token"]
                forgetting = f"{own}:{row['number']}" if is_own else row["token"]
                key = keys.pop(forgetting.partition(":")[0], None)
                if key is not None:
                    yield MarksKeyEntry(key=key.hex())
                entry = kind.model_fields["entry"].default
                yield row_as(kind, row, entry=entry, forgetting=forgetting)


_MARKS: Sequence[tuple[type[TombstoneEntry | ValueMarkEntry], str, Sequence[str], str | int]] = (
    (TombstoneEntry, "stones", ["id"], 0),
    (ValueMarkEntry, "values_marked", ["audience", "mark", "number"], ""),
)
"""The kinds of marks: the query of each, the columns it goes along and what is before the first."""


def _person(row: Row, seen: list[Row]) -> PersonEntry:
    moments = [one["at"] for one in seen if one["at"] is not None]
    accounts = tuple(
        AccountEntry.model_construct(
            platform=one["platform"], external_id=one["external_id"], name=row["name"]
        )
        for one in seen
        if one["platform"] is not None
    )
    met_at = moment(min(moments, default=row["created_at"]))
    return row_as(PersonEntry, row, entry="person", met_at=met_at, accounts=accounts)

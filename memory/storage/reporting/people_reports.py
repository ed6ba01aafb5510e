"""Who the pet knows: accounts, and how much is kept of each person."""

import json
from dataclasses import dataclass
from datetime import datetime

from memory.model.people import PersonId
from memory.storage.columns import moment
from memory.storage.database import Database
from memory.storage.queries import queries

_SQL = queries("reporting/people_reports")


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedAccount:
    """An account, `platform:id`, and what it is called there."""

    account: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownPerson:
    """A person; not `observed` where they do not want to be read along with."""

    id: PersonId
    name: str
    observed: bool
    since: datetime
    accounts: tuple[NamedAccount, ...]


class PeopleReports:
    """Reads the people beside what is kept of them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def page(self, limit: int, after: str = "") -> list[KnownPerson]:
        """The people after one, by id; those that were joined to others are not among them."""
        rows = await self._database.all(_SQL["page"], {"after": after, "limit": limit})
        return [
            KnownPerson(
                id=PersonId(row["id"]),
                name=row["name"],
                observed=bool(row["observed"]),
                since=moment(row["created_at"]),
                accounts=tuple(NamedAccount(**one) for one in json.loads(row["accounts"])),
            )
            for row in rows
        ]

    async def person(self, person: PersonId) -> tuple[KnownPerson, dict[str, int]] | None:
        """One person, and how much is kept of them, by what it is."""
        values = {"person": person}
        row = await self._database.one(_SQL["person"], values)
        counts = await self._database.one(_SQL["counts"], values)
        if row is None or counts is None:
            return None
        accounts = await self._database.all(_SQL["accounts"], values)
        known = KnownPerson(
            id=person,
            name=row["name"],
            observed=bool(row["observed"]),
            since=moment(row["created_at"]),
            accounts=tuple(NamedAccount(**dict(one)) for one in accounts),
        )
        return known, dict(counts)

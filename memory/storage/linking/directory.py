"""The list of people for the owner: by name, with counts of what is kept of each."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from memory.model.audience import Scope
from memory.model.claims import SURELY, Status, ToldClaim
from memory.model.people import AccountId, PersonId, account_id
from memory.model.rooms import Visibility
from memory.model.shown import Shown
from memory.model.statements import Memory
from memory.storage.sqlite.database import TimedTable
from memory.storage.sqlite.readers import Snapshot
from memory.storage.sqlite.rows import Row, audiences, json_list, queries, row_as
from memory.storage.statements.statements import memory_of

_SQL = queries("linking/directory")

MOST_COUNTED = 200
"""How far each kind is counted for one person; a count of this many means that many or more."""

MOST_READ = 1_000
"""Messages of one person in which is looked for what they state of their life."""

_BEYOND = 1 << 62
"""Later than every statement: a list that goes back in time begins before it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedAccount:
    """An account, `platform:id`, and its name there."""

    id: Shown[AccountId]
    platform: Shown[str]
    name: Shown[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonListing:
    """A person in the list; `observed` is False if they opted out of being observed.

    Things are counted up to `counted_to`; a count of that many means as many or more.
    """

    id: Shown[PersonId]
    name: Shown[str]
    observed: Shown[bool]
    met_at: Shown[datetime]
    messages: Shown[int]
    statements_held: Shown[int]
    facts_held: Shown[int]
    counted_to: Shown[int] = MOST_COUNTED
    accounts: Shown[tuple[NamedAccount, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class FactInForce:
    """A core fact of a person that holds now."""

    key: Shown[str]
    value: Shown[str]
    since: Shown[datetime]
    visibility: Shown[Visibility]


@dataclass(frozen=True, slots=True, kw_only=True)
class Speaking:
    """A person who said something lately, by id and name."""

    id: PersonId
    name: str


class PeopleDirectory(TimedTable):
    """Lists people. Methods that return what is known of them take the scope of the reader."""

    async def page(
        self, limit: int, *, after: PersonId | None = None, called: str = ""
    ) -> list[PersonListing]:
        """The next `limit` people by name; `called` keeps only names that contain it."""
        values = {
            "after": after or "",
            "like": f"%{_literal(called)}%" if called else None,
            "limit": limit,
        }

        def work(snapshot: Snapshot) -> list[PersonListing]:
            return _listed(snapshot, [row["id"] for row in snapshot.all(_SQL["page"], values)])

        return await self._database.read(work)

    async def one(self, person: PersonId) -> PersonListing | None:
        """A person, or the person they were merged into; None if there is no such person."""

        def work(snapshot: Snapshot) -> list[PersonListing]:
            rows = snapshot.all(_SQL["survivor"], {"id": person})
            return _listed(snapshot, [row["id"] for row in rows])

        return next(iter(await self._database.read(work)), None)

    async def facts(self, person: PersonId, scope: Scope, limit: int) -> list[FactInForce]:
        """The core facts of a person that are in force."""
        values = {"person": person, "audiences": audiences(scope), "limit": limit}
        return await self._database.all_as(FactInForce, _SQL["facts"], values)

    async def speaking(self, scope: Scope, limit: int) -> list[Speaking]:
        """Whose are the latest messages that claim something, the latest first."""
        values = {"audiences": audiences(scope), "read": MOST_READ, "limit": limit}
        return await self._database.all_as(Speaking, _SQL["speaking"], values)

    async def told(self, person: PersonId, scope: Scope) -> list[ToldClaim]:
        """What a person states of their life in their latest messages, the latest first."""
        values = {
            "person": person,
            "audiences": audiences(scope),
            "read": MOST_READ,
            "surely": SURELY,
            "stated": json_list(one for one in Status if one.is_stated),
        }
        return await self._database.all_as(ToldClaim, _SQL["told"], values)

    async def statements(
        self, person: PersonId, scope: Scope, limit: int, before: int | None = None
    ) -> list[tuple[int, Memory]]:
        """What is about a person or was said by them, latest first, each with its position."""
        values = self._within(
            scope, person=person, before=_BEYOND if before is None else before, limit=limit
        )
        rows = await self._database.all(_SQL["statements"], values)
        return [(row["seq"], memory_of(row)) for row in rows]


def _listed(snapshot: Snapshot, people: Sequence[str]) -> list[PersonListing]:
    """People by their ids, in this order."""
    values = {"people": json_list(people), "most": MOST_COUNTED}
    accounts = _accounts(snapshot.all(_SQL["accounts"], values))
    return [
        row_as(
            PersonListing,
            row,
            counted_to=MOST_COUNTED,
            accounts=tuple(accounts.get(row["id"], ())),
        )
        for row in snapshot.all(_SQL["listed"], values)
    ]


def _accounts(rows: Iterable[Row]) -> Mapping[str, list[NamedAccount]]:
    found: dict[str, list[NamedAccount]] = defaultdict(list)
    for row in rows:
        id_ = account_id(row["platform"], row["external_id"])
        found[row["person_id"]].append(row_as(NamedAccount, row, id=id_))
    return found


def _literal(text: str) -> str:
    """A text escaped for LIKE, so that no character of it is a wildcard."""
    return text.replace("!", "!!").replace("%", "!%").replace("_", "!_")

"""The names of people: learnt from speakers and statements, looked up within a scope."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from memory.language.names import Link, Named, name_key, name_keys, named
from memory.model.audience import Scope, audience_of
from memory.model.messages import AuthorKind
from memory.model.namesakes import NamesOfPeople
from memory.model.people import PersonId
from memory.model.statements import MemoryId, MemoryType, NewMemory
from memory.model.stores import Store
from memory.statements.readings.alias import StatedAlias, stated_aliases
from memory.storage.sqlite.database import TimedTable, Transaction
from memory.storage.sqlite.readers import Snapshot
from memory.storage.sqlite.rows import audiences, json_list, queries, row_as

_SQL = queries("people/aliases")

_STEPS = 4
"""From the names in the text to the names they stand for, to the people, to all their names."""
_MOST_LINKS = 200
"""Rows of one step: people have fewer names, and a name of a thousand people tells nothing."""


class Aliases(TimedTable):
    """The aliases table: every name that a person spoke under or was said to have."""

    async def named_in(self, text: str, scope: Scope) -> tuple[Named, ...]:
        """The people a text names, see `read_named`."""
        return await self._database.read(lambda snapshot: self.read_named(snapshot, text, scope))

    async def names_of(
        self, people: Iterable[PersonId], scope: Scope
    ) -> dict[PersonId, tuple[str, ...]]:
        """Every name that these spoke under or said to be theirs, within the scope."""
        wanted = tuple(people)
        links = await self._database.read(
            lambda snapshot: self._touching(snapshot, (), wanted, scope) if wanted else set()
        )
        found: dict[PersonId, set[str]] = defaultdict(set)
        for link in links:
            if link.person is not None:
                found[link.person].add(link.spelling)
        return {person: tuple(sorted(names)) for person, names in found.items()}

    def read_named(self, snapshot: Snapshot, text: str, scope: Scope) -> tuple[Named, ...]:
        """The people a text names, each with every other name of theirs within the scope.

        A longer name hides a shorter one it contains. A text without names costs one query.
        """
        links: set[Link] = set()
        names, people = set(name_keys(text)), set[PersonId]()
        asked, met = set[str](), set[PersonId]()
        for _ in range(_STEPS):
            found = self._touching(snapshot, names - asked, people - met, scope)
            asked |= names
            met |= people
            links |= found
            names = {link.other or link.name for link in found}
            people = {link.person for link in found if link.person is not None}
            if names <= asked and people <= met:
                break
        return named(text, links)

    def read_names(self, snapshot: Snapshot, person: PersonId, scope: Scope) -> tuple[str, ...]:
        """Every name that a person spoke under or said to be theirs, as it was written."""
        links = self._touching(snapshot, (), (person,), scope)
        return tuple(sorted({link.spelling for link in links}))

    def _touching(
        self, snapshot: Snapshot, names: Iterable[str], people: Iterable[PersonId], scope: Scope
    ) -> set[Link]:
        values = self._within(
            scope, names=json_list(names), people=json_list(people), limit=_MOST_LINKS
        )
        return {row_as(Link, row) for row in snapshot.all(_SQL["touching"], values)}


def read_spoken_under(
    snapshot: Snapshot, people: Iterable[PersonId | None], scope: Scope
) -> NamesOfPeople:
    """Every name that these people spoke under within the scope, the latest first."""
    wanted = {one for one in people if one is not None}
    values = {
        "people": json_list(sorted(wanted)),
        "audiences": audiences(scope),
        "limit": _MOST_LINKS * max(1, len(wanted)),
    }
    found: dict[PersonId, dict[str, None]] = defaultdict(dict)
    for row in snapshot.all(_SQL["spoken_under"], values) if wanted else ():
        found[PersonId(row["person_id"])].setdefault(row["spelling"])
    return {person: tuple(names) for person, names in found.items()}


async def keep_spoken(transaction: Transaction, messages: Sequence[Mapping[str, Any]]) -> None:
    """Learn the names under which these message rows were written, for their audiences."""
    spoken = {
        (name_key(row["author"]), row["author"], row["person"], row["audience"], row["sent_at"])
        for row in messages
        if row["person"] is not None and row["author_kind"] == AuthorKind.PERSON
    }
    columns = ("name", "spelling", "person", "audience", "spoken_at")
    rows = [dict(zip(columns, values, strict=True)) for values in sorted(spoken) if values[0]]
    await transaction.many(_SQL["add_spoken"], rows)


async def keep_stated(transaction: Transaction, memory: MemoryId, new: NewMemory) -> None:
    """Learn the aliases that a new statement tells, for the audience of the statement."""
    if new.store is not Store.MEMORY:
        return
    for stated in stated_aliases(new.content):
        if await _is_believed(transaction, stated, new):
            ends = [{**row, "memory": str(memory)} for row in _rows(stated, new)]
            await transaction.many(_SQL["add_stated"], ends)


async def _is_believed(transaction: Transaction, stated: StatedAlias, new: NewMemory) -> bool:
    if stated.sure or stated.other is None or new.memory_type is MemoryType.IDENTITY:
        return True
    values = {"name": name_key(stated.other), "audience": audience_of(new.origin)}
    return await transaction.one(_SQL["is_person"], values) is not None


def _rows(stated: StatedAlias, new: NewMemory) -> Iterator[dict[str, str | None]]:
    """An alias in both directions, or in one row if it is the speaker's own."""
    audience = audience_of(new.origin)
    is_own = new.author in {None, new.origin.person}  # a history has both sides of a private talk
    if stated.other is None and new.origin.person is not None and is_own:
        yield _row(stated.name, audience, person=new.origin.person)
        return
    other = stated.other or new.said_by
    if other and name_key(other) not in {"", name_key(stated.name)}:
        yield _row(stated.name, audience, other=name_key(other))
        yield _row(other, audience, other=name_key(stated.name))


def _row(
    name: str, audience: str, *, person: PersonId | None = None, other: str | None = None
) -> dict[str, str | None]:
    return {
        "name": name_key(name),
        "spelling": name,
        "audience": audience,
        "person": person,
        "other": other,
    }

"""Who made a statement, and whom it is about: by accounts, and by names that one person carries."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from memory.model.audience import audience_of, space_audience
from memory.model.people import AccountId, PersonId
from memory.model.statements import NewMemory
from memory.model.stores import Store
from memory.rules.claims import folded, names_before, person_spoken_of
from memory.storage.sqlite.database import Database
from memory.storage.sqlite.rows import Row, json_list, queries

_SQL = queries("people/attribution")


async def attributed(database: Database, new: NewMemory) -> NewMemory:
    """A statement with its author, the account it came from, and whom it is about.

    Its author is who wrote the messages behind it, by their accounts. Others are known by their
    names only, where one person alone goes by a name in that community.
    """
    if new.store is not Store.MEMORY:
        return new
    new = await _with_author(database, new)
    if new.about_person is not None:
        return new
    known = await _known(database, new)
    return replace(new, about_person=person_spoken_of(new, known))


async def _with_author(database: Database, new: NewMemory) -> NewMemory:
    if new.said_by is None or (new.author is not None and new.origin.account is not None):
        return new
    rows = await database.all(_SQL["writers"], {"messages": json_list(new.messages)})
    author = new.author or _only_author(rows, new.said_by)
    if author is None:
        return new
    accounts = [row["account"] for row in rows if row["person_id"] == author and row["account"]]
    account = new.origin.account or (AccountId(accounts[-1]) if accounts else None)
    return replace(new, author=author, origin=replace(new.origin, account=account))


def _only_author(rows: Sequence[Row], said_by: str) -> PersonId | None:
    """The only person who wrote the messages, or did so under the name of the speaker."""
    named = {row["person_id"] for row in rows if folded(row["author"]) == folded(said_by)}
    wrote = named or {row["person_id"] for row in rows}
    return PersonId(wrote.pop()) if len(wrote) == 1 else None


async def _known(database: Database, new: NewMemory) -> Mapping[str, frozenset[PersonId]]:
    """The people behind the names in a statement, where it was said and in its community.

    Under which names people wrote comes before what they were said to be called.
    """
    values = {
        "names": json_list({*names_before(new), *map(folded, new.subjects)}),
        "audiences": json_list({audience_of(new.origin), space_audience(new.origin.space)}),
    }
    wrote: dict[str, set[PersonId]] = defaultdict(set)
    stated: dict[str, set[PersonId]] = defaultdict(set)
    for row in await database.all(_SQL["people_named"], values):
        found = wrote if row["wrote"] else stated
        found[row["name"]].add(PersonId(row["person_id"]))
    return {name: frozenset(people) for name, people in (stated | wrote).items()}

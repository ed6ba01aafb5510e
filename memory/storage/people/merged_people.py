"""People who were joined to another one: what began under their id goes on as that one's."""

from dataclasses import replace

from memory.model.people import PersonId
from memory.model.statements import NewMemory
from memory.storage.database import Transaction
from memory.storage.queries import queries

_SQL = queries("people/merged_people")


async def surviving_person(transaction: Transaction, person: PersonId) -> PersonId:
    """Who a person is by now: themselves, or who they were merged into while work was under way."""
    row = await transaction.one(_SQL["heir"], {"person": person})
    return person if row is None else PersonId(row["heir"])


async def as_survivors(transaction: Transaction, new: NewMemory) -> NewMemory:
    """A statement as of the person its speaker is by now, inside the transaction that stores it."""
    if new.origin.person is None:
        return new
    person = await surviving_person(transaction, new.origin.person)
    if person == new.origin.person:
        return new
    return replace(new, origin=replace(new.origin, person=person))

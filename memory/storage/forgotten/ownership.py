"""Whose statements are, as `memory/model/authority.py` asks it: read where they are changed."""

import json
from collections.abc import Iterable, Sequence
from uuid import UUID

from memory.model.audience import Audience, person_in
from memory.model.authority import Actor, Ownership, RowChange, Ruling, ruling
from memory.model.people import PersonId
from memory.model.rooms import SpaceId, Visibility
from memory.model.statements import MemoryId, NewMemory
from memory.model.stores import Store
from memory.storage.sqlite.database import Rows
from memory.storage.sqlite.rows import Row, json_list, queries

_SQL = queries("forgotten/ownership")

Behind = Sequence[tuple[PersonId | None, str]]
"""Who wrote the messages behind a statement, and under which name."""


async def ownerships(rows: Rows, memories: Iterable[UUID]) -> dict[MemoryId, Ownership]:
    """Whose each of these statements is."""
    values = {"ids": json_list(map(str, memories))}
    found = await rows.all(_SQL["of_memories"], values)
    return {MemoryId(UUID(row["id"])): _ownership(row) for row in found}


async def permitted(
    rows: Rows, memories: Sequence[MemoryId], actor: Actor, change: RowChange
) -> list[MemoryId]:
    """Those of the statements that an actor can have changed, in order."""
    if not memories:
        return []
    owned = await ownerships(rows, memories)
    return [
        one
        for one in memories
        if one in owned and ruling(actor, owned[one], change) is Ruling.ALLOWED
    ]


async def author_of(rows: Rows, new: NewMemory) -> Actor:
    """Who says a statement that is about to be kept, by their own word and no further mandate."""
    if new.author is not None:
        return Actor(person=new.author)
    found = await rows.all(_SQL["behind"], {"messages": json_list(new.messages)})
    behind = [(row["person_id"], row["author"]) for row in found]
    return Actor(person=_speaker(behind, new.said_by, new.origin.person))


async def speaker_of(rows: Rows, memory: MemoryId) -> Actor:
    """Who said a statement that is kept, by their own word and no further mandate."""
    owned = await ownerships(rows, [memory])
    return Actor(person=owned[memory].speaker if memory in owned else None)


def _ownership(row: Row) -> Ownership:
    behind: Behind = [(person, author) for person, author in json.loads(row["behind"])]
    people = {row["author_id"]} if row["author_id"] else _people(behind, row["person_id"])
    return Ownership(
        store=Store(row["store"]),
        # Where one author is unknown, the row is not the others' alone.
        authors=frozenset(one for one in people if one and None not in people),
        speaker=row["author_id"] or _speaker(behind, row["said_by"], row["person_id"]),
        about=row["about_person"],
        private_to=person_in(Audience(row["audience"])),
        visibility=Visibility(row["visibility"]),
        space=SpaceId(row["space"]),
    )


def _speaker(behind: Behind, name: str | None, came_from: PersonId | None) -> PersonId | None:
    """The one author, or of several the only one who spoke under the name it is told by."""
    people = _people(behind, came_from)
    if len(people) > 1:
        people = {person for person, author in behind if author == name}
    return people.pop() if len(people) == 1 else None


def _people(behind: Behind, came_from: PersonId | None) -> set[PersonId | None]:
    """Everybody whose words are behind a statement; None for an author who is not known."""
    people = {person for person, _ in behind}
    return people | {came_from} if came_from or not people else people

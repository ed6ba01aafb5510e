"""Merges two people: every row of the one becomes the other's, in one transaction.

The person who ENTERS a code is merged into the one who OFFERED it. The merged person keeps a row
without a name that says who they are now (`people.merged_into`). So work that is under way still
has an id to name, and rows that it writes under that id become the other's at once (the triggers
`*_to_heirs`). Rows that it reads under that id are gone, so at worst one answer recalls nothing
private.

The one person can still undo what either could, because the journals are changed too. A request
that was waiting for confirmation is dropped and must be made again. An undo gives the merged
person's row no name, and does not undo that one of them opted out of being observed.

Where both have a conversation in one room, that of the merged person ends and the other goes on. A
batch that was gathered under the merged id is answered on its own.
"""

from collections.abc import Iterable
from datetime import datetime
from itertools import groupby

from memory.model.audience import person_audience
from memory.model.authority import Actor
from memory.model.people import PSEUDONYM, PersonId
from memory.model.statements import Association
from memory.rules.profile import Core, EndedFact, HeldFact, ended_facts, relation_of_one
from memory.storage.sqlite.database import Transaction
from memory.storage.sqlite.rows import Row, millis, queries, row_as
from memory.storage.statements.associations import FoundDuring, associate
from memory.storage.statements.knowledge import drop_knowledge, retire_knowledge
from memory.storage.statements.statements import memory_of
from memory.storage.statements.supersession import supersede

_SQL = queries("linking/merging")

STEPS = (
    "announce_live",
    "announce_turns",
    "announce_memories",
    "announce_knowledge",
    "end_session",
    "move_identities",
    "move_sessions",
    "move_messages",
    "move_turns",
    "move_reminders",
    "move_checkin_rooms",
    "move_checkins",
    "move_spans",
    "move_chunks",
    "move_memories",
    "move_knowledge",
    "move_facts",
    "drop_known_names",
    "move_keys",
    "move_names",
    "keep_belongings",
    "move_quiet_topics",
    "move_notes",
    "move_usage",
    "move_deeds",
    "move_tombstones",
    "move_value_marks",
    "give_value_marks",
    "share_spaces",
    "move_brought",
    "drop_previews",
    "move_forgettings",
    "move_slots",
    "drop_merged_changes",
    "keep_unobserved",
    "drop_code",
    "move_codes",
    "move_merged",
    "share_observed",
    "mark_merged",
)
"""Every table that names a person or says who may know a row; a test compares the schema."""


async def merge(
    transaction: Transaction, merged: PersonId, survivor: PersonId, now: datetime
) -> None:
    """Make everything that belongs to `merged` belong to `survivor`, inside a transaction."""
    ended = await values_that_end(transaction, merged, survivor)
    values = _names(merged, survivor) | {"now": millis(now), "pseudonym": PSEUDONYM}
    for step in STEPS:
        await transaction.run(_SQL[step], values)
    await _move_changes(transaction, merged, survivor)
    for one in ended:
        await end_value(transaction, one, Actor(person=survivor), now)


def _names(merged: PersonId, survivor: PersonId) -> dict[str, object]:
    return {
        "merged": merged,
        "survivor": survivor,
        "merged_audience": person_audience(merged),
        "survivor_audience": person_audience(survivor),
    }


async def _move_changes(transaction: Transaction, merged: PersonId, survivor: PersonId) -> None:
    """Make the rows that forgettings could give back the survivor's."""
    keys = (person_audience(merged), person_audience(survivor))
    for column, (old, new) in {
        "person_id": (merged, survivor),
        "author_id": (merged, survivor),
        "about_person": (merged, survivor),
        "audience": keys,
    }.items():
        await transaction.run(_SQL["move_changes"], {"column": column, "old": old, "new": new})


async def values_that_end(
    transaction: Transaction, merged: PersonId, survivor: PersonId
) -> list[EndedFact]:
    """The values that end once both are one person: a key has one value for each audience."""
    rows = await transaction.all(_SQL["facts_of_both"], _names(merged, survivor))
    alike = groupby(sorted(rows, key=_place), key=_place)
    return [one for _, values in alike for one in ended_facts(_held(values))]


def _place(row: Row) -> tuple[str, str]:
    return row["audience"], row["key"]


def _held(rows: Iterable[Row]) -> list[HeldFact]:
    return [row_as(HeldFact, row, core=row_as(Core, row, subject="")) for row in rows]


async def end_value(transaction: Transaction, one: EndedFact, whose: Actor, now: datetime) -> None:
    """Make a value history, and the statement behind it if a later statement replaces it."""
    fact = one.fact.id
    if one.repeats:
        await transaction.run(_SQL["drop_fact"], {"id": str(fact)})
        await drop_knowledge(transaction, [fact])
        return
    await _supersede(transaction, one, whose, now)
    values = {"id": str(fact), "until": millis(one.by.since)}
    await transaction.run(_SQL["end_fact"], values)
    await retire_knowledge(transaction, [fact], now)


async def _supersede(transaction: Transaction, one: EndedFact, whose: Actor, now: datetime) -> None:
    old, new = one.fact.memory, one.by.memory
    rows = [await transaction.one(_SQL["statement"], {"id": str(each)}) for each in (new, old)]
    later, earlier = (None if row is None else memory_of(row) for row in rows)
    if later is None or earlier is None or old == new:
        return
    relation = relation_of_one(later, earlier)
    if relation is None:
        return
    if not await supersede(transaction, [old], whose, by=new, until=one.by.since, now=now):
        return
    tie = Association(start=new, end=old, relation=relation, weight=1.0)
    await associate(transaction, [tie], FoundDuring.WRITE, now)

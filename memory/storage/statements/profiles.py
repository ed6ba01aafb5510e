"""Core facts: what people said of themselves, one value for each key, and since when it holds."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID, uuid5

from memory.language.names import name_key
from memory.model.audience import Audience, Scope, audience_of
from memory.model.errors import HoldsNoMore
from memory.model.knowledge import CoreFact, KnowledgeId, KnowledgeKind, NewKnowledge
from memory.model.listing import PersonFacts
from memory.model.people import PersonId
from memory.model.statements import Memory, MemoryId, NewMemory
from memory.rules.profile import Core, core_of
from memory.storage.sqlite.database import Check, Table, Transaction
from memory.storage.sqlite.rows import (
    Row,
    audiences,
    columns_of,
    json_list,
    millis,
    moment,
    queries,
    row_as,
)
from memory.storage.statements.knowledge import keep_knowledge, retire_knowledge

_SQL = queries("statements/profiles")


class CoreFacts(Table):
    """The core facts, for listing what is known about a person."""

    async def listed(
        self, scope: Scope, *, name: str | None = None, history: bool = False
    ) -> list[CoreFact]:
        """The core facts in force, or with `history` all of them, of everyone or of one name."""
        values = {"name": name, "history": history, "audiences": audiences(scope)}
        return await self._database.all_as(CoreFact, _SQL["listed"], values)

    async def of_person(
        self, person: PersonId, scope: Scope, *, key: str | None = None, history: bool = False
    ) -> list[CoreFact]:
        """The core facts about one person, or those of one key; the latest of each key first."""
        values = _of_person(person, scope, key, history=history)
        return await self._database.all_as(CoreFact, _SQL["facts_of"], values)

    def unchanged(
        self, person: PersonId, key: str, scope: Scope, facts: Sequence[CoreFact]
    ) -> Check:
        """A check that raises HoldsNoMore unless a person's facts of a key are these `facts`."""

        async def check(transaction: Transaction) -> None:
            rows = await transaction.all(_SQL["facts_of"], _of_person(person, scope, key))
            if [row_as(CoreFact, row) for row in rows] != [*facts]:
                raise HoldsNoMore("It was changed meanwhile.")

        return check

    async def behind(self, memory: MemoryId, scope: Scope) -> list[CoreFact]:
        """The core facts in force that rest on a statement."""
        values = {"memory": str(memory), "audiences": audiences(scope)}
        return await self._database.all_as(CoreFact, _SQL["facts_behind"], values)

    async def by_person(
        self,
        scope: Scope,
        limit: int,
        after: tuple[str, PersonId] | None = None,
        *,
        history: bool = False,
    ) -> list[PersonFacts]:
        """The next `limit` people after a name and its person, by name, each with their facts."""
        name, person = after or ("", "")
        seen = {"history": history, "audiences": audiences(scope)}
        values = {"after_name": name, "after_id": person, "limit": limit, **seen}
        people = await self._database.all(_SQL["people_with_facts"], values)
        wanted = {"people": json_list(row["id"] for row in people), "key": None, **seen}
        facts: dict[str, list[CoreFact]] = {row["id"]: [] for row in people}
        for row in await self._database.all(_SQL["facts_of"], wanted):
            facts[row["person_id"]].append(row_as(CoreFact, row))
        return [
            PersonFacts(person=PersonId(row["id"]), name=row["name"], facts=tuple(facts[row["id"]]))
            for row in people
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Telling:
    """A statement in which a person says something of themselves, with its moment."""

    memory: MemoryId
    new: NewMemory
    person: PersonId
    audience: Audience
    said_at: datetime
    now: datetime


async def keep_core_fact(
    transaction: Transaction, memory: MemoryId, new: NewMemory, said_at: datetime, now: datetime
) -> None:
    """Store what a statement says of its own speaker, inside the transaction that stores it.

    It replaces the value before it. A value that was said before the one in force is history at
    once. What others say about a person is no core fact.
    """
    core = core_of(new)
    if core is None:
        return
    audience = audience_of(new.origin)
    person = new.author
    if person is None or not await _is_about(transaction, core, new, person, audience):
        return
    telling = _Telling(
        memory=memory, new=new, person=person, audience=audience, said_at=said_at, now=now
    )
    values = {
        "person": person,
        "key": core.key,
        "audience": audience,
        "said_at": millis(said_at),
    }
    since = await transaction.all(_SQL["since"], values)
    if not any(core.is_value(row["value"]) for row in since):
        others = [row for row in since if not core.may_stand_beside(row["value"])]
        await _put(transaction, core, telling, others)


async def move_core_facts(
    transaction: Transaction, old: MemoryId, kept: Memory, now: datetime
) -> None:
    """Let the facts of one statement rest on another that says the same, in a transaction.

    They hold since when they did, in the words of the statement that is kept.
    """
    rows = await transaction.all(_SQL["move"], {"old": str(old), "kept": str(kept.id)})
    told = [
        NewKnowledge(
            id=KnowledgeId(UUID(row["id"])),
            kind=KnowledgeKind.FACT,
            title=row["key"],
            content=kept.content,
            origin=kept.origin,
            at=moment(row["valid_from"]),
            about=PersonId(row["person_id"]),
        )
        for row in rows
    ]
    await keep_knowledge(transaction, told, now)


async def _put(
    transaction: Transaction, core: Core, telling: _Telling, others: Sequence[Row]
) -> None:
    """Store a value in place of the others, of which some may have been said since."""
    said_at = millis(telling.said_at)
    until = min((row["valid_from"] for row in others if row["valid_from"] > said_at), default=None)
    await _end(transaction, [row for row in others if row["valid_from"] <= said_at], telling)
    # Derived, so that the same statement gives the same fact however often it is said.
    fact = KnowledgeId(uuid5(telling.memory, core.key))
    await keep_knowledge(transaction, [_knowledge(fact, core, telling)], telling.now)
    await transaction.run(_SQL["keep"], _columns(fact, core, telling, until))
    if until is not None:
        await retire_knowledge(transaction, [fact], telling.now)


async def _end(transaction: Transaction, rows: Sequence[Row], telling: _Telling) -> None:
    ids = [KnowledgeId(UUID(row["id"])) for row in rows]
    values = {"ids": json_list(map(str, ids)), "until": millis(telling.said_at)}
    await transaction.run(_SQL["end"], values)
    await retire_knowledge(transaction, ids, telling.now)


async def _is_about(
    transaction: Transaction, core: Core, new: NewMemory, person: PersonId, audience: Audience
) -> bool:
    """Whether its subject is the speaker, by the name they spoke under or another of theirs."""
    if new.about_person != person:
        return False
    if core.subject == name_key(new.said_by or ""):
        return True
    values = {"name": core.subject, "person": person, "audience": audience}
    return await transaction.one(_SQL["goes_by"], values) is not None


def _knowledge(fact: KnowledgeId, core: Core, telling: _Telling) -> NewKnowledge:
    return NewKnowledge(
        id=fact,
        kind=KnowledgeKind.FACT,
        title=core.key,
        content=telling.new.content,
        origin=telling.new.origin,
        at=telling.said_at,
        about=telling.person,
    )


def _columns(
    fact: KnowledgeId, core: Core, telling: _Telling, until: int | None
) -> dict[str, object]:
    return {**columns_of(telling), **columns_of(core), "id": str(fact), "until": until}


def _of_person(
    person: PersonId, scope: Scope, key: str | None, *, history: bool = False
) -> dict[str, Any]:
    return {
        "people": json_list([person]),
        "key": key,
        "history": history,
        "audiences": audiences(scope),
    }

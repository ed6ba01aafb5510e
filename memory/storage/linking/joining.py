"""Joins two people with all their accounts; shown first with what becomes known to whom."""

import json
from collections import Counter

from memory.model.audience import person_audience
from memory.model.errors import AlreadyJoined
from memory.model.linking import Disclosure, JoinPreview, Moved, OwnedAccount
from memory.model.people import AuditedChange, PersonId, Signature
from memory.ports import Clock
from memory.storage.linking.merging import merge, values_that_end
from memory.storage.linking.splitting import id_of, moved_with
from memory.storage.people.people import People, surviving_person
from memory.storage.sqlite.audit import record
from memory.storage.sqlite.database import Database, TimedTable, Transaction
from memory.storage.sqlite.rows import queries, row_as

_SQL = queries("linking/joining")


class JoinedPeople(TimedTable):
    """Joins people; a split gives each their own again."""

    def __init__(self, database: Database, people: People, clock: Clock) -> None:
        super().__init__(database, clock)
        self._people = people

    async def preview(self, merged: PersonId, survivor: PersonId) -> JoinPreview:
        """What joining two people would move, and what would become known to whom.

        Raises:
            AlreadyJoined: both are one person.

        """

        async def work(transaction: Transaction) -> JoinPreview:
            return await _join_preview(transaction, merged, survivor)

        return await self._database.write(work)

    async def join(self, merged: PersonId, survivor: PersonId, by: Signature) -> JoinPreview:
        """Make two people one, with all their accounts, in one transaction.

        Raises:
            AlreadyJoined: both are one person.
            StorageFailed: nothing was moved.

        """
        now = self._clock.now()

        async def work(transaction: Transaction) -> JoinPreview:
            done = await _join_preview(transaction, merged, survivor)
            await merge(transaction, done.merged, done.person, now)
            change = AuditedChange(
                actor=by, action="account.joined", target=done.person, detail=done.merged
            )
            await record(transaction, change, now)
            return done

        done = await self._database.write(work)
        self._people.refresh()
        return done


async def _join_preview(
    transaction: Transaction, merged: PersonId, survivor: PersonId
) -> JoinPreview:
    merged = await surviving_person(transaction, merged)
    survivor = await surviving_person(transaction, survivor)
    if merged == survivor:
        raise AlreadyJoined("These accounts are one person's already.")
    joining = await _owned(transaction, merged)
    counts = Counter[Moved]()
    for one in joining:
        counts.update(await moved_with(transaction, one.account, merged))
    ended = await values_that_end(transaction, merged, survivor)
    disclosed = [
        await _disclosed(transaction, whose, other)
        for whose, other in ((merged, survivor), (survivor, merged))
    ]
    return JoinPreview(
        person=survivor,
        merged=merged,
        joining=joining,
        staying=await _owned(transaction, survivor),
        counts=dict(counts),
        told_by_joining=disclosed[0],
        told_by_staying=disclosed[1],
        clashes=sum(not one.repeats for one in ended),
    )


async def _owned(transaction: Transaction, person: PersonId) -> tuple[OwnedAccount, ...]:
    rows = await transaction.all(_SQL["accounts"], {"person": person})
    return tuple(row_as(OwnedAccount, row, person=person, account=id_of(row)) for row in rows)


async def _disclosed(transaction: Transaction, whose: PersonId, other: PersonId) -> Disclosure:
    values = {"whose": whose, "other": other, "audience": person_audience(whose)}
    (row,) = await transaction.all(_SQL["disclosed"], values)
    return row_as(
        Disclosure, row, spaces=tuple(json.loads(row["spaces"])), observed=bool(row["observed"])
    )

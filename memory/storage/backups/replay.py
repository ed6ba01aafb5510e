"""Repeats on an old copy the erasures that were made since, with the functions that made them."""

import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from memory.model.backups import Erasure, ErasureKind
from memory.model.forgetting import Kind
from memory.model.knowledge import KnowledgeKind
from memory.model.messages import MessageId
from memory.model.people import PersonId
from memory.model.reminders import ReminderId
from memory.model.stores import Store
from memory.ports import Clock
from memory.rules.forgetting.selection import ErasureSelection
from memory.storage.forgetting.erasure import erase
from memory.storage.forgetting.unmeeting import unmeet
from memory.storage.forgotten.samples import KNOWLEDGE_KINDS
from memory.storage.sqlite.database import Database, Transaction
from memory.storage.sqlite.rows import Row, columns_of, json_list, millis, queries
from memory.storage.sqlite.vacuum import Vacuum

_SQL = queries("backups/replay")


async def replay(copy: Database, erasures: Sequence[Erasure], clock: Clock) -> int:
    """Erase in a copy what was erased after it was made; how many rows and accounts that were.

    What was muted is muted. No byte of the rest is left in the file. Rows go with all that hangs
    on them or quotes them, since what a copy says of them may differ from what was there when they
    were forgotten. What waited for an answer waits no more: an answer weeks later would be none.

    Raises:
        StorageFailed: the disk is full, or the file cannot be written.

    """
    now = clock.now()

    async def work(transaction: Transaction) -> int:
        await transaction.many(_SQL["add_erasure"], [columns_of(one) for one in erasures])
        latest = {(one.kind, one.key): one for one in erasures}
        chosen = await _chosen(transaction, latest)
        erased = await _people(transaction, _keys(latest, ErasureKind.ACCOUNT))
        await erase(transaction, chosen, now)
        for person in erased:
            await erase(transaction, ErasureSelection(erased=person), now)
        unmet = await _unmet(transaction, latest)
        for person in unmet:
            await unmeet(transaction, person, now)
        await _observe(transaction, latest)
        await _put_up(transaction, latest, now)
        await transaction.run(_SQL["hear_no_more"])
        await transaction.run(_SQL["send_no_more"])
        rows = (chosen.messages, chosen.memories, chosen.muted, chosen.knowledge, erased, unmet)
        return sum(map(len, rows)) + len(chosen.reminders)

    count = await copy.write(work)
    await Vacuum(copy).scrub()
    return count


Latest = dict[tuple[ErasureKind, str], Erasure]


def _keys(latest: Latest, kind: ErasureKind, *, erased: bool = True) -> list[str]:
    return [one.key for one in latest.values() if one.kind is kind and one.erased is erased]


async def _chosen(transaction: Transaction, latest: Latest) -> ErasureSelection:
    async def named(query: str, kind: ErasureKind, **more: str) -> list[Any]:
        values = {"keys": json_list(_keys(latest, kind)), **more}
        return await transaction.all(_SQL[query], values)

    messages = [row["id"] for row in await named("messages", ErasureKind.MESSAGE)]
    turns = await named("turns", ErasureKind.TURN, messages=json_list(messages))
    memories = _stores(await named("memories", ErasureKind.MEMORY))
    muted = _stores(await named("memories", ErasureKind.MUTED))
    known = await named("knowledge", ErasureKind.KNOWLEDGE)
    settled = await named("reminders", ErasureKind.REMINDER)
    kinds: dict[UUID, Kind] = {
        UUID(row["id"]): KNOWLEDGE_KINDS[KnowledgeKind(row["kind"])] for row in known
    }
    return ErasureSelection(
        messages=frozenset(map(MessageId, messages)),
        turns=frozenset(UUID(row["id"]) for row in turns),
        memories=memories,
        muted={id_: store for id_, store in muted.items() if id_ not in memories},
        knowledge=kinds,
        reminders=frozenset(ReminderId(row["id"]) for row in settled),
    )


def _stores(rows: Iterable[Row]) -> dict[UUID, Store]:
    return {UUID(row["id"]): Store(row["store"]) for row in rows}


async def _people(transaction: Transaction, accounts: Iterable[str]) -> list[PersonId]:
    rows = await transaction.all(_SQL["people"], {"keys": json_list(accounts)})
    return [PersonId(row["id"]) for row in rows]


async def _unmet(transaction: Transaction, latest: Latest) -> list[PersonId]:
    """The people whom an import told of that was taken back since."""
    keys = json_list(_keys(latest, ErasureKind.ACCOUNT))
    rows = await transaction.all(_SQL["unmet"], {"keys": keys})
    return [PersonId(row["id"]) for row in rows]


async def _observe(transaction: Transaction, latest: Latest) -> None:
    """Observe in lobbies only the people who have not opted out since."""
    for declined in (False, True):
        accounts = _keys(latest, ErasureKind.UNOBSERVED, erased=declined)
        rows = [
            {"person": person, "observed": not declined}
            for person in await _people(transaction, accounts)
        ]
        await transaction.many(_SQL["unobserve"], rows)


async def _put_up(transaction: Transaction, latest: Latest, now: datetime) -> None:
    """Add the tombstones and value marks since, also for texts that the copy never held."""
    stones = [
        (int(one.key), one.stone)
        for one in latest.values()
        if one.kind is ErasureKind.TOMBSTONE and one.erased and one.stone is not None
    ]
    values = [{"key": key} for key in _keys(latest, ErasureKind.VALUE)]
    lifted = [{"key": key} for key in _keys(latest, ErasureKind.VALUE, erased=False)]
    # Marks of values are put up with stones, but for what had no words of its own.
    forgettings = {int(json.loads(one["key"])[2]): millis(now) for one in values}
    forgettings |= {stone.forgetting: stone.forgotten_at for _, stone in stones}
    await transaction.many(
        _SQL["add_forgetting"],
        [{"id": one, "at": at, "now": millis(now)} for one, at in forgettings.items()],
    )
    await transaction.many(_SQL["drop_value"], lifted)
    await transaction.many(_SQL["add_value"], values)
    await transaction.many(
        _SQL["add_stone"],
        [{**columns_of(one), "id": number, "count": len(one.stems)} for number, one in stones],
    )
    await transaction.many(
        _SQL["add_stem"],
        [{"stem": stem, "stone": number} for number, stone in stones for stem in stone.stems],
    )

"""Spaces that are kept here, and letting go of one that has moved to another data folder.

Nothing is put up by which it would be refused when it comes back, and nothing of it can be given
back here: the file that it was exported to has it.
"""

import json
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Collection,
    Iterator,
    Mapping,
    Sequence,
)
from datetime import datetime
from typing import Any
from uuid import UUID

from memory.model.authority import Actor
from memory.model.messages import MessageId
from memory.model.people import PSEUDONYM, AuditedChange
from memory.model.rooms import SpaceId
from memory.model.spaces import KeptSpace, SpaceContents
from memory.model.stores import Collection as Indexed
from memory.model.stores import Store
from memory.rules.forgetting.selection import ErasureSelection
from memory.storage.conversations.edits import soil
from memory.storage.conversations.quotations import refs_of
from memory.storage.forgetting.erasure import unquote, withdraw_answers
from memory.storage.search.outbox import announce
from memory.storage.sqlite.audit import record, signature_of
from memory.storage.sqlite.database import TimedTable, Transaction
from memory.storage.sqlite.readers import Snapshot
from memory.storage.sqlite.rows import Row, json_list, millis, moment, queries, row_as
from memory.storage.transfer.histories import drop_messages, hold_again

_SQL = queries("transfer/leaving")
_EXPORTS = queries("transfer/exports")

AT_ONCE = 256
"""Rows in one transaction: people of other spaces are answered between two."""

_TABLES = {
    "space = :space": (
        *("member_roles", "pauses", "greeted_spaces", "space_members"),
        *("api_keys", "web_sessions", "login_links"),
    ),
    "room_id IN (SELECT value FROM json_each(:rooms))": (
        *("digest_chunks", "room_choices", "checkins", "checkin_rooms", "past_readings"),
    ),
}
"""Small tables whose rows go once nothing is left of it, by how they name the space."""


class LeavingSpaces(TimedTable):
    """The rows of a space in all tables. Each step is one transaction, and can be done again."""

    async def all(self) -> list[KeptSpace]:
        """Every space with a room of several people."""
        return await self._database.all_as(KeptSpace, _SQL["spaces"], {"pseudonym": PSEUDONYM})

    async def contents(self, space: SpaceId) -> SpaceContents:
        """What is kept of a space."""
        values = await self._values(space)
        row = (await self._database.all(_SQL["contents"], values))[0]
        return row_as(SpaceContents, row)

    async def note_export(self, space: SpaceId, actor: Actor, at: datetime) -> None:
        """Write down that a space was exported as it was at a moment."""
        change = AuditedChange(actor=signature_of(actor), action="space.exported", target=space)
        await self._database.write(lambda transaction: record(transaction, change, at))

    async def undoable(self, space: SpaceId) -> dict[int, datetime]:
        """The forgettings that can be undone and touch a space, and when they were done."""
        values = _page(await self._values(space), -1, -1)
        rows = await self._database.all(_SQL["journals"], values)
        return {row["id"]: moment(row["forgotten_at"]) for row in rows}

    async def let_go(self, space: SpaceId) -> AsyncIterator[int]:
        """Delete what was said there and what was learnt of it, in steps; how much each time.

        What goes is looked for beside the writer, so that a transaction is as short as its rows.
        """
        values = await self._values(space)
        for query, first in _FIRST.items():
            after: int | str = first
            while rows := await self._database.all(_SQL[query], _page(values, after, AT_ONCE)):
                await self._drop(query, rows, values)
                after = rows[-1]["seq"]
                yield len(rows)

    async def _drop(self, query: str, rows: Sequence[Row], values: Mapping[str, Any]) -> None:
        people = {who for row in rows for who in _people_in(row)}

        async def work(transaction: Transaction) -> None:
            await _STEPS[query](transaction, rows, self._clock.now())
            await _forget_strangers(transaction, people, values)

        await self._database.write(work)

    async def finish(self, space: SpaceId, actor: Actor) -> bool:
        """Let go of what was chosen for it, and of what its rooms are called.

        False, and nothing is changed, where something was kept there since, or a forgetting that
        touches it can be undone: it has to be let go of first.
        """
        values = await self._values(space)
        change = AuditedChange(actor=signature_of(actor), action="space.let_go", target=space)
        now = self._clock.now()
        after = await self._database.read(lambda snapshot: _latest_without(snapshot, values))
        if after is None:
            return False

        async def work(transaction: Transaction) -> bool:
            for query, last in after.items():
                page = _page(values, last, 1)
                if await transaction.all(_SQL[query], page):
                    return False
            people = {
                row["person_id"] for row in await transaction.all(_SQL["of_the_space"], values)
            }
            for condition, tables in _TABLES.items():
                for table in tables:
                    sql = f"DELETE FROM {table} WHERE {condition}"  # noqa: S608 - names of ours
                    await transaction.run(sql, values)
            for step in _LAST_STEPS:
                await transaction.run(_SQL[step], values)
            await _forget_strangers(transaction, people, values)
            await record(transaction, change, now)
            await soil(transaction, now)
            return True

        return await self._database.write(work)

    async def _values(self, space: SpaceId) -> dict[str, Any]:
        there = await self._database.all(_EXPORTS["audiences_of_space"], {"space": space})
        rooms = await self._database.all(_SQL["rooms_of"], {"space": space})
        return {
            "space": space,
            "audiences": json_list(row["audience"] for row in there),
            "rooms": json_list(row["id"] for row in rooms),
            "pseudonym": PSEUDONYM,
        }


_LAST_STEPS = ("move_last", "own_topics", "drop_imports", "unname_rooms")
"""What is done after those, in order. Rooms keep their rows, and people do: a look through all
tables for what names one would hold up everybody."""


def _page(values: Mapping[str, Any], after: int | str, limit: int) -> dict[str, Any]:
    return {**values, "after": after, "limit": limit}


def _latest_without(snapshot: Snapshot, values: Mapping[str, Any]) -> dict[str, int] | None:
    """The last row of each table, while nothing of a space is in any; None if something is."""
    for query, first in {**_FIRST, "journals": -1}.items():
        if snapshot.all(_SQL[query], _page(values, first, 1)):
            return None
    row = snapshot.all(_SQL["latest"])[0]
    return {query: row[query] or 0 for query in row.keys()}  # noqa: SIM118 - a row has no other


def _people_in(row: Row) -> Iterator[str]:
    """Whom a row names."""
    there = row.keys()
    yield from (row[one] for one in ("person_id", "author_id", "about_person") if one in there)
    if "reacting" in there:
        yield from json.loads(row["reacting"])


async def _forget_strangers(
    transaction: Transaction, people: Collection[str | None], values: Mapping[str, Any]
) -> None:
    """Let go of the names and accounts of those of whom nothing is kept any more.

    A receipt, a joined account, a code or an opt-out is still known by an account without a name.
    """
    asked = {**values, "people": json_list(sorted(filter(None, people)))}
    for row in await transaction.all(_SQL["strangers"], asked):
        of = {"person": row["id"], "pseudonym": PSEUDONYM}
        accounts = "unname_accounts" if row["is_known"] else "drop_accounts"
        for step in ("drop_topics", "unname_person", accounts):
            await transaction.run(_SQL[step], of)


async def _withdraw(transaction: Transaction, rows: Sequence[Row], now: datetime) -> None:
    """What elsewhere repeats it."""
    await withdraw_answers(transaction, [row["id"] for row in rows], now)


async def _drop_statements(transaction: Transaction, rows: Sequence[Row], now: datetime) -> None:
    stores = {UUID(row["id"]): Store(row["store"]) for row in rows}
    selection = ErasureSelection(memories=stores)
    await unquote(transaction, refs_of(selection), now)
    await hold_again(transaction, selection)
    facts = {"ids": json_list(map(str, stores))}
    await transaction.run(_SQL["drop_facts"], facts)
    await transaction.run(_SQL["drop_statements"], facts)
    (last,) = await transaction.all(_SQL["last_statement"])
    if any(row["seq"] > last["seq"] for row in rows):
        await transaction.run(_SQL["lower_seen"], {"seq": last["seq"]})
    for store in Store:
        ids = [memory for memory, kept_in in stores.items() if kept_in is store]
        await announce(transaction, store.collection, ids, changed=True)


async def _drop_knowledge(transaction: Transaction, rows: Sequence[Row], now: datetime) -> None:
    ids = [UUID(row["id"]) for row in rows]
    await unquote(transaction, (f"{Indexed.KNOWLEDGE}:{one}@" for one in ids), now)
    values = {"ids": json_list(map(str, ids))}
    for step in ("drop_facts", "unroll", "drop_summaries", "drop_knowledge"):
        await transaction.run(_SQL[step], values)
    await announce(transaction, Indexed.KNOWLEDGE, ids, changed=True)


async def _drop_turns(transaction: Transaction, rows: Sequence[Row], now: datetime) -> None:
    ids = [UUID(row["id"]) for row in rows]
    await unquote(transaction, refs_of(ErasureSelection(turns=frozenset(ids))), now)
    values = {"ids": json_list(map(str, ids))}
    for step in ("note_turns", "part_messages", "part_reminders", "drop_retrievals", "drop_turns"):
        await transaction.run(_SQL[step], values)
    await announce(transaction, Indexed.CONVERSATIONS, ids, changed=True)


async def _drop_messages(transaction: Transaction, rows: Sequence[Row], now: datetime) -> None:
    ids = [MessageId(row["id"]) for row in rows]
    await unquote(transaction, refs_of(ErasureSelection(messages=frozenset(ids))), now)
    values = {"ids": json_list(ids), "now": millis(now)}
    for step in ("note_messages", "free_messages", "blank_messages"):
        await transaction.run(_SQL[step], values)
    await drop_messages(transaction, ids)
    await announce(transaction, Indexed.LIVE, [UUID(int=one) for one in ids], changed=True)


def _plainly(*steps: str) -> Callable[[Transaction, Sequence[Row], datetime], Awaitable[None]]:
    async def work(transaction: Transaction, rows: Sequence[Row], _now: datetime) -> None:
        for step in steps:
            await transaction.run(_SQL[step], {"ids": json_list(row["id"] for row in rows)})

    return work


_STEPS = {
    "telling": _withdraw,
    "reminders": _plainly("drop_reminders"),
    "overtaken": _drop_statements,
    "statements": _drop_statements,
    "knowledge": _drop_knowledge,
    "turns": _drop_turns,
    "messages": _drop_messages,
    "sessions": _plainly("unroll_of_sessions", "drop_spans", "drop_checkpoints", "drop_sessions"),
    "placed_statements": _plainly("free_statements"),
    "placed_knowledge": _plainly("free_knowledge"),
    "usage": _plainly("free_usage"),
    "names": _plainly("drop_names"),
}
"""What goes, in order, each by the query that finds it."""

_FIRST = {query: "" if query == "sessions" else -1 for query in _STEPS}
"""Before the first row of each, by what its query goes along."""

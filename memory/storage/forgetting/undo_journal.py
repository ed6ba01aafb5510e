"""The journal of a forgetting: whatever its transaction changes is written down, to be undone.

Triggers write it (https://www.sqlite.org/undoredo.html), so no change is missed, by whatever
statement, cascades included. They exist on the writer's connection while the forgetting runs and
never else.
"""

from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Literal
from uuid import UUID

from memory.model.stores import Collection, Store
from memory.storage.conversations.quotations import QuotedWords
from memory.storage.search.outbox import announce
from memory.storage.sqlite.database import Transaction
from memory.storage.sqlite.rows import Row, queries, row_of

_SQL = queries("forgetting/undo_journal")

_WATCHES = {
    "insert": """
        CREATE TEMP TRIGGER "journal_{table}_insert" AFTER INSERT ON main."{table}" BEGIN
            INSERT INTO forgetting_rows (forgetting_id, tbl, action, after)
            VALUES ({forgetting}, '{table}', 'insert', row_json({new}));
        END""",
    "update": """
        CREATE TEMP TRIGGER "journal_{table}_update" AFTER UPDATE ON main."{table}" BEGIN
            INSERT INTO forgetting_rows (forgetting_id, tbl, action, before, after)
            VALUES ({forgetting}, '{table}', 'update', row_json({old}), row_json({new}));
        END""",
    "delete": """
        CREATE TEMP TRIGGER "journal_{table}_delete" AFTER DELETE ON main."{table}" BEGIN
            INSERT INTO forgetting_rows (forgetting_id, tbl, action, before)
            VALUES ({forgetting}, '{table}', 'delete', row_json({old}));
        END""",
}
"""What writes the journal. Names are the schema's own and cannot be bound, so no file holds these;
every value is."""

_UNWATCH = 'DROP TRIGGER temp."journal_{table}_{action}"'

_TAKE_BACK = {
    "insert": 'DELETE FROM "{table}" WHERE {unchanged}',
    "update": 'UPDATE "{table}" SET {columns} WHERE {unchanged}',
    "delete": 'INSERT OR IGNORE INTO "{table}" ({columns}) VALUES ({values})',
}
"""What undoes one change; a row that was changed since is not the one any more and is left."""

Action = Literal["insert", "update", "delete"]
_ACTIONS: tuple[Action, ...] = ("insert", "update", "delete")

NOT_UNDONE = frozenset(
    {
        "audit_log",
        "claims",
        "claims_waiting",
        "clock_jumps",
        "erasures",
        "forgetting_rows",
        "forgettings",
        "index_outbox",
        "llm_usage",
        "meta",
        "schema_migrations",
        "sqlite_schema",
        "tombstone_stems",
        "tombstones",
        "value_marks",
    }
)
"""Tables that keep what a forgetting wrote there: about itself, to be followed up, or read anew
of the messages that come back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Table:
    name: str
    columns: tuple[str, ...]
    key: tuple[str, ...]

    def seen_as(self, row: Literal["OLD", "NEW"]) -> str:
        """The arguments of `row_json` for a row of a trigger."""
        names = dict.fromkeys((*self.key, *self.columns))
        return ", ".join(f"""'{name}', {row}."{name}\"""" for name in names)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedBack:
    """How many changes were undone, and how many rows have changed since and were left alone."""

    restored: int
    changed_since: int
    rows: Mapping[str, tuple[Mapping[str, Any], ...]]
    """Every row that was touched, by its table, as it was before."""


@asynccontextmanager
async def journalled(transaction: Transaction, forgetting: int) -> AsyncIterator[None]:
    """Write down every change that is made in a transaction until the body ends."""
    tables = await _tables(transaction)
    for table in tables:
        await _watch(transaction, table, forgetting)
    yield  # a body that fails takes the triggers with its transaction
    for table in tables:
        for action in _ACTIONS:
            await transaction.run(_UNWATCH.format(table=table.name, action=action))


async def play_back(transaction: Transaction, forgetting: int) -> PlayedBack:
    """Undo what a forgetting changed, the last change first; what was changed since stays so."""
    tables = {table.name: table for table in await _tables(transaction)}
    rows = await transaction.all(_SQL["written"], {"forgetting": forgetting})
    restored = 0
    for _, alike in groupby(rows, key=_alike):
        restored += await _take_back(transaction, tables, list(alike))
    return PlayedBack(restored=restored, changed_since=len(rows) - restored, rows=_by_table(rows))


async def announce_restored(transaction: Transaction, played: PlayedBack) -> None:
    """Tell the index, with the transaction, of what is back."""
    points: dict[Collection, set[UUID]] = {}
    for row in played.rows.get("messages", ()):
        points.setdefault(Collection.LIVE, set()).add(UUID(int=row["id"]))
    for row in played.rows.get("live_messages", ()):
        points.setdefault(Collection.LIVE, set()).add(UUID(int=row["message_id"]))
    for row in played.rows.get("turns", ()):
        points.setdefault(Collection.CONVERSATIONS, set()).add(UUID(row["id"]))
    for row in played.rows.get("memories", ()):
        points.setdefault(Store(row["store"]).collection, set()).add(UUID(row["id"]))
    for row in played.rows.get("knowledge", ()):
        points.setdefault(Collection.KNOWLEDGE, set()).add(UUID(row["id"]))
    for collection, ids in points.items():
        await announce(transaction, collection, sorted(ids))


async def words_in_journal(transaction: Transaction, forgetting: int) -> QuotedWords:
    """What people said of all that a forgetting took."""
    return QuotedWords.of(await transaction.all(_SQL["words"], {"forgetting": forgetting}))


async def clear_journal(transaction: Transaction, forgetting: int) -> int:
    """Let go of what a forgetting could be undone with; how many changes that were."""
    return await transaction.run(_SQL["clear"], {"forgetting": forgetting})


async def _tables(transaction: Transaction) -> list[_Table]:
    found = await transaction.all(_SQL["tables"])
    tables = []
    for name, columns in groupby(found, key=lambda row: str(row["name"])):
        if name in NOT_UNDONE or name.startswith("sqlite_"):
            continue
        described = list(columns)
        key = tuple(row["column"] for row in described if row["pk"]) or ("rowid",)
        names = tuple(row["column"] for row in described)
        tables.append(_Table(name=name, columns=names, key=key))
    return tables


async def _watch(transaction: Transaction, table: _Table, forgetting: int) -> None:
    # Names come from the schema and cannot be bound; the number is our own.
    names = {
        "table": table.name,
        "forgetting": forgetting,
        "old": table.seen_as("OLD"),
        "new": table.seen_as("NEW"),
    }
    for action in _ACTIONS:
        await transaction.run(_WATCHES[action].format(**names))


def _alike(row: Row) -> tuple[str, str, tuple[str, ...]]:
    """Changes that one statement undoes."""
    return row["tbl"], row["action"], _changed(row)


def _changed(row: Row) -> tuple[str, ...]:
    before, after = row_of(row["before"]), row_of(row["after"])
    if row["action"] != "update":
        return ()
    return tuple(name for name, value in before.items() if after[name] != value)


async def _take_back(
    transaction: Transaction, tables: Mapping[str, _Table], rows: list[Row]
) -> int:
    action, table = rows[0]["action"], tables[rows[0]["tbl"]]
    if action == "delete":
        sql = _TAKE_BACK["delete"].format(
            table=table.name,
            columns=", ".join(f'"{name}"' for name in table.columns),
            values=", ".join(f":old_{name}" for name in table.columns),
        )
    else:
        changed = _changed(rows[0])
        compared = (*table.key, *(changed if action == "update" else table.columns))
        if action == "update" and not changed:
            return len(rows)  # written anew as it was
        sql = _TAKE_BACK[action].format(
            table=table.name,
            columns=", ".join(f'"{name}" = :old_{name}' for name in changed),
            unchanged=" AND ".join(f'"{name}" IS :new_{name}' for name in dict.fromkeys(compared)),
        )
    return await transaction.many(sql, [_values(row) for row in rows])


def _values(row: Row) -> dict[str, Any]:
    old = {f"old_{name}": value for name, value in row_of(row["before"]).items()}
    return old | {f"new_{name}": value for name, value in row_of(row["after"]).items()}


def _by_table(rows: Iterable[Row]) -> dict[str, tuple[Mapping[str, Any], ...]]:
    found: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        if row["before"]:
            found.setdefault(row["tbl"], []).append(row_of(row["before"]))
    return {table: tuple(before) for table, before in found.items()}

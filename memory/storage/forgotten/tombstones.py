"""Tombstones: marks of forgotten texts, by which they are refused when they come in again."""

import asyncio
from collections.abc import Iterable, Sequence
from datetime import datetime
from hashlib import sha256

from memory.model.audience import Audience
from memory.rules.forgetting.selection import ErasureSelection
from memory.rules.forgetting.tombstones import IncomingText, Marks, Tombstone, marks_of, says_again
from memory.storage.sqlite.database import Rows, Transaction
from memory.storage.sqlite.rows import Row, json_list, maybe_millis, millis, moment, queries, row_as

_SQL = queries("forgotten/tombstones")
_KEY = "tombstones.key"


async def refused(rows: Rows, said: Sequence[IncomingText]) -> list[bool]:
    """For each text whether it, or a text that says the same, was forgotten after it was said.

    Where nothing was forgotten this costs one query.
    """
    audiences = json_list({one.audience for one in said})
    found = await rows.all(_SQL["latest"], {"audiences": audiences})
    latest = {row["audience"]: moment(row["forgotten_at"]) for row in found}
    doubtful = [_is_before(one, latest.get(one.audience)) for one in said]
    if not any(doubtful):
        return doubtful
    keys = await keys_of(rows)
    return [
        doubt and any([await _is_buried(rows, one, key) for key in keys])
        for one, doubt in zip(said, doubtful, strict=True)
    ]


async def add_tombstones(
    transaction: Transaction, forgetting: int, selection: ErasureSelection, now: datetime
) -> None:
    """Add a tombstone for every text of a selection, before the texts are erased."""
    key = await key_of(transaction)
    for kind, query, ids in (
        ("message", "message_texts", sorted(selection.messages)),
        ("memory", "memory_texts", [*map(str, selection.memories), *map(str, selection.muted)]),
        ("knowledge", "knowledge_texts", list(map(str, selection.knowledge))),
    ):
        rows = await transaction.all(_SQL[query], {"ids": json_list(ids)})
        marked = await asyncio.to_thread(_marked, rows, key)
        values = {"forgetting": forgetting, "kind": kind, "now": millis(now)}
        await _put_up(transaction, marked, values)


async def remove_tombstones(transaction: Transaction, forgetting: int) -> None:
    """Remove the tombstones of a forgetting: its texts may be learnt again."""
    await transaction.run(_SQL["remove_tombstones"], {"forgetting": forgetting})


async def _put_up(
    transaction: Transaction, marked: Sequence[tuple[Audience, Marks]], values: dict[str, object]
) -> None:
    """Insert tombstones in bulk. Ids are assigned here because stems are inserted in the batch."""
    (row,) = await transaction.all(_SQL["last"])
    numbered = list(enumerate(marked, row["last"] + 1))
    await transaction.many(
        _SQL["add_tombstones"],
        [
            {
                **values,
                "id": number,
                "audience": audience,
                "content": marks.content,
                "stems": len(marks.stems),
                "telling": json_list(marks.telling),
            }
            for number, (audience, marks) in numbered
        ],
    )
    await transaction.many(
        _SQL["add_tombstone_stem"],
        [
            {"stem": stem, "tombstone": number}
            for number, (_, marks) in numbered
            for stem in sorted(marks.stems)
        ],
    )


async def _is_buried(rows: Rows, said: IncomingText, key: bytes) -> bool:
    marks = marks_of(said.text, key)
    if marks is None:
        return False
    values = {
        "stems": json_list(marks.stems),
        "audience": said.audience,
        "at": maybe_millis(said.at),
    }
    found = await rows.all(_SQL["alike"], values)
    return any(says_again(marks, row_as(Tombstone, row)) for row in found)


def _is_before(said: IncomingText, latest: datetime | None) -> bool:
    """Whether something was forgotten in the audience since a text was said."""
    return latest is not None and (said.at is None or said.at < latest)


async def key_of(rows: Rows) -> bytes:
    """The key of the marks that are made in this database."""
    (row,) = await rows.all(_SQL["key"], {"key": _KEY})
    return bytes.fromhex(row["value"])


async def keys_of(rows: Rows) -> list[bytes]:
    """The keys of all marks of this database: its own, then those that came with a space."""
    found = await rows.all(_SQL["keys"], {"key": _KEY, "last": f"{_KEY}.~"})
    return [bytes.fromhex(row["value"]) for row in found]


def key_name(key: bytes) -> str:
    """What a key is called where it must not be told."""
    return sha256(key).hexdigest()[:16]


async def keep_key(transaction: Transaction, key: bytes) -> None:
    """Know by marks that were made with this key as well."""
    if key not in await keys_of(transaction):
        values = {"key": f"{_KEY}.{key_name(key)}", "value": key.hex()}
        await transaction.run(_SQL["keep_key"], values)


def _marked(rows: Iterable[Row], key: bytes) -> list[tuple[Audience, Marks]]:
    """The marks of each text, once for each audience; texts without content are left out."""
    once = dict.fromkeys((Audience(row["audience"]), row["text"]) for row in rows)
    marked = [(audience, marks_of(text, key)) for audience, text in once]
    return [(audience, marks) for audience, marks in marked if marks is not None]

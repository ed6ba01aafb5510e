"""Messages that come with a history: known again where they were heard as they were said."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from memory.model.audience import person_audience
from memory.model.messages import Arrival
from memory.rules.forgetting.tombstones import IncomingText
from memory.storage.forgotten.tombstones import refused
from memory.storage.sqlite.database import Transaction
from memory.storage.sqlite.rows import json_list, millis_in, queries

_SQL = queries("conversations/brought")

MINUTE = millis_in(timedelta(minutes=1))
"""Many files name the minute alone, and the clocks of two devices differ by as much."""


async def heard_before(
    transaction: Transaction, arrivals: Sequence[Arrival], rows: Sequence[Mapping[str, Any]]
) -> frozenset[int]:
    """The places of those that came by a file and were heard live: same author, words and time."""
    lines = {
        place: {
            "audience": row["audience"],
            "from": row["sent_at"] - row["sent_at"] % MINUTE - MINUTE,
            "to": row["sent_at"] - row["sent_at"] % MINUTE + 2 * MINUTE - 1,
            "text": row["text"],
            "person": row["person"],
            "ordinal": one.brought.ordinal,
            "by": one.brought.by,
        }
        for place, (one, row) in enumerate(zip(arrivals, rows, strict=True))
        if one.brought is not None
    }
    if not lines:
        return frozenset()
    places = list(lines)
    found = await transaction.all(_SQL["heard"], {"lines": json_list(lines.values())})
    return frozenset(places[row["place"]] for row in found)


async def forgotten_by_author(
    transaction: Transaction, arrivals: Sequence[Arrival]
) -> frozenset[int]:
    """The places of those that came by a file and say what their author had forgotten in private.

    A file may be read for others than those before whom it was forgotten.
    """
    said = {
        place: IncomingText(text=one.text, audience=person_audience(one.person), at=one.sent_at)
        for place, one in enumerate(arrivals)
        if one.brought is not None and one.person is not None
    }
    buried = await refused(transaction, list(said.values())) if said else []
    return frozenset(place for place, gone in zip(said, buried, strict=True) if gone)

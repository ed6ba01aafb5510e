"""Letting go of a person whom an import alone told of, with no trace of their accounts."""

from datetime import datetime

from memory.model.people import PersonId
from memory.rules.forgetting.selection import ErasureSelection
from memory.storage.forgetting.erasure import erase
from memory.storage.sqlite.database import Transaction
from memory.storage.sqlite.rows import queries

_SQL = queries("forgetting/unmeeting")

_STEPS = (
    *("drop_notes", "note", "drop_accounts", "observe_again"),
    *("part_messages", "part_statements", "part_knowledge"),
)


async def unmeet(transaction: Transaction, person: PersonId, now: datetime) -> None:
    """Let go of the names and accounts of a person; met again, they are one that is new.

    The erasures, by which a backup of before follows, name the person by their id instead of by
    their accounts: an account may be a telephone number.
    """
    await erase(transaction, ErasureSelection(erased=person), now)
    for step in _STEPS:
        await transaction.run(_SQL[step], {"person": person})

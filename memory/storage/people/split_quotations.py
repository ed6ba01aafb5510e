"""What the pet answered one of two people from the private words of the other, while both were one.

Such an answer carries the other's audience from then on (`turns.carries`), and so do the summaries
that tell of it: it is recalled for neither.
"""

from collections.abc import Sequence
from uuid import UUID

from memory.model.audience import person_audience
from memory.model.messages import MessageId
from memory.model.people import PersonId
from memory.model.stores import Store
from memory.rules.forgetting.quotation import repeats
from memory.rules.forgetting.selection import ErasureSelection
from memory.storage.columns import json_list
from memory.storage.conversations.quotations import quotes_of, refs_of
from memory.storage.database import Transaction
from memory.storage.queries import queries
from memory.storage.readers import Row

_SQL = queries("people/split_quotations")


async def carry_across(transaction: Transaction, one: PersonId, other: PersonId) -> None:
    """Let answers to either carry what they repeat of the other's, once their rows are apart."""
    await _carry(transaction, whose=one, told_to=other)
    await _carry(transaction, whose=other, told_to=one)


async def _carry(transaction: Transaction, *, whose: PersonId, told_to: PersonId) -> None:
    audience = person_audience(whose)
    rows = await transaction.all(_SQL["private_rows"], {"audience": audience})
    quotes = await quotes_of(transaction, refs_of(_selection(rows)))
    named = {"person": told_to, "turns": json_list({quote.turn for quote in quotes})}
    theirs = {row["id"] for row in await transaction.all(_SQL["answers_to"], named)}
    repeating = {
        quote.turn
        for quote in quotes
        if quote.turn in theirs and repeats(quote.reply, quote.own, quote.forgotten)
    }
    values = {"turns": json_list(sorted(repeating)), "audience": audience}
    await transaction.run(_SQL["carry_in_turns"], values)
    await transaction.run(_SQL["carry_in_summaries"], values)


def _selection(rows: Sequence[Row]) -> ErasureSelection:
    of: dict[str, list[Row]] = {}
    for row in rows:
        of.setdefault(row["tbl"], []).append(row)
    return ErasureSelection(
        messages=frozenset(MessageId(int(row["id"])) for row in of.get("messages", ())),
        turns=frozenset(UUID(row["id"]) for row in of.get("turns", ())),
        memories={UUID(row["id"]): Store(row["store"]) for row in of.get("memories", ())},
    )

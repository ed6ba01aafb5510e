"""What the pet answered one of two people from the private words of the other, while both were one.

Such an answer carries the other's audience from then on (`turns.carries`), and so do the summaries
that tell of it: it is recalled for neither.
"""

from memory.model.audience import person_audience
from memory.model.people import PersonId
from memory.rules.forgetting.quotation import repeats
from memory.storage.conversations.quotations import carry, quotes_of, refs_of_rows
from memory.storage.sqlite.columns import json_list
from memory.storage.sqlite.database import Transaction
from memory.storage.sqlite.queries import queries

_SQL = queries("linking/split_quotations")


async def carry_across(transaction: Transaction, one: PersonId, other: PersonId) -> None:
    """Let answers to either carry what they repeat of the other's, once their rows are apart."""
    await _carry(transaction, whose=one, told_to=other)
    await _carry(transaction, whose=other, told_to=one)


async def _carry(transaction: Transaction, *, whose: PersonId, told_to: PersonId) -> None:
    audience = person_audience(whose)
    rows = await transaction.all(_SQL["private_rows"], {"audience": audience})
    quotes = await quotes_of(transaction, refs_of_rows(rows))
    named = {"person": told_to, "turns": json_list({quote.turn for quote in quotes})}
    theirs = {row["id"] for row in await transaction.all(_SQL["answers_to"], named)}
    repeating = {
        quote.turn
        for quote in quotes
        if quote.turn in theirs and repeats(quote.reply, quote.own, quote.forgotten)
    }
    await carry(transaction, repeating, audience)

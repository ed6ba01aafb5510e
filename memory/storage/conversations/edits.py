"""What follows when a message was taken back or reworded: in statements, exchanges and live."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from memory.language.text import search_text
from memory.model.conversations import words_found
from memory.model.messages import MessageId
from memory.model.stores import Collection
from memory.storage.conversations.summaries import reopen_summaries
from memory.storage.forgetting.erasure import erase
from memory.storage.forgotten.selection import unsaid
from memory.storage.search.outbox import announce
from memory.storage.sqlite.database import Transaction
from memory.storage.sqlite.rows import json_list, millis, queries

_SQL = queries("conversations/edits")


@dataclass(frozen=True, slots=True)
class CurrentText:
    """What messages say now: `text`, a line each; whether any of them was taken back or edited."""

    text: str
    withdrawn: bool
    edited: bool


async def forget_unfounded(transaction: Transaction, message: MessageId, now: datetime) -> None:
    """Erase the statements that rest on this message alone; others' are theirs who say it too.

    A reminder that it asked for stays: to mend a word is not to call it off.
    """
    selection = replace(await unsaid(transaction, message), reminders=frozenset())
    await erase(transaction, selection, now)


async def take_back(
    transaction: Transaction, message: MessageId, turn: str | None, now: datetime
) -> None:
    """Erase a message, the answer it was given, and statements whose author said them in it only.

    Where others say the same, such a statement becomes theirs.
    """
    answers = await transaction.all(_SQL["answers"], {"turn": turn})
    selection = replace(
        await unsaid(transaction, message),
        messages=frozenset({message, *(MessageId(row["id"]) for row in answers)}),
        turns=frozenset({UUID(turn)} if turn else ()),
    )
    await erase(transaction, selection, now)
    await soil(transaction, now)


async def observe_again(transaction: Transaction, message: MessageId) -> None:
    """Let the next digest read an observed message anew; the chunk it is in loses it.

    The messages of a person who has opted out since are not observed again.
    """
    await transaction.run(_SQL["observe_again"], {"message": message})
    await announce(transaction, Collection.LIVE, [UUID(int=message)], changed=True)


async def read_again(transaction: Transaction, turn: str) -> None:
    """Let the next extraction read an exchange anew, which was read before, and it alone.

    What else was read with it may have been corrected since: it is not said again.
    """
    found = await transaction.one(_SQL["read_with"], {"turn": turn})
    if found is None:
        return
    values = {"session": found["session_id"], "first": found["first_turn"], "seq": found["seq"]}
    for step in ("cut_after", "cut_out", "cut_before", "claim_again"):
        await transaction.run(_SQL[step], values)


async def soil(transaction: Transaction, now: datetime) -> None:
    """Note that the files still hold bytes of what was taken back, for the night's cleaning."""
    await transaction.run(_SQL["soil"], {"now": millis(now)})


async def standing(transaction: Transaction, messages: Sequence[MessageId]) -> CurrentText:
    """What these messages say now, in the order given."""
    rows = await transaction.all(_SQL["standing"], {"messages": json_list(messages)})
    return CurrentText(
        text="\n".join(row["text"] for row in rows if row["deleted_at"] is None),
        withdrawn=any(row["deleted_at"] is not None for row in rows),
        edited=any(row["edited_at"] is not None for row in rows),
    )


async def is_found(transaction: Transaction, turn: str | None) -> bool:
    """Whether an exchange is one that searches find."""
    told = await transaction.one(_SQL["told"], {"turn": turn})
    return told is not None and bool(told["search_text"])


async def retell(transaction: Transaction, turn: str, *, was_found: bool) -> None:
    """Let a turn hold what its messages say now; once one was taken back it is found no more.

    `was_found` tells of before what rested on the old words was erased, the reply among it.
    """
    rows = await transaction.all(_SQL["answered_by"], {"turn": turn})
    now = await standing(transaction, [row["id"] for row in rows])
    told = (await transaction.all(_SQL["told"], {"turn": turn}))[0]
    is_searchable = was_found and not now.withdrawn
    found = words_found(now.text, told["reply"], failed=told["error"] is not None)
    values = {
        "turn": turn,
        "text": now.text,
        "search_text": search_text(found) if is_searchable else "",
    }
    await transaction.run(_SQL["retell"], values)
    await transaction.run(_SQL["drop_query"], {"turn": turn})
    await transaction.run(_SQL["drop_tools"], {"turn": turn})
    await announce(transaction, Collection.CONVERSATIONS, [UUID(turn)], changed=True)
    await reopen_summaries(transaction, [UUID(turn)])

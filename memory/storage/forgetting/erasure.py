"""Erasing: rows lose their words, and whatever hangs on them or quotes them loses them too.

Inside one transaction. The row itself stays without its words, so that what points at it still does
and what comes in again under its id is known.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

from memory.model.forgetting import Counts, Kind
from memory.model.people import PSEUDONYM, PersonId
from memory.model.reminders import ReminderId
from memory.model.stores import Collection, Store
from memory.rules.forgetting.selection import ErasureSelection
from memory.storage.conversations.quotations import (
    Quote,
    QuotedWords,
    answers_telling,
    no_longer_said,
    quotes_of,
    refs_of,
    replying_to,
    tools_telling,
    words_going,
)
from memory.storage.conversations.summaries import reopen_summaries
from memory.storage.search.outbox import announce
from memory.storage.sqlite.database import Rows, Transaction
from memory.storage.sqlite.rows import json_list, millis, queries

_SQL = queries("forgetting/erasure")


async def erase(transaction: Transaction, selection: ErasureSelection, now: datetime) -> Counts:
    """Take the words of a selection out of every table; how many rows of each kind that were."""
    selection = await with_facts(transaction, selection)
    quotes = await quotes_of(transaction, refs_of(selection), selection.turns)
    said = await words_going(transaction, selection)
    moment = millis(now)
    live = await _erase_messages(transaction, selection.messages, moment)
    await _erase_memories(transaction, selection.memories, moment)
    await _mute_memories(transaction, selection.muted, moment)
    await _leave_to_others(transaction, selection)
    await _erase_turns(transaction, list(map(str, selection.turns)))
    await _erase_knowledge(transaction, selection.knowledge, moment)
    await _erase_reminders(transaction, selection.reminders, moment)
    await transaction.many(
        _SQL["drop_quiet_topic"],
        [{"person": person, "topic": topic} for person, topic in sorted(selection.quiet)],
    )
    await reopen_summaries(transaction, selection.turns, selection.knowledge)
    await _drop_queries(transaction, await replying_to(transaction, selection.messages))
    gone = await no_longer_said(transaction, said)
    quoted = await _unquote(transaction, quotes, gone, moment)
    if selection.erased is not None:
        await _unname(transaction, selection.erased)
    return counted(selection, live=live, quotes=quoted)


async def with_facts(rows: Rows, selection: ErasureSelection) -> ErasureSelection:
    """The selection with the core facts that its statements told.

    Those too that a statement told while it was the word of whom they are of.
    """
    passed_on = (one.memory for one in selection.shared if one.heir is not None)
    values = {"ids": json_list(map(str, (*selection.memories, *passed_on)))}
    found = await rows.all(_SQL["facts_from"], values)
    facts = {UUID(row["id"]): Kind.FACTS for row in found}
    return replace(selection, knowledge={**facts, **selection.knowledge})


async def unquote(transaction: Transaction, refs: Iterable[str], now: datetime) -> None:
    """Let what was answered no longer hold rows that are about to say something else.

    `refs` name them as the ledger does, up to their revision.
    """
    quotes = await quotes_of(transaction, refs)
    await _unquote(transaction, quotes, frozenset(), millis(now))


async def withdraw_answers(transaction: Transaction, turns: Sequence[str], now: datetime) -> None:
    """Take the answers out of exchanges, with what they were answered with.

    And those that came soon after and repeat one of them.
    """
    followers = await quotes_of(transaction, (), map(UUID, turns))
    await _take_out(transaction, turns, turns, millis(now))
    await _unquote(transaction, followers, frozenset(), millis(now))


async def erase_echoes(transaction: Transaction, words: QuotedWords, now: datetime) -> int:
    """Take out answers that say one of these stems, if no other person says it; how many.

    What was answered while it was being forgotten, the answer that said so included, comes after.
    """
    gone = await no_longer_said(transaction, words)
    return await _unquote(transaction, (), gone, millis(now))


def counted(selection: ErasureSelection, *, live: int, quotes: int = 0) -> Counts:
    """How many rows of each kind a selection has, those that have none left out."""
    kinds = list(selection.knowledge.values())
    counts = {
        Kind.MESSAGES: len(selection.messages),
        Kind.LIVE: live,
        Kind.EXCHANGES: len(selection.turns),
        Kind.STATEMENTS: len(selection.memories),
        **{kind: kinds.count(kind) for kind in (Kind.SUMMARIES, Kind.FACTS, Kind.NOTES)},
        Kind.REMINDERS: len(selection.reminders),
        Kind.QUIET: len(selection.quiet),
        Kind.SHARED: len(selection.shared),
        Kind.MUTED: len(selection.muted),
        Kind.QUOTES: quotes,
        Kind.NAMES: int(selection.erased is not None),
    }
    return {kind: count for kind, count in counts.items() if count}


async def _erase_messages(transaction: Transaction, messages: Iterable[int], now: int) -> int:
    """Blank messages; how many of them were live."""
    ids = sorted(messages)
    values = {"ids": json_list(ids)}
    await transaction.run(_SQL["blank_errors"], values)
    await transaction.run(_SQL["blank_messages"], {**values, "now": now})
    await transaction.run(_SQL["drop_reactions"], values)
    live = await transaction.run(_SQL["unlive"], values)
    points = [UUID(int=message) for message in ids]
    await announce(transaction, Collection.LIVE, points, changed=True)
    return live


async def _erase_memories(
    transaction: Transaction, memories: Mapping[UUID, Store], now: int
) -> None:
    values = {"ids": json_list(map(str, memories))}
    for query in ("drop_stated_names", "drop_ties", "drop_subjects", "drop_proposals"):
        await transaction.run(_SQL[query], values)
    await transaction.run(_SQL["blank_memories"], {**values, "now": now})
    await _unfind(transaction, memories)
    for store in Store:
        ids = [memory for memory, kept_in in memories.items() if kept_in is store]
        await announce(transaction, store.collection, ids, changed=True)


async def _mute_memories(transaction: Transaction, muted: Mapping[UUID, Store], now: int) -> None:
    """Let statements be recalled no more, and the exchanges that they were learnt from."""
    await transaction.run(_SQL["mute_memories"], {"ids": json_list(map(str, muted)), "now": now})
    await _unfind(transaction, muted)
    for store in Store:
        ids = [memory for memory, kept_in in muted.items() if kept_in is store]
        await announce(transaction, store.collection, ids, changed=True)


async def _leave_to_others(transaction: Transaction, selection: ErasureSelection) -> None:
    """Let statements that others said too rest on what others said, and be said by them."""
    for one in selection.shared:
        memory = str(one.memory)
        lost = [{"memory": memory, "message": message} for message in one.lost]
        await transaction.many(_SQL["drop_ground"], lost)
        if one.heir is not None:
            values = {"memory": memory, "said_by": one.said_by, "heir": one.heir}
            await transaction.run(_SQL["attribute"], values)
        await announce(transaction, one.store.collection, [one.memory])


async def _unfind(transaction: Transaction, memories: Iterable[UUID]) -> None:
    """Find no more the exchanges that statements were learnt from: they tell of them."""
    values = {"ids": json_list(map(str, memories))}
    behind = await transaction.all(_SQL["unfind"], values)
    points = [UUID(row["id"]) for row in behind]
    await announce(transaction, Collection.CONVERSATIONS, points, changed=True)
    await reopen_summaries(transaction, points)


async def _erase_turns(transaction: Transaction, turns: Sequence[str]) -> None:
    await transaction.run(_SQL["blank_turns"], {"ids": json_list(turns)})
    await _drop_queries(transaction, turns)
    await _drop_tools(transaction, turns)
    points = [UUID(turn) for turn in turns]
    await announce(transaction, Collection.CONVERSATIONS, points, changed=True)


async def _erase_knowledge(
    transaction: Transaction, knowledge: Mapping[UUID, Kind], now: int
) -> None:
    values = {"ids": json_list(map(str, knowledge)), "now": now}
    await transaction.run(_SQL["blank_knowledge"], values)
    await transaction.run(_SQL["blank_facts"], values)
    await announce(transaction, Collection.KNOWLEDGE, list(knowledge), changed=True)


async def _erase_reminders(
    transaction: Transaction, reminders: Iterable[ReminderId], now: int
) -> None:
    values = {"ids": json_list(sorted(reminders)), "now": now}
    await transaction.run(_SQL["blank_reminders"], values)


async def _unquote(
    transaction: Transaction, quotes: Sequence[Quote], gone: frozenset[str], now: int
) -> int:
    """Take out injections that may hold, and answers that repeat, what was forgotten; how many."""
    repeating = {one.turn for one in quotes if one.is_repeated(gone)}
    repeating |= await answers_telling(transaction, gone)
    touched = sorted({one.turn for one in quotes if one.recalled} | repeating)
    await _take_out(transaction, touched, repeating, now)
    await _drop_tools(transaction, await tools_telling(transaction, gone))
    return len(touched)


async def _take_out(
    transaction: Transaction, touched: Sequence[str], repeating: Iterable[str], now: int
) -> None:
    """Take out what exchanges were answered with, and of those that repeat it the answers."""
    repeating = sorted(repeating)
    await transaction.many(_SQL["blank_recalled"], [{"turn": turn} for turn in touched])
    await transaction.many(_SQL["blank_reply"], [{"turn": turn} for turn in repeating])
    said = await transaction.all(_SQL["answers_of"], {"turns": json_list(repeating)})
    await _erase_messages(transaction, [row["id"] for row in said], now)
    await _drop_queries(transaction, touched)
    await _drop_tools(transaction, touched)
    points = [UUID(turn) for turn in touched]
    await announce(transaction, Collection.CONVERSATIONS, points, changed=True)
    await reopen_summaries(transaction, points)


async def _drop_tools(transaction: Transaction, turns: Iterable[str]) -> None:
    """Let go of what tools were asked and said, and of why a stretch could not be read."""
    values = {"turns": json_list(turns)}
    await transaction.run(_SQL["drop_tools"], values)
    await transaction.run(_SQL["blank_extractions"], values)


async def _drop_queries(transaction: Transaction, turns: Sequence[str]) -> None:
    await transaction.run(_SQL["blank_queries"], {"turns": json_list(turns)})


async def _unname(transaction: Transaction, person: PersonId) -> None:
    """Let a person go by no name anywhere, and read along with them no more."""
    values: dict[str, Any] = {"person": person, "pseudonym": PSEUDONYM}
    for query in (
        "unname_person",
        "unname_identities",
        "unname_messages",
        "unname_turns",
        "unname_rooms",
    ):
        await transaction.run(_SQL[query], values)
    await transaction.run(_SQL["drop_names"], {"person": person})
    await transaction.run(_SQL["drop_quiet_topics"], {"person": person})
    await transaction.run(_SQL["drop_checkins_of"], {"person": person})
    await transaction.run(_SQL["drop_reactions_of"], {"person": person})

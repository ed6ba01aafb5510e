"""Erasing: rows lose their words, and whatever hangs on them or quotes them loses them too.

Inside one transaction. A husk of each row stays, so that what points at it still does and what
comes in again under its id is known.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from memory.adapters.sqlite.columns import json_list, millis, millis_in
from memory.adapters.sqlite.database import Row, Transaction
from memory.adapters.sqlite.outbox import announce
from memory.adapters.sqlite.queries import queries
from memory.forgetting.quoting import repeats
from memory.forgetting.receipt import Counts, Kind
from memory.forgetting.selection import Selection
from memory.language import stems
from memory.model import Collection, PersonId, Store

_SQL = queries("erasing")

PSEUDONYM = "someone"
"""What goes by a name that was forgotten."""

WINDOW = timedelta(hours=2)
"""How long after an exchange an answer may repeat it from the window."""


@dataclass(frozen=True, slots=True)
class _Quote:
    """An exchange that may quote what is forgotten; `recalled` when the ledger says so."""

    turn: str
    own: str
    reply: str
    forgotten: str
    recalled: bool


async def erase(transaction: Transaction, selection: Selection, now: datetime) -> Counts:
    """Take the words of a selection out of every table; how many rows of each kind that were."""
    quotes = await _quotes(transaction, _refs(selection), selection.turns)
    moment = millis(now)
    live = await _erase_messages(transaction, selection.messages, moment)
    await _erase_memories(transaction, selection.memories, moment)
    await _leave_to_others(transaction, selection)
    await _erase_turns(transaction, list(map(str, selection.turns)))
    await _erase_knowledge(transaction, selection.knowledge, moment)
    if selection.messages:
        replying = await transaction.all(
            _SQL["replying"], {"messages": json_list(selection.messages)}
        )
        await _drop_queries(transaction, [row["id"] for row in replying])
    quoted = await _unquote(transaction, quotes, moment)
    if selection.erased is not None:
        await _unname(transaction, selection.erased)
    return counted(selection, live=live, quotes=quoted)


async def unquote(transaction: Transaction, refs: Iterable[str], now: datetime) -> None:
    """Let what was answered no longer hold rows that are about to say something else.

    `refs` name them as the ledger does, up to their revision.
    """
    await _unquote(transaction, await _quotes(transaction, refs), millis(now))


def counted(selection: Selection, *, live: int, quotes: int = 0) -> Counts:
    """How many rows of each kind a selection has, those that have none left out."""
    kinds = list(selection.knowledge.values())
    counts = {
        Kind.MESSAGES: len(selection.messages),
        Kind.LIVE: live,
        Kind.EXCHANGES: len(selection.turns),
        Kind.STATEMENTS: len(selection.memories),
        **{kind: kinds.count(kind) for kind in (Kind.SUMMARIES, Kind.FACTS, Kind.NOTES)},
        Kind.SHARED: len(selection.shared),
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
    live = await transaction.run(_SQL["unlive"], values)
    points = [UUID(int=message) for message in ids]
    await announce(transaction, Collection.LIVE, points, changed=True)
    return live


async def _erase_memories(
    transaction: Transaction, memories: Mapping[UUID, Store], now: int
) -> None:
    values = {"ids": json_list(map(str, memories))}
    for query in ("drop_stated_names", "drop_ties", "drop_subjects"):
        await transaction.run(_SQL[query], values)
    await transaction.run(_SQL["blank_memories"], {**values, "now": now})
    await _unfind(transaction, memories)
    for store in Store:
        ids = [memory for memory, kept_in in memories.items() if kept_in is store]
        await announce(transaction, store.collection, ids, changed=True)


async def _leave_to_others(transaction: Transaction, selection: Selection) -> None:
    """Let statements that others said too rest on what others said, and be said by them."""
    for one in selection.shared:
        memory = str(one.memory)
        lost = [{"memory": memory, "message": message} for message in one.lost]
        await transaction.many(_SQL["drop_ground"], lost)
        await transaction.run(_SQL["attribute"], {"memory": memory, "said_by": one.said_by})
        await announce(transaction, one.store.collection, [one.memory])


async def _unfind(transaction: Transaction, memories: Iterable[UUID]) -> None:
    """Find no more the exchanges that statements were learnt from: they tell of them."""
    values = {"ids": json_list(map(str, memories))}
    behind = await transaction.all(_SQL["unfind"], values)
    points = [UUID(row["id"]) for row in behind]
    await announce(transaction, Collection.CONVERSATIONS, points, changed=True)


async def _erase_turns(transaction: Transaction, turns: Sequence[str]) -> None:
    await transaction.run(_SQL["blank_turns"], {"ids": json_list(turns)})
    await _drop_queries(transaction, turns)
    points = [UUID(turn) for turn in turns]
    await announce(transaction, Collection.CONVERSATIONS, points, changed=True)


async def _erase_knowledge(
    transaction: Transaction, knowledge: Mapping[UUID, Kind], now: int
) -> None:
    values = {"ids": json_list(map(str, knowledge)), "now": now}
    await transaction.run(_SQL["blank_knowledge"], values)
    await announce(transaction, Collection.KNOWLEDGE, list(knowledge), changed=True)


async def _quotes(
    transaction: Transaction, refs: Iterable[str], gone: Iterable[UUID] = ()
) -> list[_Quote]:
    """The exchanges, beside those that go, that may quote these rows, with what they may quote."""
    turns = json_list(map(str, gone))
    quoting = await transaction.all(_SQL["quoting"], {"refs": json_list(refs), "turns": turns})
    reach = {"turns": turns, "reach": millis_in(WINDOW)}
    following = await transaction.all(_SQL["followers"], reach)
    texts = await _texts(transaction, quoting, following)
    return [
        *(_quote(row, texts[row["ref"]], recalled=True) for row in quoting),
        *(_quote(row, texts[_turn_ref(row["of"])], recalled=False) for row in following),
    ]


def _quote(row: Row, forgotten: str, *, recalled: bool) -> _Quote:
    return _Quote(row["id"], row["text"], row["reply"], forgotten, recalled)


def _refs(selection: Selection) -> Iterable[str]:
    """How the ledger names the rows, up to their revision."""
    yield from (f"{store}:{memory}@" for memory, store in selection.memories.items())
    yield from (f"live:{UUID(int=message)}@" for message in selection.messages)
    yield from map(_turn_ref, selection.turns)
    yield from (f"knowledge:{row}@" for row in selection.knowledge)


def _turn_ref(turn: object) -> str:
    return f"conversations:{turn}@"


async def _texts(
    transaction: Transaction, quoting: Sequence[Row], following: Sequence[Row]
) -> dict[str, str]:
    """What the rows that are quoted said, by how the ledger names them."""
    refs = {row["ref"] for row in quoting} | {_turn_ref(row["of"]) for row in following}
    named = [ref.rstrip("@").partition(":")[::2] for ref in refs]
    texts: dict[str, str] = {}
    for collection, query in _TEXTS.items():
        keys = [_key(collection, key) for kind, key in named if kind == collection]
        for row in await transaction.all(_SQL[query], {"ids": json_list(keys)}):
            key = UUID(int=row["id"]) if collection == Collection.LIVE else row["id"]
            texts[f"{collection}:{key}@"] = row["text"]
    return texts


_TEXTS = {
    Collection.LIVE: "message_texts",
    Collection.CONVERSATIONS: "turn_texts",
    Collection.KNOWLEDGE: "knowledge_texts",
    **{store.collection: "memory_texts" for store in Store},
}
"""The query for what rows of a collection said."""


def _key(collection: Collection, key: str) -> int | str:
    return UUID(key).int if collection is Collection.LIVE else key


async def _unquote(transaction: Transaction, quotes: Sequence[_Quote], now: int) -> int:
    """Take out injections that may hold, and answers that repeat, what was forgotten; how many."""
    gone = await _gone(transaction, quotes)
    repeating = {one.turn for one in quotes if repeats(one.reply, one.own, one.forgotten, gone)}
    touched = sorted({one.turn for one in quotes if one.recalled} | repeating)
    await transaction.many(_SQL["blank_injection"], [{"turn": turn} for turn in touched])
    await transaction.many(_SQL["blank_reply"], [{"turn": turn} for turn in sorted(repeating)])
    said = await transaction.all(_SQL["answers_of"], {"turns": json_list(repeating)})
    await _erase_messages(transaction, [row["id"] for row in said], now)
    await _drop_queries(transaction, touched)
    points = [UUID(turn) for turn in touched]
    await announce(transaction, Collection.CONVERSATIONS, points, changed=True)
    return len(touched)


async def _gone(transaction: Transaction, quotes: Sequence[_Quote]) -> frozenset[str]:
    """The stems of what was forgotten that stand nowhere any more."""
    forgotten = {stem for one in quotes for stem in stems(one.forgotten)}
    said = await transaction.all(_SQL["still_said"], {"stems": json_list(sorted(forgotten))})
    return frozenset(forgotten - {row["stem"] for row in said})


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

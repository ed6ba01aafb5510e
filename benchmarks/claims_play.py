"""Plays entries of tests/data/claims to a pet without a model, and reads what it keeps of them."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from multiprocessing import Pool

from benchmarks.claims_entries import ClaimEntry
from benchmarks.companion_pet import NOW, companion
from benchmarks.settings import prepare_process
from bot.wiring.app import App
from memory.model.audience import OPERATOR
from memory.storage.sqlite.rows import millis, row_as

_BEFORE = timedelta(minutes=1)
_BETWEEN_ASKS = timedelta(minutes=1)

_MEMORIES = """
SELECT k.content, k.said_by, k.memory_type AS type, k.subjects, k.source,
    k.superseded_by IS NULL AND (k.expires_at IS NULL OR k.expires_at > :now) AS is_current,
    (
        SELECT json_group_array(g.external_id)
        FROM memory_sources AS s JOIN messages AS g ON g.id = s.message_id
        WHERE s.memory_id = k.id
    ) AS messages
FROM kept_memories AS k WHERE k.store = 'memory' ORDER BY k.seq
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptMemory:
    """A memory in the pet's store; `lines` are the places of the lines that it was made from."""

    content: str
    subjects: tuple[str, ...]
    said_by: str | None
    type: str
    source: str
    is_current: bool
    lines: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptFact:
    """A core fact in force, about a person."""

    person: str
    key: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedEntry:
    """An entry with the reply to each of its asks, and what the pet kept before the first."""

    entry: ClaimEntry
    replies: tuple[str, ...]
    memories: tuple[KeptMemory, ...]
    facts: tuple[KeptFact, ...]

    @property
    def learnt(self) -> list[KeptMemory]:
        """The current memories made from the message under test."""
        return [one for one in self.memories if one.is_current and self.entry.message in one.lines]


def played(entries: Sequence[ClaimEntry], processes: int) -> list[PlayedEntry]:
    """Each entry played to an empty pet of its own, in the order given."""
    if processes == 1:
        return list(map(_played, entries))
    longest_first = sorted(range(len(entries)), key=lambda place: -_work(entries[place]))
    with Pool(processes, initializer=prepare_process) as pool:
        done = pool.map(_played, [entries[place] for place in longest_first], chunksize=1)
    return [one for _, one in sorted(zip(longest_first, done, strict=True), key=lambda x: x[0])]


def _work(entry: ClaimEntry) -> int:
    """The messages of an entry: long ones begin first, so that no process ends on its own."""
    return len(entry.lines) + len(entry.asks)


def _played(entry: ClaimEntry) -> PlayedEntry:
    return asyncio.run(_play(entry))


async def _play(entry: ClaimEntry) -> PlayedEntry:
    longest = max((line.ago for line in entry.lines), default=timedelta())
    async with companion(entry.language, NOW - longest - _BEFORE) as pet:
        await pet.hears(entry.lines, entry.asks[0].by)
        memories = await _memories(pet.app, entry)
        facts = await pet.app.storage.core_facts.listed(OPERATOR)
        replies = []
        for one in entry.asks:
            replies.append(await pet.asked(one.text, one.by, one.where))
            pet.clock.advance(_BETWEEN_ASKS)
    return PlayedEntry(
        entry=entry,
        replies=tuple(replies),
        memories=memories,
        facts=tuple(KeptFact(person=one.person, key=one.key, value=one.value) for one in facts),
    )


async def _memories(app: App, entry: ClaimEntry) -> tuple[KeptMemory, ...]:
    """What the pet remembers; its messages are numbered as people said them."""
    rows = await app.storage.database.all(_MEMORIES, {"now": millis(NOW)})
    return tuple(
        row_as(
            KeptMemory,
            row,
            lines=tuple(entry.heard[int(number)] for number in json.loads(row["messages"])),
        )
        for row in rows
    )

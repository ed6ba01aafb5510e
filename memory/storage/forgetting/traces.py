"""Traces of what was forgotten: where they are looked for afterwards, and how many are there."""

import asyncio
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from memory.model.people import PET_ACTOR, AuditedChange, PersonId
from memory.ports import Clock
from memory.rules.forgetting.receipt import LookedFor
from memory.rules.forgetting.tombstones import FEWEST, mark_of, marks_of
from memory.storage.forgotten.tombstones import key_of
from memory.storage.sqlite.audit import record
from memory.storage.sqlite.database import Database, TimedTable, Transaction
from memory.storage.sqlite.rows import Row, json_list, moment, queries
from memory.tasks import paced

_SQL = queries("forgetting/traces")

_LOOKED_FOR = "forgetting.looked_for"
"""What the audit log calls it, with what was found as its detail; it holds no words."""

SHORTEST = 12
"""Signs from which on a text is looked for: shorter ones are bytes of anything."""

_MOST_TEXTS = 64
"""Texts of one forgetting whose bytes are looked for, the longest."""

_MOST_STONES = 2_000
"""Forgotten texts that are looked for in the tables, the longest: some seconds."""

_TABLES = ("messages", "statements", "exchanges", "summaries, facts and notes")
"""What has full text, as a receipt calls it."""


class Traces(TimedTable):
    """Looks in the tables for what was forgotten, and keeps what a look into the files found."""

    def __init__(self, database: Database, clock: Clock) -> None:
        super().__init__(database, clock)
        self._looking = asyncio.Lock()

    def now(self) -> datetime:
        """What time it is."""
        return self._clock.now()

    async def going(self, forgetting: int) -> list[str]:
        """The longest texts of a forgetting, before its purge lets go of them."""
        values = {"forgetting": forgetting, "shortest": SHORTEST, "limit": _MOST_TEXTS}
        return [row["text"] for row in await self._database.all(_SQL["going"], values)]

    async def still_said(self, texts: Iterable[str]) -> set[str]:
        """Those of these texts that stand in what is kept: others say them, or they were told anew.

        Each reads everything: it is asked only of what was found in a file.
        """
        rows = await self._database.all(_SQL["still_said"], {"said": json_list(texts)})
        return {row["said"] for row in rows}

    async def keep(self, found: Mapping[int, Sequence[LookedFor]]) -> None:
        """Record what a look into the files found of each forgetting."""

        async def work(transaction: Transaction) -> None:
            for forgetting, looks in found.items():
                detail = json.dumps([[one.place, one.looked_for, one.found] for one in looks])
                change = AuditedChange(
                    actor=PET_ACTOR, action=_LOOKED_FOR, target=str(forgetting), detail=detail
                )
                await record(transaction, change, self.now())

        await self._database.write(work)

    async def in_files(self, forgetting: int) -> list[LookedFor]:
        """What was found in the files when they had been rewritten; empty where none was looked."""
        values = {"action": _LOOKED_FOR, "target": str(forgetting)}
        return [
            LookedFor(place=place, looked_for=texts, found=found, at=moment(row["at"]))
            for row in await self._database.all(_SQL["looked_for"], values)
            for place, texts, found in json.loads(row["detail"])
        ]

    async def in_tables(self, forgetting: int, person: PersonId | None) -> list[LookedFor]:
        """What tables and full text say of a forgetting now, by the marks of its texts.

        Found is a row that says the same in the same words, was told before the forgetting, and by
        this `person` where they asked for it themselves. Others may say the same, and people may
        tell it anew: that is counted as `same_words`. One look at a time: each reads much.
        """
        async with self._looking:
            return await self._looked_for(forgetting, person)

    async def _looked_for(self, forgetting: int, person: PersonId | None) -> list[LookedFor]:
        values = {"forgetting": forgetting, "fewest": FEWEST, "most": _MOST_STONES}
        stones: dict[int, tuple[Row, set[int]]] = {}
        for row in await self._database.all(_SQL["marks"], values):
            stones.setdefault(row["id"], (row, set()))[1].add(row["stem"])
        found: Counter[tuple[str, bool]] = Counter()
        if stones:
            key = await key_of(self._database)
            terms = await self._database.all(_SQL["terms"])
            wanted = {stem for _, stems in stones.values() for stem in stems}
            words = await asyncio.to_thread(_words, terms, wanted, key)
            for stone, stems in stones.values():
                said = [words[one] for one in stems & words.keys()]
                async for row in paced(await self._saying(stone, said)):
                    text = marks_of(row["text"], key)
                    if text is not None and text.content == stone["content"]:
                        is_left = row["at"] < stone["forgotten_at"]
                        found[row["place"], is_left and person in {None, row["person"]}] += 1
        return [
            LookedFor(
                place=f"{table}, with their full text",
                looked_for=len(stones),
                found=found[table, True],
                same_words=found[table, False],
                at=self.now(),
            )
            for table in _TABLES
        ]

    async def _saying(self, stone: Row, words: Sequence[str]) -> list[Row]:
        """The rows that may say what was forgotten; FTS5 splits words, so not all are asked."""
        if len(words) < FEWEST - 1:
            return []
        match = " AND ".join(f'"{word}"' for word in words)
        values = {"match": match, "audience": stone["audience"]}
        return await self._database.all(_SQL["saying"], values)


def _words(terms: Iterable[Row], wanted: set[int], key: bytes) -> dict[int, str]:
    """The words of the full-text indexes whose marks are wanted."""
    marked = ((mark_of(row["term"], key), row["term"]) for row in terms)
    return {mark: term for mark, term in marked if mark in wanted}

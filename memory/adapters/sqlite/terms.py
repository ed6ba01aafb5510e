"""How rare words are in what the pet keeps, straight from the full-text indexes (fts5vocab)."""

import asyncio
from collections.abc import Collection as Several
from collections.abc import Mapping
from typing import Literal

from memory.adapters.sqlite.columns import json_list
from memory.adapters.sqlite.database import Database
from memory.adapters.sqlite.queries import queries
from memory.language import match_terms
from memory.matching import match_expression
from memory.ranking import Rarity

_SQL = queries("terms")

Table = Literal["memories", "messages", "turns"]

COMMON = 500
"""Rows from which on a word's count is remembered: counting reads every row that has it."""

GROWTH = 1.02
"""How much a table may grow before the counts that are remembered are taken again."""


class Vocabulary:
    """The words of one full-text index, each with the number of rows it is in."""

    def __init__(self, database: Database, table: Table) -> None:
        self._database = database
        self._query = _SQL[table]
        self._common: dict[str, int] = {}
        self._common_at = 0

    async def seen(self, stems: Several[str]) -> tuple[Mapping[str, int], int]:
        """In how many rows each of these stems is, 0 for none, and how many rows there are."""
        unknown = [stem for stem in stems if stem not in self._common]
        found = await self._counted(unknown)
        rows = found.pop("")
        if rows > GROWTH * self._common_at:
            self._common, self._common_at = {}, rows
            found |= await self._counted([stem for stem in stems if stem not in unknown])
        self._common |= {stem: count for stem, count in found.items() if count >= COMMON}
        return {stem: found.get(stem, self._common.get(stem, 0)) for stem in stems}, rows

    async def match(self, text: str) -> str:
        """An FTS5 query for this text that stays quick however much is kept; "" for nothing."""
        terms = match_terms(text)
        if not terms:
            return ""
        seen, _ = await self.seen(terms)
        return match_expression(terms, seen)

    async def _counted(self, stems: Several[str]) -> dict[str, int]:
        rows = await self._database.all(self._query, {"terms": json_list(sorted(stems))})
        return {row["term"]: row["doc"] for row in rows}


class Terms:
    """Document frequencies of stems over memories, messages and turns together."""

    def __init__(self, database: Database) -> None:
        tables: tuple[Table, ...] = ("memories", "messages", "turns")
        self._vocabularies = [Vocabulary(database, table) for table in tables]

    async def rarity(self, stems: Several[str]) -> Rarity:
        """In how many rows each of these stems occurs, out of how many rows there are."""
        found = await asyncio.gather(*(each.seen(stems) for each in self._vocabularies))
        return Rarity(
            seen={stem: sum(seen[stem] for seen, _ in found) for stem in stems},
            rows=sum(rows for _, rows in found),
        )

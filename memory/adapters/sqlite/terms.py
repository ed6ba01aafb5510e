"""How rare words are in what the pet keeps, straight from the full-text indexes (fts5vocab)."""

import asyncio
from collections.abc import Collection as Several
from collections.abc import Mapping

from memory.adapters.sqlite.columns import json_list
from memory.adapters.sqlite.database import Database
from memory.adapters.sqlite.queries import queries
from memory.asked import TABLES, Counts, Table
from memory.language import match_terms
from memory.matching import match_expression

_SQL = queries("terms")

_COUNTING: Mapping[Table, str] = {
    "memories": _SQL["memories"],
    "messages": _SQL["messages"],
    "turns": _SQL["turns"],
    "knowledge": _SQL["knowledge"],
}

COMMON = 500
"""Rows from which on a word's count is remembered: counting reads every row that has it."""

GROWTH = 1.02
"""How much a table may grow before the counts that are remembered are taken again."""


class Vocabulary:
    """The words of one full-text index, each with the number of rows it is in."""

    def __init__(self, database: Database, table: Table) -> None:
        self._database = database
        self._query = _COUNTING[table]
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
    """Document frequencies of stems, table by table."""

    def __init__(self, database: Database) -> None:
        self._vocabularies = {table: Vocabulary(database, table) for table in TABLES}

    async def counted(self, stems: Several[str]) -> Counts:
        """In how many rows of each table each of these stems occurs."""
        found = await asyncio.gather(*(each.seen(stems) for each in self._vocabularies.values()))
        counted = dict(zip(self._vocabularies, found, strict=True))
        return Counts(
            {table: seen for table, (seen, _) in counted.items()},
            {table: rows for table, (_, rows) in counted.items()},
        )

"""How rare words are in what the pet keeps, straight from the full-text indexes (fts5vocab)."""

from collections.abc import Collection as Several
from collections.abc import Mapping

from memory.language.misspelling import beginning, meant_by
from memory.language.term_weights import TABLES, Counts, Table, match_expression
from memory.language.text import match_terms
from memory.storage.sqlite.database import Database
from memory.storage.sqlite.readers import Snapshot
from memory.storage.sqlite.rows import json_list, queries

_SQL = queries("search/term_counts")

_COUNTING: Mapping[Table, str] = {
    "memories": _SQL["memories"],
    "messages": _SQL["messages"],
    "turns": _SQL["turns"],
    "knowledge": _SQL["knowledge"],
}

COMMON = 100
"""Rows from which on a word's count is remembered: counting reads every row that has it."""

ONLY_ASKED = 3
"""Messages and turns in which a word may be that was only asked for, and never told."""

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
        return await self._database.read(lambda snapshot: self.read_seen(snapshot, stems))

    async def match(self, text: str) -> str:
        """An FTS5 query for this text that stays quick however much is kept; "" for nothing."""
        return await self._database.read(lambda snapshot: self.read_match(snapshot, text))

    def read_seen(self, snapshot: Snapshot, stems: Several[str]) -> tuple[Mapping[str, int], int]:
        """What `seen` says, from a snapshot."""
        common = self._common  # another thread may begin a new one meanwhile
        unknown = [stem for stem in stems if stem not in common]
        found = self._counted(snapshot, unknown)
        rows = found.pop("")
        if rows > GROWTH * self._common_at:
            found |= self._counted(snapshot, [stem for stem in stems if stem in common])
            common = {}
            self._common, self._common_at = common, rows
        common |= {stem: count for stem, count in found.items() if count >= COMMON}
        return {stem: found.get(stem, common.get(stem, 0)) for stem in stems}, rows

    def read_match(self, snapshot: Snapshot, text: str) -> str:
        """What `match` says, from a snapshot."""
        terms = match_terms(text)
        if not terms:
            return ""
        seen, _ = self.read_seen(snapshot, terms)
        return match_expression(terms, seen)

    def _counted(self, snapshot: Snapshot, stems: Several[str]) -> dict[str, int]:
        rows = snapshot.all(self._query, {"terms": json_list(sorted(stems))})
        return {row["term"]: row["doc"] for row in rows}


class Terms:
    """Document frequencies of stems, table by table."""

    def __init__(self, database: Database) -> None:
        self._vocabularies = {table: Vocabulary(database, table) for table in TABLES}

    def read_counts(self, snapshot: Snapshot, stems: Several[str]) -> Counts:
        """In how many rows of each table each of these stems occurs."""
        found = {name: each.read_seen(snapshot, stems) for name, each in self._vocabularies.items()}
        return Counts(
            {table: seen for table, (seen, _) in found.items()},
            {table: rows for table, (_, rows) in found.items()},
        )

    def read_told(self, snapshot: Snapshot, stem: str, counts: Counts) -> bool:
        """Whether a stem is in what was told, and not only in what the pet was asked."""
        seen = {table: each.get(stem, 0) for table, each in counts.seen.items()}
        asked = [seen.get("messages", 0), seen.get("turns", 0)]
        if sum(seen.values()) > sum(asked) or max(asked) > ONLY_ASKED:
            return True
        return asked[0] > 0 and bool(snapshot.all(_SQL["told"], {"stem": f'"{stem}"'}))

    def read_misspelt(self, snapshot: Snapshot, stem: str) -> list[str]:
        """The stems in any table that one which is in none may be a misspelling of."""
        start = beginning(stem)
        past = start[:-1] + chr(ord(start[-1]) + 1)
        rows = snapshot.all(_SQL["near"], {"from": start, "to": past})
        return meant_by(stem, (row["term"] for row in rows))

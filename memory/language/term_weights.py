"""How rare the words of a question are, by table and over all of them. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from math import log
from typing import Literal

from memory.language.fts import match_expression
from memory.language.text import stems
from memory.language.word_lists import LIGHT_WORDS, SMALL_TALK

Table = Literal["memories", "messages", "turns", "knowledge"]
"""What is searched by words, by the name of its full-text index."""

TABLES: tuple[Table, ...] = ("memories", "messages", "turns", "knowledge")

RARE_SHARE = 0.005
"""A word is rare when at most this share of all rows has it, or `RARE_ROWS` rows."""

RARE_ROWS = 3
"""In a small store every word is in a large share of the rows: a few rows are rare anyway."""

PRIOR_ROWS = 500
"""Rows of other talk that a store is thought to have besides its own: in a store of three rows a
word that one of them says would count for a common one."""

LIGHT_ROWS = 100
"""In how many of those each of the words is that say little anywhere."""


@dataclass(frozen=True, slots=True)
class Rarity:
    """In how many of `rows` rows each stem was seen, and of `prior` rows of other talk beside."""

    seen: Mapping[str, int]
    rows: int
    prior: int = PRIOR_ROWS

    def is_rare(self, stem: str) -> bool:
        """Whether sharing this stem is evidence by itself."""
        return self.seen.get(stem, 0) <= max(RARE_ROWS, RARE_SHARE * self.rows)

    def weight(self, stem: str) -> float:
        """Inverse document frequency of a stem, over 0 (Robertson-Sparck Jones, smoothed)."""
        seen = self.seen.get(stem, 0)
        rows = max(self.rows, seen) + self.prior
        if self.prior and stem in _light():
            seen += LIGHT_ROWS
        return log(1 + (rows - seen + 0.5) / (seen + 0.5))


@dataclass(frozen=True)
class Counts:
    """In how many rows of each table each stem is, and how many rows each table has."""

    seen: Mapping[Table, Mapping[str, int]]
    rows: Mapping[Table, int]

    @cached_property
    def rarity(self) -> Rarity:
        """Over all tables together, so that scores from different tables can be compared."""
        stems = {stem for seen in self.seen.values() for stem in seen}
        return Rarity(
            {stem: sum(seen.get(stem, 0) for seen in self.seen.values()) for stem in stems},
            sum(self.rows.values()),
        )

    def match(self, table: Table, stems: Sequence[str]) -> str:
        """An FTS5 query for these stems in this table that stays quick; "" for nothing."""
        seen = self.seen.get(table, {})
        return match_expression(stems, {stem: seen.get(stem, 0) for stem in stems})


@cache
def _light() -> frozenset[str]:
    return frozenset(stems(" ".join(LIGHT_WORDS | SMALL_TALK)))

"""How rare the words of a question are, and which of them full text is asked for. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from math import log
from typing import Literal

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

MOST_MATCHED = 2_000
"""Rows a query may match by words alone: scoring and sorting one takes 2 us."""

MOST_READ = 20_000
"""Rows of all words together: reading one takes 0.1 us."""


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

    def with_more(self, other: "Counts") -> "Counts":
        """Also what others counted of other stems."""
        seen = {table: {**each, **other.seen.get(table, {})} for table, each in self.seen.items()}
        return Counts(seen, self.rows)

    def match(self, table: Table, stems: Sequence[str]) -> str:
        """An FTS5 query for these stems in this table that stays quick; "" for nothing."""
        seen = self.seen.get(table, {})
        return match_expression(stems, {stem: seen.get(stem, 0) for stem in stems})


@cache
def _light() -> frozenset[str]:
    return frozenset(stems(" ".join(LIGHT_WORDS | SMALL_TALK)))


def match_expression(terms: Sequence[str], seen: Mapping[str, int]) -> str:
    """An FTS5 query for any of the terms, when `seen` says in how many rows each of them is.

    Where that would match too many rows, one of the rare terms must be there, or the two rarest of
    the common ones; the others only add to the score. Empty when no row has any of them.
    """
    terms = [term for term in terms if seen[term] or not term.isalnum()]  # FTS5 splits those
    if len(terms) < 2 or sum(seen[term] for term in terms) <= MOST_MATCHED:
        return _any(terms)
    rarest_first = sorted(terms, key=lambda term: seen[term])
    asked = _affordable(rarest_first, seen, MOST_MATCHED)
    common = rarest_first[len(asked) :]
    needed = [f'"{term}"' for term in asked]
    if len(common) > 1:
        needed.append(f'("{common[0]}" AND "{common[1]}")')
    elif not any(seen[term] for term in asked):
        needed.append(f'"{common[0]}"')
    scored = max(len(asked) + 2, len(_affordable(rarest_first, seen, MOST_READ)))
    return f"({' OR '.join(needed)}) AND ({_any(rarest_first[:scored])})"


def _affordable(rarest_first: Sequence[str], seen: Mapping[str, int], most: int) -> list[str]:
    """As many of the terms as are in at most this many rows together."""
    taken, rows = [], 0
    for term in rarest_first:
        rows += seen[term]
        if rows > most:
            break
        taken.append(term)
    return taken


def _any(terms: Sequence[str]) -> str:
    return " OR ".join(f'"{term}"' for term in terms)

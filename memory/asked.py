"""What a question looks for: its words and how rare they are, whom and when it names. Pure."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from math import log
from typing import Literal

from memory.asked_times import Period
from memory.language import fold, names_in, proper_nouns, stems
from memory.matching import match_expression
from memory.open_questions import OpenQuestion
from memory.ports import Vectors
from memory.word_lists import LIGHT_WORDS, SMALL_TALK

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

Names = frozenset[str]
"""The folded names of one person or thing."""


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


@dataclass(frozen=True, slots=True)
class Term:
    """One word that is looked for, with other stems that say the same and what each is worth."""

    stem: str
    others: tuple[tuple[str, float], ...] = ()

    @property
    def stems(self) -> tuple[str, ...]:
        """Every stem that counts as this word."""
        return (self.stem, *(stem for stem, _ in self.others))


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A question as recall works with it.

    `named` are the people and things it names, each with every name it goes by; `speaker` is who
    asks, when it is about them; `proper` are the stems of other proper nouns; `periods` are the
    times; `open` is what it is when no similarity can answer it. `vector` is its embedding, of
    shape (dimension,), None when there is none.
    """

    text: str
    terms: tuple[Term, ...] = ()
    named: tuple[Names, ...] = ()
    speaker: Names = frozenset()
    proper: frozenset[str] = frozenset()
    periods: tuple[Period, ...] = ()
    open: OpenQuestion | None = None
    counts: Counts = field(default_factory=lambda: Counts({}, {}))
    vector: Vectors | None = None

    @cached_property
    def stems(self) -> frozenset[str]:
        """Every stem that is looked for."""
        return frozenset(stem for term in self.terms for stem in term.stems)

    @cached_property
    def weight(self) -> float:
        """What all its words weigh together, each by how rare it is."""
        rarity = self.counts.rarity
        return sum(rarity.weight(term.stem) for term in self.terms)

    def match(self, table: Table, extra: Iterable[str] = ()) -> str:
        """The FTS5 query of this question for one table; "" when it has no words for it."""
        stems = [stem for term in self.terms for stem in term.stems]
        return self.counts.match(table, list(dict.fromkeys([*stems, *extra])))

    def naming(self, people: Collection[str], subjects: Collection[str]) -> "Asked":
        """The question with whom and what it names among these too.

        Names of people are then no longer words like others: people say each other's names when
        they talk to each other, not about each other. A question of nothing but names keeps them.
        """
        known = (*self.named, *map(_alone, names_in(self.text, people)))
        spelt = {stem for names in known for name in names for stem in stems(name)}
        terms = tuple(term for term in self.terms if term.stem not in spelt)
        named = (*known, *map(_alone, names_in(self.text, subjects)))
        proper = frozenset(proper_nouns(self.text)) - spelt
        return replace(self, named=_apart(named), proper=proper, terms=terms or self.terms)


def _alone(name: str) -> Names:
    return frozenset({fold(name)})


def _apart(named: Sequence[Names]) -> tuple[Names, ...]:
    """Each once: names that somebody named before goes by are no others."""
    kept: list[Names] = []
    for names in named:
        if not any(names & other for other in kept):
            kept.append(names)
    return tuple(kept)


@cache
def _light() -> frozenset[str]:
    return frozenset(stems(" ".join(LIGHT_WORDS | SMALL_TALK)))

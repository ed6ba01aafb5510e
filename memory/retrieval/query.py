"""A question as recall works with it: its words, whom and when it names. Pure."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from memory.language.excerpts import Terms
from memory.language.names import names_in, without_addressed
from memory.language.near_names import people_meant
from memory.language.questions.open import OpenQuestion
from memory.language.term_weights import Counts, Table
from memory.language.text import fold, proper_nouns, stemmed, stems, words
from memory.language.times.parser import Period
from memory.model.people import PersonId
from memory.ports import Vectors

TELLING = 4.0
"""What the words of a question weigh together at least, if having all of them is an answer: one
that one row of fifty says."""

NAMED = 1.0
"""What a name weighs when a long row is cut, about as much as a light word: who is named mostly
speaks, and need not be named in what they say."""

Names = frozenset[str]
"""The folded names of one person or thing."""


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
class Query:
    """A question as recall works with it.

    `named` are the people and things it names, each with every name it goes by, `people` those of
    them who are known; `speaker` is who asks, when it is about them, and `asker` their id; `proper`
    are the stems of other proper nouns; `periods` are the times; `open` is what it is when no
    similarity can answer it; `asks` is what part of it asks. `vector` is its embedding, of shape
    (dimension,), None when there is none.
    """

    text: str
    terms: tuple[Term, ...] = ()
    named: tuple[Names, ...] = ()
    people: frozenset[PersonId] = frozenset()
    speaker: Names = frozenset()
    asker: PersonId | None = None
    proper: frozenset[str] = frozenset()
    periods: tuple[Period, ...] = ()
    open: OpenQuestion | None = None
    asks: float = 0.0
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

    @property
    def _unsaid(self) -> frozenset[str]:
        """The words that are looked for and no row has, folded."""
        said = self.counts.rarity.seen
        unsaid = {term.stem for term in self.terms if not said.get(term.stem)}
        return frozenset(word for word, stem in stemmed(self.text) if stem in unsaid)

    @property
    def asks_tellingly(self) -> float:
        """What part of it asks, and by words that tell something; in 0..1.

        "Did anyone say that?" asks by words of which every row has some.
        """
        return self.asks * min(1.0, self.weight / TELLING)

    @cached_property
    def wanted(self) -> Terms:
        """What a long row is cut around: its words with their near words, and whom it names."""
        rarity = self.counts.rarity
        words = [
            {term.stem: (most := rarity.weight(term.stem))}
            | {stem: share * min(most, rarity.weight(stem)) for stem, share in term.others}
            for term in self.terms
        ]
        names = [{stem: NAMED for name in each for stem in stems(name)} for each in self.named]
        return (*words, *names)

    def match(self, table: Table, extra: Iterable[str] = ()) -> str:
        """The FTS5 query of this question for one table; "" when it has no words for it."""
        stems = [stem for term in self.terms for stem in term.stems]
        return self.counts.match(table, list(dict.fromkeys([*stems, *extra])))

    def naming(self, people: Collection[str], subjects: Collection[str]) -> "Query":
        """The question with whom and what it names among these too.

        Names of people are then no longer words like others: people say each other's names when
        they talk to each other, not about each other. A question of nothing but names keeps them.
        """
        meant = people_meant(self.text, people, self._unsaid)
        known = (*self.named, *map(_alone, names_in(self.text, people)), *meant)
        spelt = {stem for names in known for name in names for stem in stems(name)}
        terms = tuple(term for term in self.terms if term.stem not in spelt)
        named = (*known, *map(_alone, names_in(self.text, subjects)))
        said = f" {' '.join(words(without_addressed(self.text)))} "
        named = tuple(names for names in named if any(f" {name} " in said for name in names))
        proper = frozenset(proper_nouns(self.text)) - spelt
        return replace(self, named=_apart(named), proper=proper, terms=terms or self.terms)


def _alone(name: str) -> Names:
    return frozenset({fold(name)})


def _apart(named: Sequence[Names]) -> tuple[Names, ...]:
    """Each person once: a name that one named before also goes by is no other person."""
    kept: list[Names] = []
    for names in named:
        if not any(names & other for other in kept):
            kept.append(names)
    return tuple(kept)

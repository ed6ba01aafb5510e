"""Reads a question before anything is looked up: its words, whom and when it names."""

import asyncio
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import tzinfo
from functools import lru_cache

import structlog

from memory.language.detection import nothing_to_look_up
from memory.language.misspelling import may_be_misspelt
from memory.language.names import Named, names_speaker
from memory.language.questions.open import OpenQuestion, open_question, without_asking_verbs
from memory.language.questions.patterns import OpenKind
from memory.language.synonyms import near
from memory.language.term_weights import Counts
from memory.language.text import fold, match_terms, stems
from memory.language.times.parser import read_times
from memory.model.errors import EmbeddingFailed
from memory.model.people import PersonId
from memory.ports import Clock, EmbedderInUse, Vectors
from memory.retrieval.query import Names, Query, Term
from memory.retrieval.read_views import ReadView
from memory.storage.people.aliases import Aliases
from memory.storage.search.term_counts import Terms
from memory.storage.sqlite.readers import Snapshot

log = structlog.get_logger()

_READ = 12_000
"""Characters of a question that are read, as many as of any text: a batch may hold millions."""

MOST_TERMS = 40
"""Words of a question that are looked for: each costs time, and the rarest say what it is about."""

_MANY = 128
"""Words of a question that are read for these."""

MOST_MISSPELT = 3
"""Words that are said nowhere, the longest first, for which others are looked that are spelt nearly
so: each is a look into the vocabulary."""

FEW_WORDS = 16
"""Words of a question in which misspelt ones are looked for: a longer one says the same in others.
"""

MISSPELT = 0.8
"""What a word counts that another may be a misspelling of."""

OTHER_NAME = 1.0
"""What another name of a named person counts: it is the same person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingRules:
    """The pet's own names, and where the days begin."""

    names: tuple[str, ...]
    zone: tzinfo


class QuestionReader:
    """Turns the words of a question into what recall works with."""

    def __init__(
        self,
        terms: Terms,
        aliases: Aliases,
        embedder: EmbedderInUse,
        clock: Clock,
        rules: ReadingRules,
    ) -> None:
        self._terms = terms
        self._aliases = aliases
        self._embedder = embedder
        self._clock = clock
        self._rules = rules

    def nothing_in(self, text: str) -> bool:
        """Whether there is nothing to look up in a text, whether or not it calls the pet."""
        return nothing_to_look_up(text, self._rules.names)

    async def embedded(self, text: str, within_s: float | None) -> Vectors | None:
        """The embedding of a question, shape (dimension,); None when there is none in time.

        Without a limit it takes as long as the embedder does.
        """
        if not self._embedder.fingerprint.embeds:
            return None
        try:
            async with asyncio.timeout(within_s):
                vectors = await self._embedder.embed([text[:_READ]], "query")
        except (EmbeddingFailed, TimeoutError):
            log.warning("embedding.missed")
            return None
        first: Vectors = vectors[0]
        return first

    def held(self) -> AbstractContextManager[None]:
        """What a question is embedded and compared with stays in use until the body ends."""
        return self._embedder.held()

    def read(
        self,
        text: str,
        vector: Vectors | None,
        view: ReadView,
        speaker: str | None = None,
        person: PersonId | None = None,
    ) -> Query:
        """The question of a text and its embedding, read.

        `speaker` is the name of who asks, `person` who that is, with the names they had before.

        Raises:
            StorageFailed: the store could not be read.

        """
        whole = text[:_READ]
        asking = self._asking(whole, view, speaker, person)
        text = _uncalled(whole, self._rules.names)
        times = read_times(text, self._clock.now(), self._rules.zone)
        people = self._aliases.read_named(view.snapshot, text, view.scope)
        open_ = self._open(text, people)
        beside = times.rest if times.periods else text
        if open_ is not None:  # its other words ask, and who says "parler" answers nothing
            beside = " ".join(open_.names)
        beside = without_asking_verbs(beside)
        every = _terms(match_terms(beside, _MANY), _alternatives(beside, people))
        every, counts = self._spelt(every, view.snapshot)
        terms = _rarest(every, counts)
        return Query(
            text=text,
            terms=terms,
            named=tuple(map(_names, people)),
            people=frozenset(person for one in people for person in one.people),
            speaker=frozenset(map(fold, asking)),
            asker=person if asking else None,
            periods=times.periods,
            open=open_ and _with_all_names(open_, people, asking),
            counts=counts,
            vector=vector,
        )

    def _spelt(self, every: Sequence[Term], snapshot: Snapshot) -> tuple[tuple[Term, ...], Counts]:
        """The words, a misspelt one with what it may stand for, and in how many rows each is."""
        counts = self._terms.read_counts(snapshot, {stem for term in every for stem in term.stems})
        if len(every) > FEW_WORDS:
            return tuple(every), counts
        strange = sorted(
            (one.stem for one in every if not one.others and may_be_misspelt(one.stem)),
            key=len,
            reverse=True,
        )
        told = self._terms.read_told
        strange = [stem for stem in strange if not told(snapshot, stem, counts)]
        meant = {
            stem: self._terms.read_misspelt(snapshot, stem) for stem in strange[:MOST_MISSPELT]
        }
        others = {stem for stems in meant.values() for stem in stems}
        if not others:
            return tuple(every), counts
        known = {stem: dict.fromkeys(found, MISSPELT) for stem, found in meant.items()}
        spelt = tuple(_term(one.stem, known.get(one.stem) or dict(one.others)) for one in every)
        return spelt, counts.with_more(self._terms.read_counts(snapshot, others))

    def _asking(
        self, text: str, view: ReadView, speaker: str | None, person: PersonId | None
    ) -> tuple[str, ...]:
        """Every name of who asks, when the question is about them."""
        if speaker is None or not names_speaker(text):
            return ()
        if person is None:
            return (speaker,)
        others = self._aliases.read_names(view.snapshot, person, view.scope)
        return tuple(dict.fromkeys((speaker, *others)))

    def _open(self, text: str, people: Iterable[Named]) -> OpenQuestion | None:
        return open_question(
            text,
            self._clock.now(),
            self._rules.zone,
            people=[name for one in people for name in (one.said, *one.others)],
            pet=self._rules.names,
        )


def _rarest(terms: tuple[Term, ...], counts: Counts) -> tuple[Term, ...]:
    """The terms that tell rows apart best, in their order: the rarest that any row says."""
    if len(terms) <= MOST_TERMS:
        return terms
    rarity = counts.rarity
    known = {
        term.stem: (any(map(rarity.seen.get, term.stems)), rarity.weight(term.stem))
        for term in terms
    }
    kept = set(sorted(known, key=lambda stem: known[stem], reverse=True)[:MOST_TERMS])
    return tuple(term for term in terms if term.stem in kept)


def _uncalled(text: str, names: Sequence[str]) -> str:
    """The text without the pet's own names: who calls it is not asking about that word."""
    return _calls(tuple(names)).sub(" ", text) if names else text


@lru_cache(maxsize=16)
def _calls(names: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\b", re.IGNORECASE)


def _names(one: Named) -> Names:
    return frozenset(map(fold, (one.said, *one.others)))


def _with_all_names(
    open_: OpenQuestion, people: Iterable[Named], asking: Sequence[str]
) -> OpenQuestion:
    """The open question with every name of whom it is about, as it was written."""
    if open_.kind is OpenKind.SPEAKER:
        return replace(open_, names=tuple(asking))
    folded = set(map(fold, open_.names))
    others = [name for one in people if folded & _names(one) for name in one.others]
    return replace(open_, names=tuple(dict.fromkeys((*open_.names, *others))))


def _alternatives(text: str, people: Iterable[Named]) -> Mapping[str, dict[str, float]]:
    """For stems of the text other stems that say the same, with what they count."""
    others: dict[str, dict[str, float]] = {}
    for said, terms in near(text).items():
        for stem in said.split():  # each word of an expression is said by what is near it
            others.setdefault(stem, {}).update(terms)
    for one in people:
        spelt = [stem for name in one.others for stem in stems(name)]
        for stem in stems(one.said):
            others.setdefault(stem, {}).update(dict.fromkeys(spelt, OTHER_NAME))
    return others


def _terms(asked: Sequence[str], others: Mapping[str, Mapping[str, float]]) -> tuple[Term, ...]:
    return tuple(_term(stem, others.get(stem, {})) for stem in asked)


def _term(stem: str, others: Mapping[str, float]) -> Term:
    return Term(stem, tuple((one, share) for one, share in others.items() if one != stem))

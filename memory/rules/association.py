"""Which statements a new one is tied to, and how closely, by words, names and nearness. Pure.

Rather no tie than a wrong one: what is tied comes up together.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from memory.language.detection import negated
from memory.language.term_weights import Rarity
from memory.language.text import fold, stems
from memory.language.word_lists import NEGATIONS, STOP_WORDS
from memory.model.statements import Association, Memory, MemoryId, Relation, Statement
from memory.statements.readings.causality import causal_links_in

MOST_RELATED = 3
"""Likenesses one statement is tied by: more of them would only repeat what search finds."""

MOST_LINKS = 3
"""Causes, results and wholes one statement is tied by."""

NAMED = 0.6
"""Share of a reason's words, weighed by rarity, that a statement must say to be that reason."""

EXPLAINED = 0.8
"""The same for what came of the reason: beside it everything else about a person looks alike."""

ALIKE = 0.3
"""Share of a statement's words, weighed by rarity, that make another one kin to it."""

NEAR = 0.5
"""Confidence from which a similarity stands out of its background."""

VAGUE = frozenset(
    stem
    for word in """
    moment moments temps periode phase processus journee soiree matinee nuit semaine mois annee
    annees enfance parcours fois vie truc chose choses cas
    time times period process day days evening morning night week weekend month year years
    childhood journey life thing things case conversation
    """.split()  # noqa: SIM905 - a page of quoted words would hide the rule
    for stem in stems(word)
)
"""Stems of stretches of time: "during tough times" names no whole that another statement tells."""

_CAPITALISED = re.compile(r"(?<!\w)[A-ZÀ-ÖØ-Þ]\w+")

_CACHED = 4_096
"""Statements whose reading is remembered: a room's neighbours are the same ones again and again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbour:
    """A kept statement that may be tied to a new one."""

    memory: Memory
    nearness: float = 0.0
    """Confidence in 0..1 that their similarity means something."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tie:
    """How a statement without an id yet is tied to `other`: from it, or from the other to it."""

    other: MemoryId
    relation: Relation
    weight: float
    is_outward: bool = True

    def of(self, own: MemoryId) -> Association:
        """The association, once the statement has its id."""
        start, end = (own, self.other) if self.is_outward else (self.other, own)
        return Association(start=start, end=end, relation=self.relation, weight=self.weight)


def ties(new: Statement, neighbours: Sequence[Neighbour], rarity: Rarity) -> list[Tie]:
    """What a statement is tied to among its neighbours, by what they say and how near they are.

    `rarity` knows the stems of the new statement; `neighbours` are not the same statement as it,
    and of its own audience.
    """
    fresh = _reading_of(new)
    others = [_Other(one, _reading_of(one.memory)) for one in neighbours]
    own, theirs = _own_bonds(fresh, others, rarity), _bonds_of_others(fresh, others, rarity)
    links = _closest([*own, *theirs], MOST_LINKS)
    bound = {tie.other for tie in links}
    loose = [one for one in others if one.id not in bound]
    return links + _closest(_related(fresh, loose, rarity), MOST_RELATED)


@dataclass(frozen=True, slots=True)
class _Clause:
    stems: frozenset[str]
    is_negated: bool


@dataclass(frozen=True, slots=True)
class _Link:
    relation: Relation
    start: _Clause
    end: _Clause


@dataclass(frozen=True, slots=True)
class _Reading:
    """What there is to compare in a statement; `names` are folded, `said` its whole content."""

    said: _Clause
    names: frozenset[str]
    name_stems: frozenset[str]
    links: tuple[_Link, ...]


@dataclass(frozen=True, slots=True)
class _Other:
    neighbour: Neighbour
    reading: _Reading

    @property
    def id(self) -> MemoryId:
        return self.neighbour.memory.id


def _reading_of(statement: Statement) -> _Reading:
    return _read(statement.content, statement.subjects)


@lru_cache(maxsize=_CACHED)
def _read(content: str, subjects: tuple[str, ...]) -> _Reading:
    names = _names(content, subjects)
    return _Reading(
        said=_clause(content),
        names=names,
        name_stems=frozenset(stem for name in names for stem in stems(name)),
        links=tuple(
            _Link(link.relation, _clause(link.start), _clause(link.end))
            for link in causal_links_in(content)
        ),
    )


def _names(content: str, subjects: Sequence[str]) -> frozenset[str]:
    """The folded names a statement speaks of: its subjects and the capitalised words in it."""
    written = map(fold, _CAPITALISED.findall(content))
    return frozenset(map(fold, subjects)) | {word for word in written if word not in STOP_WORDS}


def _clause(text: str) -> _Clause:
    return _Clause(frozenset(stems(text)) - NEGATIONS, negated(text))


def _own_bonds(fresh: _Reading, others: Sequence[_Other], rarity: Rarity) -> Iterable[Tie]:
    """What the new statement's clauses name; of several that fit one, the one that fits best."""
    for link in fresh.links:
        found = [_bound(link, fresh, one.reading, one.id, rarity) for one in others]
        for is_outward in (True, False):
            fitting = (tie for tie in found if tie and tie.is_outward is is_outward)
            yield from _closest(fitting, 1)


def _bonds_of_others(fresh: _Reading, others: Sequence[_Other], rarity: Rarity) -> Iterable[Tie]:
    """The neighbours whose clauses name the new statement."""
    for one in others:
        for link in one.reading.links:
            tie = _bound(link, one.reading, fresh, one.id, rarity)
            if tie is not None:
                yield replace(tie, is_outward=not tie.is_outward)


def _bound(
    link: _Link, speaker: _Reading, named: _Reading, other: MemoryId, rarity: Rarity
) -> Tie | None:
    """The tie from a statement that speaks of a link to the one that it names in it, if it does.

    What fits both sides is near the whole of it and neither its reason nor its outcome. What fits
    the part is not therefore a part of the whole.
    """
    is_whole = link.relation is Relation.PART_OF
    if is_whole and link.end.stems & VAGUE:
        return None
    as_end = _share(link.end, speaker, named, rarity, at_least=1.0 if is_whole else NAMED)
    as_start = _share(link.start, speaker, named, rarity, at_least=EXPLAINED)
    if bool(as_end) == bool(as_start) or (is_whole and not as_end):
        return None
    weight = round(as_end or as_start, 3)
    return Tie(other=other, relation=link.relation, weight=weight, is_outward=bool(as_end))


def _share(
    clause: _Clause, speaker: _Reading, named: _Reading, rarity: Rarity, *, at_least: float
) -> float:
    """How surely a clause of one statement speaks of another, in 0..1; 0 for not at all.

    A whole of several words may be named by any speaker; otherwise the two speak of the same
    person, and of one that the clause names. A bare name names nothing, nor do common words.
    """
    shared = clause.stems & named.said.stems
    is_bare = shared <= speaker.name_stems | named.name_stems
    if is_bare or not any(map(rarity.is_rare, shared)) or _says_the_same(named, shared):
        return 0.0
    people = clause.stems & speaker.name_stems
    if people and not people & shared:
        return 0.0
    share = _weight(shared, rarity) / _weight(clause.stems, rarity)
    if share < at_least or clause.is_negated != named.said.is_negated:
        return 0.0
    is_about_one = bool(speaker.names & named.names)
    return share if is_about_one or (at_least == 1 and len(shared) > 1) else 0.0


def _says_the_same(named: _Reading, shared: frozenset[str]) -> bool:
    """Whether both speak of one reason or whole as such: then neither is it for the other."""
    return any(shared <= side.stems for link in named.links for side in (link.start, link.end))


def _related(fresh: _Reading, others: Sequence[_Other], rarity: Rarity) -> Iterable[Tie]:
    for one in others:
        kin = _kinship(fresh.said.stems, one.reading.said.stems, rarity)
        nearness = one.neighbour.nearness
        is_near = nearness >= NEAR and (kin > 0 or bool(fresh.names & one.reading.names))
        if is_near or kin >= ALIKE:
            weight = round((max(nearness, kin) + kin) / 2, 3)
            yield Tie(other=one.id, relation=Relation.RELATED_TO, weight=weight)


def _kinship(own: frozenset[str], theirs: frozenset[str], rarity: Rarity) -> float:
    """The share of a statement's words, weighed by rarity, that another has; 0 if none is rare."""
    shared = own & theirs
    if not any(map(rarity.is_rare, shared)):
        return 0.0
    return _weight(shared, rarity) / _weight(own, rarity)


def _weight(found: Iterable[str], rarity: Rarity) -> float:
    return sum(map(rarity.weight, found))


def _closest(found: Iterable[Tie], limit: int) -> list[Tie]:
    return sorted(found, key=lambda tie: -tie.weight)[:limit]

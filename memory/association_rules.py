"""Which statements a new one is tied to, and how closely, by words, names and nearness. Pure.

Rather no tie than a wrong one: what is tied comes up together.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memory.asked import Rarity
from memory.connectives import Bond, bonds_in
from memory.language import fold, negated, stems
from memory.model import Association, Memory, MemoryId, Relation, Statement
from memory.word_lists import NEGATIONS, STOP_WORDS

MOST_RELATED = 3
"""Likenesses one statement is tied by: more of them would only repeat what search finds."""

MOST_BONDS = 3
"""Causes, results and wholes one statement is tied by."""

NAMED = 0.6
"""Share of a clause, weighed by rarity, that a statement must say to be what the clause names."""

ALIKE = 0.3
"""Share of a statement's words, weighed by rarity, that make another one kin to it."""

NEAR = 0.5
"""Confidence from which a similarity stands out of its background."""

_CAPITALISED = re.compile(r"(?<!\w)[A-ZÀ-ÖØ-Þ]\w+")


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
    others = [one for one in neighbours if not _is_same(new, one.memory)]
    own, theirs = _own_bonds(new, others, rarity), _bonds_of_others(new, others, rarity)
    bonds = _closest([*own, *theirs], MOST_BONDS)
    bound = {tie.other for tie in bonds}
    loose = [one for one in others if one.memory.id not in bound]
    return bonds + _closest(_related(new, loose, rarity), MOST_RELATED)


def names_of(statement: Statement) -> frozenset[str]:
    """The folded names a statement speaks of: its subjects and the capitalised words in it."""
    written = map(fold, _CAPITALISED.findall(statement.content))
    return frozenset(map(fold, statement.subjects)) | {
        word for word in written if word not in STOP_WORDS
    }


def _own_bonds(new: Statement, others: Sequence[Neighbour], rarity: Rarity) -> Iterable[Tie]:
    """What the new statement's clauses name; of several that fit one, the one that fits best."""
    for bond in bonds_in(new.content):
        found = [
            tie for one in others for tie in _bound(bond, new, one.memory, one.memory.id, rarity)
        ]
        for is_outward in (True, False):
            yield from _closest([tie for tie in found if tie.is_outward is is_outward], 1)


def _bonds_of_others(new: Statement, others: Sequence[Neighbour], rarity: Rarity) -> Iterable[Tie]:
    """The neighbours whose clauses name the new statement."""
    for one in others:
        for bond in bonds_in(one.memory.content):
            for tie in _bound(bond, one.memory, new, one.memory.id, rarity):
                yield Tie(
                    other=tie.other,
                    relation=tie.relation,
                    weight=tie.weight,
                    is_outward=not tie.is_outward,
                )


def _bound(
    bond: Bond, speaker: Statement, named: Statement, other: MemoryId, rarity: Rarity
) -> list[Tie]:
    """The tie from a statement that speaks of a bond to the one that it names in it, if it does.

    What fits both sides is near the whole of it and neither its reason nor its outcome.
    """
    as_end = _named(bond.end, speaker, named, rarity, bond.relation)
    as_start = _named(bond.start, speaker, named, rarity, bond.relation)
    if bool(as_end) == bool(as_start):
        return []
    if as_start and bond.relation is Relation.PART_OF:
        return []  # that it is a part of the whole too does not follow
    weight = as_end or as_start
    return [Tie(other=other, relation=bond.relation, weight=weight, is_outward=bool(as_end))]


def _named(
    clause: str, speaker: Statement, named: Statement, rarity: Rarity, relation: Relation
) -> float:
    """How surely a clause of one statement speaks of another, in 0..1; 0 for not at all."""
    asked, said = _content(clause), _content(named.content)
    shared = asked & said
    names = {stem for name in names_of(speaker) | names_of(named) for stem in stems(name)}
    share = _weight(shared, rarity) / _weight(asked, rarity) if shared else 0.0
    is_fit = share == 1 if relation is Relation.PART_OF else share >= NAMED
    if not is_fit or shared <= names or negated(clause) != negated(named.content):
        return 0.0
    if not names_of(speaker) & names_of(named) and relation is not Relation.PART_OF:
        return 0.0
    is_clear = len(shared) > 1 or (
        all(map(rarity.is_rare, shared)) and bool(names_of(speaker) & names_of(named))
    )
    return share if is_clear else 0.0


def _related(new: Statement, others: Sequence[Neighbour], rarity: Rarity) -> Iterable[Tie]:
    own = _content(new.content)
    for one in others:
        kin = _kinship(own, _content(one.memory.content), rarity)
        is_near = one.nearness >= NEAR and (kin > 0 or _speak_of_one(new, one.memory))
        if is_near or kin >= ALIKE:
            weight = max(one.nearness, kin) / 2 + kin / 2
            yield Tie(other=one.memory.id, relation=Relation.RELATED_TO, weight=round(weight, 3))


def _kinship(own: frozenset[str], theirs: frozenset[str], rarity: Rarity) -> float:
    """The share of a statement's words, weighed by rarity, that another has; 0 if none is rare."""
    shared = own & theirs
    if not any(map(rarity.is_rare, shared)):
        return 0.0
    return _weight(shared, rarity) / _weight(own, rarity)


def _speak_of_one(new: Statement, other: Statement) -> bool:
    people = {new.about_person, other.about_person}
    return (len(people) == 1 and None not in people) or bool(names_of(new) & names_of(other))


def _is_same(new: Statement, other: Memory) -> bool:
    return isinstance(new, Memory) and new.id == other.id


def _content(text: str) -> frozenset[str]:
    return frozenset(stems(text)) - NEGATIONS


def _weight(found: Iterable[str], rarity: Rarity) -> float:
    return sum(map(rarity.weight, found))


def _closest(found: Iterable[Tie], limit: int) -> list[Tie]:
    return sorted(found, key=lambda tie: -tie.weight)[:limit]

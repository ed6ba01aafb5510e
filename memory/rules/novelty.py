"""How much is known about a subject already, and what a further statement must then bring. Pure."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from memory.language.text import fold, stems
from memory.model.statements import Memory, MemoryType, NewMemory


@dataclass(frozen=True, slots=True)
class Demand:
    """What a statement about a subject of so many statements must have, each in 0..1.

    `novelty` is the share of its words that no similar statement has.
    """

    known: int
    importance: float
    novelty: float


DEMANDS = (
    Demand(known=60, importance=0.5, novelty=0.5),
    Demand(known=15, importance=0.35, novelty=0.25),
)
"""From the densest; with fewer statements about it, everything about a subject is worth keeping.

An injection holds 20 lines. With 15 statements passing impressions begin to crowd out others, and
the same in other words is no gain. With 60 most of them are never shown: what merely happened is
left to the messages, and what is kept must be half new.
"""

STATES = frozenset({MemoryType.IDENTITY, MemoryType.DECISION, MemoryType.TODO, MemoryType.GOAL})
"""Types that say how things stand from now on: a change of state counts however much is known."""


def about_the_same(new: NewMemory, similar: Iterable[Memory]) -> list[str]:
    """The words of those statements that are about everybody and everything this one is about.

    That Léa speaks Portuguese is as new as ever when David is known to.
    """
    wanted = set(map(fold, new.subjects))
    return [one.content for one in similar if wanted <= set(map(fold, one.subjects))]


def novelty(new: NewMemory, similar: Collection[str]) -> float:
    """The share, in 0..1, of a statement's words that its nearest neighbour lacks.

    The names of its subjects say nothing new.
    """
    named = {stem for subject in new.subjects for stem in stems(subject)}
    said = set(stems(new.content)) - named
    if not said:
        return 1.0 if not similar else 0.0
    return min((len(said - set(stems(one))) / len(said) for one in similar), default=1.0)


def demand(new: NewMemory, counts: Mapping[str, int]) -> Demand | None:
    """What its densest subject asks of a statement; None when nothing."""
    known = max((counts.get(subject, 0) for subject in new.subjects), default=0)
    return next((one for one in DEMANDS if known >= one.known), None)


def is_worth_keeping(
    new: NewMemory, counts: Mapping[str, int], similar: Collection[str], *, changes: bool
) -> bool:
    """Whether a statement is worth keeping beside what is known about its subjects.

    `counts` are the statements of its audience by subject, `similar` those most like it that
    are about the same, and `changes` is whether it takes another's place or says it again. What
    passes by itself only has to be new.
    """
    asked = demand(new, counts)
    if asked is None or changes or new.memory_type in STATES:
        return True
    importance = new.memory_type.default_importance if new.importance is None else new.importance
    matters = importance >= asked.importance or new.ttl is not None
    return matters and novelty(new, similar) >= asked.novelty

"""Whether a new statement repeats, sharpens or reverses one that is kept already. Pure."""

from collections.abc import Sequence
from enum import StrEnum

from memory.language import negated, stems, words
from memory.model import Memory, Statement
from memory.word_lists import NEGATIONS

SHORTEST = 2
"""Stems a statement needs before another can contain it: a bare name is contained everywhere."""


ADDING = frozenset(
    """
    a au aux avec chez comme dans depuis en et le pendant pour vers avant apres car parce
    hier demain aujourd lundi mardi mercredi jeudi vendredi samedi dimanche
    and as at because during every for from in last near next on since this to today tomorrow with
    yesterday monday tuesday wednesday thursday friday saturday sunday
    """.split()  # noqa: SIM905 - a page of quoted words would hide the rule
)
"""Words after which a statement goes on about the same thing; "until" and "without" change it."""


class Verdict(StrEnum):
    """How a new statement relates to a kept one."""

    KNOWN = "known"
    """It says the same, or less: the kept one is touched."""
    SHARPER = "sharper"
    """It says the same and more: it takes the kept one's place."""
    REVERSED = "reversed"
    """It denies or affirms what the kept one affirmed or denied: it takes its place."""
    DIFFERENT = "different"
    """Both stay, however alike they look."""


def compare(new: Statement, kept: Memory) -> Verdict:
    """How `new` relates to `kept`, by the words they begin with, in their order.

    Similarity of embeddings only proposes what to compare: "habite à Paris" and "habite à Lyon"
    are nearer to each other than many a statement and its sharper version, and both must stay.
    Words in another order say something else ("Léa aime David"), and so do words put before or
    between ("le frère de Léa habite à Paris"): only what is added behind makes it sharper.
    """
    if _about_different_people(new, kept):
        return Verdict.DIFFERENT
    fresh, old = stems(new.content), stems(kept.content)
    if min(len(fresh), len(old)) < SHORTEST:
        return Verdict.KNOWN if fresh == old else Verdict.DIFFERENT
    if negated(new.content) != negated(kept.content):
        fresh, old = _affirmed(fresh), _affirmed(old)
        meet = _begins(fresh, old) or _begins(old, fresh)
        return Verdict.REVERSED if meet else Verdict.DIFFERENT
    said, known = words(new.content), words(kept.content)
    if said == known or _adds(said, known):
        return Verdict.KNOWN
    return Verdict.SHARPER if _adds(known, said) else Verdict.DIFFERENT


def _about_different_people(new: Statement, kept: Memory) -> bool:
    people = (new.about_person, kept.about_person)
    return None not in people and people[0] != people[1]


def _adds(less: Sequence[str], more: Sequence[str]) -> bool:
    """Whether `more` says all that `less` says, and then when, where, with whom, or one thing more.

    Whole words are compared and not stems: "works" is not "worked". What follows must begin with a
    word that adds: "married to Anne" and "married to Anne's sister" are two things.
    """
    return len(more) > len(less) and _begins(more, less) and _is_adding(more[len(less) :])


def _is_adding(rest: Sequence[str]) -> bool:
    counted = rest[0] in {"de", "of"} and rest[1:2] != [] and rest[1][:1].isdigit()
    return rest[0] in ADDING or rest[0][:1].isdigit() or counted


def _begins(statement: Sequence[str], words: Sequence[str]) -> bool:
    return statement[: len(words)] == words


def _affirmed(statement: Sequence[str]) -> list[str]:
    return [stem for stem in statement if stem not in NEGATIONS]

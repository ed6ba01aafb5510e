"""How a new statement changes what is kept: whose place it takes, and what stays beside it. Pure.

Nothing is overwritten: what another takes the place of stays with the time it held. The latest word
counts, by when it was said and not by when it was stored, and rather both stay than that something
is lost.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from memory.language.term_weights import Rarity
from memory.model.statements import Memory, NewMemory, Relation, Statement
from memory.rules.claims import (
    are_about_one,
    attribute_in,
    denied_attribute_in,
    of_one_author,
    stance_in,
)
from memory.rules.comparison import Verdict, between_authors, by_chance, compare, guarded
from memory.statements.readings.change import ends
from memory.statements.readings.decision import (
    CHOICE,
    ONE_TALK,
    Decision,
    choice_of,
    could_replace,
    is_correction,
    meant_by,
    plan_of,
    tells_apart,
    with_aim,
)
from memory.statements.readings.things import Sameness

RELATIONS = {
    Verdict.MORE_PRECISE: Relation.UPDATES,
    Verdict.CHANGED: Relation.UPDATES,
    Verdict.CONTRADICTS: Relation.CONTRADICTS,
}
"""What a statement is to the one whose place it takes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A kept statement and how a new one relates to it."""

    rival: Memory
    verdict: Verdict

    @property
    def relation(self) -> Relation:
        """What ties the one that holds to the one that held."""
        return RELATIONS[self.verdict]


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """What a new statement does to those it was compared with.

    It repeats `known`, or takes the place of `replaces`; or `overtaken_by` was said after it and
    holds in its place. It cannot hold together with `disputed`, and says in part what `related` do;
    both stay.
    """

    known: Memory | None = None
    replaces: tuple[Judged, ...] = ()
    overtaken_by: Judged | None = None
    disputed: tuple[Memory, ...] = ()
    related: tuple[Memory, ...] = ()


def judged_surely(new: NewMemory, rivals: Sequence[Memory], said_at: datetime) -> list[Verdict]:
    """How a statement relates to each of these, by what is sure; `said_at` is when it was said."""
    verdicts = [compare(new, rival) for rival in rivals]
    found = {**_ended(new, rivals, said_at), **_corrected(new, rivals, said_at)}
    return [
        found.get(place, verdict) if verdict is Verdict.UNRELATED else verdict
        for place, verdict in enumerate(verdicts)
    ]


def judged_by_rules(new: NewMemory, rivals: Sequence[Memory], said_at: datetime) -> list[Verdict]:
    """How a statement relates to each of these without a model: what is sure, then the probable."""
    verdicts = judged_surely(new, rivals, said_at)
    open_ = [place for place, verdict in enumerate(verdicts) if verdict is Verdict.UNRELATED]
    for at, verdict in by_chance(new, [rivals[place] for place in open_], said_at).items():
        verdicts[open_[at]] = verdict
    return verdicts


def ended_by_name(new: NewMemory, rival: Memory, verdict: Verdict) -> Verdict:
    """The verdict, or that a statement changes one that it was said to end: see `NewMemory.ends`.

    Only what its author said of the same person ends so, and nothing that tells more besides.
    """
    is_open = rival.id in new.ends and verdict not in {Verdict.SAME, *RELATIONS}
    is_own = of_one_author(new, rival) and (new.author or new.said_by == rival.said_by)
    if not is_open or not is_own or not are_about_one(new, rival):
        return verdict
    return guarded(Verdict.CHANGED, new, rival, Rarity({}, 0))


def judged(new: NewMemory, rivals: Sequence[Memory], verdicts: Sequence[Verdict]) -> list[Judged]:
    """The rivals with the verdicts on them, as far as their authors let those have effect."""
    return [
        Judged(rival=rival, verdict=between_authors(verdict, new, rival))
        for rival, verdict in zip(rivals, verdicts, strict=True)
    ]


def settled(verdicts: Sequence[Judged], said_at: datetime) -> Settled:
    """What follows from the verdicts on a statement said at a moment."""
    known = next((one.rival for one in verdicts if one.verdict is Verdict.SAME), None)
    if known is not None:
        return Settled(known=known)
    taking = [one for one in verdicts if one.verdict in RELATIONS]
    later = [one for one in taking if _is_overtaken(one, said_at)]
    overtaken = max(later, key=lambda one: one.rival.valid_from, default=None)
    return Settled(
        replaces=() if overtaken else tuple(taking),
        overtaken_by=overtaken,
        disputed=_with(Verdict.DISPUTED, verdicts),
        related=_with(Verdict.RELATED, verdicts),
    )


def _with(verdict: Verdict, judged: Sequence[Judged]) -> tuple[Memory, ...]:
    return tuple(one.rival for one in judged if one.verdict is verdict)


def _is_overtaken(one: Judged, said_at: datetime) -> bool:
    """Whether the kept one was said later; what is only more precise was true all the same."""
    return one.verdict is not Verdict.MORE_PRECISE and said_at < one.rival.valid_from


def _ended(new: NewMemory, rivals: Sequence[Memory], said_at: datetime) -> dict[int, Verdict]:
    """The verdicts on statements that another one says to hold no more, whichever came first.

    What names its thing loosely ends one statement; of several that fit, none.
    """
    how = {
        place: ends(new, rival) if rival.valid_from <= said_at else ends(rival, new)
        for place, rival in enumerate(rivals)
        if are_about_one(new, rival)
    }
    is_sole = sum(one is Sameness.LOOSELY for one in how.values()) == 1
    sure = {Sameness.SURELY, Sameness.LOOSELY} if is_sole else {Sameness.SURELY}
    return {
        place: Verdict.CHANGED if one in sure else Verdict.DISPUTED
        for place, one in how.items()
        if one is not Sameness.NO
    }


def _corrected(new: NewMemory, rivals: Sequence[Memory], said_at: datetime) -> dict[int, Verdict]:
    """The verdicts on decisions that a correction or a denial takes back, whichever came first."""
    plan = plan_of(new)
    if plan is None:
        return {}
    kept = {
        place: (rival, other)
        for place, rival in enumerate(rivals)
        if (other := plan_of(rival)) is not None
    }
    told = {
        place: verdict
        for place, one in kept.items()
        if (verdict := _between(new, plan, one, said_at)) is not None
    }
    takes_back = plan.given_up or plan.switches or new.corrects or is_correction(new.content)
    if plan.is_denied or not takes_back:
        return told
    return {**_taken_back(new, plan, kept, said_at), **told}


def _between(
    new: NewMemory, plan: Decision, kept: tuple[Memory, Decision], said_at: datetime
) -> Verdict | None:
    """What two decisions alone tell: one denies the other, or the kept one was its correction."""
    memory, other = kept
    if other.frame != plan.frame or not plan.is_of_people_of(other):
        return None
    if plan.is_denied != other.is_denied:
        meet = plan.thing <= other.thing or other.thing <= plan.thing
        return Verdict.CONTRADICTS if meet else None
    before = memory.valid_from - said_at
    is_correction_of_it = bool(other.given_up & plan.thing) or (
        before <= ONE_TALK and of_one_author(memory, new) and is_correction(memory.content)
    )
    is_overtaken = before > timedelta() and not other.thing & plan.thing
    is_one_matter = plan.frame == CHOICE or could_replace(other, plan)
    return Verdict.CHANGED if is_overtaken and is_correction_of_it and is_one_matter else None


def _taken_back(
    new: NewMemory, plan: Decision, kept: dict[int, tuple[Memory, Decision]], said_at: datetime
) -> dict[int, Verdict]:
    before = {place: one for place, one in kept.items() if one[0].valid_from <= said_at}
    meant = {memory.id for memory in meant_by(new, plan, list(before.values()), said_at)}
    verdict = Verdict.CHANGED if len(meant) == 1 or plan.given_up else Verdict.DISPUTED
    return {place: verdict for place, one in before.items() if one[0].id in meant}


def completed(new: NewMemory, outcome: Settled) -> NewMemory:
    """A decision that names no purpose with the one of what it takes the place of, if one does."""
    plan = choice_of(new.content)
    if plan is None or plan.purpose or plan.is_denied or len(outcome.replaces) != 1:
        return new
    old = choice_of(outcome.replaces[0].rival.content)
    if old is None or not tells_apart(old):
        return new
    return replace(new, content=with_aim(new.content, old.aimed))


def slot_of(statement: Statement) -> str | None:
    """The slot in which statements that may take each other's place are looked up, if any."""
    attribute = attribute_in(statement) or denied_attribute_in(statement)
    if attribute is not None:
        return attribute.slot
    if (stance := stance_in(statement)) is not None:
        return stance.slot
    return CHOICE if choice_of(statement.content) else None

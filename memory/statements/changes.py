"""Whether what is said later makes what was said before no longer so; pure.

Logistic regression by a small network over what two lines of one author, or two statements, mean,
claim and share. `python -m benchmarks.fit_changes` fits it.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile

import numpy as np

from memory.claims.features import Floats, vectors_of
from memory.claims.head import SLOTS, STATUSES, chance
from memory.claims.network import load_network
from memory.claims.reader import read_claims
from memory.claims.signs import sign_names, signs_in
from memory.language.chat_spelling import spelt_out
from memory.language.text import fold, light_stems, stems, words
from memory.model.claims import SURELY, Claim, Slot, Status
from memory.statements.readings.subject import clause_of, spoken_words

CHANGES = "changes.npz"

_CHANGE = re.compile(
    r"^(?:\w+ )?(?:no|wait|sorry|now|non|nan|mais non|maintenant|oops|oups)\b|\b(?:actually"
    r"|finally|moved|switched"
    r"|changed?|instead|make that|not anymore|any ?more|no longer|en fait|finalement|plutot"
    r"|je change|on est passes?|update|postponed|pushed back|rescheduled|swapped|brought forward"
    r"|reportee?s?|decalee?s?|basculee?s?|avancee?s?|changement"
    r"|au final|correction|still on|cancelled)\b"
)
_GOES_ON = re.compile(
    r"^(?:(?:so|and|but|well|bon|alors|et|du coup|oui|no|non|nan) )?(?:it|its|he|she|they|that"
    r"|thats|we|the|il|elle|c|ca|on|le|la|les)\b"
)
"""A line that begins as if its matter were known."""

_OWNED = re.compile(r"\b(?:my|our|mon|ma|mes|notre|nos) (\w+)")
_NUMBER = re.compile(r"\d+")
_PROPER = re.compile(r"(?<=[\w,] )[A-ZÀ-ÖØ-Ý][\w-]+")

_ONE_VALUED = frozenset(
    {
        *(Slot.NAME, Slot.HOME, Slot.ORIGIN, Slot.WORK, Slot.EMPLOYER, Slot.AGE, Slot.BIRTHDAY),
        *(Slot.PARTNER, Slot.DIET),
    }
)
"""Slots of which most people have one value at a time."""

_NEAR = 0.2
"""The cosine from which two lines speak of one thing."""

_LONGEST = 300
_FEW = 2
_CACHED = 4096

_NEXT = 4
"""Later lines of an author, questions left out, among which one that changes a line is sought."""


@dataclass(frozen=True, slots=True)
class Saying:
    """What a person said, or what is kept of one; `said_by` is whom "I" means, if known."""

    text: str
    said_by: str | None = None
    claims: tuple[Claim, ...] | None = None
    """What it claims, where that was read before."""
    is_question: bool = False


def takes_back(plain: str) -> bool:
    """Whether a written-out line says that something is otherwise now."""
    return _CHANGE.search(plain) is not None


def chances_of_change(pairs: Sequence[tuple[Saying, Saying]]) -> list[float]:
    """For each pair the chance in 0..1 that the second makes the first no longer so."""
    if not pairs:
        return []
    both = [one for pair in pairs for one in pair]
    vectors_of([_spoken(one) for one in both])  # all at once, which is faster
    rows = np.array([change_row(earlier, later) for earlier, later in pairs])
    return [float(one) for one in chance(load_network(__package__, CHANGES).scores(rows))]


def changed_and_changing(own: Sequence[Saying]) -> list[tuple[float, float]]:
    """For each line of one author, in order, two chances in 0..1.

    That one of the next lines makes it no longer so, and that it does so to one of those before.
    """
    telling = [place for place, one in enumerate(own) if not one.is_question]
    pairs = [
        (place, at)
        for place in range(len(own))
        for at in telling[bisect_right(telling, place) :][:_NEXT]
    ]
    found = [[0.0, 0.0] for _ in own]
    shares = chances_of_change([(own[place], own[at]) for place, at in pairs])
    for (place, at), share in zip(pairs, shares, strict=True):
        least = _OUTRIGHT if _puts_off(own[place], own[at]) else 0.0
        taken = max(share, least) * _covered(own[place], own[at])
        found[place][0] = max(found[place][0], taken)
        found[at][1] = max(found[at][1], taken)
    return [(changed, changing) for changed, changing in found]


_OUTRIGHT = 0.8
"""The chance of a change of plan that is said in so many words."""


def _puts_off(earlier: Saying, later: Saying) -> bool:
    """Whether a line tells of a plan, and a later one of a plan that it is otherwise now."""
    one, other = _side(earlier), _side(later)
    plan = SLOTS.index(Slot.PLAN)
    return other.takes_back and min(one.slots[plan], other.slots[plan]) > 1 / 2


def _covered(earlier: Saying, later: Saying) -> float:
    """The share of the matters of a line that a later one speaks of, where it tells several.

    Who has moved still has the job that was told in one breath with the former home.
    """
    told, again = (_side(one).slots >= SURELY for one in (earlier, later))
    met = int((told & again).sum())
    return met / int(told.sum()) if met else 1.0


def _claims(saying: Saying) -> Sequence[Claim]:
    return read_claims([saying.text])[0] if saying.claims is None else saying.claims


def may_end(earlier: Saying, later: Saying) -> bool:
    """Whether a statement may end an earlier one of the same person at all.

    They name something in common or claim of one slot, and the later one says something new.
    """
    one, other = _side(earlier), _side(later)
    common = one.stems & other.stems
    meets = bool(common) or bool((one.slots * other.slots * _TELLING).any())
    says_again = len(common) >= _REPEATS * len(other.stems) or one.said in other.said
    return meets and not says_again


_REPEATS = 0.6
"""The share of a statement's telling stems from which it says again what was said."""

_TELLING = np.array(
    [slot not in {Slot.NAME, Slot.NICKNAME, Slot.OTHER} for slot in SLOTS], np.float32
)
"""Slots that tell a matter: a name is often read where a person is only named."""


def change_row(earlier: Saying, later: Saying) -> Floats:
    """What is seen of two lines of one author, or of two statements."""
    one, other = _side(earlier), _side(later)
    return np.concatenate(
        (
            np.array([*_shared(one, other), *_claimed(one, other)], np.float32),
            one.slots * other.slots,
            one.slots * other.ended,
            one.row,
            other.row,
        )
    )


@dataclass(frozen=True, slots=True)
class _Side:
    """What is seen of one of the two.

    `slots` has how surely it states something of each, `ended` and `begun` how surely it says that
    something is over or new; `row` is all that does not depend on the other.
    """

    people: frozenset[str]
    said: str
    stems: frozenset[str]
    names: frozenset[str]
    numbers: frozenset[str]
    owned: frozenset[str]
    goes_on: bool
    takes_back: bool
    vector: Floats
    slots: Floats
    ended: float
    begun: float
    planned: float
    row: Floats


def _shared(one: _Side, other: _Side) -> Iterator[float]:
    """How far both name the same people, things, names and numbers, and where they differ."""
    common = one.stems & other.stems
    begun = zip(one.said.split(), other.said.split(), strict=False)
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], begun))
    yield min(len(common), _FEW) / _FEW
    yield len(common) / max(1, len(one.stems))
    yield len(common) / max(1, len(other.stems))
    yield one.stems <= other.stems
    yield not one.names.isdisjoint(other.names)
    yield bool(one.names - other.names and other.names - one.names)
    yield bool(one.numbers - other.numbers and other.numbers - one.numbers)
    yield min(same, 3) / 3
    yield not one.people.isdisjoint(other.people)
    yield bool(one.people and other.people) and one.people.isdisjoint(other.people)
    yield not one.people
    yield not other.people
    yield bool(one.owned and other.owned) and one.owned.isdisjoint(other.owned)
    yield len(one.stems) / 5
    yield len(other.stems) / 5


def _claimed(one: _Side, other: _Side) -> Iterator[float]:
    """How far both mean and claim the same, and how surely the second says it is over."""
    likeness = float(one.vector @ other.vector)
    both = one.slots * other.slots
    slot, sole = float(both.max()), float((both * _SOLE).max())
    covered = len(one.stems & other.stems) / max(1, len(one.stems))
    meets = not one.stems.isdisjoint(other.stems)
    differ = bool(one.names - other.names and other.names - one.names)
    yield from (max(likeness, 0.0), likeness > _NEAR, slot, sole, other.ended, other.begun)
    yield from (other.goes_on, other.takes_back, other.takes_back * slot, other.takes_back * meets)
    yield from (slot * other.ended, slot * meets, slot * other.ended * meets, slot * covered)
    yield from (other.ended * meets, other.ended * covered, likeness * other.ended, likeness * slot)
    yield from (sole * (1 - covered), sole * differ, likeness * sole, meets * likeness)
    yield from (other.begun * sole, other.begun * slot, one.planned, slot * one.planned)


_SOLE = np.array([slot in _ONE_VALUED for slot in SLOTS], np.float32)


@lru_cache(maxsize=_CACHED)
def _side(told: Saying) -> _Side:
    spoken = _spoken(told)
    clause = clause_of(told.text, told.said_by)
    plain, named = spelt_out(spoken), {word for one in clause.people for word in one.split()}
    slots, statuses = np.zeros(len(SLOTS), np.float32), np.zeros(len(STATUSES), np.float32)
    of_author = stated = 0.0
    for claim in _claims(told):
        at, status = SLOTS.index(claim.slot), STATUSES.index(claim.status)
        slots[at] = max(slots[at], claim.certainty)
        statuses[status] = max(statuses[status], claim.certainty)
        of_author = max(of_author, claim.certainty if claim.of_author else 0.0)
        stated = max(stated, claim.certainty if claim.status.is_stated else 0.0)
    (vector,) = vectors_of([spoken])
    shown = signs_in(plain)
    signs = [name in shown for name in sign_names()]
    rest = [stated, of_author, "?" in told.text, min(len(told.text), _LONGEST) / 100]
    return _Side(
        people=clause.people,
        said=" ".join(words(clause.said)),
        stems=frozenset(stems(clause.said)) - light_stems() - frozenset(stems(" ".join(named))),
        names=frozenset(map(fold, _PROPER.findall(told.text))) - named,
        numbers=frozenset(_NUMBER.findall(clause.said)),
        owned=frozenset(_OWNED.findall(plain)),
        goes_on=_GOES_ON.match(plain) is not None,
        takes_back=takes_back(plain),
        vector=vector,
        slots=slots,
        ended=max(float(statuses[STATUSES.index(Status.ENDED)]), float("ended" in shown)),
        begun=float("begun" in shown),
        planned=float(statuses[STATUSES.index(Status.PLANNED)]),
        row=np.concatenate((slots, statuses, np.array([*rest, *signs], np.float32), vector)),
    )


def _spoken(told: Saying) -> str:
    return spoken_words(told.text, told.said_by).words

"""Whether a line makes what its author said before no longer so; pure.

A logistic regression over a few features of the two lines. `python -m benchmarks.fit_changes`
fits the weights and prints them.
"""

import re
from collections.abc import Mapping, Sequence
from math import exp

from bot.llm.offline.questions.asked import AskedQuestion
from bot.llm.offline.questions.claimed import tells
from bot.llm.offline.questions.talk import TalkLine
from memory.claims.features import vector_of
from memory.claims.signs import signs_in
from memory.language.text import light_stems, stems
from memory.model.claims import Slot, Status

_CHANGE = re.compile(
    r"^(?:\w+ )?(?:no|wait|sorry|now|non|nan|mais non|maintenant|oops|oups)\b|\b(?:actually"
    r"|finally|moved|switched"
    r"|changed?|instead|make that|not anymore|any ?more|no longer|en fait|finalement|plutot"
    r"|je change|on est passes?|update|postponed|pushed back|rescheduled|swapped|brought forward"
    r"|reportee?s?|decalee?s?|basculee?s?|avancee?s?|changement"
    r"|au final|correction|still on|cancelled)\b"
)
_STRONG_CHANGE = re.compile(
    r"^(?:no|wait|actually|finally|sorry|non|nan|en fait|finalement|ah non|au final)\b"
    r"|\b(?:moved|switched|changed) to\b|\b(?:est|sommes|suis|etes) passee?s? a\b|\binstead\b"
    r"|\ba la place\b"
)
"""What leaves no doubt: where anything is an answer, a weaker word proves nothing."""

_GOES_ON = re.compile(
    r"^(?:(?:so|and|but|well|bon|alors|et|du coup|oui|no|non|nan) )?(?:it|its|he|she|they|that"
    r"|thats|we|the|il|elle|c|ca|on|le|la|les)\b"
)
"""A line that begins as if its matter were known."""

_OWNED = re.compile(r"\b(?:my|our|mon|ma|mes|notre|nos) (\w+)")

_NEAR = 0.2
"""The cosine from which two lines speak of one thing."""

_LONGEST = 300
_FEW = 2

_NEXT = 3
"""Later lines of an author that are few: one of them is likely to be the change that is meant."""

_TELLS = 0.3
"""How well a line must tell what is asked to be of the same matter."""

_SURE_OF_OTHER = 0.9
"""The certainty from which a line that does not is of another."""

CHANGED = 0.3
"""The chance from which a line that may well be meant is taken for a change."""

_CHANGED_SURELY = 0.5
"""The chance from which any other line of the author is."""

_CHANGED_NOW = 0.12
"""The chance from which one of few lines is, where it is asked how it is now."""

_NOW = re.compile(
    r"\b(?:now|these days|nowadays|at the moment|currently|current|still|anymore|yet|in the end"
    r"|after all|maintenant|en ce moment|ces jours|actuellement|toujours|aujourd|finalement"
    r"|du coup|au final|cette fois|desormais|presentement)\b"
)

CHANGE_WEIGHTS: Mapping[str, float] = {
    "another thing": -0.23,
    "asks": 0.15,
    "ended": 0.65,
    "goes on": 0.65,
    "length": -1.20,
    "likeness": 0.68,
    "near": 0.61,
    "of another": 0.40,
    "of self": -0.67,
    "same slot": 0.50,
    "seems": 0.25,
    "shared": 1.00,
    "takes back": 0.56,
    "wish": -0.54,
}

CHANGE_BIAS = -1.27


def takes_back(plain: str, *, plainly: bool) -> bool:
    """Whether a written-out line says that something is otherwise now; `plainly`: beyond doubt."""
    return (_STRONG_CHANGE if plainly else _CHANGE).search(plain) is not None


def changed_by(line: TalkLine, later: Sequence[TalkLine], asked: AskedQuestion) -> int | None:
    """The place of the last of its author's `later` lines that changes what a line answers.

    Each may change what the one before it says. None where none does.
    """
    changed = None
    are_few = len(later) <= _NEXT
    is_now = are_few and _NOW.search(asked.plain) is not None
    for place, one in enumerate(later):
        told = tells(one, asked)
        if one.is_question or (told < _TELLS and one.certainty >= _SURE_OF_OTHER):
            continue  # it asks, or surely tells of another matter
        seen = change_features(line if changed is None else later[changed], one)
        is_likely = told >= _TELLS or (are_few and any(seen[name] for name in _SHOWS_CHANGE))
        least = _CHANGED_NOW if is_now else CHANGED if is_likely else _CHANGED_SURELY
        if _chance(seen) >= least:
            changed = place
    return changed


_SHOWS_CHANGE = ("ended", "goes on", "takes back")
"""What is seen of a line that goes on about something, ends it or takes it back."""


def _chance(seen: Mapping[str, float]) -> float:
    """How likely a line makes an earlier one of its author no longer so, in 0..1."""
    score = CHANGE_BIAS + sum(CHANGE_WEIGHTS[name] * one for name, one in seen.items())
    return 1 / (1 + exp(-score))


def change_features(earlier: TalkLine, later: TalkLine) -> Mapping[str, float]:
    """What is seen of two lines of one author, by its name, each in about 0..3."""
    signs = signs_in(later.plain)
    likeness = float(vector_of(earlier.text) @ vector_of(later.text))
    shared = len((set(stems(earlier.text)) & set(stems(later.text))) - light_stems())
    statuses = [one.read.status for one in later.claims]
    owned = [frozenset(_OWNED.findall(one.plain)) for one in (earlier, later)]
    return {
        "another thing": float(all(owned) and owned[0].isdisjoint(owned[1])),
        "asks": float("?" in later.text),
        "ended": float("ended" in signs or Status.ENDED in statuses),
        "goes on": float(_GOES_ON.match(later.plain) is not None),
        "length": min(len(later.text), _LONGEST) / 100,
        "likeness": max(likeness, 0.0),
        "near": float(likeness > _NEAR),
        "of another": float("other" in signs),
        "of self": float("self" in signs),
        "same slot": float(not _slots(earlier).isdisjoint(_slots(later))),
        "seems": float(not all(one.is_stated for one in statuses)),
        "shared": min(shared, _FEW) / _FEW,
        "takes back": float(takes_back(later.plain, plainly=False)),
        "wish": float(not signs.isdisjoint(("wish", "suppose"))),
    }


def _slots(line: TalkLine) -> frozenset[Slot]:
    """The slots of one value that a line states something of."""
    read = (one.read for one in line.claims)
    return frozenset(one.slot for one in read if one.status.is_stated and one.slot.has_one_value)

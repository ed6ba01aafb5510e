"""Whether a line makes what its author said before no longer so; pure.

Logistic regression by a small network over what the two lines mean, claim and show.
`python -m benchmarks.fit_changes` fits it.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from bot.llm.offline.questions.network import load_network
from bot.llm.offline.questions.talk import TalkLine
from memory.claims.features import Floats, vectors_of
from memory.claims.head import SLOTS, STATUSES, chance
from memory.claims.signs import sign_names, signs_in
from memory.language.text import light_stems, stems

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

_NEAR = 0.2
"""The cosine from which two lines speak of one thing."""

_LONGEST = 300
_FEW = 2

_NEXT = 4
"""Later lines of an author, questions left out, among which one that changes a line is sought."""

CHANGES = "changes.npz"


def takes_back(plain: str) -> bool:
    """Whether a written-out line says that something is otherwise now."""
    return _CHANGE.search(plain) is not None


def changed_and_changing(own: Sequence[TalkLine]) -> list[tuple[float, float]]:
    """For each line of one author, in order, two chances in 0..1.

    That one of the next lines makes it no longer so, and that it does so to one of those before.
    """
    vectors_of([one.text for one in own])  # all at once, which is faster
    telling = [place for place, one in enumerate(own) if not one.is_question]
    pairs = [
        (place, at)
        for place in range(len(own))
        for at in telling[bisect_right(telling, place) :][:_NEXT]
    ]
    found = [[0.0, 0.0] for _ in own]
    if pairs:
        rows = np.array([change_row(own[place], own[at]) for place, at in pairs])
        for (place, at), share in zip(
            pairs, chance(load_network(CHANGES).scores(rows)), strict=True
        ):
            found[place][0] = max(found[place][0], float(share))
            found[at][1] = max(found[at][1], float(share))
    return [(changed, changing) for changed, changing in found]


def change_row(earlier: TalkLine, later: TalkLine) -> Floats:
    """What is seen of two lines of one author."""
    one, other = _side(earlier), _side(later)
    likeness = float(one.vector @ other.vector)
    both = np.array(
        [
            bool(one.owned and other.owned) and not one.owned & other.owned,
            _GOES_ON.match(later.plain) is not None,
            takes_back(later.plain),
            min(len(later.text), _LONGEST) / 100,
            max(likeness, 0.0),
            likeness > _NEAR,
            min(len(one.stems & other.stems), _FEW) / _FEW,
            one.slots @ other.slots,
        ],
        dtype=np.float32,
    )
    return np.concatenate((both, one.slots * other.slots, one.row, other.row))


@dataclass(frozen=True, slots=True)
class _Side:
    """What is seen of one line, with whichever it is compared.

    `slots` has how surely it states something of each, `owned` the words after "my"; `row` is all
    that does not depend on the other line.
    """

    vector: Floats
    slots: Floats
    row: Floats
    stems: frozenset[str]
    owned: frozenset[str]


@lru_cache(maxsize=2048)
def _side(line: TalkLine) -> _Side:
    slots, statuses = np.zeros(len(SLOTS), np.float32), np.zeros(len(STATUSES), np.float32)
    of_author = 0.0
    for claim in (one.read for one in line.claims):
        at, status = SLOTS.index(claim.slot), STATUSES.index(claim.status)
        slots[at] = max(slots[at], claim.certainty)
        statuses[status] = max(statuses[status], claim.certainty)
        of_author = max(of_author, claim.certainty if claim.of_author else 0.0)
    (vector,) = vectors_of([line.text])
    shown = signs_in(line.plain)
    signs = [name in shown for name in sign_names()]
    rest = [line.certainty, of_author, "?" in line.text]
    return _Side(
        vector=vector,
        slots=slots,
        row=np.concatenate((slots, statuses, np.array([*rest, *signs], np.float32), vector)),
        stems=frozenset(stems(line.text)) - light_stems(),
        owned=frozenset(_OWNED.findall(line.plain)),
    )

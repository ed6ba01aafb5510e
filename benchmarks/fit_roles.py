"""Fits what lines do to the plans of a group: `python -m benchmarks.fit_roles`.

Reads tests/data/claims/*/talks.jsonl, where every line has its roles, and the words in which it
tells when and where. Writes the weights of `bot/llm/offline/plans/roles.py`, and prints for each
role how many of its lines are found, and how many of others, by a fit that has not seen the talk.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.asked_scenes import talk_lines
from benchmarks.claim_material import read
from benchmarks.claims_entries import CLAIMS
from benchmarks.companion_set import LANGUAGES
from benchmarks.networks import Choice, Shape, fitted, unseen_scores, written_to
from bot.llm.offline.plans import roles
from bot.llm.offline.plans.roles import ROLES, PlanRole, role_rows
from memory.claims.features import Floats

WEIGHTS = Path(roles.__file__).parent / ROLES

SHAPE = Shape(hidden=12, dropped=0.5, penalty=0.05, epochs=8, fits=1)

_FOLDS = 5
_FOUND = -0.4
"""The logarithm of odds from which a role is found in the table that is printed."""

_BALANCED = 0.4
"""How far a line with a role counts more where few have it: the power of how seldom that is."""

_SPANS = (PlanRole.TELLS_WHEN, PlanRole.TELLS_WHERE)


def labelled() -> Iterator[tuple[str, Floats, frozenset[PlanRole]]]:
    """Each line of the talks: the talk it is of, what is seen of it, and its roles."""
    for language in LANGUAGES:
        for talk in read(CLAIMS / language / "talks.jsonl"):
            rows = role_rows(talk_lines(talk))
            for row, line in zip(rows, talk["lines"], strict=True):
                named = {one for one in PlanRole if one in line["roles"]}
                yield f"{language}-{talk['id']}", row, frozenset(named | _spans(line))


def _spans(line: dict[str, str]) -> set[PlanRole]:
    return {one for one in _SPANS if one in line}


def main() -> None:
    """Fit, write the weights, and print what they find."""
    to = written_to(WEIGHTS, __doc__ or "")
    found = list(labelled())
    kept: dict[str, Any] = {}
    for role in PlanRole:
        often = sum(role in own for _, _, own in found) / len(found)
        choices = [
            Choice(id=talk, kind="", rows=row[None], right=(0,), share=often**-_BALANCED)
            if role in own
            else Choice(id=talk, kind="", rows=row[None], right=())
            for talk, row, own in found
        ]
        taken = [bool(one[0] >= _FOUND) for one in unseen_scores(choices, SHAPE, _FOLDS)]
        of_role = [is_taken for one, is_taken in zip(choices, taken, strict=True) if one.right]
        print(
            f"{role}: {sum(of_role)} of {len(of_role)} found,"
            f" and {sum(taken) - sum(of_role)} of {len(choices) - len(of_role)} others"
        )
        kept |= fitted(choices, SHAPE).written(f"{role}_")
    np.savez_compressed(to, **kept)


if __name__ == "__main__":
    main()

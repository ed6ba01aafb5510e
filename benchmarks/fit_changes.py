"""Fits what tells a change from a line of the same matter: `python -m benchmarks.fit_changes`.

Of the half of tests/data/claims that may be tuned on: a changed line is a positive with each line
of its author before it, the later line of the unchanged a negative, and so are two messages that
nothing joins. Logistic regression by Newton's steps (Bishop 2006, 4.3.3), with a penalty on the
squares. Prints the constants of `bot/llm/offline/questions/changes.py`, and how many of each kind
are taken for a change by a fit that has not seen them.
"""

import random
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from benchmarks.checkout import ROOT
from benchmarks.claims_entries import ClaimEntry, entries
from benchmarks.companion_pet import NOW
from benchmarks.companion_set import LANGUAGES, ToldLine
from bot.llm.offline.questions.changes import CHANGED, change_features
from bot.llm.offline.questions.claimed import claims_in
from bot.llm.offline.questions.talk import TalkLine
from memory.language.text import fold

Numbers = NDArray[np.float64]

FOLDER = ROOT / "tests" / "data" / "claims"

WEIGHT: Mapping[str, float] = {"changed": 1.0, "unchanged": 2.0, "unrelated": 1.0}
"""What an example of each kind counts."""

_UNRELATED = 150
_PENALTY, _STEPS, _FOLDS = 0.01, 60, 10

Example = tuple[str, Mapping[str, float]]
"""Its kind, and what is seen of the two lines."""


def examples() -> Iterator[Example]:
    """Pairs of lines of one author, each with its kind."""
    for language in LANGUAGES:
        for entry in entries(FOLDER, "tune", language, "changes"):
            *before, latest = _own(entry, until=entry.asks[0].answers)
            yield from (("changed", change_features(one, latest)) for one in before)
        for entry in entries(FOLDER, "tune", language, "unchanged"):
            *before, latest = _own(entry, until=())
            yield from (("unchanged", change_features(one, latest)) for one in before)
        natural = [one.lines[-1] for one in entries(FOLDER, "tune", language, "natural")]
        chance = random.Random(language)
        for _ in range(_UNRELATED):
            one, other = chance.sample(natural, 2)
            yield "unrelated", change_features(_line(one), _line(other))


def _own(entry: ClaimEntry, until: Sequence[str]) -> list[TalkLine]:
    """The lines of who speaks last, up to the last that says one of the words, if there are any."""
    author = entry.lines[-1].by
    own = [line for line in entry.lines if line.by == author]
    saying = [at for at, one in enumerate(own) if _says(one, until)]
    return [_line(one) for one in own[: saying[-1] + 1 if saying else None]]


def _says(line: ToldLine, words: Sequence[str]) -> bool:
    return any(fold(one) in fold(line.text) for one in words)


def _line(told: ToldLine) -> TalkLine:
    return TalkLine(text=told.text, author=told.by, at=NOW - told.ago, claims=claims_in(told.text))


def fitted(rows: Numbers, truth: Numbers, counts: Numbers) -> Numbers:
    """A weight for each column, the bias behind them."""
    seen = np.c_[rows, np.ones(len(rows))]
    weights = np.zeros(seen.shape[1])
    for _ in range(_STEPS):
        share = 1 / (1 + np.exp(-seen @ weights))
        slope = seen.T @ (counts * (share - truth)) / counts.sum()
        slope += _PENALTY * np.append(weights[:-1], 0.0)
        bend = (seen * (counts * share * (1 - share))[:, None]).T @ seen / counts.sum()
        weights -= np.linalg.solve(bend + _PENALTY * np.eye(len(weights)), slope)
    return weights


def main() -> None:
    """Fit, and print the constants with what they do."""
    found = list(examples())
    names = sorted(found[0][1])
    kinds = np.array([kind for kind, _ in found])
    rows = np.array([[seen[name] for name in names] for _, seen in found])
    truth = (kinds == "changed").astype(float)
    counts = np.array([WEIGHT[kind] for kind in kinds])
    order = np.random.default_rng(29).permutation(len(found))
    taken = np.zeros(len(found), dtype=bool)
    for number in range(_FOLDS):
        unseen = order[number::_FOLDS]
        rest = np.setdiff1d(order, unseen)
        weights = fitted(rows[rest], truth[rest], counts[rest])
        scores = np.c_[rows[unseen], np.ones(len(unseen))] @ weights
        taken[unseen] = 1 / (1 + np.exp(-scores)) >= CHANGED
    for kind in WEIGHT:
        print(f"{kind}: {taken[kinds == kind].sum()} of {(kinds == kind).sum()} taken for a change")
    fit = fitted(rows, truth, counts)
    shown = (f'    "{name}": {one:.2f},\n' for name, one in zip(names, fit[:-1], strict=True))
    print(f"CHANGE_WEIGHTS = {{\n{''.join(shown)}}}\nCHANGE_BIAS = {fit[-1]:.2f}")


if __name__ == "__main__":
    main()

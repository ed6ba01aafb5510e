"""Fits what tells a change from what stands beside it: `python -m benchmarks.fit_changes`.

The pairs of lines of tests/data/claims/*/changes.jsonl, those of statements beside it and in
tests/data/statement_changes.json, and the half that may be tuned on: a changed line is a positive
with each line of its author before it, the later line of the unchanged a negative, and so are two
messages that nothing joins. Writes the weights of `memory/statements/changes.py`, and prints how
many of each kind are taken for a change at four chances, by a fit that has not seen them; then the
same of pairs that nothing is fitted to, `held-statements.jsonl`, by what it has just written.
"""

import json
import random
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.claim_material import read
from benchmarks.claims_entries import CLAIMS, ClaimEntry, entries
from benchmarks.companion_set import LANGUAGES, ToldLine
from benchmarks.networks import Choice, Shape, fitted, unseen_scores, written_to
from benchmarks.plain_changes import plain_pairs
from memory.claims.features import Floats
from memory.claims.head import chance
from memory.claims.network import Network
from memory.language.text import fold
from memory.statements import changes
from memory.statements.changes import CHANGES, Saying, change_row

WEIGHTS = Path(changes.__file__).parent / CHANGES
KNOWN = json.loads((CLAIMS.parent / "statement_changes.json").read_text("utf-8"))
"""Pairs that the rules without a model are held to."""

SHAPE = Shape(hidden=32, dropped=0.3, penalty=0.01, epochs=12)

WEIGHT: Mapping[str, float] = {
    **dict.fromkeys(("unchanged", "ends", "stays"), 2.0),
    **dict.fromkeys(("plain ends", "plain stays"), 1.5),
}
"""What an example of some kinds counts."""

_ARE_CHANGES = ("changed", "change", "ends", "plain ends")
_OF_ENTRIES = ("changed", "unchanged")
_CHANCES = (0.5, 0.8, 0.9, 0.95)
_UNRELATED = 150
_FOLDS = 3


def examples() -> Iterator[Choice]:
    """Pairs of lines of one author, each with its kind."""
    for language in LANGUAGES:
        for entry in entries(CLAIMS, "tune", language, "changes"):
            *before, latest = _own(entry, until=entry.asks[0].answers)
            yield from (_choice("changed", one, latest, entry.id) for one in before)
        for entry in entries(CLAIMS, "tune", language, "unchanged"):
            *before, latest = _own(entry, until=())
            yield from (_choice("unchanged", one, latest, entry.id) for one in before)
        natural = [one.lines[-1].text for one in entries(CLAIMS, "tune", language, "natural")]
        drawn = random.Random(language)
        for _ in range(_UNRELATED):
            yield _choice("unrelated", *drawn.sample(natural, 2))
        for pair in read(CLAIMS / language / "changes.jsonl"):
            yield _choice(pair["kind"], pair["earlier"], pair["later"])
        yield from _of_statements(CLAIMS / language / "statements.jsonl")
        for earlier, later, kind in plain_pairs(CLAIMS / language):
            yield _choice(f"plain {kind}", earlier, later)
    for kind, name in (("ends", "ends"), ("stays", "both_stay")):
        for earlier, _, later, _ in (pair for part in KNOWN[name].values() for pair in part):
            yield _choice(kind, earlier, later)


def _of_statements(path: Path) -> Iterator[Choice]:
    for pair in read(path):
        yield _choice(pair["kind"], pair["old"], pair["new"])


def _choice(kind: str, earlier: str, later: str, of: str = "") -> Choice:
    return Choice(
        id=of or earlier,
        kind=kind,
        rows=change_row(Saying(earlier), Saying(later))[None],
        right=(0,) if kind in _ARE_CHANGES else (),
        share=WEIGHT.get(kind, 1.0),
    )


def _own(entry: ClaimEntry, until: Sequence[str]) -> list[str]:
    """The lines of who speaks last, up to the last that says one of the words, if there are any."""
    author = entry.lines[-1].by
    own = [line for line in entry.lines if line.by == author]
    saying = [at for at, one in enumerate(own) if _says(one, until)]
    return [one.text for one in own[: saying[-1] + 1 if saying else None]]


def _says(line: ToldLine, words: Sequence[str]) -> bool:
    return any(fold(one) in fold(line.text) for one in words)


def fitted_without(texts: Collection[str]) -> Network:
    """A network that has seen none of these lines, and no entry of those that may be tuned on."""
    return fitted(
        [one for one in examples() if one.kind not in _OF_ENTRIES and one.id not in texts], SHAPE
    )


def main() -> None:
    """Fit, write the weights, and print what they do."""
    to = written_to(WEIGHTS, __doc__ or "")
    found = list(examples())
    report("unseen", found, unseen_scores(found, replace(SHAPE, fits=1), _FOLDS))
    network = fitted(found, SHAPE)
    np.savez_compressed(to, **network.written())
    for language in LANGUAGES:
        held = list(_of_statements(CLAIMS / language / "held-statements.jsonl"))
        report(f"held {language}", held, [network.scores(one.rows) for one in held])


def report(name: str, choices: Sequence[Choice], scores: Sequence[Floats]) -> None:
    """Print how many pairs of each kind are taken for a change."""
    chances = {one.kind: list[float]() for one in choices}
    for one, score in zip(choices, scores, strict=True):
        chances[one.kind].append(float(chance(score)[0]))
    for kind, shares in chances.items():
        taken = ", ".join(f"{sum(one >= at for one in shares)} at {at}" for at in _CHANCES)
        print(f"{name} {kind}, of {len(shares)}: {taken}")


if __name__ == "__main__":
    main()

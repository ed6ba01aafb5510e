"""Fits what tells a change from a line of the same matter: `python -m benchmarks.fit_changes`.

The pairs of lines of tests/data/claims/*/changes.jsonl, and of the half that may be tuned on: a
changed line is a positive with each line of its author before it, the later line of the unchanged a
negative, and so are two messages that nothing joins. Writes the weights of
`bot/llm/offline/questions/changes.py`, and prints how many of each kind are taken for a change by a
fit that has not seen them.
"""

import random
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from benchmarks.claim_material import read
from benchmarks.claims_entries import CLAIMS, ClaimEntry, entries
from benchmarks.companion_pet import NOW
from benchmarks.companion_set import LANGUAGES, ToldLine
from benchmarks.networks import Choice, Shape, fitted, unseen_scores, written_to
from bot.llm.offline.questions import changes
from bot.llm.offline.questions.changes import CHANGES, change_row
from bot.llm.offline.questions.claimed import claims_in
from bot.llm.offline.questions.network import Network
from bot.llm.offline.questions.talk import TalkLine
from memory.language.text import fold

WEIGHTS = Path(changes.__file__).parent / CHANGES

SHAPE = Shape(hidden=24, dropped=0.5, penalty=0.05, epochs=8)

WEIGHT: Mapping[str, float] = {"unchanged": 2.0}
"""What an example of some kinds counts."""

_ARE_CHANGES = ("changed", "change")
_OF_ENTRIES = ("changed", "unchanged")
_UNRELATED = 150
_FOLDS = 6


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
        chance = random.Random(language)
        for _ in range(_UNRELATED):
            yield _choice("unrelated", *chance.sample(natural, 2))
        for pair in read(CLAIMS / language / "changes.jsonl"):
            yield _choice(pair["kind"], pair["earlier"], pair["later"])


def _choice(kind: str, earlier: str, later: str, of: str = "") -> Choice:
    return Choice(
        id=of or earlier,
        kind=kind,
        rows=change_row(_line(earlier), _line(later))[None],
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


def _line(text: str) -> TalkLine:
    return TalkLine(text=text, author="", at=NOW, claims=claims_in(text))


def fitted_without(texts: Collection[str]) -> Network:
    """A network that has seen none of these lines, and no entry of those that may be tuned on."""
    return fitted(
        [one for one in examples() if one.kind not in _OF_ENTRIES and one.id not in texts], SHAPE
    )


def main() -> None:
    """Fit, write the weights, and print what they do."""
    to = written_to(WEIGHTS, __doc__ or "")
    found = list(examples())
    taken = [bool(one[0] > 0) for one in unseen_scores(found, SHAPE, _FOLDS)]
    of_kind = Counter(one.kind for one in found)
    changing = Counter(one.kind for one, is_taken in zip(found, taken, strict=True) if is_taken)
    for kind, of in of_kind.items():
        print(f"{kind}: {changing[kind]} of {of} taken for a change")
    np.savez_compressed(to, **fitted(found, SHAPE).written())


if __name__ == "__main__":
    main()

"""Fits which words of a line are told as the answer: `python -m benchmarks.fit_excerpts`.

The lines of tests/data/claims/*/excerpts.jsonl with the words that a reader would quote. Writes the
weights of `bot/llm/offline/questions/excerpt.py`. Then prints, by a fit that has not seen a line,
how often all of those words are told and how much of the lines, for some shares from which a part
is told.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rich.box import MARKDOWN
from rich.console import Console
from rich.table import Table

from benchmarks.claim_material import read
from benchmarks.claims_entries import CLAIMS
from benchmarks.companion_pet import NOW, PET
from benchmarks.companion_set import LANGUAGES
from benchmarks.networks import Choice, Shape, fitted, unseen_scores, written_to
from bot.llm.offline.acquaintances import Asker
from bot.llm.offline.questions import excerpt
from bot.llm.offline.questions.answering import Answerer
from bot.llm.offline.questions.excerpt import EXCERPT, TOLD, part_features, parts_in, told_of
from bot.llm.offline.questions.talk import TalkLine
from bot.llm.offline.questions.weighing import AnswerFeatures, rows_of
from memory.claims.features import Floats

SHAPE = Shape(hidden=8, dropped=0.3, penalty=0.01, epochs=15)

WEIGHTS = Path(excerpt.__file__).parent / EXCERPT

SHARES = (0.1, 0.15, TOLD, 0.3, 0.5)
_FOLDS = 8
_ASKER = "Alix"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """A line in its parts, which of them are told, and what is seen of those that may be."""

    id: str
    language: str
    parts: tuple[TalkLine, ...]
    told: frozenset[int]
    places: tuple[int, ...]
    features: tuple[AnswerFeatures, ...]


def cuts() -> Iterator[Cut]:
    """Every labelled line of several parts, of which one that is told may answer."""
    for language in LANGUAGES:
        for one in read(CLAIMS / language / "excerpts.jsonl"):
            line = TalkLine(text=one["text"], author=one["author"], at=NOW, room="lobby")
            parts = parts_in(line)
            told = frozenset(
                at
                for at, part in enumerate(parts)
                if part.text in one["told"] or one["told"] in part.text
            )
            seen = Answerer(parts, Asker(name=_ASKER), [PET]).features(one["question"])
            places = tuple(at for at, part in enumerate(parts) if part in seen)
            if len(parts) > 1 and told.intersection(places):
                yield Cut(
                    id=one["text"],
                    language=language,
                    parts=tuple(parts),
                    told=told,
                    places=places,
                    features=tuple(part_features(parts, seen)),
                )


def table(found: Sequence[Cut], scores: Sequence[Floats]) -> Table:
    """How often all that answers is told, and how much of the words of the lines."""
    shown = Table("lines", "of", *(f"from {one:g}" for one in SHARES), box=MARKDOWN)
    for language in LANGUAGES:
        those = [pair for pair in zip(found, scores, strict=True) if pair[0].language == language]
        cells = [_cell([(cut, _told(cut, of, least)) for cut, of in those]) for least in SHARES]
        shown.add_row(language, str(len(those)), *cells)
    return shown


def _cell(told: Sequence[tuple[Cut, range]]) -> str:
    whole = np.mean([cut.told <= set(places) for cut, places in told])
    sizes = [_length(cut, places) / _length(cut, range(len(cut.parts))) for cut, places in told]
    size = np.mean(sizes)
    return f"{whole:.2f} in {size:.2f}"


def _length(cut: Cut, places: Sequence[int]) -> int:
    return sum(len(cut.parts[at].text) for at in places)


def _told(cut: Cut, scores: Floats, least: float) -> range:
    rows = told_of(scores, least)
    return range(cut.places[rows.start], cut.places[rows.stop - 1] + 1)


def main() -> None:
    """Fit, write the weights, and print what they tell."""
    to = written_to(WEIGHTS, __doc__ or "")
    found = list(cuts())
    names = sorted({name for cut in found for one in cut.features for name in one})
    choices = [
        Choice(
            id=cut.id,
            kind=cut.language,
            rows=rows_of(cut.features, names),
            right=tuple(row for row, at in enumerate(cut.places) if at in cut.told),
        )
        for cut in found
    ]
    Console(width=120).print(table(found, unseen_scores(choices, SHAPE, _FOLDS)))
    np.savez_compressed(to, **fitted(choices, SHAPE, names).written())


if __name__ == "__main__":
    main()

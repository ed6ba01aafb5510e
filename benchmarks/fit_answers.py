"""Fits what makes a line the answer to a question: `python -m benchmarks.fit_answers`.

Writes the weights of `bot/llm/offline/questions/weighing.py`. What tells changes here is fitted to
none of these lines, since it is less sure of lines that it has not seen. Prints, for each score
from which lines might be told, how many were right and how many wrong or told though no line
answers, by one fit that had not seen the talk, the message or the entry. Questions are left out of
which no line that answers may be told; what reads claims has seen some of these lines.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import numpy as np
from rich.box import MARKDOWN
from rich.console import Console
from rich.table import Table

from benchmarks.asked_scenes import Scene, scenes
from benchmarks.companion_pet import NOW, PET
from benchmarks.fit_changes import fitted_without
from benchmarks.networks import Choice, Shape, fitted, unseen_scores, written_to
from bot.llm.offline.acquaintances import Asker
from bot.llm.offline.intent import read
from bot.llm.offline.questions import weighing
from bot.llm.offline.questions.answering import Answerer
from bot.llm.offline.questions.weighing import MAYBE, RANKING, SURE, AnswerFeatures, rows_of
from bot.llm.offline.understanding import Spoken
from memory.claims.features import Floats
from memory.statements import changes

SHAPE = Shape(hidden=24, dropped=0.2, penalty=0.001, epochs=20)

WEIGHTS = Path(weighing.__file__).parent / RANKING

FOLDS = 5
THRESHOLDS = (-0.5, MAYBE, 0.5, SURE, 1.5, 2.0)


def seen(asked: Sequence[Scene]) -> tuple[list[str], list[Choice]]:
    """The names of the features, and each question that has lines which may answer."""
    shown = [(scene, found) for scene in asked if (found := _features(scene))]
    names = sorted({name for _, lines in shown for _, one in lines for name in one})
    return names, [
        Choice(
            id=scene.id,
            kind=f"{scene.language} {scene.kind}",
            rows=rows_of([one for _, one in lines], names),
            right=tuple(at for at, (text, _) in enumerate(lines) if text in answers),
        )
        for scene, lines in shown
        if not (answers := {one.text for one in scene.right})
        or any(text in answers for text, _ in lines)
    ]


def _features(scene: Scene) -> list[tuple[str, AnswerFeatures]]:
    spoken = Spoken(
        text=scene.text,
        speaker=scene.by,
        said_at=NOW,
        names=sorted({line.author for line in scene.lines if not line.by_pet}),
    )
    reading = read(spoken, called=[PET], locale=scene.language)
    answerer = Answerer(scene.lines, Asker(name=scene.by), [PET])
    found = answerer.features(reading.topic or reading.text)
    return [(line.text, features) for line, features in found.items()]


def table(choices: Sequence[Choice], scores: Sequence[Floats]) -> Table:
    """What is told from each score on."""
    shown = Table(
        "questions", "of", "first", *(f"from {one:g}" for one in THRESHOLDS), box=MARKDOWN
    )
    kinds: dict[str, list[tuple[float, bool]]] = defaultdict(list)
    for choice, found in zip(choices, scores, strict=True):
        best = int(found.argmax())
        kinds[choice.kind].append((float(found[best]), best in choice.right))
    for kind, told in sorted(kinds.items()):
        first = sum(is_right for _, is_right in told) / len(told)
        cells = []
        for least in THRESHOLDS:
            right = sum(is_right and score >= least for score, is_right in told)
            wrong = sum(not is_right and score >= least for score, is_right in told)
            cells.append(f"{right / len(told):.2f} / {wrong / len(told):.2f}")
        shown.add_row(kind, str(len(told)), f"{first:.2f}", *cells)
    return shown


def main() -> None:
    """Fit, write the weights, and print what they do: right and wrong from each score."""
    to = written_to(WEIGHTS, __doc__ or "")
    asked = scenes()
    changed = fitted_without({line.text for scene in asked for line in scene.lines})
    with patch.object(changes, "load_network", return_value=changed):
        names, choices = seen(asked)
    Console(width=140).print(table(choices, unseen_scores(choices, replace(SHAPE, fits=1), FOLDS)))
    np.savez_compressed(to, **fitted(choices, SHAPE, names).written())


if __name__ == "__main__":
    main()

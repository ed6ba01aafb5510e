"""Fits what makes a line the answer to a question: `python -m benchmarks.fit_answers`.

Of tests/data/companion and tests/data/claims what may be tuned on, never the held half.
Each question is asked twice: among the lines it was written with, and among thirty more of other
entries, as in a room where much is said. A conditional logit: the lines and there being no answer
share one softmax (McFadden 1974), with a penalty on the squares of the weights. Prints the
constants of `bot/llm/offline/questions/weighing.py`, and for each score from which lines might be
told how many were right, wrong, or told though no line answers, each by a fit that had not seen the
entry.
"""

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from rich.box import MARKDOWN
from rich.console import Console
from rich.table import Table

from benchmarks.checkout import ROOT
from benchmarks.claims_entries import ClaimEntry, Kind, entries
from benchmarks.companion_pet import NOW, PET
from benchmarks.companion_set import FITTED, LANGUAGES, Encounter, ToldLine, encounters
from bot.llm.offline.acquaintances import Asker
from bot.llm.offline.intent import Spoken, read
from bot.llm.offline.questions.answering import Answerer
from bot.llm.offline.questions.claimed import claims_in
from bot.llm.offline.questions.talk import TalkLine
from memory.language.text import fold

CLAIMS = ROOT / "tests" / "data" / "claims"

Numbers = NDArray[np.float64]

CROWD = 30
"""Lines of other entries among which a question is asked once more."""

PENALTY = 0.006
_DIALOGUE_SHARE = 1.0
STEPS, RATE = 1_200, 0.05
FOLDS = 6
THRESHOLDS = (-1.5, -1.0, -0.6, -0.2, 0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question: what is seen of each line, shape (lines, features), and which answer it.

    `share` is what it weighs: the ten wordings of one dialogue are told the same lines.
    """

    id: str
    rows: Numbers
    right: tuple[int, ...]
    is_answered: bool
    share: float = 1.0


@dataclass(frozen=True, slots=True)
class Fit:
    """A weight for each feature, and the score of there being no answer."""

    weights: Numbers
    no_answer: float

    def best(self, asked: Asked) -> tuple[float, bool]:
        """The score of the best line, and whether that line answers."""
        scores = asked.rows @ self.weights - self.no_answer
        place = int(scores.argmax())
        return float(scores[place]), place in asked.right


LINE_DIALOGUES = ("greece-where", "greece-long", "dev", "shoulder", "paris", "database")
"""Those of the dialogues that one line answers."""


def material() -> list[tuple[Encounter, str]]:
    """The entries with questions, each with its language."""
    dialogues = [
        (entry, language)
        for language in LANGUAGES
        for entry in encounters("dialogues", language, "tune")
        if entry.kind in LINE_DIALOGUES
    ]
    return dialogues + [
        (entry, language)
        for language in LANGUAGES
        for half in FITTED
        for what in ("questions", "unknown")
        for entry in encounters(what, language, half)
    ]


def crowded(talks: Sequence[tuple[Encounter, str]]) -> list[tuple[Encounter, str]]:
    """The entries with lines of others of the same language between their own."""
    found = []
    for entry, language in talks:
        chance = random.Random(entry.id)
        others = [
            line
            for other, spoken in talks
            if spoken == language and other.id != entry.id
            for line in other.told
            if line.where == "lobby" and line.by != PET
        ]
        crowd = chance.sample(others, CROWD)
        days = [replace(line, ago=line.ago * chance.uniform(0.1, 3)) for line in crowd]
        told = sorted([*entry.told, *days], key=lambda line: line.ago, reverse=True)
        found.append((replace(entry, told=tuple(told)), language))
    return found


def seen(talks: Iterable[tuple[Encounter, str]]) -> tuple[list[str], list[Asked]]:
    """The names of the features, and each entry as they show it."""
    shown = [(entry, _features(entry, language)) for entry, language in talks]
    names = sorted({name for _, lines in shown for _, features in lines for name in features})
    return names, [
        Asked(
            id=entry.id,
            rows=np.array([[features.get(name, 0.0) for name in names] for _, features in lines]),
            right=tuple(
                place for place, (line, _) in enumerate(lines) if _answers(line.text, entry)
            ),
            is_answered=bool(entry.answers),
            share=_DIALOGUE_SHARE if entry.kind in LINE_DIALOGUES else 1.0,
        )
        for entry, lines in shown
        if lines
    ]


def _features(entry: Encounter, language: str) -> list[tuple[TalkLine, Mapping[str, float]]]:
    lines = [_line(line, entry.by) for line in entry.told]
    spoken = Spoken(
        text=entry.text,
        speaker=entry.by,
        said_at=NOW,
        names=sorted({line.author for line in lines if not line.by_pet}),
    )
    reading = read(spoken, called=[PET], locale=language)
    answerer = Answerer(lines, Asker(name=entry.by), [PET])
    return list(answerer.features(reading.topic or reading.text).items())


def _line(told: ToldLine, asker: str) -> TalkLine:
    is_own = told.where == "self"
    return TalkLine(
        text=told.text,
        author="" if is_own else told.by,
        at=NOW - told.ago,
        room=asker if told.where == "direct" else told.where,
        by_pet=is_own or told.by == PET,
        private=told.where == "direct",
        stated=is_own,
        claims=() if told.by == PET else claims_in(told.text),
    )


def claimed() -> list[tuple[Encounter, str]]:
    """The entries of tests/data/claims that one line answers, or none, of the half to tune on."""
    return [
        (_encounter(entry), language)
        for language in LANGUAGES
        for kind in _CLAIMED
        for entry in entries(CLAIMS, "tune", language, kind)
        if entry.asks
    ]


_CLAIMED: tuple[Kind, ...] = ("natural", "changes", "unchanged", "traps", "unknown")


def _encounter(entry: ClaimEntry) -> Encounter:
    ask = entry.asks[0]
    return Encounter(
        id=f"claims-{entry.language}-{entry.kind}-{entry.id}",
        kind=entry.kind,
        told=entry.lines,
        by=ask.by,
        where=ask.where,
        text=ask.text,
        answers=() if entry.kind in {"traps", "unknown"} else ask.answers,
        misleading=ask.misleading,
    )


def _answers(text: str, entry: Encounter) -> bool:
    said = fold(text)
    right = any(fold(one) in said for one in entry.answers)
    return right and not any(fold(one) in said for one in entry.misleading)


def fitted(asked: Sequence[Asked], width: int) -> Fit:
    """The fit to these questions, by Adam (Kingma and Ba 2015)."""
    point, first, second = np.zeros(width + 1), np.zeros(width + 1), np.zeros(width + 1)
    total = sum(one.share for one in asked)
    for step in range(1, STEPS + 1):
        slope = PENALTY * np.append(point[:-1], 0.0)
        for one in asked:
            slope += one.share * _slope(one, point) / total
        first = 0.9 * first + 0.1 * slope
        second = 0.999 * second + 0.001 * slope**2
        bias = first / (1 - 0.9**step)
        point -= RATE * bias / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
    return Fit(point[:-1], float(point[-1]))


def _slope(one: Asked, point: Numbers) -> Numbers:
    """The slope of the loss of one question: what was expected less what should have been."""
    scores = np.append(one.rows @ point[:-1], point[-1])
    shares = np.exp(scores - scores.max())
    shares /= shares.sum()
    wanted = np.zeros(len(shares))
    if one.is_answered and one.right:
        right = list(one.right)
        wanted[right] = shares[right] / shares[right].sum()
    else:
        wanted[-1] = 1.0
    error = shares - wanted
    return np.append(one.rows.T @ error[:-1], error[-1])


def unseen_scores(kinds: Sequence[Sequence[Asked]], width: int) -> list[list[tuple[float, bool]]]:
    """The best line of each entry of each kind, by a fit that has not seen the entry."""
    names = sorted({one.id for kind in kinds for one in kind})
    random.Random(7).shuffle(names)
    fold_of = {name: place % FOLDS for place, name in enumerate(names)}
    scores: list[list[tuple[float, bool]]] = [[(0.0, False)] * len(kind) for kind in kinds]
    for number in range(FOLDS):
        fit = fitted([one for kind in kinds for one in kind if fold_of[one.id] != number], width)
        for kind, found in zip(kinds, scores, strict=True):
            for place, one in enumerate(kind):
                if fold_of[one.id] == number:
                    found[place] = fit.best(one)
    return scores


def table(kinds: Mapping[str, Sequence[Asked]], width: int) -> Table:
    """What is told from each score on."""
    shown = Table("lines", "told from", "right", "wrong", "told where none answers", box=MARKDOWN)
    for name, scores, asked in zip(
        kinds, unseen_scores(list(kinds.values()), width), kinds.values(), strict=True
    ):
        told = list(zip(scores, asked, strict=True))
        answered = [found for found, one in told if one.is_answered]
        unanswered = [score for (score, _), one in told if not one.is_answered]
        for least in THRESHOLDS:
            right = sum(is_right and score >= least for score, is_right in answered)
            wrong = sum(not is_right and score >= least for score, is_right in answered)
            rest = sum(score >= least for score in unanswered)
            shown.add_row(
                name,
                f"{least:g}",
                f"{right / len(answered):.2f}",
                f"{wrong / len(answered):.2f}",
                f"{rest / len(unanswered):.2f}",
            )
    return shown


def constants(fit: Fit, names: Sequence[str]) -> str:
    """The constants as they stand in the code."""
    rows = "".join(
        f'    "{name}": {weight:.2f},\n' for name, weight in zip(names, fit.weights, strict=True)
    )
    return f"NO_ANSWER = {fit.no_answer:.2f}\nWEIGHTS = {{\n{rows}}}"


def main() -> None:
    """Fit, and print the constants with what they do."""
    told = [*material(), *claimed()]
    names, asked = seen([*told, *crowded(told)])
    kinds = {"its own": asked[: len(asked) // 2], f"and {CROWD} more": asked[len(asked) // 2 :]}
    print(constants(fitted(asked, len(names)), names))
    Console(width=120).print(table(kinds, len(names)))


if __name__ == "__main__":
    main()

"""Fits what a message to the pet is, and its language: `python -m benchmarks.fit_manners FOLDER`.

The folder is `tests/data/manners`.
Multinomial logistic regression with an L2 penalty, by Adam over batches that a fixed seed draws,
so two runs give the same weights (Bishop 2006, 4.3.4; Kingma and Ba 2015). Features weigh the
logarithm of how rare they are. The weights are written beside the code that reads them, one byte
each. `--check` keeps nothing: it leaves one author out after the other and prints how much of that
author's messages is read rightly, and for each fifth of them, from the surest on, the least chance
and the share that is right.
"""

import argparse
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.descent import Adam, dense_block
from bot.llm.offline import manners
from bot.llm.offline.manners.acts import MEMBERS, SpeechAct
from bot.llm.offline.manners.classifier import ActWeights, Guess, guess
from memory.claims.features import Floats
from memory.language.text_features import text_features

CALLED = ("eko",)

WEIGHTS = Path(manners.__file__).parent / "weights.npz"

LEAST = 3
"""Messages that a feature must be in to be weighed."""

_PENALTY = 2e-6
_EPOCHS, _BATCH = 24, 256
_PACE, _SLOWING = 0.05, 0.88


@dataclass(frozen=True, slots=True)
class Example:
    """A message, what it is, and who wrote it."""

    act: SpeechAct
    text: str
    author: str


def read(folder: Path) -> list[Example]:
    """All messages of a folder; an author is a file."""
    return [
        Example(SpeechAct(act), text, f"{path.parent.name}-{path.stem}")
        for path in sorted(folder.glob("*/*.tsv"))
        for act, _, text in (
            line.partition("\t") for line in path.read_text("utf-8").splitlines() if line
        )
    ]


class Samples:
    """Messages as rows of features, those that are known."""

    def __init__(
        self, found: Sequence[frozenset[str]], place: dict[str, int], rarity: Floats
    ) -> None:
        self.rows = [
            np.array(sorted(place[one] for one in each if one in place), dtype=np.int64)
            for each in found
        ]
        self.sizes = [rarity[row] / (np.linalg.norm(rarity[row]) or 1.0) for row in self.rows]


def fitted(examples: Sequence[Example]) -> ActWeights:
    """The weights that fit the examples best, with small ones preferred."""
    found = [text_features(one.text, CALLED) for one in examples]
    among = Counter(name for each in found for name in each)
    names = sorted(name for name, count in among.items() if count >= LEAST)
    place = {name: at for at, name in enumerate(names)}
    rarity = np.array([np.log(len(found) / among[name]) for name in names], dtype=np.float32)
    acts = sorted({one.act for one in examples})
    truth = np.array([acts.index(one.act) for one in examples])
    samples = Samples(found, place, rarity)
    of_acts, act_bias = _descended(samples, truth, (len(names), len(acts)))
    french = np.array([one.author.startswith("fr-") for one in examples], dtype=np.int64)
    of_languages, language_bias = _descended(samples, french, (len(names), 2))
    rows = np.column_stack((of_acts, of_languages[:, 1] - of_languages[:, 0]))
    bias = np.append(act_bias, language_bias[1] - language_bias[0])
    scale = float(np.abs(rows).max()) / 127
    return ActWeights(
        acts=tuple(acts),
        place=place,
        rarity=rarity,
        rows=np.round(rows / scale).astype(np.int8),
        scale=scale,
        bias=bias,
    )


def _descended(
    samples: Samples, truth: NDArray[np.int64], shape: tuple[int, int]
) -> tuple[Floats, Floats]:
    """The weights and the bias, by Adam; a feature moves with the batches it is in."""
    rng = np.random.default_rng(12)
    rows = Adam(np.zeros(shape, dtype=np.float32))
    bias = np.zeros(shape[1], dtype=np.float32)
    for epoch in range(_EPOCHS):
        pace = _PACE * _SLOWING**epoch
        order = rng.permutation(len(truth))
        for batch in np.array_split(order, max(1, len(order) // _BATCH)):
            block, columns = dense_block(batch, samples.rows, samples.sizes)
            odds = block @ rows.weights[columns] + bias
            odds = np.exp(odds - odds.max(axis=1, keepdims=True))
            wrong = odds / odds.sum(axis=1, keepdims=True)
            wrong[np.arange(len(batch)), truth[batch]] -= 1
            slope = block.T @ (wrong / len(batch)) + _PENALTY * rows.weights[columns]
            rows.step(slope, pace, columns)
            bias -= pace * wrong.mean(axis=0)
    return rows.weights, bias


def check(examples: Sequence[Example], only: str = "") -> None:
    """Leave each author out, and print what is read of theirs."""
    for author in sorted({one.author for one in examples}):
        if only not in author:
            continue
        theirs = [one for one in examples if one.author == author]
        known = fitted([one for one in examples if one.author != author])
        seen = [(one, guess(one.text, CALLED, known)) for one in theirs]
        print(author, _told(seen), flush=True)


def _told(seen: Sequence[tuple[Example, Guess]]) -> str:
    family = {act: name for name, members in MEMBERS.items() for act in members}
    right = sum(one.act is read.act for one, read in seen)
    alike = sum(
        family.get(one.act, one.act) == family.get(read.act, read.act) for one, read in seen
    )
    ranked = sorted(seen, key=lambda pair: -pair[1].chance)
    fifth = len(ranked) // 5
    curve = [ranked[start : start + fifth] for start in range(0, 5 * fifth, fifth)]
    shares = " ".join(
        f"{part[-1][1].chance:.2f}:{sum(one.act is read.act for one, read in part) / fifth:.0%}"
        for part in curve
    )
    return f"{right / len(seen):.1%} of {len(seen)}, family {alike / len(seen):.1%}; {shares}"


def write(found: ActWeights, path: Path) -> None:
    """Keep the weights."""
    np.savez_compressed(
        path,
        acts=np.array([act.value for act in found.acts]),
        features=np.array("\n".join(found.place)),
        rarity=found.rarity,
        rows=found.rows,
        scale=np.float32(found.scale),
        bias=found.bias,
    )
    print(f"{len(found.place)} features, {path.stat().st_size / 1e6:.1f} MB")


def main() -> None:
    """Fit to the folder that is named, or check on it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--check", action="store_true", help="Leave authors out and print.")
    parser.add_argument("--only", default="", help="Authors whose name holds this.")
    chosen = parser.parse_args()
    examples = read(chosen.folder)
    if chosen.check:
        check(examples, chosen.only)
    else:
        write(fitted(examples), WEIGHTS)


if __name__ == "__main__":
    main()

"""Fits the reader of requests to forget: `python -m benchmarks.fit_forgetting FOLDER`.

The folder is `tests/data/forgetting-requests`.
Logistic regression with an L2 penalty, by Adam over all samples, so two runs give the same weights.
Five classifiers are written to `memory/rules/forgetting/plain_words/weights`: whether a message
asks (`request`), what each segment of it says (`gone`, `kept`), and which rows are meant
(`nearest`, `beside`). The last two see the first three as they are for people they were not fitted
to. `--check` fits nothing that is kept: it leaves one author out after the other and prints how
many of that author's requests are read, and how many previews are right. The held files are never
opened.
"""

import argparse
import asyncio
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import numpy as np

from memory.embedders.usem3 import OfflineEmbedder
from memory.rules.forgetting import plain_words
from memory.rules.forgetting.plain_words import choosing, reading
from memory.rules.forgetting.plain_words.classifier import LinearClassifier
from memory.rules.forgetting.plain_words.closeness import ComparedRow, Comparison, phrases
from memory.rules.forgetting.plain_words.reading import (
    PlainRequest,
    read_request,
    read_topic,
    segments,
)
from memory.rules.forgetting.plain_words.wording import request_features, segment_features

CALLED = ("eko",)

WEIGHTS = Path(plain_words.__file__).parent / "weights"

LEAST = 3
"""Samples that a feature must be in to be weighed."""

MOST = 3000
"""Features of words that are weighed: ten times as many tell no more."""

MIXED = 8
"""Scenes whose rows are put beside those of a scene, as a second sample of it."""

FOLDS = 4
"""Groups of authors that are left out, one after the other."""

PENALTY = {"request": 0.04, "gone": 0.02, "kept": 0.02, "nearest": 1.0, "beside": 4.0}

_STEPS = 400

Sample = tuple[Mapping[str, float], bool]


@dataclass(frozen=True, slots=True)
class Line:
    """A message and whether it asks."""

    author: str
    text: str
    asks: bool
    hard: bool = False
    """Whether it looks like a request."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """A request in segments, and what each says: `G` gone, `K` kept, `A` asks, `C` context."""

    author: str
    segments: tuple[str, ...]
    roles: str


@dataclass(frozen=True, slots=True)
class Scene:
    """A request, the speaker's rows, and the places of those that are meant."""

    author: str
    language: str
    request: str
    rows: tuple[str, ...]
    targets: frozenset[int]


@dataclass(frozen=True, slots=True)
class Material:
    """All that is fitted to."""

    lines: tuple[Line, ...]
    segments: tuple[Labelled, ...]
    scenes: tuple[Scene, ...]

    @property
    def authors(self) -> list[str]:
        """Who wrote it, by the beginning of the ids."""
        return sorted({one.author for one in self.scenes})

    def without(self, authors: Sequence[str]) -> "Material":
        """What the others wrote."""
        return Material(
            *(tuple(one for one in each if one.author not in authors) for each in self._all()),
        )

    def of(self, authors: Sequence[str]) -> "Material":
        """What these wrote."""
        return Material(
            *(tuple(one for one in each if one.author in authors) for each in self._all()),
        )

    def _all(self) -> tuple[Any, ...]:
        return self.lines, self.segments, self.scenes


def read(folder: Path) -> Material:
    """The material in a folder, the held half left alone."""
    lines: list[Line] = []
    scenes: list[Scene] = []
    for entry in _entries(folder / "tune.jsonl"):
        author = _author(entry)
        if "request" not in entry:
            lines.append(Line(author, entry["text"], asks=False, hard=True))
            continue
        lines.append(Line(author, entry["request"], asks=True))
        every = (*entry["scene"], *entry["mentions"])
        said = [one["text"] for one in every if one["by"] != "Eko"]
        told = [*said, entry["restated"]]
        lines += [Line(author, text, asks=False) for text in (*told, *_joined(told))]
        own = [n for n, one in enumerate(entry["scene"]) if one["by"] == entry["speaker"]]
        rows = tuple(entry["scene"][n]["text"] for n in own)
        targets = frozenset(own.index(n) for n in entry["targets"])
        scenes.append(Scene(author, entry["language"], entry["request"], rows, targets))
    for entry in _entries(folder / "tune-lines.jsonl"):
        asks = entry["is_request"]
        lines.append(
            Line(
                _author(entry),
                entry["text"],
                asks=asks,
                hard=not asks and not _author(entry).startswith("ord"),
            )
        )
    labelled = tuple(
        Labelled(_author(entry), tuple(entry["segments"]), entry["roles"])
        for entry in _entries(folder / "tune-segments.jsonl")
    )
    return Material(tuple(lines), labelled, tuple(scenes))


def _joined(lines: Sequence[str]) -> list[str]:
    """Lines in twos to fives, as messages that tell of several things."""
    return [
        " ".join(lines[start : start + size])
        for size in (2, 3, 4, 5)
        for start in range(0, len(lines) - size + 1, size)
    ]


def _entries(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _author(entry: Mapping[str, Any]) -> str:
    return str(entry["id"]).partition("-")[0]


def fitted(samples: Sequence[Sample], penalty: float, least: int = LEAST) -> LinearClassifier:
    """The classifier that fits samples best, with small weights."""
    among = Counter(name for features, _ in samples for name in features)
    names = sorted(name for name, count in among.items() if count >= least)
    place = {name: at for at, name in enumerate(names)}
    index = [[place[name] for name in features if name in place] for features, _ in samples]
    column = np.array(list(chain.from_iterable(index)))
    row = np.repeat(np.arange(len(samples)), [len(one) for one in index])
    sizes = [features[name] for features, _ in samples for name in features if name in place]
    value = np.array(sizes, dtype=float)
    truth = np.array([is_so for _, is_so in samples], dtype=float)
    weights, first, second = (np.zeros(len(names) + 1) for _ in range(3))
    for step in range(1, _STEPS + 1):
        odds = np.bincount(row, weights[column] * value, len(samples)) + weights[-1]
        wrong = 1 / (1 + np.exp(-odds)) - truth
        slope = np.append(np.bincount(column, wrong[row] * value, len(names)), wrong.sum())
        slope[:-1] += penalty * weights[:-1]
        first = 0.9 * first + 0.1 * slope
        second = 0.99 * second + 0.01 * slope**2
        pace = 0.3 * 0.99**step
        weights -= pace * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.99**step)) + 1e-8)
    found = {name: round(float(weights[at]), 3) for name, at in place.items()}
    return LinearClassifier(round(float(weights[-1]), 3), {k: v for k, v in found.items() if v})


def _equal(features: frozenset[str], known: Counter[str]) -> Mapping[str, float]:
    """Features that are there or not, as large as `LinearClassifier.log_odds` takes them."""
    there = [name for name in sorted(features) if known[name] >= LEAST]
    return dict.fromkeys(there, 1 / max(1, len(there)) ** 0.5)


def _fitted_to_signs(
    samples: Sequence[tuple[frozenset[str], bool]], penalty: float
) -> LinearClassifier:
    """Fitted twice: to all features, and to those of them that say most."""
    known = Counter(name for features, _ in samples for name in features)
    first = fitted([(_equal(features, known), is_so) for features, is_so in samples], penalty)
    telling = sorted(
        first.weights, key=lambda name: (-abs(first.weights[name]) * known[name] ** 0.5, name)
    )
    kept = Counter({name: known[name] for name in telling[:MOST]})
    return fitted([(_equal(features, kept), is_so) for features, is_so in samples], penalty)


def fitted_request(material: Material) -> LinearClassifier:
    """The classifier of whole messages."""
    samples = [(_request_features(line.text), line.asks) for line in material.lines]
    return _fitted_to_signs(samples, PENALTY["request"])


def roles(material: Material) -> dict[str, LinearClassifier]:
    """The classifiers of segments."""
    return {
        name: _fitted_to_signs(
            [
                (_segment_features(one.segments, place), letter == role)
                for one in material.segments
                for place, letter in enumerate(one.roles)
                if letter != "X"
            ],
            PENALTY[name],
        )
        for name, role in (("gone", "G"), ("kept", "K"))
    }


@cache
def _request_features(text: str) -> frozenset[str]:
    return request_features(segments(text, CALLED), asks="?" in text)


@cache
def _segment_features(parts: tuple[str, ...], place: int) -> frozenset[str]:
    return segment_features(parts, place)


@contextmanager
def using(found: Mapping[str, LinearClassifier]) -> Iterator[None]:
    """Read with these classifiers instead of those that are kept."""
    with (
        patch.object(reading, "classifier", found.__getitem__),
        patch.object(choosing, "classifier", found.__getitem__),
    ):
        yield


class Comparisons:
    """Scenes as requests beside rows, with the meaning of every text looked up once."""

    def __init__(self) -> None:
        self._embedder = OfflineEmbedder()
        self._known: dict[str, Any] = {}

    def compared(self, scene: Scene) -> tuple[PlainRequest, list[ComparedRow]]:
        """A request as the current classifiers read it, and its rows."""
        request = read_topic(scene.request, CALLED)
        asked = [self._vector(text) for text in phrases(request)]
        rows = [
            ComparedRow(text=text, alike=[float(self._vector(text) @ one) for one in asked])
            for text in scene.rows
        ]
        return request, rows

    def _vector(self, text: str) -> Any:
        if text not in self._known:
            found = asyncio.run(self._embedder.embed([text], "document"))
            self._known[text] = np.asarray(found)[0]
        return self._known[text]


def mixed(scenes: Sequence[Scene], others: Sequence[Scene]) -> list[Scene]:
    """Each scene with rows of others before its own, as a person has said more than one thing."""
    chosen = Random(12)
    found: list[Scene] = []
    for scene in scenes:
        alike = [one for one in others if one.language == scene.language and one is not scene]
        sample = chosen.sample(alike, min(MIXED, len(alike)))
        before = tuple(text for one in sample for text in one.rows)
        targets = frozenset(len(before) + place for place in scene.targets)
        found.append(replace(scene, rows=(*before, *scene.rows), targets=targets))
    return found


def fitted_all(material: Material, comparisons: Comparisons) -> dict[str, LinearClassifier]:
    """All five classifiers."""
    seen: list[tuple[Scene, Comparison]] = []
    for authors in folds(material.authors):
        own = material.of(authors).scenes
        with using(roles(material.without(authors))):
            seen += [
                (scene, Comparison(*comparisons.compared(scene)))
                for scene in (*own, *mixed(own, material.scenes))
            ]
    nearest = fitted(
        [
            (features, place in scene.targets)
            for scene, compared in seen
            for place, features in enumerate(compared.features())
        ],
        PENALTY["nearest"],
    )
    with using({"nearest": nearest}):
        others = fitted(
            [
                (features, place in scene.targets)
                for scene, compared in seen
                for place, features in _beside(compared).items()
            ],
            PENALTY["beside"],
        )
    asks = {"request": fitted_request(material)}
    return {**asks, **roles(material), "nearest": nearest, "beside": others}


def _beside(compared: Comparison) -> dict[int, Mapping[str, float]]:
    ranking = choosing.ranked(compared)
    best = max(range(len(ranking)), key=ranking.__getitem__)
    return dict(choosing.beside(compared, ranking, best))


def check(material: Material, comparisons: Comparisons) -> None:
    """Leave authors out and print what is read of theirs."""
    tallies: list[Counter[str]] = []
    for authors in folds(material.authors):
        found = fitted_all(material.without(authors), comparisons)
        with using(found):
            tallies.append(_tally(material.of(authors), material.scenes, comparisons))
        print(" ".join(authors), _told(tallies[-1]), flush=True)
    print("all", _told(sum(tallies, Counter())))


def _tally(part: Material, every: Sequence[Scene], comparisons: Comparisons) -> Counter[str]:
    tally: Counter[str] = Counter()
    for line in part.lines:
        kind = "asking" if line.asks else "hard" if line.hard else "other"
        request = read_request(line.text, CALLED)
        tally[kind] += 1
        tally[f"{kind} read"] += request is not None
        tally[f"{kind} sure"] += request is not None and request.sure
    for kind, scenes in (("scenes", part.scenes), ("mixed", mixed(part.scenes, every))):
        for scene in scenes:
            near = choosing.meant(*comparisons.compared(scene))
            tally[kind] += 1
            tally[f"{kind} right"] += scene.targets == set(near.places)
            tally[f"{kind} shown"] += (
                set(near.places)
                <= scene.targets
                <= {
                    *near.places,
                    *near.perhaps,
                }
            )
            tally[f"{kind} held"] += scene.targets <= set(near.places)
    return tally


def _told(tally: Counter[str]) -> str:
    return ", ".join(
        f"{kind} {name} {tally[f'{kind} {name}'] / max(1, tally[kind]):.1%}"
        for kind, names in (
            ("asking", ("read", "sure")),
            ("hard", ("read", "sure")),
            ("other", ("read", "sure")),
            ("scenes", ("right", "shown", "held")),
            ("mixed", ("right", "shown", "held")),
        )
        for name in names
    )


def folds(authors: Sequence[str]) -> list[list[str]]:
    """Authors in groups that are left out together."""
    return [list(authors[start::FOLDS]) for start in range(FOLDS)]


def write(found: Mapping[str, LinearClassifier]) -> None:
    """Keep the weights, the bias first and the features by name."""
    WEIGHTS.mkdir(exist_ok=True)
    for name, one in found.items():
        weights = {"bias": one.bias, **dict(sorted(one.weights.items()))}
        text = json.dumps(weights, ensure_ascii=False, indent=0)
        (WEIGHTS / f"{name}.json").write_text(f"{text}\n", encoding="utf-8")
        print(f"{name}: {len(one.weights)} weights")


def main() -> None:
    """Fit to the folder that is named, or check on it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--check", action="store_true", help="Leave authors out and print.")
    chosen = parser.parse_args()
    material, comparisons = read(chosen.folder), Comparisons()
    if chosen.check:
        check(material, comparisons)
    else:
        write(fitted_all(material, comparisons))


if __name__ == "__main__":
    main()

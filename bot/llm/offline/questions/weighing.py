"""How much speaks for a line as the answer to a question: features, and a fitted network; pure.

A score for each line, and 0 for there being no answer, under a softmax over all (a conditional
logit, McFadden 1974). `python -m benchmarks.fit_answers` fits the network.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from bot.llm.offline.questions.asked import AskedKind, AskedQuestion
from memory.claims.features import Floats
from memory.claims.network import load_network
from memory.model.claims import Slot

AnswerFeatures = Mapping[str, float]
"""What is seen of a line, by its name; what is not there is 0."""

SURE = 1.0
"""The score from which a line is told as the answer."""

MAYBE = 0.2
"""The score from which it is told as what may be meant."""

RANKING = "ranking.npz"

_GROUPS: Mapping[AskedKind, str] = {
    AskedKind.TIME: "time",
    AskedKind.CLOCK: "time",
    AskedKind.YEAR: "time",
    AskedKind.DURATION: "duration",
    AskedKind.NUMBER: "number",
    AskedKind.PRICE: "number",
    AskedKind.AGE: "number",
    AskedKind.NAME: "name",
    AskedKind.PERSON: "person",
    AskedKind.PLACE: "place",
    AskedKind.COLOUR: "quality",
    AskedKind.SIDE: "quality",
}
"""Kinds of answer that have a form of their own; those of a group are weighed alike."""


def is_specific(kind: AskedKind) -> bool:
    """Whether answers of a kind have a form by which they are known."""
    return kind in _GROUPS


def of_kind(kind: AskedKind, *, held: bool, text: str) -> AnswerFeatures:
    """What it says of a line that it holds an answer of the asked kind, or none."""
    group = _GROUPS.get(kind)
    if group is None:
        return {}
    found = {f"{'holds' if held else 'lacks'} {group}": 1.0}
    if group in {"time", "duration", "number"}:
        found["digits" if any(one.isdigit() for one in text) else "no digits"] = 1.0
    return found


def of_question(asked: AskedQuestion, lines: int) -> AnswerFeatures:
    """What is seen of the question itself, the same for each of so many lines."""
    subject = asked.subject
    return {
        f"asks for {asked.kind}": 1.0,
        "wants a claim": max(asked.wanted.values(), default=0.0),
        "wants a plan": asked.wanted.get(Slot.PLAN, 0.0),
        "of asker": float(subject.of_asker),
        "of people": float(bool(subject.people)),
        "of own name": float(asked.is_of_own_name),
        "of the pet": float(subject.of_pet),
        "of a relation": float(bool(subject.relations)),
        "words": min(len(asked.topic), _MOST_WORDS) / _MOST_WORDS,
        "lines": float(np.log1p(lines)),
    }


_MOST_WORDS = 4


def scores_of(lines: Sequence[AnswerFeatures]) -> list[float]:
    """How much likelier each of some lines is than that nothing answers, as a logarithm of odds."""
    network = load_network(__package__, RANKING)
    found: list[float] = network.scores(rows_of(lines, network.names)).tolist()
    return found


def judged(score: float, features: AnswerFeatures, asked: AskedQuestion) -> float:
    """The score of a line by what its words leave no doubt of.

    What an asker said themself is sure where it says all that they ask. What sounds like a joke,
    was surely changed, or shares no word with the question and is not near to it is not: the
    network was fitted to talks, and the best of three lines looks good to it. A line without a
    number or a place is no answer where that is all that they ask ("how old am I?").
    """
    if _has_no_such_thing(features, asked):
        return min(score, _UNSAID)
    if _is_own_word(features, asked) and score >= _LEAST:
        return max(score, SURE)
    is_lure = features["luring"] and features["certainty"] < _HALF
    is_changed = features["changed"] >= _SURELY
    is_apart = _is_apart(features, asked, _NEAR_BY_NAME if asked.subject.people else _NEAR)
    return min(score, _NOT_SURE) if is_lure or is_changed or is_apart else score


def _is_own_word(features: AnswerFeatures, asked: AskedQuestion) -> bool:
    if not asked.subject.of_asker or features["standing"] < 1 or features["asks"] >= _HALF:
        return False
    if asked.is_of_own_name:
        return "holds name" in features
    return bool(asked.topic) and says_all(features)


def _has_no_such_thing(features: AnswerFeatures, asked: AskedQuestion) -> bool:
    if not asked.subject.of_asker or asked.topic:
        return False
    return _lacks(features) and features["tells it"] < _SURELY


def _is_apart(features: AnswerFeatures, asked: AskedQuestion, near: float) -> bool:
    """Whether a line has no word and no sure claim of a question, and is less near to it."""
    covered = features["coverage"] if asked.topic else 0.0
    if covered + features["context"] >= _HARDLY or features["tells it"] >= _SURELY:
        return False
    return max(features["near"], features["near with before"]) < near


_LEAST = -4.0
"""The score from which an asker's own word is sure."""
_HARDLY = 0.1
_NEAR = 0.35
"""Likeness in meaning below which a line that shares no word with a question is no sure answer."""
_NEAR_BY_NAME = 0.45
"""The same where both name a person: the name alone makes them alike."""


def says_all(features: AnswerFeatures) -> bool:
    """Whether a line says the words of a question, holds what it asks for and probably stands."""
    return _says_and_holds(features) and features["changed"] < _HALF


def says_just_it(features: AnswerFeatures) -> bool:
    """Whether a line says the words of a question and holds what it asks for, no line more so."""
    return _says_and_holds(features) and not says_less(features)


def _says_and_holds(features: AnswerFeatures) -> bool:
    return features["coverage"] >= _ALL and not _lacks(features)


def _lacks(features: AnswerFeatures) -> bool:
    """Whether a line holds no answer of the kind that is asked for."""
    return any(one.startswith("lacks ") for one in features)


def says_less(features: AnswerFeatures) -> bool:
    """Whether another line says more words of a question, or the same instead of near ones."""
    return features["says less"] > 0


def says_little(features: AnswerFeatures) -> bool:
    """Whether a line says little of a question of which another says all."""
    return features["says less"] >= _MUCH_LESS


_MUCH_LESS = 0.6
_ALL = 0.8
_NOT_SURE = SURE - 0.01
_UNSAID = MAYBE - 0.01
_HALF, _SURELY = 0.5, 0.6


def rows_of(lines: Sequence[AnswerFeatures], names: Sequence[str]) -> Floats:
    """A row for each line, a column for each feature."""
    return np.array([[one.get(name, 0.0) for name in names] for one in lines], dtype=np.float32)

"""How much speaks for a line as the answer to a question: features and their weights; pure.

A linear score of each line, and of there being no answer, under a softmax over both (a conditional
logit, McFadden 1974). `python -m benchmarks.fit_answers` fits the weights and prints them.
"""

from collections.abc import Mapping
from math import inf

from bot.llm.offline.questions.asked import AskedKind, AskedQuestion

AnswerFeatures = Mapping[str, float]
"""What is seen of a line, by its name; what is not there counts nothing."""

SURE = 0.8
"""The score from which a line is told as the answer."""

MAYBE = -1.0
"""The score from which it is told as what may be meant."""

NO_ANSWER = 4.92
"""What a line must reach to be as likely as there being no answer."""

WEIGHTS: AnswerFeatures = {
    "asks": -1.36,
    "astray": -1.86,
    "context": 0.71,
    "coverage": 2.02,
    "digits": 0.42,
    "hedged": -0.54,
    "holds duration": 2.72,
    "holds name": 0.77,
    "holds number": 0.21,
    "holds person": 0.17,
    "holds place": 1.74,
    "holds quality": 0.43,
    "holds time": 0.44,
    "known of itself": 0.54,
    "lacks duration": -0.99,
    "lacks name": -0.29,
    "lacks number": -1.32,
    "lacks person": -0.95,
    "lacks place": -1.00,
    "lacks quality": -0.67,
    "lacks time": -1.27,
    "news": 1.90,
    "no digits": -0.64,
    "of a relative": -1.36,
    "of the class": 0.64,
    "other relative": -0.59,
    "reason": 0.88,
    "recency": 0.65,
    "says nothing": -0.23,
    "standing": 2.13,
    "to the pet": 0.88,
}

_LEARNT = 1.2
"""What it speaks for a line that it was learnt: about what it is for one to be said to the pet, and
as new as any. Not fitted, since the talk that is fitted to has nothing learnt."""

_ALL = 0.9
_LITTLE = 5
"""Lines of a person that tell something, up to which any may be meant."""
_TELLING = 0.4
_RELATED = 0.2
"""The share of a question's words that a line which may be meant says, or those before it."""

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


def score_of(features: AnswerFeatures, *, is_learnt: bool) -> float:
    """How much likelier a line is than that nothing answers, as a logarithm of odds.

    `is_learnt`: it is a statement that was learnt, which tells something for sure.
    """
    found = sum(WEIGHTS[name] * value for name, value in features.items())
    return found - NO_ANSWER + (_LEARNT if is_learnt else 0.0)


def held_back(
    score: float, place: int, weighable: Mapping[int, AnswerFeatures], asked: AskedQuestion
) -> float:
    """The score of a line, less where it says no word of the question, nor any near one.

    What says all of them is no guess, where an answer is likelier than none. What says none may
    still be meant where it is about the right person and holds what is asked for, or is of the
    little that is known of them.
    """
    features = weighable[place]
    says_all = len(asked.topic) > 1 and score >= 0
    if features["astray"]:
        return -inf
    if features["coverage"] >= _ALL and says_all:
        return max(score, SURE)
    if features["coverage"] + features["context"] >= _RELATED:
        return score
    subject = asked.subject
    is_theirs = bool(subject.people) or subject.of_asker or subject.of_pet
    fits = is_theirs and any(name.startswith("holds ") for name in features)
    known = sum(not one["astray"] and one["news"] >= _TELLING for one in weighable.values())
    return MAYBE if (score >= SURE and fits) or (score >= MAYBE and known <= _LITTLE) else -inf

"""How much speaks for a line as the answer to a question: features and their weights; pure.

A linear score of each line, and of there being no answer, under a softmax over both (a conditional
logit, McFadden 1974). `python -m benchmarks.fit_answers` fits the weights and prints them.
"""

from collections.abc import Mapping, Sequence
from math import inf

from bot.llm.offline.questions.asked import AskedKind, AskedQuestion
from bot.llm.offline.questions.talk import TalkLine
from memory.claims.reader import is_luring

AnswerFeatures = Mapping[str, float]
"""What is seen of a line, by its name; what is not there counts nothing."""

SURE = 0.8
"""The score from which a line is told as the answer."""

MAYBE = -1.0
"""The score from which it is told as what may be meant."""

NO_ANSWER = 4.73
"""What a line must reach to be as likely as there being no answer."""

WEIGHTS: AnswerFeatures = {
    "astray": -1.86,
    "context": 0.63,
    "coverage": 2.04,
    "digits": 0.36,
    "hedged": -0.53,
    "holds duration": 2.69,
    "holds name": 0.71,
    "holds number": 0.20,
    "holds person": 0.08,
    "holds place": 1.64,
    "holds quality": 0.43,
    "holds time": 0.40,
    "known of itself": 0.52,
    "lacks duration": -1.02,
    "lacks name": -0.35,
    "lacks number": -1.33,
    "lacks person": -0.99,
    "lacks place": -1.04,
    "lacks quality": -0.64,
    "lacks time": -1.29,
    "news": 1.82,
    "no digits": -0.71,
    "of a relative": -1.37,
    "of no such class": -0.54,
    "of the class": 0.16,
    "other relative": -0.55,
    "reason": 0.63,
    "recency": 0.66,
    "says nothing": -0.26,
    "standing": 2.11,
    "tells it": 2.5,
    "to the pet": 0.92,
}
"""Fitted before lines were read for claims; "tells it" was set beside them by trial."""

_LEARNT = 1.2
"""What it speaks for a line that it was learnt: about what it is for one to be said to the pet, and
as new as any. Not fitted, since the talk that is fitted to has nothing learnt."""

_ALL = 0.9
_NOT_SURE = SURE - 0.01
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


def _lacks(features: AnswerFeatures) -> bool:
    """Whether a line has nothing of the kind that is asked for: no time, no such thing."""
    return any(name.startswith("lacks ") for name in features) or bool(features["of no such class"])


def says_all(score: float, features: AnswerFeatures, asked: AskedQuestion) -> bool:
    """Whether a line says all words of a question, or near ones, and may well answer it.

    So does what the asker is called, where that is asked.
    """
    is_named = asked.is_of_own_name and "holds name" in features
    is_whole = is_named or (features["coverage"] >= _ALL and len(asked.topic) > 1)
    return is_whole and score >= MAYBE and not features["astray"] and not _lacks(features)


def where_words_are_said(
    weighed: Sequence[tuple[float, int]], weighable: Mapping[int, AnswerFeatures]
) -> list[tuple[float, int]]:
    """The scores, less for lines without the words of a question that another line says."""
    if max(weighable[place]["coverage"] for _, place in weighed) < _ALL:
        return list(weighed)
    return [
        (score - (_UNSAID if weighable[place]["coverage"] < _HALF else 0.0), place)
        for score, place in weighed
    ]


_UNSAID = 1.5
_HALF = 0.5


def as_claimed(
    score: float, features: AnswerFeatures, line: TalkLine, asked: AskedQuestion
) -> float:
    """The score of a line for a question that a claim answers: sure where the line states it.

    What says all words of the question needs no claim, as long as it does not only look like one.
    """
    if features["astray"] or score < MAYBE:
        return -inf
    is_meant = not is_luring(line.text)
    states_it = features["tells it"] >= _TOLD and score >= 0
    if states_it or (is_meant and says_all(score, features, asked)):
        return max(score, SURE)
    is_said = features["coverage"] >= _ALL and is_meant
    return score if is_said or line.certainty >= _STATES else min(score, _NOT_SURE)


_TOLD = 0.45
_STATES = 0.8


def held_back(
    score: float, place: int, weighable: Mapping[int, AnswerFeatures], asked: AskedQuestion
) -> float:
    """The score of a line, less where it says no word of the question, nor any near one.

    What says all of them is no guess, where an answer is likelier than none. What says none may
    still be meant where it is about the right person and holds what is asked for, or is of the
    little that is known of them.
    """
    features = weighable[place]
    if features["astray"]:
        return -inf
    if says_all(score, features, asked):
        return max(score, SURE)
    if features["coverage"] + features["context"] >= _RELATED:
        return min(score, _NOT_SURE) if _lacks(features) else score
    subject = asked.subject
    is_theirs = bool(subject.people) or subject.of_asker or subject.of_pet
    fits = is_theirs and any(name.startswith("holds ") for name in features)
    known = sum(not one["astray"] and one["news"] >= _TELLING for one in weighable.values())
    return MAYBE if (score >= SURE and fits) or (score >= MAYBE and known <= _LITTLE) else -inf

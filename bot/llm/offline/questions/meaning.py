"""How near lines are in meaning to a question, and what is said after them; pure."""

from collections.abc import Mapping, Sequence

import numpy as np

from bot.llm.offline.questions.talk import TalkLine
from memory.claims.features import Floats, vectors_of

_BEFORE = 0.6
"""What the line before counts in what a line means together with it."""

_LAST = 3
"""Lines before one that may lead to it."""


def meaning_features(question: str, lines: Sequence[TalkLine]) -> list[Mapping[str, float]]:
    """What is seen of each line, in the order they were said: cosines, and places by them.

    `lines` are those that may answer. `near` is how near one is to the question, `near with before`
    together with the one before it in its room; `behind` how far it is behind the nearest, `first`
    one over its place among them. `led to` is how near the lines just before are. `said again` is
    how near a later line is to it, `by its author` or any, and `asked later` how near a later line
    is to the question.
    """
    if not lines:
        return []
    means = vectors_of([one.text for one in lines])
    (question_means,) = vectors_of([question])
    near = means @ question_means
    joined = means + _BEFORE * _before(means, [one.room for one in lines])
    joined /= np.linalg.norm(joined, axis=1, keepdims=True) + 1e-9
    with_before = joined @ question_means
    again, own = _said_again(means, [one.speaker for one in lines])
    nearest, nearest_with_before = near.max(), with_before.max()
    return [
        {
            "near": float(near[at]),
            "near with before": float(with_before[at]),
            "behind": float(near[at] - nearest),
            "behind with before": float(with_before[at] - nearest_with_before),
            "first": 1 / (1 + float((near > near[at]).sum())),
            "first with before": 1 / (1 + float((with_before > with_before[at]).sum())),
            "led to": float(near[max(0, at - _LAST) : at].max(initial=0)),
            "said again": float(again[at]),
            "said again by its author": float(own[at]),
            "asked later": float(near[at + 1 :].max(initial=0)),
            "nearest": float(nearest),
            "nearest with before": float(nearest_with_before),
        }
        for at in range(len(lines))
    ]


def _before(means: Floats, rooms: Sequence[str]) -> Floats:
    """What the line before each in its room means; nothing where there is none."""
    found = np.zeros_like(means)
    last: dict[str, int] = {}
    for at, room in enumerate(rooms):
        if room and room in last:
            found[at] = means[last[room]]
        last[room] = at
    return found


def _said_again(means: Floats, speakers: Sequence[str]) -> tuple[Floats, Floats]:
    """How near the nearest later line is to each, of anybody and of its author."""
    later = np.triu(means @ means.T, k=1)
    names = np.array(speakers)
    same = names[:, None] == names
    return later.max(axis=1), (later * same).max(axis=1)

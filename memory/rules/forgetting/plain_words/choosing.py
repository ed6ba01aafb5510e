"""Which rows a request means: the nearest, and others beside it. Pure.

Two linear classifiers: the first ranks the rows, the second says of every other whether it is meant
as well as the nearest, by what the request names and by what the two rows share. Of which it is
not sure is said beside what is meant.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from memory.language.text import fold
from memory.rules.forgetting.plain_words.classifier import classifier
from memory.rules.forgetting.plain_words.closeness import (
    ComparedRow,
    Comparison,
    Features,
    among_many,
)
from memory.rules.forgetting.plain_words.reading import PlainRequest

POSSIBLE = -3.0
"""The log odds from which on the nearest row may be what a sure request means."""

LIKELY = 2.0
"""The log odds from which on it is what a doubtful one means."""

_TOO = 0.5
"""The log odds from which on another row is meant as well."""

_PERHAPS = -2.0
"""The log odds from which on it may be meant as well."""

_MOST_PERHAPS = 3
"""Rows that may be meant as well, the likeliest ones."""

_PLURAL = re.compile(
    r"\b(?:my|mes|the|les|these|ces|those|des|our) (?:\w+ )?\w{3,}[sx]\b|\bdetails\b"
)
_TWO = re.compile(r"\b(?:both|two|les deux|deux|either)\b")

_MOST_SHARED = 1.5
_FAR = 2.0


@dataclass(frozen=True, slots=True)
class MeantRows:
    """The places of rows that are meant, and of those that may be meant besides.

    `odds` are the log odds of the nearest of them.
    """

    places: tuple[int, ...] = ()
    perhaps: tuple[int, ...] = ()
    odds: float = float("-inf")


def meant(request: PlainRequest, rows: Sequence[ComparedRow]) -> MeantRows:
    """Which of these rows a request means."""
    if not rows:
        return MeantRows()
    compared = Comparison(request, rows)
    ranking = ranked(compared)
    best = max(range(len(rows)), key=ranking.__getitem__)
    odds = {
        place: classifier("beside").weighed(features)
        for place, features in beside(compared, ranking, best).items()
    }
    too = (place for place, found in odds.items() if found >= _TOO)
    unsure = (place for place, found in odds.items() if _PERHAPS <= found < _TOO)
    likeliest = sorted(unsure, key=lambda place: -odds[place])[:_MOST_PERHAPS]
    return MeantRows(tuple(sorted((best, *too))), tuple(sorted(likeliest)), ranking[best])


def ranked(compared: Comparison) -> list[float]:
    """The log odds of each row."""
    return [classifier("nearest").weighed(features) for features in compared.features()]


def beside(compared: Comparison, ranking: Sequence[float], best: int) -> dict[int, Features]:
    """The features of every row but the best, beside it, by place."""
    request, rows = compared.request, compared.rows
    parts = _parts(compared, best)
    told = fold(" ".join(one.text for one in request.segments))
    whole = float(request.whole)
    plural = float(_PLURAL.search(told) is not None)
    two = float(_TWO.search(told) is not None)
    many_meant = max(whole, plural, two, float(len(request.topics) > 1))
    among = Counter(stem for row in rows for stem in row.content)
    order = sorted(range(len(rows)), key=lambda place: -ranking[place])
    many = among_many(len(rows))
    found: dict[int, Features] = {}
    for place, row in enumerate(rows):
        if place == best:
            continue
        shared = sum(1 / among[stem] for stem in row.content & rows[best].content)
        follows, precedes = float(place == best + 1), float(place == best - 1)
        found[place] = {
            "odds": ranking[place],
            "behind": ranking[best] - ranking[place],
            "best odds": ranking[best],
            "topics": min(3, len(request.topics)) - 1,
            "whole": whole,
            "plural": plural,
            "two": two,
            "second": float(order[1] == place),
            "second of two": two * (order[1] == place),
            "follows": follows,
            "precedes": precedes,
            "goes on": float(row.goes_on),
            "follows and goes on": follows * row.goes_on,
            "refers back": float(row.refers_back),
            "follows and refers back": follows * row.refers_back,
            "precedes what refers back": precedes * rows[best].refers_back,
            "precedes what goes on": precedes * rows[best].goes_on,
            "whole and follows": whole * follows,
            "whole and precedes": whole * precedes,
            "several and follows": many_meant * follows * max(row.goes_on, row.refers_back),
            "several and precedes": many_meant
            * precedes
            * max(rows[best].goes_on, rows[best].refers_back),
            "shared": min(_MOST_SHARED, shared),
            "whole and shared": whole * min(_MOST_SHARED, shared),
            "plural and shared": plural * min(_MOST_SHARED, shared),
            "same value": float(bool(row.values & rows[best].values)),
            "same sort": float(bool(row.kinds & rows[best].kinds)) * max(whole, plural, two),
            "same matter": float(bool(row.matters & rows[best].matters)),
            **parts[place],
        }
        found[place] |= {f"{name}, many": size * many for name, size in found[place].items()}
        found[place]["many"] = many
    return found


def _parts(compared: Comparison, best: int) -> list[Features]:
    """For each row whether it is the one that a topic of several means."""
    topics = compared.request.topics
    rows = range(len(compared.rows))
    none = {"best of a topic": 0.0, "odds in it": 0.0, "ahead in it": 0.0, "alone in it": 0.0}
    if len(topics) < 2:
        return [none for _ in rows]
    odds = [
        [classifier("nearest").weighed(features) for features in compared.features(part)]
        for part in range(len(topics))
    ]
    highest = [max(each) for each in odds]
    said = compared.part_scores()
    found: list[Features] = []
    for place in rows:
        first = [part for part, most in enumerate(highest) if odds[part][place] >= most]
        ahead = max(odds[part][place] - odds[part][best] for part in range(len(topics)))
        found.append(
            {
                "best of a topic": float(bool(first)),
                "odds in it": max((odds[part][place] for part in first), default=0.0),
                "ahead in it": max(-_FAR, min(_FAR, ahead)),
                "alone in it": float(
                    any(
                        said[place][part] > 0.4 and said[best][part] < 0.25
                        for part in range(len(topics))
                    )
                ),
            }
        )
    return found

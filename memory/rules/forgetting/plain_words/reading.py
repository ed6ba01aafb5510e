"""Whether a message asks to have something forgotten, what it names, and what is to stay. Pure.

One reader for all ways of asking: the offline pet, `/forget`, a model's tool, the command line. Two
linear classifiers read each segment of a message, one the whole of it; what they go by is in
`wording.py`, and what they were fitted to in `tests/data/forgetting-requests`.
"""

import math
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

from memory.language.text import fold
from memory.rules.forgetting.plain_words.classifier import chance, classifier
from memory.rules.forgetting.plain_words.frame import content_stems
from memory.rules.forgetting.plain_words.kinds import kinds_asked
from memory.rules.forgetting.plain_words.wording import request_features, segment_features

LONGEST = 600
"""Characters that are read: a longer text tells something, and asks for nothing in one sentence."""

SURE = -0.5
"""The log odds from which on a message asks for it whatever is known."""

CERTAIN = 2.0
"""And from which on it does even if its words say something else as well."""

DOUBTFUL = -2.0
"""And from which on it does if what it names is there: few of the rest do."""

HINTED = -5.0
"""And from which on the pet does not say that it knows nothing of the kind: one question in 25."""

NAMES = 0.45
"""How likely a segment names what is to go that is looked up by itself."""

STAYS = 0.5
"""How likely a segment says what is to stay that nothing is looked up by."""

_WHOLE = re.compile(
    r"\b(?:everything|anything|all|whatever|both|each|every|none|nothing|tout|toutes?|tous"
    r"|les deux|rien)\b"
)

_MOST = 40
"""Segments that are read of one message."""

_LINKS = (
    "and|but|because|cause|cuz|bc|since|so|et|mais|car|parce que|pcq|pcke|puisque|donc|sauf|except"
    "|apart from|besides|hormis|a part|à part|before|b4|avant|if|si|or|ou|though|although|nor|ni"
    "|par contre|as well as|ainsi que|while|alors"
)

_SIGNS = r"[.!?;:,…]{1,8}(?=\s|$|[\"»”)])|[()\n]|\s[-–—/=+&]{1,3}(?=\s)"

_BORDER = re.compile(rf"{_SIGNS}|\s(?=(?:{_LINKS})\b)")
"""What stands between two segments; a linking word begins the second one."""

_SIGN = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class RequestSegment:
    """One segment of a request, with how likely it names what is to go, and what is to stay."""

    text: str
    gone: float
    kept: float

    @property
    def stays(self) -> bool:
        """Whether it says what is to stay."""
        return self.kept >= STAYS

    @property
    def names(self) -> bool:
        """Whether something is to be looked up by it."""
        return self.gone >= NAMES and not self.stays and names_something(self.text)


@dataclass(frozen=True, kw_only=True)
class PlainRequest:
    """A request as it was read.

    One that is not `sure` asks for something only where what it names is kept.
    """

    segments: tuple[RequestSegment, ...]
    odds: float = CERTAIN
    """The log odds that it asks for anything."""

    @property
    def sure(self) -> bool:
        """Whether it asks for it whatever is known."""
        return self.odds >= SURE

    @property
    def certain(self) -> bool:
        """Whether it asks for nothing else."""
        return self.odds >= CERTAIN

    @cached_property
    def topics(self) -> tuple[str, ...]:
        """What is named, part by part; without such a part all that may name something."""
        parts = tuple(one.text for one in self.segments if one.names)
        rest = (one.text for one in self.segments if not one.stays and names_something(one.text))
        return parts or tuple(rest)

    @cached_property
    def kept(self) -> tuple[str, ...]:
        """What is said to stay."""
        return tuple(one.text for one in self.segments if one.stays)

    @cached_property
    def whole(self) -> bool:
        """Whether all of what is named is meant, and not what fits it best."""
        return any(_WHOLE.search(fold(one.text)) for one in self.segments if not one.stays)


def read_request(text: str, called: Collection[str] = ()) -> PlainRequest | None:
    """The request in a message, None where it asks to forget nothing.

    `called` are the names of the pet.
    """
    parts = segments(text[:LONGEST], called)
    odds = _odds(text, parts)
    return _request(parts, odds) if odds >= DOUBTFUL else None


def surely_asks(text: str, called: Collection[str] = ()) -> bool:
    """Whether a message asks to forget something whatever is known, in a sentence."""
    request = read_request(text, called)
    return request is not None and request.sure


def hints_at_request(text: str) -> bool:
    """Whether a message is near enough to a request that it may be one."""
    return _odds(text, segments(text[:LONGEST])) >= HINTED


def read_topic(text: str, called: Collection[str] = ()) -> PlainRequest:
    """What is named by a text that is known to ask for it: a topic, or the whole request."""
    return _request(segments(text[:LONGEST], called), CERTAIN)


def names_something(text: str) -> bool:
    """Whether a part of a request says what is meant, by a word or by what kind of thing it is."""
    return bool(content_stems(text) or kinds_asked(text))


def segments(text: str, called: Collection[str] = ()) -> list[str]:
    """The segments of a message in order, in small letters and single blanks.

    `called` are the names of the pet, folded: they name nothing, and are left out.
    """
    plain = text.casefold().replace("’", "'")
    cut = (
        " ".join(word for word in part.split() if fold(word).lstrip("@") not in called)
        for part in _BORDER.split(plain)
    )
    return [part for part in cut if _SIGN.search(part)][:_MOST]


def _odds(text: str, parts: Sequence[str]) -> float:
    """The log odds that a message asks for it, given with its segments; none for a long one."""
    if len(text) > LONGEST:
        return -math.inf
    return classifier("request").log_odds(request_features(parts, asks="?" in text))


def _request(parts: Sequence[str], odds: float) -> PlainRequest:
    read = [
        RequestSegment(
            part,
            chance(classifier("gone").log_odds(features)),
            chance(classifier("kept").log_odds(features)),
        )
        for part, features in (
            (part, segment_features(parts, place)) for place, part in enumerate(parts)
        )
    ]
    return PlainRequest(segments=tuple(read), odds=odds)

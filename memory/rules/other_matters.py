"""What no likeness of lines says: that they differ in a number, a denial, a mood, a name. Pure.

To an embedder "I live in Lyon" and "I do not live in Lyon" are all but one, as are two and five
children, March and June.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from memory.language.detection import negated
from memory.language.text import fold, has_digit
from memory.language.times.vocabulary import AMOUNTS, MONTHS, WEEKDAYS
from memory.language.word_lists import LIGHT_WORDS, STOP_WORDS

_CACHED = 1_024

_WORD = re.compile(r"\w+")

_ARTICLES = frozenset({"a", "an", "un", "une", "one"})
"""Amounts that mostly only introduce something."""

_UNREAL = re.compile(
    r"\b(?:if|would|could|should|might|maybe|perhaps|wish(?:es)?|hopes?|wants?"
    r"|si|peut-etre|espere|esperons|veux|veut|faudrait|\w+rai(?:s|t|ent))\b"
)


@lru_cache(maxsize=_CACHED)
def _telling(text: str) -> frozenset[object]:
    """Its numbers, days and months, its names, and whether it denies, asks or wishes."""
    folded = fold(text)
    signs = (
        ("denied", negated(text)),
        ("asked", "?" in text),
        ("unreal", bool(_UNREAL.search(folded))),
    )
    return frozenset((*_values(folded), *_names(text), *signs))


def _values(folded: str) -> Iterator[str]:
    for word in _WORD.findall(folded):
        counts = word in AMOUNTS and word not in _ARTICLES
        if has_digit(word) or counts or word in MONTHS or word in WEEKDAYS:
            yield word


def _names(text: str) -> Iterator[str]:
    for word in _WORD.findall(text):
        if word[0].isupper() and not (fold(word) in STOP_WORDS or fold(word) in LIGHT_WORDS):
            yield fold(word)


def are_of_other_matters(one: str, other: str) -> bool:
    """Whether two lines cannot stand for each other, however alike they are."""
    return _telling(one) != _telling(other)

"""A message as the features that a linear classifier weighs: words, and what they do. Pure.

Each word counts as itself and as the classes it is of (`wording.toml`): so a verb that is in no
line that the weights were fitted to is known for what it does.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise

from memory.language.text import fold, has_digit
from memory.rules.forgetting.plain_words.matters import listed_under

_WORD = re.compile(r"[^\W_]+")
_NOT = re.compile(r"n't\b")
_AGAIN = re.compile(r"(.)\1{2,}")

START, BORDER, END, NUMBER, OTHER = "^", "|", "$", "0", "_"

_REACH = 5
"""Words apart that two classes are still one feature."""

_PIECES = (4, 5)
"""Letters of the pieces that a word is known by when it is misspelt."""

_LONG = 4
"""Words that the length of a message is counted in."""


@cache
def classes() -> Mapping[str, frozenset[str]]:
    """The classes of each word that has any."""
    return listed_under("wording.toml")


def request_features(parts: Sequence[str], *, asks: bool) -> frozenset[str]:
    """The features of a whole message, given as its segments; `asks` with a question mark."""
    words = [word for part in parts for word in (BORDER, *_words(part))]
    return _features([START, *words[1:], END], asks=asks)


def segment_features(parts: Sequence[str], place: int) -> frozenset[str]:
    """The features of one segment among those of its message."""
    own = _words(parts[place])
    found = {*_features([START, *own, END], asks=False)}
    for name, other in (("before", place - 1), ("after", place + 1)):
        if 0 <= other < len(parts):
            near = _words(parts[other])
            found |= {f"{name} {one}" for word in near for one in _as(word)}
        else:
            found.add(f"{name} nothing")
    return frozenset(found)


def _words(part: str) -> list[str]:
    plain = _NOT.sub(" not", fold(part)).replace("'", " ")
    return [NUMBER if has_digit(word) else _AGAIN.sub(r"\1", word) for word in _WORD.findall(plain)]


def _as(word: str) -> list[str]:
    """A word and its classes."""
    return [word, *sorted(classes().get(word, ()))]


def _features(words: Sequence[str], *, asks: bool) -> frozenset[str]:
    read = [_as(word) for word in words]
    found = {one for each in read for one in each}
    found |= {f"{one} {other}" for a, b in pairwise(read) for one in a for other in b}
    found |= _apart(words, read) | _shape(words, read)
    found |= {f"*{piece}" for word in words for piece in _pieces(word)}
    found.add(f"long {min(6, len(words) // _LONG)}")
    if asks:
        found.add("?")
    return frozenset(found)


def _apart(words: Sequence[str], read: Sequence[Sequence[str]]) -> set[str]:
    """Pairs of classes that stand some words apart."""
    placed = [
        (place, name)
        for place, each in enumerate(read)
        for name in (each[1:] or ([words[place]] if words[place] in _MARKS else []))
    ]
    return {
        f"{one} .. {other}"
        for at, (start, one) in enumerate(placed)
        for place, other in placed[at + 1 :]
        if 0 < place - start <= _REACH
    }


_MARKS = frozenset({START, BORDER, END, NUMBER})


def _shape(words: Sequence[str], read: Sequence[Sequence[str]]) -> set[str]:
    """Classes three in a row, where words of no class count as one gap."""
    row: list[Sequence[str]] = []
    for word, each in zip(words, read, strict=True):
        names = each[1:] or [word if word in _MARKS else OTHER]
        if names != [OTHER] or not row or row[-1] != [OTHER]:
            row.append(names)
    return {
        f"{one} {other} {third} !"
        for a, b, c in zip(row, row[1:], row[2:], strict=False)
        for one in a
        for other in b
        for third in c
    }


def _pieces(word: str) -> list[str]:
    if len(word) < min(_PIECES):
        return []
    whole = f"<{word}>"
    return [whole[at : at + size] for size in _PIECES for at in range(len(whole) - size + 1)]

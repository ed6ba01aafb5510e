"""Which words a misspelt one may stand for; pure."""

from collections.abc import Iterable

from rapidfuzz.distance import OSA

LEAST = 4
"""Letters of a word that may be misspelt: in a shorter one a slip makes another word."""

_SURE = 6
"""Letters from which on a wrong letter is a slip: "mango" is no Mongo."""

_LONG = 8
"""Letters from which on two slips are one word."""

_SHORT_BEGINNING, _BEGINNING = 2, 3
"""Letters that are mostly right, of a word shorter than `_SURE` and of another one."""


def beginning(word: str) -> str:
    """How the words begin that it may stand for."""
    return word[: _SHORT_BEGINNING if len(word) < _SURE else _BEGINNING]


def may_be_misspelt(word: str) -> bool:
    """Whether a word that is said nowhere may be a misspelt one: numbers and codes are not."""
    return len(word) >= LEAST and word.isalpha() and word.isascii()


def meant_by(word: str, known: Iterable[str]) -> list[str]:
    """The known words of which `word` is a misspelling, by optimal string alignment (Boytsov 2011).

    A letter too much, too few or in another's place; in a longer word also a wrong one, or two.
    """
    return [other for other in known if len(other) >= LEAST and _is_slip(word, other)]


def slips(one: str, other: str, most: int) -> int:
    """By how many slips two words differ; more than `most` are not counted."""
    return int(OSA.distance(one, other, score_cutoff=most))


def _is_slip(word: str, other: str) -> bool:
    shorter = min(len(word), len(other))
    most = 2 if shorter >= _LONG else 1
    if slips(word, other, most) > most:
        return False
    is_wrong_letter = len(word) == len(other) and sorted(word) != sorted(other)
    return shorter >= _SURE or not is_wrong_letter

"""Looks words and fixed expressions of a text up, however they are inflected. Pure.

A word is looked up as it is written, then as the word it is an irregular form of, then by its stem
among the words nearest to it in spelling: the stems of French and English are short, "mère" and
"mer" have the same.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import zip_longest
from typing import Generic, TypeVar

from memory.language.irregular_forms import BASES
from memory.language.text import share_a_stem, stemmed

T = TypeVar("T", bound=Hashable)

Read = Sequence[tuple[str, str]]
"""Content words, each with its stem, in order, as `stemmed` gives them."""

LONGEST = 4
"""Content words of the longest expression."""

_SPARE = 1
"""Letters by which a word may be longer than what is written, or further from it than another."""

_ROOT = 4
"""Letters that a word shares with one that it is made of."""

_CACHED = 16_384
"""Written words whose entries are remembered: a room's vocabulary fits in this."""


def joined(read: Read) -> str:
    """The stems with spaces between, as full-text search knows an expression."""
    return " ".join(stem for _, stem in read)


@dataclass(frozen=True, kw_only=True)
class Dictionary(Generic[T]):
    """What words and expressions (stems with a space between) lead to, the best first.

    `spellings` leads from a stem to the words that have it.
    """

    words: Mapping[str, Sequence[T]]
    expressions: Mapping[str, Sequence[T]]
    spellings: Mapping[str, Sequence[str]]

    @cached_property
    def openings(self) -> frozenset[str]:
        """The first stems of the expressions."""
        return frozenset(of.partition(" ")[0] for of in self.expressions)

    def word(self, word: str, stem: str) -> tuple[T, ...]:
        """What a word leads to, in its own or the nearest known spelling; () when unknown."""
        spelt = self._spelt(word) or _nearest(word, self.spellings.get(stem, ()))
        return tuple(dict.fromkeys(one for each in spelt for one in self.words[each]))

    def expression(self, of: str) -> tuple[T, ...]:
        """What an expression leads to; () when unknown."""
        return tuple(dict.fromkeys(self.expressions.get(of, ())))

    def _spelt(self, word: str) -> list[str]:
        """The entries that the word is as it stands, or as the infinitive or the singular of it."""
        forms = (word, BASES.get(word, word), f"{word}r")
        known = [form for form in forms if form in self.words]
        singular = word.removesuffix("s")
        return known or [singular] * (singular in self.words)


@cache
def entry(text: str) -> Read:
    """A word or expression of a lexicon, read once for everything that is made of it."""
    return stemmed(text)


@cache
def term(text: str) -> str:
    """The same as full-text search knows it."""
    return joined(entry(text))


def dictionary(entries: Iterable[tuple[str, T]]) -> Dictionary[T]:
    """The dictionary of these words and expressions, each with something it leads to."""
    words: dict[str, list[T]] = {}
    expressions: dict[str, list[T]] = {}
    spellings: dict[str, list[str]] = {}
    for text, one in entries:
        read = entry(text)
        if len(read) > 1:
            expressions.setdefault(term(text), []).append(one)
            continue
        word, stem = read[0]
        if word not in words:
            words[word] = []
            spellings.setdefault(stem, []).append(word)
        words[word].append(one)
    return Dictionary(words=words, expressions=expressions, spellings=spellings)


class Dictionaries(Generic[T]):
    """Dictionaries that are asked together, for at most so many answers a word."""

    def __init__(self, dictionaries: Sequence[Dictionary[T]], most: int) -> None:
        self._dictionaries = dictionaries
        self._most = most
        self._word = lru_cache(maxsize=_CACHED)(self._look_up)

    def found(self, read: Read) -> dict[str, tuple[T, ...]]:
        """For words and expressions of a text, by their stems, what they lead to, best first.

        The longest expression wins, and its words are then not looked up by themselves.
        """
        found: dict[str, tuple[T, ...]] = {}
        place = 0
        while place < len(read):
            size = self._expression_size(read, place)
            of = joined(read[place : place + size])
            known = self._word(*read[place]) if size == 1 else self._expression(of)
            if known:
                found[of] = self._bounded((*found.get(of, ()), *known))
            place += size
        return found

    def _expression_size(self, read: Read, place: int) -> int:
        """How many words from `place` on are one expression; 1 for a word by itself."""
        if not any(read[place][1] in each.openings for each in self._dictionaries):
            return 1
        for size in range(min(LONGEST, len(read) - place), 1, -1):
            if self._expression(joined(read[place : place + size])):
                return size
        return 1

    def _look_up(self, word: str, stem: str) -> tuple[T, ...]:
        return self._mixed([each.word(word, stem) for each in self._dictionaries])

    def _expression(self, of: str) -> tuple[T, ...]:
        return self._mixed([each.expression(of) for each in self._dictionaries])

    def _mixed(self, found: Sequence[tuple[T, ...]]) -> tuple[T, ...]:
        """The best of each, then the second of each."""
        if len(found) == 1:
            return found[0][: self._most]
        return self._bounded(one for rank in zip_longest(*found) for one in rank if one is not None)

    def _bounded(self, found: Iterable[T]) -> tuple[T, ...]:
        return tuple(dict.fromkeys(found))[: self._most]


def _nearest(word: str, spellings: Sequence[str]) -> list[str]:
    """The spellings that the word may be a form of, whose endings differ least, nearest first."""
    apart = {
        each: _apart(word, each)
        for each in spellings
        if len(each) <= len(word) + _SPARE and _is_like(word, each)
    }
    most = min(apart.values(), default=0) + _SPARE
    return sorted((each for each in apart if apart[each] <= most), key=apart.__getitem__)


def _is_like(word: str, known: str) -> bool:
    """Whether a word may be a form of a known one, or made of it, as "healthy" is of "health".

    "Romantic" is not of Rome: that a French ending can be taken off one of them, and an English
    one off the other, says little of words that have but three letters in common.
    """
    return _shared(word, known) >= _ROOT or share_a_stem(word, known)


def _apart(one: str, other: str) -> int:
    """The letters of both after the beginning they share."""
    return len(one) + len(other) - 2 * _shared(one, other)


def _shared(one: str, other: str) -> int:
    """The letters of the beginning that both share."""
    shared = 0
    while shared < min(len(one), len(other)) and one[shared] == other[shared]:
        shared += 1
    return shared

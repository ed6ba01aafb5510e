"""Says the words of a text in the other language, French or English, for looking them up there.

The lexicon is our own: everyday words of chats, `lexicon/french_english.tsv`, one French word or
fixed expression a line with its English translations, the best first. It is read once, when it is
first needed. Left out are words so broad that translating them only adds noise ("faire", "thing"),
and pairs that share a stem, since those meet already. A word is looked up as it is written, then as
the word it is an irregular form of, then by its stem among the words nearest to it in spelling: the
stems of both languages are short, "mère" and "mer" have the same.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from itertools import chain, zip_longest

from memory.irregular_forms import BASES
from memory.language import Language, stemmed, told_language

MOST = 3
"""Translations of one word: past the third they are rare or far, and each costs a look-up."""

_READ = 64
"""Content words of a text that are translated: who pastes a page asks about its beginning."""

_LONGEST = 4
"""Content words of the longest expression."""

_SPARE = 1
"""Letters by which a word may be longer than what is written, or further from it than another."""

_CACHED = 16_384
"""Written words whose translations are remembered: a room's vocabulary fits in this."""

_Read = Sequence[tuple[str, str]]
"""Content words, each with its stem, in order."""

_BOTH: tuple[Language, ...] = ("fr", "en")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Lexicon:
    """From one language into the other.

    `words` and `expressions` (stems with a space between) lead to terms; `openings` are the first
    stems of the expressions; `spellings` leads from a stem to the words that have it.
    """

    words: Mapping[str, tuple[str, ...]]
    expressions: Mapping[str, tuple[str, ...]]
    openings: frozenset[str]
    spellings: Mapping[str, tuple[str, ...]]


def translations(text: str) -> dict[str, tuple[str, ...]]:
    """For stems of the text, the terms that say the same in the other language, best first.

    A term is a stem, or the stems of an expression with spaces between, which full-text search
    takes as a phrase when it is quoted; so is a key where the text has an expression. At most 3
    terms a key, none of them a stem of the text. Where the text is clearly French or English, it is
    read as that ("pain", "coin" and "four" are words of both), and as either when that gives
    nothing.
    """
    read = stemmed(text)[:_READ]
    told = told_language(text)
    found = (_said(read, (told,)) if told else {}) or _said(read, _BOTH)
    present = {stem for _, stem in read}
    kept = {of: tuple(term for term in terms if term not in present) for of, terms in found.items()}
    return {of: terms for of, terms in kept.items() if terms}


def pairs() -> list[tuple[str, str]]:
    """Every French word or expression of the lexicon with each of its translations, best first."""
    text = (files("memory") / "lexicon" / "french_english.tsv").read_text("utf-8")
    lines = (line.split("\t") for line in text.splitlines() if not line.startswith("#"))
    return [(french, english) for french, said in lines for english in said.split(", ")]


def _said(read: _Read, languages: tuple[Language, ...]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    place = 0
    while place < len(read):
        size = _expression_size(read, place, languages)
        of = _joined(read[place : place + size])
        terms = _word(*read[place], languages) if size == 1 else _expression(of, languages)
        if terms:
            found[of] = _bounded((*found.get(of, ()), *terms))
        place += size
    return found


def _expression_size(read: _Read, place: int, languages: tuple[Language, ...]) -> int:
    """How many words from `place` on are one expression; 1 for a word by itself."""
    if not any(read[place][1] in _lexicons()[language].openings for language in languages):
        return 1
    for size in range(min(_LONGEST, len(read) - place), 1, -1):
        if _expression(_joined(read[place : place + size]), languages):
            return size
    return 1


def _joined(read: _Read) -> str:
    return " ".join(stem for _, stem in read)


def _expression(of: str, languages: tuple[Language, ...]) -> tuple[str, ...]:
    return _mixed([_lexicons()[language].expressions.get(of, ()) for language in languages])


@lru_cache(maxsize=_CACHED)
def _word(word: str, stem: str, languages: tuple[Language, ...]) -> tuple[str, ...]:
    found = [_terms(_lexicons()[language], word, stem) for language in languages]
    return tuple(term for term in _mixed(found) if term != stem)


def _terms(lexicon: _Lexicon, word: str, stem: str) -> tuple[str, ...]:
    spelt = _spelt(lexicon, word) or _nearest(word, lexicon.spellings.get(stem, ()))
    return _bounded(term for spelling in spelt for term in lexicon.words[spelling])


def _spelt(lexicon: _Lexicon, word: str) -> list[str]:
    """The entries that the word is as it stands, or as the infinitive or the singular of it."""
    forms = (word, BASES.get(word, word), f"{word}r")
    known = [form for form in forms if form in lexicon.words]
    singular = word.removesuffix("s")
    return known or [singular] * (singular in lexicon.words)


def _nearest(word: str, spellings: Sequence[str]) -> list[str]:
    """The spellings that the word may be a form of, whose endings differ least, nearest first."""
    apart = {each: _apart(word, each) for each in spellings if len(each) <= len(word) + _SPARE}
    most = min(apart.values(), default=0) + _SPARE
    return sorted((each for each in apart if apart[each] <= most), key=apart.__getitem__)


def _apart(one: str, other: str) -> int:
    """The letters of both after the beginning they share."""
    shared = 0
    while shared < min(len(one), len(other)) and one[shared] == other[shared]:
        shared += 1
    return len(one) + len(other) - 2 * shared


def _mixed(found: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """The best of each, then the second of each."""
    if len(found) == 1:
        return found[0]
    return _bounded(term for rank in zip_longest(*found) for term in rank if term is not None)


def _bounded(terms: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(terms))[:MOST]


@cache
def _lexicons() -> Mapping[Language, _Lexicon]:
    known = pairs()
    read = {text: stemmed(text) for text in dict.fromkeys(chain.from_iterable(known))}
    french = [(read[one], _joined(read[other])) for one, other in known]
    english = [(read[other], _joined(read[one])) for one, other in known]
    return {"fr": _lexicon(french), "en": _lexicon(english)}


def _lexicon(known: Iterable[tuple[_Read, str]]) -> _Lexicon:
    words: dict[str, list[str]] = {}
    expressions: dict[str, list[str]] = {}
    spellings: dict[str, dict[str, None]] = {}
    for read, term in known:
        if len(read) > 1:
            expressions.setdefault(_joined(read), []).append(term)
            continue
        word, stem = read[0]
        words.setdefault(word, []).append(term)
        spellings.setdefault(stem, {})[word] = None
    return _Lexicon(
        words={word: _bounded(terms) for word, terms in words.items()},
        expressions={of: _bounded(terms) for of, terms in expressions.items()},
        openings=frozenset(of.partition(" ")[0] for of in expressions),
        spellings={stem: tuple(each) for stem, each in spellings.items()},
    )

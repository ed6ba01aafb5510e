"""Words and stems of short French and English texts."""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from threading import Lock
from typing import Literal

import snowballstemmer

from memory.language.irregular_forms import BASES
from memory.language.unspaced import is_unspaced, pieces
from memory.language.word_lists import LIGHT_WORDS, NEGATIONS, STOP_WORDS

Language = Literal["fr", "en"]

_CACHED = 65_536
"""Distinct words remembered: stemming one costs 60 us, a room's vocabulary fits in this."""

_CACHED_TEXTS = 256
"""Texts remembered with their words: a question is read for its names, its language, its stems."""

_READ_LIMIT = 12_000
"""Characters whose words are read: at least the 4,000 of the column, when stop words are dropped.
Of a pasted log of 200,000 the rest costs seconds and says nothing more."""

_SEARCH_TEXT_LIMIT = 4_000
"""Characters of one indexed text: more would let one pasted log outweigh a year of talk."""

_LONGEST_WORD = 80
"""Characters: stemming one word of 200,000 held the whole pet for seconds, so it is cut up."""

_PROPER = re.compile(r"(?<=[^\W_A-Z][ ,;:'’(\"])\s*([A-ZÀ-ÖØ-Þ][a-zà-öø-ÿ][\w-]+)")
"""A capital that no sentence begins with; "I" and what is shouted are none."""

_LINK = re.compile(r"\bhttps?://(?:www\.)?", re.IGNORECASE)

_NOT = re.compile(r"(?<=\w)n't\b|(?<=\w)nt(?=\s+(?:like|know|have|want|eat|live)\b)")

_ELISION = re.compile(r"\b(?:jusqu|lorsqu|puisqu|quoiqu|qu|[cdjlmst])'(?=\w)")

_ELIDED_NE = re.compile(r"\bn'(?=\w)")

_KEPT = re.compile(
    r"(?<![A-Z] )(?<![’'])\b(AI|IT|US|WHO|CA|CE|SI|AS)\b(?!['’]| [A-Z]{2})"
    r"|(?i:(?<=\ben )|(?<=\b[dl]['’]))(or|OR|Or)\b"
)
"""Words that carry something only as they are written here: AI among small letters, "en or"."""

_ACRONYM = 2
"""Words in capitals that are a name and not a shout."""

_CONTRACTION = re.compile(r"(?<=\w)'(?:s|m|re|ve|ll|d)\b")

_TOKEN = re.compile(r"[^\W_]\w*(?:[.\-]\w+)*(?:\+\+|#(?!\w))?|_\w+")

_WORD = re.compile(rf"\w{{1,{_LONGEST_WORD}}}")

_DIGIT = re.compile(r"\d")

_MARKS = re.compile("[\u0300-\u036f]")

_SPECIAL = {"c++": "cpp", "c#": "csharp", "f#": "fsharp", "g++": "gpp", "notepad++": "notepadpp"}
"""Names that a full-text tokenizer would cut down to one letter."""

_KEEPS_ACCENT = frozenset({"thé", "thés"})
"""Tea is not an article."""

_english = snowballstemmer.stemmer("english")

_french = snowballstemmer.stemmer("french")

_english.maxCacheSize = _french.maxCacheSize = 0  # `_stem` remembers more, once for both of them

_stemming = Lock()
"""A stemmer keeps the word it works on in itself, so two threads may not use it at once."""


def fold(text: str) -> str:
    """The text in one case and without Latin accents, for comparing."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    if folded.isascii():
        return folded
    folded = folded.replace("œ", "oe").replace("æ", "ae").replace("’", "'")
    bare = _MARKS.sub("", unicodedata.normalize("NFD", folded))
    return unicodedata.normalize("NFC", bare)


_TYPED = re.compile(r"@?[^\W_][\w]*")


def as_typed(parts: list[str], text: str) -> Iterator[str]:
    """Where these folded words stand in a text, as they were typed: with accents and capitals."""
    typed = _TYPED.findall(text)
    folded = [fold(word).lstrip("@") for word in typed]
    for start in range(len(folded) - len(parts) + 1):
        if folded[start : start + len(parts)] == parts:
            yield " ".join(typed[start : start + len(parts)])


def words(text: str) -> list[str]:
    """The folded words of a text in order, elided articles dropped, `n't` and `n'` spelt out.

    A word that only its capitals tell from one without content keeps them: "AI", "IT". Past 12,000
    characters nothing is read.
    """
    return list(_words(text))


def stems(text: str) -> list[str]:
    """The stems of the words that carry content, and the negations, in order.

    Of a script without spaces they are pairs of letters. Irregular forms have the stem of their
    word: "bought" that of "buy", "bu" that of "boire".
    """
    return [stem for _, stem in stemmed(text)]


def stemmed(text: str) -> list[tuple[str, str]]:
    """The folded words that `stems` has the stems of, each with its stem, in order."""
    return [
        (piece, _stem(piece))
        for word in words(text)
        for piece in ((word,) if word.isascii() else pieces(word))
        if piece not in STOP_WORDS
    ]


def search_text(text: str) -> str:
    """The stems as one string for a full-text column, at most 4,000 characters."""
    joined = " ".join(stems(text))
    if len(joined) <= _SEARCH_TEXT_LIMIT:
        return joined
    return joined[: _SEARCH_TEXT_LIMIT + 1].rpartition(" ")[0] or joined[:_SEARCH_TEXT_LIMIT]


def match_terms(text: str, max_terms: int = 24) -> list[str]:
    """The stems of a text that a full-text query may ask for, each once, in order.

    Negations are left out, they would match every negated row. Past `max_terms` the longest stems
    stay, they are the rarest-looking.
    """
    terms = list(dict.fromkeys(stem for stem in stems(text) if stem not in NEGATIONS))
    if len(terms) > max_terms:
        kept = set(sorted(terms, key=len, reverse=True)[:max_terms])
        terms = [term for term in terms if term in kept]
    return terms


def has_words_of_their_own(text: str) -> bool:
    """Whether a text has words in capitals that carry something, "en or", or an unspaced script."""
    return _KEPT.search(text) is not None or is_unspaced(text)


def has_digit(word: str) -> bool:
    """Whether a word or stem is a number or holds one."""
    return any(sign.isdigit() for sign in word)


def proper_nouns(text: str) -> list[str]:
    """The stems of words with a capital where a sentence goes on, each once, in order."""
    return list(dict.fromkeys(stems(" ".join(capitalised(text)))))


def capitalised(text: str) -> list[str]:
    """The words with a capital where a sentence goes on."""
    return _PROPER.findall(text)


@lru_cache(maxsize=_CACHED_TEXTS)
def _words(text: str) -> tuple[str, ...]:
    return tuple(part for token in _tokens(text) for part in _parts(token))


def _tokens(text: str) -> list[str]:
    whole = unicodedata.normalize("NFKC", text[:_READ_LIMIT])[:_READ_LIMIT]  # one sign may be 18
    plain = _in_one_case(whole).replace("’", "'")
    if "://" in plain:
        plain = _LINK.sub(" ", plain)
    if "'" in plain:
        plain = _without_apostrophes(plain)
    return [piece for token in _TOKEN.findall(plain) for piece in _cut(token)]


def _in_one_case(whole: str) -> str:
    """The text in small letters, but for what only its capitals tell from a word without content.

    "en or" has them too from here on.
    """
    if whole.isupper() and len(whole.split()) > _ACRONYM:
        return whole.casefold()
    parts = _KEPT.split(whole)
    return "".join(
        (part or "").upper() if place % 3 else part.casefold() for place, part in enumerate(parts)
    )


def _cut(token: str) -> list[str]:
    return [token] if len(token) <= _LONGEST_WORD else _WORD.findall(token)


def _without_apostrophes(plain: str) -> str:
    plain = plain.replace("aujourd'hui", "aujourdhui").replace("can't", "can not")
    plain = plain.replace("won't", "will not")
    plain = _NOT.sub(" not", plain)
    plain = _ELIDED_NE.sub("ne ", plain)
    return _CONTRACTION.sub("", _ELISION.sub(" ", plain))


@lru_cache(maxsize=_CACHED)
def _parts(token: str) -> tuple[str, ...]:
    if token in _KEEPS_ACCENT or token.isupper():
        return (token,)
    folded = fold(token)
    if "-" in folded and not _DIGIT.search(folded):
        return tuple(part for part in folded.split("-") if part)
    return (folded,)


def share_a_stem(one: str, other: str) -> bool:
    """Whether two folded words may be forms of one word in French, or in English.

    `stems` takes endings of both off, one after the other: "romantic" and "Rome" meet there only.
    """
    forms = [BASES.get(word, word) for word in (one, other)]
    with _stemming:
        return any(
            language.stemWord(forms[0]) == language.stemWord(forms[1])
            for language in (_french, _english)
        )


@lru_cache(maxsize=_CACHED)
def _stem(word: str) -> str:
    if not word.isalpha():
        return _SPECIAL.get(word, word)
    if word.isupper():
        return word.casefold()
    if word in NEGATIONS:
        return word
    with _stemming:
        stem: str = _french.stemWord(_english.stemWord(BASES.get(word, word)))
    doubled = len(stem) > 3 and stem[-1] == stem[-2]
    return stem[:-1] if doubled else stem  # or "travaille" and "travailler" would not meet


@lru_cache(maxsize=1)
def light_stems() -> frozenset[str]:
    """The stems of words that say little: time passing, politeness, what everybody does."""
    return frozenset(stems(" ".join(LIGHT_WORDS)))

"""Says the words of a text in the other language, French or English, for looking them up there.

The lexicon is our own: everyday words of chats, `lexicon/french_english.tsv`, one French word or
fixed expression a line with its English translations, the best first. It is read once, when it is
first needed. Left out are words so broad that translating them only adds noise ("faire", "thing"),
and pairs that share a stem, since those meet already.
"""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from memory.language.detection import told_language
from memory.language.dictionary import Dictionaries, dictionary, term
from memory.language.text import Language, stemmed

MOST = 3
"""Translations of one word: past the third they are rare or far, and each costs a look-up."""

READ = 64
"""Content words of a text that are looked up: who pastes a page asks about its beginning."""


def translations(text: str) -> dict[str, tuple[str, ...]]:
    """For stems of the text, the terms that say the same in the other language, best first.

    A term is a stem, or the stems of an expression with spaces between, which full-text search
    takes as a phrase when it is quoted; so is a key where the text has an expression. At most 3
    terms a key, none of them a stem of the text. Where the text is clearly French or English, it is
    read as that ("pain", "coin" and "four" are words of both), and as either when that gives
    nothing.
    """
    read, told = stemmed(text)[:READ], told_language(text)
    found = (_shelves()[told].found(read) if told else {}) or _shelves()[None].found(read)
    present = {stem for _, stem in read}
    kept = {of: tuple(term for term in terms if term not in present) for of, terms in found.items()}
    return {of: terms for of, terms in kept.items() if terms}


def pairs() -> list[tuple[str, str]]:
    """Every French word or expression of the lexicon with each of its translations, best first."""
    text = (files("memory.language") / "lexicon" / "french_english.tsv").read_text("utf-8")
    lines = (line.split("\t") for line in text.splitlines() if not line.startswith("#"))
    return [(french, english) for french, said in lines for english in said.split(", ")]


@cache
def _shelves() -> Mapping[Language | None, Dictionaries[str]]:
    """By the language that a text is told to be in, None for either."""
    known = pairs()
    french = dictionary((one, term(other)) for one, other in known)
    english = dictionary((other, term(one)) for one, other in known)
    both = Dictionaries([french, english], MOST)
    return {"fr": Dictionaries([french], MOST), "en": Dictionaries([english], MOST), None: both}

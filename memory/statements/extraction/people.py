"""Which words may name a person; pure."""

from memory.language.expressions import SentencePattern
from memory.language.text import fold
from memory.language.word_lists import STOP_WORDS

_LEADING = SentencePattern(r"[A-ZÀ-Ý][\w-]{2,24}(?=\s+\S)")

_NOT_NAMES = STOP_WORDS | frozenset(
    """
    true false none null yes no lundi mardi mercredi jeudi vendredi samedi dimanche monday tuesday
    wednesday thursday friday saturday sunday january february march april may june july august
    september october november december quelqu quelqu'un personne someone everybody everyone nobody
    anyone somebody chacun google ubuntu linux windows debian everything nothing
    """.split()  # noqa: SIM905 - a list of words reads as a list of words
)


def leading_person(words: str) -> str | None:
    """The word that a clause begins with, where that may be a person's name."""
    found = _LEADING.match(words)
    return found[0] if found and could_be_a_person(found[0]) else None


def could_be_a_person(word: str) -> bool:
    """Whether a word is written like a name, and is none of the words that only look so."""
    return word[:1].isupper() and word[1:].islower() and word.isalpha() and could_be_a_nick(word)


def could_be_a_nick(word: str) -> bool:
    """Whether a word is none of those that name no one."""
    plain = fold(word)
    return not word.isdigit() and len(plain) > 1 and plain not in _NOT_NAMES

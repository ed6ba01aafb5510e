"""Whom a text means by a part of a name, or by a name that is misspelt; pure."""

from collections.abc import Collection, Iterator
from collections.abc import Set as AbstractSet

from memory.language.misspelling import slips
from memory.language.text import capitalised, fold, words
from memory.language.word_lists import LIGHT_WORDS, NEGATIONS, SMALL_TALK, STOP_WORDS

_LEAST_PART = 3
"""Letters of a part that is a name by itself; "de" and "Li" are in too many."""

_LEAST_NEAR, _LEAST_SMALL = 4, 6
"""Letters of a word that may be a misspelt name; of one in small letters more, since a short one is
some word ("alive" is no Alice)."""

_LONG = 7
"""Letters from which on two may be wrong; in a shorter one a second makes it another name."""


def people_meant(
    text: str, known: Collection[str], unsaid: AbstractSet[str]
) -> tuple[frozenset[str], ...]:
    """For each word that means a person: the word, and the known names it may stand for, folded.

    "Fahim" is a part of "Fahim Khan", unless that is a whole name. One of the `unsaid`
    words, which no row has, is a misspelt name where that is one letter off, or two for a long one
    (optimal string alignment, Boytsov 2011); the first letter is mostly right.
    """
    whole, capitals = {fold(name) for name in known}, frozenset(words(" ".join(capitalised(text))))
    parts = [(part, name) for name in sorted(whole) for part in _parts(name)]
    meant = []
    for word in dict.fromkeys(words(text)):
        if word not in whole:
            names = {name for part, name in parts if part == word and part != name}
            least = _LEAST_NEAR if word in capitals else _LEAST_SMALL
            if not names and word in unsaid and len(word) >= least:
                names = {name for part, name in parts if _is_near(word, part)}
            if names:
                meant.append(frozenset({word, *names}))
    return tuple(meant)


def _parts(name: str) -> Iterator[str]:
    for part in words(name):
        if len(part) >= _LEAST_PART and part.isalpha() and not _says_something(part):
            yield part


def _says_something(word: str) -> bool:
    return word in STOP_WORDS or word in NEGATIONS or word in LIGHT_WORDS or word in SMALL_TALK


def _is_near(word: str, part: str) -> bool:
    if word[0] != part[0]:
        return False
    most = 2 if min(len(word), len(part)) >= _LONG else 1
    return slips(word, part, most) <= most

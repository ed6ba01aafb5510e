"""Which names look like another one to people, however they are written."""

import re
import unicodedata
from functools import lru_cache

from confusable_homoglyphs.confusables import confusables_data

from memory.model.namesakes import NAMESAKE_SIGN

REMEMBERED = 4096
"""Pairs of names whose answer is kept: the people of some lively rooms."""

_IGNORED = (0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFFA0)
"""Characters without a picture that are not of the category of format signs, with the ranges below
(Unicode, DerivedCoreProperties.txt, Default_Ignorable_Code_Point)."""

_IGNORED_RANGES = ((0x180B, 0x180F), (0x2065, 0x2065), (0xFE00, 0xFE0F), (0xE0000, 0xE0FFF))

NAMESAKE_SIGNS = NAMESAKE_SIGN + "\ufe5f\uff03\u266f\u2317\u22d5\u29e3\u29e4\u29e5\u2a68"
"""The sign behind which people of one name are told apart, and those that are read as it: Unicode's
confusables have none of them."""

_NAMESAKE = re.compile(rf"[{NAMESAKE_SIGNS}][^\w\s]{{0,3}}+\w{{3}}")
"""What is read as the mark of a namesake, with joiners and the like; "Player #1" is not."""

_CASES = (str, str.casefold, str.upper)


@lru_cache(REMEMBERED)
def looks_like(name: str, other: str) -> bool:
    """Whether a name is read as the other: in any case, by lookalikes, with invisible marks.

    The skeletons of Unicode Technical Standard 39, section 4, of the whole names or sign by sign,
    since a letter may look alike as a capital only.
    """
    one, two = _visible(name), _visible(other)
    if any(skeleton(case(one)) == skeleton(case(two)) for case in _CASES):
        return True
    return len(one) == len(two) and all(map(_alike, one, two))


def reads_as_namesake(name: str) -> bool:
    """Whether a name is read as what the pet calls one of several people: "Lea#3f2a"."""
    return _NAMESAKE.search(name) is not None


def skeleton(text: str) -> str:
    """The text with each sign in the place of those that look like it (UTS 39, section 4)."""
    drawn = unicodedata.normalize("NFD", _visible(text))
    return unicodedata.normalize("NFD", "".join(map(_prototype, drawn)))


def _alike(one: str, two: str) -> bool:
    return any(skeleton(case(one)) == skeleton(case(two)) for case in _CASES)


def _visible(text: str) -> str:
    """The text in its plainest form, without what no font draws."""
    kept = (char for char in unicodedata.normalize("NFKC", text) if not _is_ignored(char))
    return unicodedata.normalize("NFC", "".join(kept))


def _is_ignored(char: str) -> bool:
    code = ord(char)
    return (
        unicodedata.category(char) in {"Cf", "Cc"}
        or code in _IGNORED
        or any(first <= code <= last for first, last in _IGNORED_RANGES)
    )


def _prototype(char: str) -> str:
    """What stands for all signs that look like this one.

    The library tells for each sign what it is confused with: a prototype many, others it alone.
    """
    like = confusables_data.get(char, ())
    if len(like) != 1:
        return char
    prototype = str(like[0]["c"])
    is_pair = len(confusables_data.get(prototype, ())) == 1
    return min(char, prototype) if is_pair else prototype

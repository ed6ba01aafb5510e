"""The words of time in French and English as people type them, folded, for asking and stating."""

from collections.abc import Iterable, Mapping

from memory.language.text import fold
from memory.language.times.calendar import ENGLISH_DAYS, ENGLISH_MONTHS, FRENCH_DAYS, FRENCH_MONTHS


def either(names: Iterable[str]) -> str:
    """A pattern for any of the words, the longest first."""
    return "|".join(sorted(names, key=len, reverse=True))


def either_of(names: str) -> str:
    """The same of words that stand in one text."""
    return either(names.split())


def _numbered(*lists: Iterable[str]) -> dict[str, int]:
    return {fold(name): place for names in lists for place, name in enumerate(names)}


def _places(text: str) -> dict[str, int]:
    """`jan 1 feb 2` as a table."""
    pieces = text.split()
    return dict(zip(pieces[::2], map(int, pieces[1::2]), strict=True))


_FRENCH_MONTHS = {name: place + 1 for name, place in _numbered(FRENCH_MONTHS).items()}
_ENGLISH_MONTHS = {name: place + 1 for name, place in _numbered(ENGLISH_MONTHS).items()}
_FRENCH_SHORT = _places("janv 1 fev 2 fevr 2 avr 4 juil 7 juill 7 sept 9 oct 10 nov 11 dec 12")
_ENGLISH_SHORT = _places(
    "jan 1 feb 2 febuary 2 apr 4 jun 6 jul 7 aug 8 sep 9 sept 9 oct 10 nov 11 dec 12"
)
"""`mar` is left out: it is a Tuesday in French. `febuary` is how people type it."""

MONTHS: Mapping[str, int] = _FRENCH_MONTHS | _ENGLISH_MONTHS | _FRENCH_SHORT | _ENGLISH_SHORT
"""1 is January."""

_MISTYPED_DAYS = _places(
    "mecredi 2 vendrdi 4 samdi 5 dimache 6 tusday 1 wensday 2 wednsday 2 thurday 3 saterday 5"
)
_SHORT_DAYS = _places("mon 0 tue 1 tues 1 wed 2 thu 3 thur 3 thurs 3 fri 4 sat 5 sun 6")
WEEKDAYS: Mapping[str, int] = _numbered(FRENCH_DAYS, ENGLISH_DAYS) | _MISTYPED_DAYS | _SHORT_DAYS
"""0 is Monday."""

AMOUNTS: Mapping[str, int] = _places(
    """
    un 1 une 1 deux 2 trois 3 quatre 4 cinq 5 six 6 sept 7 huit 8 neuf 9 dix 10 onze 11 douze 12
    quinze 15 vingt 20 trente 30 quelques 3 qq 3 qques 3
    a 1 an 1 one 1 two 2 three 3 four 4 five 5 seven 7 eight 8 nine 9 ten 10 eleven 11 twelve 12
    fifteen 15 twenty 20 thirty 30 couple 2 few 3 several 4
    """
)
"""Numbers in words; the vague ones as what they most often turn out to be."""

FRENCH_MONTH = either([*_FRENCH_MONTHS, *_FRENCH_SHORT])
FRENCH_MONTH_AFTER_EN = either([*_FRENCH_MONTHS, *(_FRENCH_SHORT.keys() - {"sept"})])
"""`en sept` is as often in seven of something."""
FRENCH_MONTH_AFTER_DE = either(_FRENCH_MONTHS.keys() - {"mars"})
"""`de mars` is also of the planet, the god and the bar."""
VERB_MONTHS = frozenset({"may", "march"})
"""Those that are ordinary verbs too."""
ENGLISH_MONTH = either([*_ENGLISH_MONTHS, *_ENGLISH_SHORT])
PLAIN_ENGLISH_MONTH = either([*(_ENGLISH_MONTHS.keys() - VERB_MONTHS), *_ENGLISH_SHORT])

FRENCH_DAY = either([*FRENCH_DAYS, *(day for day in _MISTYPED_DAYS if day.endswith(("di", "che")))])
ENGLISH_DAY = either([*ENGLISH_DAYS, *(day for day in _MISTYPED_DAYS if day.endswith("day"))])
SHORT_DAY = either(_SHORT_DAYS)

SEASONS: Mapping[str, int] = _places(
    "printemps 3 spring 3 ete 6 summer 6 automne 9 autumn 9 fall 9 hiver 12 winter 12"
)
"""The first month of each, as meteorologists of the northern hemisphere count."""


def amount_of(text: str) -> int:
    """How many a number in words or digits means."""
    return AMOUNTS[text] if text in AMOUNTS else int(text)


def month_of(name: str) -> int:
    """The number of a month, whatever its case and accents; 1 is January."""
    return MONTHS[fold(name)]

"""Numbers that are measured: a weight, a dose, a wage, a grade; lines that take them up. Pure."""

import re
from collections.abc import Mapping

from memory.language.text import fold, stems
from memory.rules.forgetting.plain_words.kinds import ValueKind, kinds_asked
from memory.rules.forgetting.plain_words.matters import matters_of

_SUM = re.compile(
    r"\d[\s.,'’]\d{3}|[$€£] ?\d{4}|\d{4} ?(?:[$€£]|euros?\b|eur\b|dollars?\b|pounds?\b)",
    re.IGNORECASE,
)
"""A number of four digits that is no small one: in groups, or of money. 1,380; 8740 euros."""

_COUNTED = re.compile(r"\s*\S*(?:s|x|people)(?!\S)", re.IGNORECASE)
"""What follows a number that counts something."""

_MEASURED = frozenset({"body", "medicine", "money", "school"})
"""Matters of numbers that are measured: a weight, a dose, a wage, a grade."""

_UNITS: Mapping[str, re.Pattern[str]] = {
    "money": re.compile(r"[$€£]|\b(?:eur|usd|gbp|chf)\b", re.IGNORECASE),
    "school": re.compile(
        r"\b(?:sur|out of) ?(?:20|vingt|100|cent)\b|\d/(?:20|100)\b", re.IGNORECASE
    ),
}
"""What a number is written with, by its matter."""

TAKEN_UP_BESIDE = 3
"""Other words that carry content, of a line that says a measured number of the same matter."""

_TAKEN_UP = "%"
"""The matter of a measured number in a line that takes it up: "your 94.6", "850 is a lot"."""

_REPEATS = re.compile(
    r"\b(?:les|des|tes|ces|the|th[oe]se|your|saw|seen|read|heard|typed|vu|lu|entendu|tape) $"
    r"|(?<![-\w])(?:tu|you|vous) \w+ $"
)
"""What a number follows that was told before, or is of who is spoken to: "your 94.6"."""

_LABEL = re.compile(
    r"\b(?:measure\w*|mesure\w*|values?|valeurs?|amounts?|montants?|totals?|totaux|numbers?|nombres?"
    r"|numeros?|chiffres?|figures?|scores?|sums?|sommes?)\b[^.!?]{0,30}: $"
)
"""What a number follows in a log, and in a list of them: "last measured: 94.6"."""

_COMMENT = re.compile(r"\s?(?:,|is|isn't|was|wasn't|c'est|ca|ce n'est|c'etait)(?!\w)")
"""What follows a number that a line begins with to speak of it: "2340 is a lot"."""


def measured_matters(text: str, *, taken_up: bool) -> list[str]:
    """What a number that is measured is beside in a text: no matters where it may be a code."""
    said = () if ValueKind.CODE in kinds_asked(text) else stems(text)
    written = {matter for matter, unit in _UNITS.items() if unit.search(text)}
    matters = [f"{_TAKEN_UP}{one}" for one in matters_of(said) & _MEASURED | written]
    return [_TAKEN_UP, *matters] if taken_up else matters


def counts(after: str) -> bool:
    """Whether a number counts what these words after it begin with: "850 people"."""
    return _COUNTED.match(after) is not None


def is_sum(text: str) -> bool:
    """Whether a number of four digits with its surroundings is written as a sum."""
    return _SUM.search(text) is not None


def repeats(before: str) -> bool:
    """Whether the number after these words was told before, or is of who is spoken to."""
    return _REPEATS.search(fold(before).rstrip("$€£")) is not None


def takes_up(before: str, after: str) -> bool:
    """Whether a line logs the number between these words, or begins with it to comment on it."""
    is_comment = not before.strip("$€£ ") and _COMMENT.match(fold(after)) is not None
    return is_comment or _LABEL.search(fold(before).rstrip("$€£")) is not None

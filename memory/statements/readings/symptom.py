"""Where it hurts a person: said more precisely, it is the same symptom. Pure."""

import re
from dataclasses import dataclass
from functools import lru_cache

from memory.language.expressions import SentencePattern
from memory.language.text import words

_CACHED = 1_024
"""Statements whose reading is remembered."""

_WHO = r"(?P<who>[^\W\d_][\w.-]*(?:\s(?-i:[A-ZÀ-Ý])[\w-]+)?)"
_PART = r"(?P<part>[^\W\d_]{3,})"
_SIDE = r"(?P<side>left|right)\s"
_SIDE_FR = r"(?:\s(?P<side>gauche|droit)e?\b)?"
_VERY = r"(?:(?:très|un peu|trop|toujours|encore) )?"
_REST = r"(?P<rest>(?:\s.*)?)"

_PATTERNS = tuple(
    SentencePattern(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_WHO}\sa {_VERY}mal (?:à la |à l'|au |aux |à ){_PART}{_SIDE_FR}{_REST}",
        rf"{_WHO}'s (?:{_SIDE})?{_PART} (?:hurts?|aches?|is sore|has been \w+){_REST}",
        rf"{_WHO} has (?:an? |some |bad )*(?:sore|stiff|painful|bad) (?:{_SIDE})?{_PART}{_REST}",
        rf"{_WHO} has (?:an? |some |bad )*pains? in (?:their|the) (?:{_SIDE})?{_PART}{_REST}",
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Symptom:
    """Whom it hurts, where, on which side ("" when that was not said), and what else was said."""

    subject: str
    part: str
    side: str
    rest: str

    def is_same(self, other: "Symptom") -> bool:
        """Whether it may be one ache: the same part, and no other side."""
        one_side = not self.side or not other.side or self.side == other.side
        return one_side and (self.subject, self.part) == (other.subject, other.part)

    def says_all_of(self, other: "Symptom") -> bool:
        """Whether nothing is lost when this takes the place of the other."""
        return (bool(self.side) or not other.side) and other.rest in ("", self.rest)


@lru_cache(maxsize=_CACHED)
def symptom_of(content: str) -> Symptom | None:
    """The ache a statement tells of, or None."""
    plain = " ".join(content.replace("’", "'").split()).rstrip(" .!")
    for pattern in _PATTERNS:
        found = pattern.fullmatch(plain)
        if found:
            return Symptom(
                subject=" ".join(words(found["who"])),
                part=" ".join(words(found["part"])),
                side=(found["side"] or "").lower(),
                rest=" ".join(words(found["rest"])),
            )
    return None

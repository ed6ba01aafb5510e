"""Where it hurts a person: said more precisely, it is the same symptom. Pure."""

import re
from dataclasses import dataclass
from functools import lru_cache

from memory.language.expressions import SentencePattern
from memory.language.text import words
from memory.statements.readings.subject import spoken_words

_CACHED = 1_024
"""Statements whose reading is remembered."""

_WHO = r"(?P<who>[^\W\d_][\w.-]*(?:\s(?-i:[A-ZÀ-Ý])[\w-]+)?)"
_PART = r"(?P<part>[^\W\d_]{3,})"
_SIDE = r"(?P<side>left|right)\s"
_SIDE_FR = r"(?:\s(?P<side>gauche|droit)e?\b)?"
_VERY = r"(?:(?:très|un peu|trop|toujours|encore) )?"
_REST = r"(?P<rest>(?:\s.*)?)"

_OWN = rf"(?:{_WHO}'s|my)"

_PATTERNS = tuple(
    SentencePattern(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_WHO}\s(?:a|ai) {_VERY}mal (?:à la |à l'|au |aux |à ){_PART}{_SIDE_FR}{_REST}",
        rf"{_OWN} (?:{_SIDE})?{_PART} (?:hurts?|aches?|is sore|has been \w+){_REST}",
        (
            rf"{_WHO} ha(?:s|ve) (?:an? |some |bad )*(?:sore|stiff|painful|bad) (?:{_SIDE})?{_PART}"
            rf"{_REST}"
        ),
        (
            rf"{_WHO} ha(?:s|ve) (?:an? |some |bad )*pains? in (?:their|the|my) (?:{_SIDE})?{_PART}"
            rf"{_REST}"
        ),
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
def symptom_of(content: str, said_by: str | None = None) -> Symptom | None:
    """The ache a statement tells of, or None; "I" is the speaker that `said_by` names."""
    spoken = spoken_words(content, said_by)
    for pattern in _PATTERNS:
        found = pattern.fullmatch(spoken.words)
        subject = found and spoken.person(found["who"] or "my")
        if found and subject:
            return Symptom(
                subject=subject,
                part=" ".join(words(found["part"])),
                side=(found["side"] or "").lower(),
                rest=" ".join(words(found["rest"])),
            )
    return None

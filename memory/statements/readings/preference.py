"""Whether a person likes something or has a habit, so that a later word takes it back. Pure.

"Aime le café", "loves coffee" and "can't stand coffee" are one question with two answers; so are
"drinks tea every day" and "stopped drinking tea". People like many things: only the same thing
meets, said of the same person.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from memory.language.expressions import SentencePattern
from memory.language.text import words
from memory.statements.readings.subject import SpokenWords, spoken_words

_CACHED = 4_096
"""Statements whose reading is remembered."""

_WHO = r"(?P<who>[^\W\d_][\w.-]*(?:\s(?-i:[A-ZÀ-Ý])[\w-]+)?)\s"
_HOW = (
    r"(?:(?:really|also|still|just|absolutely|always|often|bien|beaucoup|vraiment|toujours|aussi"
    r"|trop|du tout|souvent)\s)*"
)
_WHAT = r"(?P<what>\S.*)"
_MAYBE_WHAT = r"(?:\s(?P<what>\S.*))?"
_DO_NOT = r"(?:don't|doesn't|do not|does not|no longer)"


def _not(verb: str) -> str:
    """A denied verb; "mange plus" without its "ne" may be "eats more"."""
    return rf"(?:(?:ne\s|n')(?:{verb})\s(?:pas|plus|jamais)|(?:{verb})\s(?:pas|jamais))"


_HATES = r"(?:hates?|dislikes?|can't stand|cannot stand|déteste|hai[ts])"
_LIKES = rf"{_WHO}{_HOW}(?:likes?|loves?|enjoys?|adores?|aime|adore|kiffe)\s{_HOW}{_WHAT}"
_DISLIKES = "|".join(
    (
        rf"{_WHO}{_HOW}{_DO_NOT}\s{_HOW}(?:likes?|loves?|enjoys?)\s{_WHAT}",
        rf"(?P<who2>\S+)\s{_HOW}{_HATES}\s{_HOW}(?P<what2>\S.*)",
        rf"(?P<who3>\S+)\s{_not('aime|adore|kiffe|supporte')}\s{_HOW}(?P<what3>\S.*)",
    )
)
_DOES = (
    ("drink", r"boi[ts]|drinks?", r"boire|drinking"),
    ("eat", r"mange|eats?", r"manger|eating"),
    ("smoke", r"fume|smokes?", r"fumer|smoking"),
)
_END = SentencePattern(
    r"\s(?:any ?more|at all|du tout|maintenant|now|tous les|toutes les|chaque|every|each|souvent"
    r"|often|depuis|since|pendant|for|avec|with|le (?:matin|midi|soir|week-?end)|in the|at|after"
    r"|before|après|avant)\b.*$|\s\(.*$",
    re.IGNORECASE,
)
"""Where the thing ends: with whom, when and how long is not what it is."""
_QUANTITY = frozenset(
    """
    le la les l un une du de d des the a an any some of lot lots beaucoup trop peu too much
    """.split()  # noqa: SIM905 - a list of words reads as a list of words
)


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedPreference:
    """What a person likes or does, or no longer; a `thing` of no words is all there is of it."""

    subject: str
    key: str
    thing: tuple[str, ...]
    holds: bool

    @property
    def slot(self) -> str:
        """Where what affirms and what denies it meet."""
        return f"{self.key} of {self.subject}"

    def denies(self, other: "StatedPreference") -> bool:
        """Whether one says yes and the other no to the same."""
        if self.slot != other.slot or self.holds == other.holds:
            return False
        denied = self if not self.holds else other
        return not denied.thing or self.thing == other.thing


@lru_cache(maxsize=_CACHED)
def stance_of(content: str, said_by: str | None = None) -> StatedPreference | None:
    """The stance a statement takes, or None; "I" is the speaker that `said_by` names."""
    spoken = spoken_words(content, said_by)
    for key, holds, pattern in _PATTERNS:
        found = pattern.fullmatch(spoken.words)
        if found:
            return _stance(found, key, spoken, holds=holds)
    return None


def _stance(
    found: re.Match[str], key: str, spoken: SpokenWords, *, holds: bool
) -> StatedPreference | None:
    groups = found.groupdict()
    who = next(value for name, value in groups.items() if name.startswith("who") and value)
    subject = spoken.person(who)
    what = next((value for name, value in groups.items() if name.startswith("what") and value), "")
    thing = tuple(word for word in words(_END.sub("", f" {what}")) if word not in _QUANTITY)
    if subject is None or (not thing and (key == "liking" or holds)):
        return None
    return StatedPreference(subject=subject, key=key, thing=thing, holds=holds)


def _denied(verb: str, doing: str) -> str:
    """All ways to say that a person does it no longer, or never did."""
    english = verb.replace("s?", "").rpartition("|")[2]
    return (
        rf"{_WHO}(?:don't|doesn't|do not|does not)\s{_HOW}(?:{english}){_MAYBE_WHAT}"
        rf"|(?P<who2>\S+)\s(?:no longer|never)\s(?:{verb})(?:\s(?P<what2>\S.*))?"
        rf"|(?P<who3>\S+)\s{_not(verb)}(?:\s(?P<what3>\S.*))?"
        rf"|(?P<who4>\S+)\s(?:has |have |a |ai )?(?:stopped|quit|given up|arrêté de)\s(?:{doing})"
        rf"(?:\s(?P<what4>\S.*))?"
    )


_PATTERNS = tuple(
    (key, holds, SentencePattern(pattern, re.IGNORECASE))
    for key, holds, pattern in (
        ("liking", False, _DISLIKES),
        ("liking", True, _LIKES),
        *((key, False, _denied(verb, doing)) for key, verb, doing in _DOES),
        *((key, True, rf"{_WHO}{_HOW}(?:{verb})\s{_WHAT}") for key, verb, _ in _DOES),
    )
)
"""Denials first: "ne boit plus" has the verb that affirms in it."""

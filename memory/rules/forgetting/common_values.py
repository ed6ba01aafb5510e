"""Values that stand in many texts and mean something else there: dates, small numbers, names. Pure.

Such a value is no secret by itself: it is known again beside its matter only, see `values.py`, in
a line that states it, and does not ask, quote, or tell that it was forgotten.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from memory.language.names import names_speaker
from memory.language.text import fold, has_digit, proper_nouns, stems
from memory.language.times.named_times import NamedClock, NamedDay, TimePiece, Vague, Wait
from memory.language.times.time_words import time_pieces
from memory.language.times.vocabulary import AMOUNTS, MONTHS, WEEKDAYS
from memory.rules.forgetting.plain_words.kinds import ValueKind, kinds_asked
from memory.rules.forgetting.plain_words.reading import read_request

YEAR = re.compile(r"(?:19|20)\d\d")

_SMALL = re.compile(
    r"(?=[\d.,]{1,5}(?![\d.,]))\d{1,4}(?:[.,]\d{1,2})?"
    r"(?:k|e|er|re|st|nd|rd|th|eme|x|g|kg|mg|km|m|cm|mm|l|cl|ml|ans|eur|min|s)?"
)
"""A number of up to four digits, also with a unit or an ending: 82, 4821, 6.5, 3rd, 12km."""

_CLOCK = re.compile(r"\d{1,2}(?:h\d{0,2}|am|pm)")

_CAPITAL = re.compile(r"\b[A-ZÀ-ÖØ-Þ]\w{2,40}")

_DIGITS = re.compile(r"\d{3}")

_WRITTEN = re.compile(r"[^\W\d]|\d[:/.-]\d")
"""What a time has besides digits: a word, or a sign between them."""

_MORE_DIGITS = re.compile(r"(?:[ .-]\d\d(?!\d)){2}")
"""How a number of a telephone goes on: "le 06 39 98 41 07" is no sixth of a month."""

_DECIMAL = re.compile(r"(?<![\d.,])\d{1,2}[.,]\d[1-46-9]$")
"""How a price is written, and hardly a time of day: "at 3.42"."""

_MORE_NUMBERS = """
treize quatorze seize quarante cinquante soixante cent cents mille thirteen fourteen sixteen
seventeen eighteen nineteen forty fifty sixty seventy eighty ninety hundred hundreds thousand
thousands first second third fourth fifth premier premiere deuxieme troisieme dizaine douzaine
dozen half moitie demi
"""

TIE = ":tie"
"""The matter of a name that a crush or an ex has."""

_MATTERS: Mapping[str, re.Pattern[str]] = {
    ":birth": re.compile(
        r"\b(?:birth\w{0,8}|bday|dob|born|anniv\w{0,10}|naissance|nee|ne (?:le|en))\b"
    ),
    ":name": re.compile(
        r"\b(?:\w{0,8}names?|called|nicknamed|(?:sur|pre)?noms?|(?:m|s)'appel\w{1,6}|baptis\w{1,5}"
        r"|surnomm\w{1,4})\b"
    ),
    TIE: re.compile(
        r"\b(?:crush|ex|boyfriend|girlfriend|bf|gf|dating|lover|in love|affair|copain|copine|mec"
        r"|meuf|amoureu\w{1,4}|amants?|maitresses?|coup de coeur|liaison)\b"
    ),
}

_QUOTES = re.compile(r"[\"“«»”>]")

_TELLS_OF_FORGETTING = re.compile(
    r"\b(?:log|journal|deleted|erased|removed|forgot(?:ten)?|purged|wiped|scrubbed|efface\w*|supprim\w*"
    r"|oubli\w*|retire\w*|nettoy\w*)\b ?:?",
    re.IGNORECASE,
)

_ASKS = re.compile(
    r"^(?:@\w{1,40} )?(?:(?:and|so|but|wait|huh|et|mais|euh|attends) )?"
    r"(?:who|what|whats|where|wheres|when|why|how|which|whose|did|does|do|is|was|are|were|has|have"
    r"|can|could|qui|quoi|quel\w{0,3}|ou|quand|comment|pourquoi|combien|est-ce|c'est quoi|c'est qui"
    r"|cest quoi|t'as|tu as|as-tu)\b|\b(?:ou|quoi|qui|quand) deja\b"
)
"""How a question begins, or ends, that was written without its sign."""


@dataclass(frozen=True, slots=True)
class NamedTime:
    """A day, weekday or time of day in a text; its key is "" where it is another word of time."""

    key: str
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueOwner:
    """Whose value was forgotten: the stems of their names and of others', and whether they speak.

    The pet `speaks` for them, too.
    """

    names: frozenset[str]
    others: frozenset[str]
    speaks: bool


def common_kind(stem: str) -> ValueKind | None:
    """What sort of common value a stem is; None for any other word."""
    if stem in _of_calendar() or _CLOCK.fullmatch(stem):
        return ValueKind.DATE
    if stem in _numbers() or _SMALL.fullmatch(stem):
        return ValueKind.AMOUNT
    is_name = stem in _names_of("people") or stem in _names_of("places")
    return ValueKind.NAME if is_name else None


def named_times(text: str) -> list[NamedTime]:
    """The words of time in a text: "on 25 November 2026" has the same key as "25/11"."""
    return [
        NamedTime(_key(piece), piece.start, piece.end)
        for piece in time_pieces(text)
        if _tells_time(piece, text)
    ]


GONE = ":gone"
"""The matter of a line that tells of a forgetting: it is that of all that was forgotten."""


def matters_told(text: str) -> list[str]:
    """Whether a text tells a code, a birthday, what a person is called, or of a forgetting."""
    said = fold(text)
    found = [matter for matter, pattern in _MATTERS.items() if pattern.search(said)]
    found += [":code"] if ValueKind.CODE in kinds_asked(text) else []
    return [*found, GONE] if tells_of_forgetting(text) else found


def names_told(text: str) -> frozenset[str]:
    """The stems that may be names of people: a capital in a sentence, or a common name."""
    return frozenset(proper_nouns(text)) | _names_of("people") & frozenset(stems(text))


def speaks_of(
    text: str,
    owner: ValueOwner,
    *,
    says_little: bool = False,
    personal: bool = False,
    repeated: bool = False,
) -> bool:
    """Whether a line that says a common value may be about the person whose value it was.

    It is where it names them, or they or the pet say it. A question, a quotation, a log or a line
    that says little else may be, unless it names another or its author speaks of themselves. What
    others state is their own. A `personal` value is theirs only where the line names them.
    """
    said = frozenset(stems(text))
    if owner.names & said:
        return True
    if personal:
        return False
    capitals = frozenset(stems(" ".join(_CAPITAL.findall(text))))
    if (owner.others | _names_of("people") & capitals) & said:
        return False
    may_be = says_little or not states_values(text)
    return owner.speaks or (may_be and (repeated or not names_speaker(text)))


def states_values(text: str) -> bool:
    """Whether what a line says is stated by who says it."""
    if "?" in text or _QUOTES.search(text) or _ASKS.search(fold(text)):
        return False
    return read_request(text) is None and not tells_of_forgetting(text)


def tells_of_forgetting(text: str) -> bool:
    """Whether a line tells that something was deleted or forgotten, as a log does."""
    return _TELLS_OF_FORGETTING.search(fold(text)) is not None


@cache
def _names_of(kind: str) -> frozenset[str]:
    """The stems of names that many people, or places, have."""
    text = (files("memory.language") / "lexicon" / "common_names.toml").read_text("utf-8")
    return frozenset(stems(tomllib.loads(text)[kind]))


def _tells_time(piece: TimePiece, text: str) -> bool:
    """Whether it is written as a time: "at 1830" may be a code, "06 47" the half of a number."""
    if text[piece.end - 1].isdigit() and _MORE_DIGITS.match(text, piece.end):
        return False
    if _DECIMAL.search(text[piece.start : piece.end]):
        return False
    if not _WRITTEN.search(text[piece.start : piece.end]):
        return False
    if isinstance(piece.value, NamedClock):
        return not piece.value.impossible and not _DIGITS.search(text[piece.start : piece.end])
    return isinstance(piece.value, NamedDay | Wait | Vague)


def _key(piece: TimePiece) -> str:
    match piece.value:
        case NamedDay(month=int() as month, day=int() as day):
            return f"@{month}-{day}"
        case NamedDay(weekday=int() as weekday):
            return f"@{weekday}"
        case NamedClock(at=at):
            return f"@{at:%H:%M}"
    return ""


@cache
def _of_calendar() -> frozenset[str]:
    return frozenset(stems(" ".join((*MONTHS, *WEEKDAYS))))


@cache
def _numbers() -> frozenset[str]:
    words = " ".join((*AMOUNTS, _MORE_NUMBERS))
    return frozenset(stem for stem in stems(words) if not has_digit(stem))

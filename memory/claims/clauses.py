"""The clauses of a message: its sentences and the parts of those; pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memory.language.expressions import SentencePattern

_SENTENCE = re.compile(
    r"(?<=[.!?…])[\"»”)]*\s+|\n+|(?<!\s)\s++[-–—]++\s+|(?<!\s)\s*+;\s*|;\s*"
    r"|(?<=[\U0001F300-\U0001FAFF☀-➿])\s+(?=\w)"
)
_PART = re.compile(
    r",\s+|(?<!\s)\s*+[(:]\s+|[(:]\s+"
    r"|(?<!\s)\s++(?=(?:and|but|so|because|cos|then|et|mais|donc|parce que|puis|du coup|car"
    r"|while|though|which|who|where|with my|avec mon|avec ma|alors que|sauf que)\s)",
    re.IGNORECASE,
)

_SHORTEST = 3
"""Words of a part: a shorter one belongs to what stands before it."""

_LONGEST = 2_000
"""Characters of a message that are read for claims."""

_MOST = 32
"""Clauses of a message that are read: more stand in a pasted text, not in what a person says."""

_WORDS = re.compile(r"[^\W\d_]{2}")

_TO_FORGET = SentencePattern(
    r"\W*(?:(?:please|pls|hey|ok|and|eko|stp|svp|et|s['’]il te pla[iî]t"
    r"|(?:can|could|would|will) you|i want you to|i['’]d like you to"
    r"|tu (?:peux|pourrais|dois)|(?:peux|pourrais)[- ]tu|(?:je veux|j['’]aimerais) que tu)"
    r"[\s,:!]+)*"
    r"(?:forget|delete|erase|oublie[rsz]?|efface[rsz]?|supprime[rsz]?)\s+"
    r"(?:that\b|what\b|my\b|i\b|about\b|que\b|qu['’]|ce que\b|ce qu['’]|mon\b|ma\b|mes\b)",
    re.IGNORECASE,
)
"""Begins an order to forget: it repeats what is to go, and states nothing."""


@dataclass(frozen=True, slots=True)
class OwnClause:
    """A stretch of a message."""

    text: str
    """The whole message."""
    start: int
    end: int

    @property
    def words(self) -> str:
        """The stretch itself."""
        return self.text[self.start : self.end]


def clauses_of(text: str) -> list[OwnClause]:
    """The sentences of a message and their parts, as places in it, but for orders to forget."""
    found: list[OwnClause] = []
    for start, end in _cut(_SENTENCE, text, 0, min(len(text), _LONGEST)):
        if _TO_FORGET.match(text[start:end]):
            continue
        found.append(OwnClause(text, start, end))
        joined: list[OwnClause] = []
        for place, stop in _cut(_PART, text, start, end):
            if joined and len(text[place:stop].split()) < _SHORTEST:
                joined[-1] = OwnClause(text, joined[-1].start, stop)
            else:
                joined.append(OwnClause(text, place, stop))
        found += joined if len(joined) > 1 else []
    return [one for one in found if _WORDS.search(one.words)][:_MOST]


def _cut(pattern: re.Pattern[str], text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    place = start
    for found in pattern.finditer(text, start, end):
        if found.start() > place:
            yield place, found.start()
        place = found.end()
    if place < end:
        yield place, end

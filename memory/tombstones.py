"""What is not learned again: marks of forgotten texts that hold no text. Pure.

A mark is a keyed BLAKE2b (RFC 7693) of the folded words, and one of each of their stems: enough to
know the same text again, and another that says the same, and nothing that could be read.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import blake2b
from typing import Protocol

from memory.forgetting.quoting import telling_words
from memory.language import stems, words
from memory.model import Audience

MARK = 8
"""Bytes of the mark of a stem: two stems among a million share one with a chance of 1 in 10^7."""

ALIKE = 0.8
"""Share of a forgotten text's stems that another must have to say the same."""

FEWEST = 3
"""Stems from which on a text is known again by meaning: two are in too many sentences."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A text on its way in, for whom, and when it was said; None where nobody knows when."""

    text: str
    audience: Audience
    at: datetime | None


class Forgotten(Protocol):
    """Knows what was forgotten and must not be learned again."""

    async def refuses(self, said: Sequence[Said]) -> list[bool]:
        """For each text whether it was said before it, or what says the same, was forgotten."""
        ...


@dataclass(frozen=True, slots=True)
class Marks:
    """The marks of one text: of all of it, of its stems, and of its names and numbers."""

    content: bytes
    stems: frozenset[bytes]
    telling: frozenset[bytes]


@dataclass(frozen=True, slots=True)
class Stone:
    """The marks of a forgotten text, for whom it was, and when it was forgotten."""

    marks: Marks
    audience: Audience
    forgotten_at: datetime


def marks_of(text: str, key: bytes) -> Marks | None:
    """The marks of a text under a key of 16 bytes or more; None for one that says nothing."""
    said = frozenset(stems(text))
    if not said:
        return None
    return Marks(
        content=_mark(" ".join(words(text)), key),
        stems=frozenset(_mark(stem, key) for stem in said),
        telling=frozenset(_mark(stem, key) for stem in telling_words(text) & said),
    )


def says_again(text: Marks, stone: Marks) -> bool:
    """Whether a text says what was forgotten: the same, or most of it and little else."""
    if text.content == stone.content:
        return True
    shared, others = text.stems & stone.stems, text.stems - stone.stems
    if len(stone.stems) < FEWEST:
        return shared == stone.stems and not others
    return (
        len(shared) >= ALIKE * len(stone.stems)
        and stone.telling <= text.stems
        and len(others) <= len(stone.stems) // 2
    )


@dataclass(slots=True)
class _Place:
    """The stones of one audience, found by any of their stems."""

    stones: list[Stone] = field(default_factory=list)
    by_stem: dict[bytes, list[int]] = field(default_factory=dict)


class Stones:
    """Tombstones by audience, so that each text is compared with the few it resembles."""

    def __init__(self, stones: Iterable[Stone], key: bytes) -> None:
        self._key = key
        self._places: dict[Audience, _Place] = {}
        for stone in stones:
            place = self._places.setdefault(stone.audience, _Place())
            for stem in stone.marks.stems:
                place.by_stem.setdefault(stem, []).append(len(place.stones))
            place.stones.append(stone)

    def refuse(self, said: Said) -> bool:
        """Whether a text was forgotten, and said before it was."""
        place = self._places.get(said.audience)
        marks = marks_of(said.text, self._key) if place else None
        if place is None or marks is None:
            return False
        shared = Counter(n for stem in marks.stems for n in place.by_stem.get(stem, ()))
        return any(
            _is_before(said.at, place.stones[n]) and says_again(marks, place.stones[n].marks)
            for n in shared
        )


def joined(marks: Iterable[bytes]) -> bytes:
    """Marks of stems as one value, in an order that tells nothing of the text's."""
    return b"".join(sorted(marks))


def parted(value: bytes) -> frozenset[bytes]:
    """The marks that `joined` joined."""
    return frozenset(value[start : start + MARK] for start in range(0, len(value), MARK))


def _is_before(at: datetime | None, stone: Stone) -> bool:
    return at is None or at < stone.forgotten_at


def _mark(text: str, key: bytes) -> bytes:
    return blake2b(text.encode(), digest_size=MARK, key=key).digest()

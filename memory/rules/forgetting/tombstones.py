"""What is not learned again: marks of forgotten texts that hold no text. Pure.

A mark is a keyed BLAKE2b (RFC 7693) of the folded words, and one of each of their stems: enough to
know the same text again, and another that says the same, and nothing that could be read.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b
from typing import Protocol

from memory.language.text import stems, words
from memory.model.audience import Audience
from memory.rules.forgetting.quotation import telling_words

MARK = 8
"""Bytes of the mark of a stem: two stems among a million share one with a chance of 1 in 10^7."""

ALIKE = 0.8
"""Share of a forgotten text's stems that another must have to say the same."""

FEWEST = 3
"""Stems from which on a text is known again by meaning: two are in too many sentences."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IncomingText:
    """A text on its way in, for whom, and when it was said; None where that is unknown."""

    text: str
    audience: Audience
    at: datetime | None


class ForgottenTexts(Protocol):
    """Knows what people had the pet forget, and what must not come back by another way."""

    async def refuses(self, said: Sequence[IncomingText]) -> list[bool]:
        """For each text whether it was forgotten after it was said."""
        ...


@dataclass(frozen=True, slots=True)
class Marks:
    """The marks of one text: of all of it, of its stems, and of its names and numbers."""

    content: int
    stems: frozenset[int]
    telling: frozenset[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tombstone:
    """The marks of a forgotten text, how many its stems are, and how many of them a text shares."""

    content: int
    stems: int
    telling: frozenset[int]
    shared: int


def marks_of(text: str, key: bytes) -> Marks | None:
    """The marks of a text under a key of 16 bytes or more; None for one that says nothing."""
    said = frozenset(stems(text))
    if not said:
        return None
    return Marks(
        content=mark_of(" ".join(words(text)), key),
        stems=frozenset(mark_of(stem, key) for stem in said),
        telling=frozenset(mark_of(stem, key) for stem in telling_words(text) & said),
    )


def says_again(text: Marks, stone: Tombstone) -> bool:
    """Whether a text says what was forgotten: the same, or most of it and little else."""
    if text.content == stone.content:
        return True
    others = len(text.stems) - stone.shared
    if stone.stems < FEWEST:
        return stone.shared == stone.stems and not others
    return (
        stone.shared >= ALIKE * stone.stems
        and stone.telling <= text.stems
        and others <= stone.stems // 2
    )


def mark_of(text: str, key: bytes) -> int:
    """The mark of a text under a key of 16 bytes or more."""
    digest = blake2b(text.encode(), digest_size=MARK, key=key).digest()
    return int.from_bytes(digest, "big", signed=True)  # as SQLite keeps whole numbers

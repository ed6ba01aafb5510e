"""Texts that a person asked to keep as they are, such as a recipe: in pieces that can be found."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from uuid import NAMESPACE_URL, uuid5

from memory.language.text import fold
from memory.model.audience import Origin, audience_of
from memory.model.knowledge import KnowledgeId, KnowledgeKind, NewKnowledge
from memory.ports import Clock
from memory.storage.sqlite.database import Transaction
from memory.storage.statements.knowledge import KnowledgeRows, drop_knowledge, keep_knowledge

PIECE = 500
"""Characters of a piece: about what an embedding can say, and what a note is cut to elsewhere."""

LONGEST_TEXT = 10_000
"""Characters of a text: past that it is a document, which belongs in a note."""

MANUAL = "manual"
"""The channel of a text kept on request: it came from no vault of notes."""

_NAMESPACE = uuid5(NAMESPACE_URL, "eko:manual")
_BREAK = re.compile(r"(?<=[.!?…])\s+|(?<!\s)[^\S\n]*+\n\s*")
"""Where a text may be cut: after a sentence, or between lines, since lists have no sentences."""

_MOST_PIECES = LONGEST_TEXT // (PIECE // 2) + 1
"""Pieces a text can come to: two that follow each other are longer than one, or they were one."""


@dataclass(frozen=True, slots=True)
class KeptText:
    """What became of a text: of how many pieces it is, and how many of them are new or changed."""

    pieces: int
    changed: int


class ManualTexts:
    """Keeps texts whole; the same title by the same person and for the same audience replaces."""

    def __init__(self, knowledge: KnowledgeRows, clock: Clock) -> None:
        self._knowledge = knowledge
        self._clock = clock

    async def keep(self, title: str, text: str, origin: Origin) -> KeptText:
        """Keep a text of at most `LONGEST_TEXT` characters, in the place of what had its title."""
        now = self._clock.now()
        cut = pieces(text)
        news = [
            NewKnowledge(
                id=_piece_id(title, origin, position),
                kind=KnowledgeKind.NOTE,
                title=title,
                content=piece,
                origin=origin,
                at=now,
                channel=MANUAL,
            )
            for position, piece in enumerate(cut)
        ]
        surplus = [_piece_id(title, origin, position) for position in range(len(cut), _MOST_PIECES)]

        async def work(transaction: Transaction) -> int:
            await drop_knowledge(transaction, surplus)
            return len(await keep_knowledge(transaction, news, now))

        return KeptText(len(cut), await self._knowledge.write(work))


def pieces(text: str, size: int = PIECE) -> list[str]:
    """The text cut after sentences and lines into pieces of at most `size` characters.

    Joined again they are the text, without the blanks around it. What has no place to be cut is
    cut at a blank, or where it must be.
    """
    cut = [""]
    for part in _parts(text.strip(), size):
        if cut[-1] and len((cut[-1] + part).rstrip()) > size:
            cut.append("")
        cut[-1] += part
    return [piece for piece in cut if piece]


def _parts(text: str, size: int) -> Iterator[str]:
    """The sentences and lines, each with the blanks behind it, none longer than `size`."""
    start = 0
    for end in (*(found.end() for found in _BREAK.finditer(text)), len(text)):
        yield from _short(text[start:end], size)
        start = end


def _short(part: str, size: int) -> Iterator[str]:
    while len(part.rstrip()) > size:
        at = part.rfind(" ", 1, size) + 1 or size
        yield part[:at]
        part = part[at:]
    yield part


def _piece_id(title: str, origin: Origin, position: int) -> KnowledgeId:
    whose: Sequence[object] = (audience_of(origin), origin.person, fold(title), position)
    return KnowledgeId(uuid5(_NAMESPACE, "\n".join(map(str, whose))))

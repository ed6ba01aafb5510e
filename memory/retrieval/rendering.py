"""The lines that recalled rows make: dated, cut, and harmless as text. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo

from memory.language.dates_in_words import age, stamp
from memory.model.namesakes import MARK_OF_NAMESAKE, Author, author_names
from memory.model.recalled import HEADINGS, MARK_LENGTH, fence_of
from memory.model.retrieval import Candidate, RecalledLine, Section
from memory.rules.notes.chunks import PIECE

_TAG = re.compile(r"<(?=\s*+/?\s*+recalled)", re.IGNORECASE)
"""What begins like a fence, however it is spaced or written."""

LONGEST = 400
"""Characters of one line: a longer row is cut, its beginning says what it is about."""

LONGEST_NOTE = PIECE
"""Characters of a line from a note: a whole piece of it, cut around what was asked for already."""
LONGEST_SUMMARY = 900
"""Characters of one line that sums a conversation up, about 120 words: each part of it may be what
was asked for, and it stands for many lines."""


FRAME = 36
"""Characters of a line around its content and name: the bullet, the age in words, "said by"."""

EMPTY_BLOCK = sum(map(len, fence_of("x" * MARK_LENGTH))) + 1
"""Characters of the fences."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """The reader's language and time zone."""

    locale: str
    zone: tzinfo


def lines_of(
    kept: Sequence[Candidate], now: datetime, wording: Wording, reader: Author | None = None
) -> tuple[RecalledLine, ...]:
    """The lines of what was kept, in the order that `in_order` puts it in."""
    said = [_author(other) for row in kept for other in (row, *row.against)]
    names = author_names(said, reader)
    return tuple(
        RecalledLine(
            section=one.section,
            content=_one_line(one.content, longest(one.section)),
            age=stamp(one.at, now, wording.zone)
            if one.section is Section.LIVE
            else age(one.at, now, wording.locale),
            said_by=_one_line(names[_author(one)]) or None,
            reported=one.is_reported,
            against=tuple(dict.fromkeys(_one_line(names[_author(other)]) for other in one.against)),
        )
        for one in in_order(kept)
    )


def in_order(kept: Sequence[Candidate]) -> list[Candidate]:
    """What was kept in the order of its lines: of the headings, and of choice below each."""
    order = list(Section)
    return sorted(kept, key=lambda one: order.index(one.section))


def _author(row: Candidate) -> Author:
    return (row.author_id, row.author or "")


_LONGEST = {Section.NOTES: LONGEST_NOTE, Section.SUMMARIES: LONGEST_SUMMARY}


def longest(section: Section) -> int:
    """The characters that a row may have in a section."""
    return _LONGEST.get(section, LONGEST)


def line_size(candidate: Candidate) -> int:
    """The most characters that the line of a candidate takes."""
    content = min(len(candidate.content), longest(candidate.section))
    others = sum(
        len(one.author or "") + MARK_OF_NAMESAKE + len(" and ") for one in candidate.against
    )
    against = others + len(", contradicted by ") if others else 0
    return content + len(candidate.author or "") + MARK_OF_NAMESAKE + FRAME + against


def heading_size(section: Section) -> int:
    """The characters of a section's heading."""
    return len(HEADINGS[section]) + 1


def without_fences(text: str) -> str:
    """The text with our fences made harmless: only what was recalled stands between them."""
    return _TAG.sub("‹", text)


def _one_line(content: str, longest: int = LONGEST) -> str:
    # A fence or a line break in what people said, or in the name they chose, must not end the
    # block or forge a heading.
    flat = without_fences(" ".join(content.split()))
    return flat if len(flat) <= longest else flat[: longest - 1] + "…"

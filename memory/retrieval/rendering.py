"""The lines that recalled rows make: dated, cut, and harmless as text. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo

from memory.language.dates_in_words import age_with_year, stamp
from memory.language.excerpts import Terms, excerpt, shortened
from memory.language.parts.reading import blocks_of
from memory.language.parts.telling import on_one_line
from memory.language.text import fold
from memory.model.namesakes import MARK_OF_NAMESAKE, Author, author_names, is_own
from memory.model.parts import PartSource
from memory.model.recalled import HEADINGS, MARK_LENGTH, REPLIED, fence_of
from memory.model.retrieval import Candidate, RecalledLine, Section
from memory.rules.notes.chunks import PIECE

_TAG = re.compile(r"<(?=\s*+/?\s*+recalled)", re.IGNORECASE)
"""What begins like a fence, however it is spaced or written."""

LONGEST = 400
"""Characters of one line: a longer row is cut around what is asked."""

BRIEF = 120
"""Characters of a line from the third on: more rows have to do with a question than a few long
ones leave room for, and most of what each says about it fits in a sentence."""

FULL = 2
"""Lines that are told at length, those that fit best."""

LONGEST_NOTE = PIECE
"""Characters of a line from a note: a whole piece of it, cut around what was asked for already."""

LONGEST_SUMMARY = 900
"""Characters of one line that sums a conversation up, about 120 words: each part of it may be what
was asked for, and it stands for many lines."""

FRAME = 48
"""Characters of a line around its content and name: the bullet, the age in words, "said by you
()", the year."""

EMPTY_BLOCK = sum(map(len, fence_of("x" * MARK_LENGTH))) + 1
"""Characters of the fences."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """The reader's language and time zone."""

    locale: str
    zone: tzinfo


def lines_of(
    kept: Sequence[Candidate],
    now: datetime,
    wording: Wording,
    reader: Author | None = None,
    wanted: Terms = (),
    *,
    alone: bool = False,
) -> tuple[RecalledLine, ...]:
    """The lines of what was kept, in the order that `in_order` puts it in.

    They are given in the order of choice. Long rows are cut around the words that are `wanted`.
    `alone` says that the reader alone reads them, whose own words then stand under the name they
    go by here, whatever account they came from: others could learn of the link from that.
    """
    sizes = {one.id: longest(one.section, place) for place, one in enumerate(kept)}
    said = [_author(other) for row in kept for other in (row, *row.against)]
    names, own = author_names(said, reader), reader if alone else None
    return tuple(
        RecalledLine(
            section=one.section,
            content=told(one, wanted, sizes[one.id]),
            age=stamp(one.at, now, wording.zone)
            if one.section is Section.LIVE
            else age_with_year(one.at, now, wording.zone, wording.locale),
            said_by=_name(_shown(one, names[_author(one)], own)) or None,
            then=_name(_then(one, own)),
            renamed=tuple((_name(then), _name(now)) for then, now in one.renamed),
            person=one.author_id or one.teller,
            reported=one.is_reported,
            own=reader is not None
            and is_own((one.author_id or one.teller, names[_author(one)]), reader, alone=alone),
            against=tuple(dict.fromkeys(_name(names[_author(other)]) for other in one.against)),
        )
        for one in in_order(kept)
    )


def _shown(row: Candidate, name: str, reader: Author | None) -> str:
    """The name of an author who is shown: the reader's own for what they said themselves."""
    return reader[1] if name and reader is not None and _is_own(row, reader) else name


def _then(row: Candidate, reader: Author | None) -> str:
    """What the author who is shown was called then, where that is another name."""
    now = row.author_now
    if reader is not None and _is_own(row, reader):
        now = reader[1]
    said = row.author or ""
    return said if now and said and fold(now) != fold(said) else ""


def _is_own(row: Candidate, reader: Author) -> bool:
    teller = row.author_id or row.teller
    return teller is not None and teller == reader[0]


def in_order(kept: Sequence[Candidate]) -> list[Candidate]:
    """What was kept in the order of its lines: of the headings, and of choice below each."""
    order = list(Section)
    return sorted(kept, key=lambda one: order.index(one.section))


def _author(row: Candidate) -> Author:
    return (row.author_id, row.author_now or row.author or "")


_LONGEST = {Section.NOTES: LONGEST_NOTE, Section.SUMMARIES: LONGEST_SUMMARY}


def longest(section: Section, place: int = 0) -> int:
    """The characters that a row may have in a section when so many were chosen before it."""
    return _LONGEST.get(section, LONGEST if place < FULL else BRIEF)


def line_size(candidate: Candidate, place: int = 0) -> int:
    """The most characters that the line of a candidate takes when so many were chosen before it."""
    content = min(len(candidate.content), longest(candidate.section, place))
    others = sum(
        len(one.author or "") + MARK_OF_NAMESAKE + len(" and ") for one in candidate.against
    )
    against = others + len(", contradicted by ") if others else 0
    renamed = sum(len(f", {then} is {now} now") for then, now in candidate.renamed)
    if candidate.author_now:
        renamed += len(candidate.author_now) + len(", then called ")
    return content + len(candidate.author or "") + MARK_OF_NAMESAKE + FRAME + against + renamed


def heading_size(section: Section) -> int:
    """The characters of a section's heading."""
    return len(HEADINGS[section]) + 1


def without_fences(text: str) -> str:
    """The text with our fences made harmless: only what was recalled stands between them."""
    return _TAG.sub("‹", text)


def told(row: Candidate, wanted: Terms, size: int) -> str:
    """What a row says on one line, cut around what is wanted.

    A fence or a break in it must not end the block or forge a heading.
    """
    if row.section is Section.HISTORY:
        return without_fences(_exchange(row.content, wanted, size))
    if row.section is Section.LIVE:
        return without_fences(_message(row.content, wanted, size))
    return without_fences(excerpt(row.content, wanted, size))


def _message(text: str, wanted: Terms, size: int) -> str:
    """What a person said, cut so that it still says which words are another's."""
    if all(part.source is PartSource.OWN for part in blocks_of(text)):
        return excerpt(text, wanted, size)
    return on_one_line(text, cut=lambda part, most: excerpt(part, wanted, most), size=size)


def _exchange(content: str, wanted: Terms, size: int) -> str:
    """What a person said has its room before the pet's reply, which is often long."""
    said, replied, reply = content.partition(REPLIED)
    if not replied:
        return _message(content, wanted, size)
    question = _message(said, wanted, max(size // 2, size - len(replied) - len(reply)))
    return question + replied + excerpt(reply, wanted, size - len(question) - len(replied))


def _name(name: str) -> str:
    """A name that people chose, as harmless as what they said."""
    return shortened(without_fences(" ".join(name.split())), LONGEST)

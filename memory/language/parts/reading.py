"""The parts of a message, read from the text it is kept as; pure.

Every step takes time in proportion to the text, whatever stands in it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

from memory.language.expressions import read_part
from memory.language.parts.pasted_logs import pasted_lines
from memory.language.parts.reported_speech import reported_in
from memory.language.parts.written import labelled, vouched_in
from memory.model.parts import NoteKind, Part, PartSource

_SIGNS = re.compile(r"[>⟦`\[(\"“«„‘']|: |:$|\d[:h.]\d\d|[—–-] ", re.MULTILINE)
"""What a text has that is not all of its author's own words; most have none of them."""

_FENCE = "```"
_QUOTED = re.compile(r"\s{0,9}>(?:[\s>]|(?=\w|[\"“«*_¿¡(\[@#'’…])|$)")
"""`> …`, and no face such as `>:(` or `>_<`."""
_NO_QUOTE = re.compile(r"\s{0,9}>_")
_CODE = re.compile(r"`[^`\n]+`")
_OLD_NOTE = re.compile(r"\[[^\[\]\n]{1,80}, [\w.+-]{1,40}/[\w.+-]{1,80}\]\s*")
"""How files were noted before the notes had brackets of their own."""
_ATTRIBUTION = re.compile(
    r"(?:^|[,>]\s)(?P<who>[^\W\d_][^,:>\n]{0,39}?) "
    r"(?:wrote|said|says|writes|a écrit|écrit|a dit|dit) ?: ?$",
    re.IGNORECASE,
)
"""`On 3 May, Nadia wrote:` above a quoted block."""

OTHERS = frozenset({PartSource.QUOTED, PartSource.FORWARDED})
"""Sources of words that another author said."""

QUOTATION = "“…”"
"""What stands in one's own words for another's inside them; for code it is "…"."""

LONGEST_OWN = 20_000
"""Characters of a message in which its author's own words are looked for."""

_Source = tuple[PartSource, str]
"""The source of a line, and whose words it is where that is known."""


@lru_cache(maxsize=256)
def blocks_of(text: str) -> tuple[Part, ...]:
    """The parts that whole lines make; what one's own lines hold of others' stays in them."""
    if not _SIGNS.search(text):
        return (Part(source=PartSource.OWN, text=text),) if text else ()
    return tuple(_blocks(text))


def parts_of(text: str) -> tuple[Part, ...]:
    """The parts of a message, in order; their texts make up the whole but for what labels them."""
    return tuple(
        inner
        for part in blocks_of(text)
        for inner in (_inside(part.text) if part.source is PartSource.OWN else (part,))
    )


@lru_cache(maxsize=256)
def own_words(text: str) -> str:
    """What the author of a message says themselves, without what is quoted, forwarded or noted."""
    if not _SIGNS.search(text):
        return text
    read = read_part(text, LONGEST_OWN)
    own = (part.text for part in blocks_of(read) if part.source is PartSource.OWN)
    return "".join(map(_standing, own)).strip()


def vouched_parts(text: str) -> tuple[Part, ...]:
    """What the platform of a message vouches for, below what its author typed."""
    return blocks_of(vouched_in(text))


def others_words(text: str) -> tuple[Part, ...]:
    """What a message repeats of other people's words."""
    return tuple(part for part in parts_of(text) if part.source in OTHERS)


def _standing(stretch: str) -> str:
    """One's own lines with a sign in place of what is not one's own inside them."""
    inside = _inside(stretch)
    return "".join(one.text if one.source is PartSource.OWN else _FOR[one.source] for one in inside)


_FOR = {PartSource.QUOTED: QUOTATION, PartSource.CODE: "…"}


def _blocks(text: str) -> Iterator[Part]:
    """The parts that whole lines make: one for each run of lines of one source."""
    for source, run in groupby(_lines(text), key=lambda line: line.source):
        if source[0] is PartSource.NOTE:
            yield from (line.label for line in run if line.label is not None)
        elif said := "".join(line.words for line in run):
            yield Part(source=source[0], text=said, author=source[1])


def _labelled(line: str) -> Part | None:
    if _OLD_NOTE.fullmatch(line):
        said = line.strip()[1:-1]
        return Part(source=PartSource.NOTE, text=said, note=NoteKind.OTHER)
    return labelled(line) if "⟦" in line else None


@dataclass(frozen=True, slots=True)
class _Line:
    """A line with its source, and its words without what only says so."""

    source: _Source
    words: str
    label: Part | None = None


def _lines(text: str) -> Iterator[_Line]:
    """The lines of a text; those of code are looked for first, for code may hold any sign."""
    lines = text.splitlines(keepends=True)
    fenced = _fenced(lines)
    shown = [" " if is_code else line for line, is_code in zip(lines, fenced, strict=True)]
    above = _OWN
    for place, (line, pasted) in enumerate(zip(shown, pasted_lines(shown), strict=True)):
        if fenced[place]:
            found = _Line((PartSource.CODE, ""), lines[place])
        elif (label := _labelled(line)) is not None:
            found = _Line((label.source, label.author), "", label)
        elif _quotes(line):
            quoted = (PartSource.QUOTED, _attributed(lines[place - 1] if place else ""))
            is_same = above[0] in OTHERS
            found = _Line(above if is_same else quoted, _QUOTED.sub("", line, count=1))
        elif pasted is not None:
            found = _Line((PartSource.QUOTED, pasted.author), line[pasted.begins :].lstrip(" "))
        else:
            found = _Line(_OWN, line)
        above = found.source
        yield found


_OWN = (PartSource.OWN, "")


def _quotes(line: str) -> bool:
    return _QUOTED.match(line) is not None and not _NO_QUOTE.match(line)


def _attributed(above: str) -> str:
    """Whose words follow a line such as "Nadia wrote:"."""
    found = _ATTRIBUTION.search(above.strip()[-120:])
    return found["who"].strip() if found else ""


def _fenced(lines: Sequence[str]) -> list[bool]:
    """Whether each line stands in a fence of code; one that is not closed goes on to the end."""
    inside = False
    fenced = []
    for line in lines:
        marks = 0 if _QUOTED.match(line) and not inside else line.count(_FENCE)
        fenced.append(inside or (marks > 0 and line.lstrip().startswith(_FENCE)))
        inside ^= marks % 2 == 1
    return fenced


def _inside(text: str) -> Iterator[Part]:
    """The parts of a stretch of one's own lines: code and reported speech stand inside them."""
    reached = 0
    for part, start, end in _places(text):
        if start > reached:
            yield Part(source=PartSource.OWN, text=text[reached:start])
        yield part
        reached = end
    if reached < len(text):
        yield Part(source=PartSource.OWN, text=text[reached:])


def _places(text: str) -> Iterator[tuple[Part, int, int]]:
    code = [
        (Part(source=PartSource.CODE, text=found[0]), found.start(), found.end())
        for found in _CODE.finditer(text)
    ]
    said = [
        (
            Part(source=PartSource.QUOTED, text=text[one.start : one.end], author=one.author),
            one.start,
            one.end,
        )
        for one in reported_in(text)
    ]
    reached = 0
    for part, start, end in sorted((*code, *said), key=lambda one: one[1]):
        if start >= reached:
            yield part, start, end
            reached = end

"""`MEMORY.md`: the statements that an assistant kept, each a bullet of a Markdown page."""

import re
from collections.abc import Iterator
from datetime import date, datetime, time

from bot.transfer.history.format_reader import FormatReader
from bot.transfer.history.lines import glance, numbered
from bot.transfer.history.model import HistoryItem, HistoryLine, LineKind, UnreadableLine

_BULLET = re.compile(r" {0,12}\t{0,4}(?:[-*+]|\d{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?(\S.*)")
_HEADING = re.compile(r"#{1,6}[ \t]")
_DATE = re.compile(r"\b(20\d\d)-(\d\d)-(\d\d)\b")
_LAST_DATE = re.compile(r"[ \t]?\((20\d\d-\d\d-\d\d)\)$")

_FENCES = ("```", "~~~")

_SHARE = 0.6
"""Of its lines that are headings and bullets: below that a page is prose."""


def _is_of(head: str, _: str) -> bool:
    lines = glance(head)
    bullets = sum(1 for line in lines if _BULLET.match(line))
    titles = sum(1 for line in lines if _HEADING.match(line))
    return bool(bullets) and bullets + titles >= _SHARE * len(lines)


def _read(lines: Iterator[str]) -> Iterator[HistoryItem]:
    day: date | None = None
    is_code = False
    for line in numbered(lines):
        text = line.text
        if line.fault:
            yield line.unreadable()
        elif text.lstrip().startswith(_FENCES):
            is_code = not is_code
        elif is_code or not text.strip():
            continue
        elif _HEADING.match(text):
            day = _day(text)
        elif found := _BULLET.match(text):
            own = _day(text) or day
            at = datetime.combine(own, time(12)) if own else line.part.changed_at
            yield _statement(line.number, at, found[1])
        else:
            yield UnreadableLine(number=line.number, reason="it is neither a heading nor a bullet")


def _statement(number: int, at: datetime, text: str) -> HistoryLine:
    said = _LAST_DATE.sub("", text.rstrip())
    return HistoryLine(number=number, at=at, author="", text=said, kind=LineKind.MEMORY)


def _day(text: str) -> date | None:
    """The first date of a line; at noon of it, so that it is that day in every zone."""
    found = _DATE.search(text)
    try:
        return date(int(found[1]), int(found[2]), int(found[3])) if found else None
    except ValueError:
        return None


READER = FormatReader(format="MEMORY.md", platform="memory.md", is_of=_is_of, items=_read)

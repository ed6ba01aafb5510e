"""`MEMORY.md`: the statements that an assistant kept, each a bullet of a Markdown page."""

import re
from collections.abc import Iterator
from datetime import date, datetime, time

from bot.transfer.history.format_reader import HistoryReader
from bot.transfer.history.lines import glance, numbered
from bot.transfer.history.model import DayOrder, HistoryItem, HistoryLine, LineKind, UnreadableLine

_BULLET = re.compile(r" {0,12}\t{0,4}(?:[-*+]|\d{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?(\S.*)")
_HEADING = re.compile(r"#{1,6}[ \t]")
_DATE = re.compile(r"\b(20\d\d)-(\d\d)-(\d\d)\b")
_LAST_DATE = re.compile(r"[ \t]?\((20\d\d-\d\d-\d\d)\)$")

_OF_THE_AGENT = re.compile(
    r"#+[ \t]+(?:how (?:to|i)|(?:communication|response|reply) style|instructions?|guidelines?"
    r"|rules?|lessons?|tools?|workflows?|comment (?:me |lui )?(?:travailler|répondre|parler)"
    r"|consignes?|règles?|leçons?|outils?)\b",
    re.IGNORECASE,
)
"""A heading over what an assistant is to do, which is nothing that is so of anybody."""

_FENCES = ("```", "~~~")

_SHARE = 0.6
"""Of its lines that are headings and bullets: below that a page is prose."""


def _is_of(head: str, _: str) -> bool:
    lines = glance(head)
    bullets = sum(1 for line in lines if _BULLET.match(line))
    titles = sum(1 for line in lines if _HEADING.match(line))
    return bool(bullets) and bullets + titles >= _SHARE * len(lines)


def _read(lines: Iterator[str], _: DayOrder) -> Iterator[HistoryItem]:
    day: date | None = None
    is_code = is_of_agent = False
    for line in numbered(lines):
        text = line.text
        if line.fault:
            yield line.unreadable()
        elif text.lstrip().startswith(_FENCES):
            is_code = not is_code
        elif is_code or not text.strip():
            continue
        elif _HEADING.match(text):
            day, is_of_agent = _day(text), _OF_THE_AGENT.match(text) is not None
        elif found := _BULLET.match(text):
            own = _day(text) or day
            at = datetime.combine(own, time(12)) if own else line.part.changed_at
            yield _statement(line.number, at, found[1], is_of_agent=is_of_agent)
        else:
            yield UnreadableLine(number=line.number, reason="it is neither a heading nor a bullet")


def _statement(number: int, at: datetime, text: str, *, is_of_agent: bool) -> HistoryLine:
    said = _LAST_DATE.sub("", text.rstrip())
    kind = LineKind.SYSTEM if is_of_agent else LineKind.MEMORY
    return HistoryLine(number=number, at=at, author="", text=said, kind=kind)


def _day(text: str) -> date | None:
    """The first date of a line; at noon of it, so that it is that day in every zone."""
    found = _DATE.search(text)
    try:
        return date(int(found[1]), int(found[2]), int(found[3])) if found else None
    except ValueError:
        return None


READER = HistoryReader(format="MEMORY.md", platform="memory.md", recognises=_is_of, read=_read)

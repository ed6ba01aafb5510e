"""WhatsApp's text export, of Android and of iPhones: its dates are as the phone writes them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from bot.transfer.history.lines import Block, blocks, glance, numbered
from bot.transfer.history.model import (
    DayOrder,
    HistoryItem,
    HistoryLine,
    LineKind,
    ReadOptions,
    UnreadableLine,
)
from bot.transfer.history.moments import of_talk
from bot.transfer.history.readers.whatsapp_phrases import (
    file_and_caption,
    is_deleted,
    missing_file,
    question_of_poll,
    without_edited_mark,
)

_HEADER = re.compile(
    r"[\u200e\u200f\u202a-\u202e]{0,4}(?P<bracket>\[)?"
    r"(?P<first>\d{1,4})(?P<mark>[./-]) ?(?P<second>\d{1,2})(?P=mark) ?(?P<third>\d{2,4})\.?"
    r",?(?: à| um| at| om| a las| às)?\s(?P<hour>\d{1,2})[:.](?P<minute>\d\d)"
    r"(?:[:.](?P<second_>\d\d))?(?:\s?(?P<half>[AaPp])\.?\s?[Mm]\.?)?"
    r"(?(bracket)\]| [-–]) (?P<text>.*)"
)

_BY_PROGRAM = "\u200e"
"""Stands on iPhones before words that the program wrote, under the name of who caused them."""

_MARKS = "\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2068\u2069"
_WITHOUT_MARKS = str.maketrans("", "", _MARKS)

_OF_DOCUMENT = "•"
"""Stands behind the name of a document that was left out, and is in no caption."""

_NOT_IN_NAMES = frozenset('\n"“”„«»')
"""What says that a colon stands in a line of the room, such as one of a new subject."""

_LAST_MONTH = 12
_CENTURY = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class WhatsAppReader:
    """Reads the text that "Export chat" gives."""

    format: str = "WhatsApp"
    platform: str = "whatsapp"

    def recognises(self, head: str, name: str) -> bool:  # noqa: ARG002 - the protocol has it
        """Whether one of the first lines begins with a date as the export writes it."""
        return any(_HEADER.match(line) for line in glance(head))

    def order(self, lines: Iterator[str]) -> DayOrder:
        """Days first where more lines need it than forbid it; open where no number is over 12."""
        firsts = seconds = numbers = 0
        for line in numbered(lines):
            if (found := _HEADER.match(line.text)) and len(found["first"]) <= 2:
                numbers += 1
                firsts += int(found["first"]) > _LAST_MONTH
                seconds += int(found["second"]) > _LAST_MONTH
        is_open = firsts == seconds
        return DayOrder(day_first=None if is_open else firsts > seconds, is_needed=numbers > 0)

    def read(self, lines: Iterator[str], options: ReadOptions) -> Iterator[HistoryItem]:
        """Its messages; the lines of one stand together."""
        for block in blocks(lines, lambda line, _: _HEADER.match(line)):
            if isinstance(block, UnreadableLine):
                yield block
                continue
            try:
                at = _at(block.head, day_first=options.day_first)
            except ValueError:
                yield UnreadableLine(number=block.number, reason="its date does not exist")
            else:
                yield _line(block, at)


def _at(found: re.Match[str], *, day_first: bool) -> datetime:
    """When a message was sent, by the clock of the phone.

    Raises:
        ValueError: there is no such time.

    """
    first, second, third = (int(found[name]) for name in ("first", "second", "third"))
    if len(found["first"]) > 2:
        year, month, day = first, second, third
    else:
        year = third if len(found["third"]) > 2 else _CENTURY + third
        day, month = (first, second) if day_first else (second, first)
    hour = int(found["hour"])
    if found["half"]:
        hour = hour % 12 + 12 * (found["half"] in "Pp")
    seconds = int(found["second_"] or 0)
    return of_talk(datetime(year, month, day, hour, int(found["minute"]), seconds))  # noqa: DTZ001 - the file names no zone


def _line(block: Block, at: datetime) -> HistoryLine:
    author, mark, words = block.text.partition(": ")
    if not mark or not _NOT_IN_NAMES.isdisjoint(author):
        text = _clean(block.text)
        return HistoryLine(number=block.number, at=at, author="", text=text, kind=LineKind.SYSTEM)
    is_iphone = block.head["bracket"] is not None
    kind, text, files = _content(without_edited_mark(words.rstrip()), is_iphone=is_iphone)
    name = _clean(author).removeprefix("~").strip()
    return HistoryLine(number=block.number, at=at, author=name, text=text, kind=kind, files=files)


def _content(words: str, *, is_iphone: bool) -> tuple[LineKind, str, tuple[str, ...]]:
    """What a message is, its words, and what came along with it."""
    text = _clean(words)
    own, mark, note = words.rpartition(_BY_PROGRAM)
    is_by_program = is_iphone and words.startswith(_BY_PROGRAM)
    if is_deleted(text):
        return LineKind.DELETED, "", ()
    if (asked := question_of_poll(text)) is not None and ("\n" in text or is_by_program):
        return LineKind.SAID, asked, ("poll",)
    if is_iphone and mark and (what := missing_file(_clean(note))):
        return LineKind.SAID, "" if _OF_DOCUMENT in own else _clean(own), (what,)
    if found := file_and_caption(text):
        return LineKind.SAID, found[1].strip(), (found[0],)
    return (LineKind.SYSTEM if is_by_program else LineKind.SAID), text, ()


def _clean(text: str) -> str:
    """The text without marks of direction, its blanks that do not break as plain ones."""
    return text.translate(_WITHOUT_MARKS).replace("\u202f", " ").replace("\xa0", " ").strip()


READER = WhatsAppReader()

"""WhatsApp's text export, of Android and of iPhones; Element writes its text in the same form."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from bot.transfer.history.format_reader import HistoryReader
from bot.transfer.history.lines import Block, blocks, glance
from bot.transfer.history.model import (
    DayOrder,
    HistoryItem,
    HistoryLine,
    LineKind,
    UnreadableLine,
)
from bot.transfer.history.readers.whatsapp_dates import HEADER, day_order, sent_at
from bot.transfer.history.readers.whatsapp_phrases import (
    file_and_caption,
    is_deleted,
    missing_file,
    question_of_poll,
    without_edited_mark,
)

_BY_PROGRAM = "\u200e"
"""Stands on iPhones before words that the program wrote, under the name of who caused them."""

_WITHOUT_MARKS = str.maketrans("", "", "\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2068\u2069")

_OF_DOCUMENT = "•"
"""Stands behind the name of a document that was left out, and is in no caption."""

_NOT_IN_NAMES = frozenset('\n"“”„«»')
"""What says that a colon stands in a line of the room, such as one of a new subject."""

_PLACE = re.compile(r"[^\s:]{2,20}: https://maps\.google\.com/\S{1,200}")

_ANSWER = re.compile(r'<@[^\s<>]{1,255} "(?P<quoted>[^\n]{0,400})"> ')
"""What Element puts before an answer."""


def _is_of(head: str, *, is_of_element: bool) -> bool:
    """Whether one of the first lines begins with a date; Element's have seconds and no brackets."""
    heads = filter(None, map(HEADER.match, glance(head)))
    return any(is_of_element <= bool(one["second_"] and not one["bracket"]) for one in heads)


def _read(lines: Iterator[str], order: DayOrder) -> Iterator[HistoryItem]:
    """Its messages; the lines of one stand together."""
    for block in blocks(lines, lambda line, _: HEADER.match(line)):
        if isinstance(block, UnreadableLine):
            yield block
            continue
        try:
            at = sent_at(block.head, day_first=order.day_first is not False)
        except ValueError:
            yield UnreadableLine(number=block.number, reason="its date does not exist")
        else:
            yield _line(block, at)


def _line(block: Block, at: datetime) -> HistoryLine:
    author, mark, words = block.text.partition(": ")
    if not mark or not _NOT_IN_NAMES.isdisjoint(author):
        text = _clean(block.text)
        return HistoryLine(number=block.number, at=at, author="", text=text, kind=LineKind.SYSTEM)
    is_iphone = block.head["bracket"] is not None
    kind, text, files = _content(without_edited_mark(words.rstrip()), is_iphone=is_iphone)
    answered = _ANSWER.match(text)
    return HistoryLine(
        number=block.number,
        at=at,
        author=_clean(author).removeprefix("~").strip(),
        text=text[answered.end() :] if answered else text,
        quoted=answered["quoted"] if answered else "",
        kind=kind,
        files=files,
    )


def _content(words: str, *, is_iphone: bool) -> tuple[LineKind, str, tuple[str, ...]]:
    """What a message is, its words, and what came along with it."""
    text = _clean(words)
    if _PLACE.fullmatch(text):
        return LineKind.SAID, "", ("location",)
    own, mark, note = words.rpartition(_BY_PROGRAM)
    is_by_program = is_iphone and words.startswith(_BY_PROGRAM)
    if is_deleted(text):
        return LineKind.DELETED, "", ()
    if (asked := question_of_poll(text)) is not None and ("\n" in text or is_by_program):
        return LineKind.SAID, asked, ("poll",)
    if is_iphone and mark and (what := missing_file(_clean(note))):
        before, is_document, _ = own.partition(_OF_DOCUMENT)
        name, said = (before, "") if is_document else ("", before)
        return LineKind.SAID, _clean(said), (_clean(name) or what,)
    if found := file_and_caption(text):
        return LineKind.SAID, found[1].strip(), (found[0],)
    return (LineKind.SYSTEM if is_by_program else LineKind.SAID), text, ()


def _clean(text: str) -> str:
    """The text without marks of direction, its blanks that do not break as plain ones."""
    return text.translate(_WITHOUT_MARKS).replace("\u202f", " ").replace("\xa0", " ").strip()


READER = HistoryReader(
    format="WhatsApp",
    platform="whatsapp",
    recognises=lambda head, _: _is_of(head, is_of_element=False),
    read=_read,
    order=day_order,
)
TEXT_OF_ELEMENT = replace(
    READER,
    format="Element (text)",
    platform="matrix",
    recognises=lambda head, _: _is_of(head, is_of_element=True),
)

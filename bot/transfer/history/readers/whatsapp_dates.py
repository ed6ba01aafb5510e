"""The dates of WhatsApp's text export: as the phone writes them, in the order of its country."""

import re
from collections.abc import Iterator
from datetime import datetime

from bot.transfer.history.lines import numbered
from bot.transfer.history.model import DayOrder
from bot.transfer.history.moments import of_talk

_TURN = "[\u200e\u200f\u202a-\u202e]{0,4}"
_HALF = r"(?:[AaPp]\.?\s?[Mm]\.?|[صم]|上午|下午|午前|午後|오전|오후)"
HEADER = re.compile(
    rf"{_TURN}(?P<bracket>\[)?{_TURN}(?P<first>\d{{1,4}}){_TURN}(?P<mark>[./-]) ?"
    rf"{_TURN}(?P<second>\d{{1,2}}){_TURN}(?P=mark) ?{_TURN}"
    rf"(?P<third>\d{{2,4}})\.?[,،]?(?: à| um| at| om| a las| às)?\s(?:(?P<half_before>{_HALF})\s?)?"
    rf"(?P<hour>\d{{1,2}})[:.](?P<minute>\d\d)(?:[:.](?P<second_>\d\d))?(?:\s?(?P<half>{_HALF}))?"
    r"(?(bracket)\]| [-–]) (?P<text>.*)"
)
"""Digits of any script; a half of the day before the hour or behind it, in a few languages."""

_AFTERNOON = ("p", "P", "م", "下", "午後", "오후")

_LAST_MONTH = 12
_CENTURY = 2000


def day_order(lines: Iterator[str]) -> DayOrder:
    """Days first where more lines need it than forbid it.

    Where no number is over 12, dates that are all written with dots have days first, as in every
    country that writes dots. Others are as the days go forwards, and open if both ways do.
    """
    votes = numbers = 0
    marks = set[str]()
    back, last = [0, 0], [(0, 0, 0), (0, 0, 0)]
    for line in numbered(lines):
        if (found := HEADER.match(line.text)) and len(found["first"]) <= 2:
            numbers += 1
            marks.add(found["mark"])
            first, second, year = (int(found[name]) for name in ("first", "second", "third"))
            votes += (first > _LAST_MONTH) - (second > _LAST_MONTH)
            for way, day in enumerate(((year, second, first), (year, first, second))):
                back[way] += day < last[way]
                last[way] = day
    votes = votes or (marks == {"."}) or bool(back[1]) - bool(back[0])
    return DayOrder(day_first=votes > 0 if votes else None, is_needed=numbers > 0)


def sent_at(found: re.Match[str], *, day_first: bool) -> datetime:
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
    if half := found["half"] or found["half_before"]:
        hour = hour % 12 + 12 * half.startswith(_AFTERNOON)
    seconds = int(found["second_"] or 0)
    return of_talk(datetime(year, month, day, hour, int(found["minute"]), seconds))  # noqa: DTZ001 - the file names no zone

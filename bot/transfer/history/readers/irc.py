"""Logs of IRC: weechat, irssi, ZNC, HexChat, mIRC, and what bots write in the same forms."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, time, timedelta

from bot.transfer.history.format_reader import FormatReader
from bot.transfer.history.lines import UNDATED, Line, PartName, glance, numbered
from bot.transfer.history.model import HistoryItem, HistoryLine, LineKind, UnreadableLine
from bot.transfer.history.moments import MONTHS, of_talk

_STAMP = re.compile(
    r"\[?(?:(?P<date>\d{4}-\d\d-\d\d)[T ]|(?P<month>[A-Z][a-z]{2}) (?P<day>[ \d]?\d) )?"
    r"(?P<clock>\d\d:\d\d(?::\d\d)?)(?:\.\d{1,6})?(?P<zone>Z|[+-]\d\d:?\d\d)?\]?(?P<rest>[ \t].*)"
)
_NEW_DAY = re.compile(
    r"(?:--- Log opened|--- Day changed|\*\*\*\* BEGIN LOGGING AT|Session (?:Start|Time):) "
    r"[A-Z][a-z]{2} (?P<month>[A-Z][a-z]{2}) +(?P<day>\d{1,2})(?: (?P<clock>\d\d:\d\d(?::\d\d)?))? "
    r"(?P<year>\d{4})"
)
_ROOM_SIGNS = ("===", "---", "****", "Session ")
"""How lines without a clock begin that say something of the room or of the log."""

_WORDS = re.compile(r"<(?P<nick>[^>\t]{1,64})>[ \t]?(?P<text>.*)")
_ACTION = re.compile(r"\*[ \t](?P<nick>[^\s*]{1,64})(?P<text> .*)")
_TABLE = re.compile(r"(?P<nick>[^\s<>*=-][^\s<>*=]{0,63})\t(?P<text>.*)")
_OF_THE_ROOM = re.compile(
    r"\*\t(?:\S{1,64} (?:\(\S{1,200}\) )?(?:has (?:joined|quit|left|kicked|changed|set)|is now"
    r" known|sets? |gives |removes )"
    r"|Now talking |Topic |You are now |(?:Dis)?[Cc]onnect|Looking up )"
)
"""What HexChat says with the sign of an action."""

_DAY_IN_NAME = re.compile(r"(20\d\d|19\d\d)-?([01]\d)-?([0-3]\d)")
_ROOM_IN_NAME = re.compile(r"#{1,2}[^\s./\\#]{1,64}")

_HALF_A_YEAR = 6
_HALF_A_DAY = timedelta(hours=12)
_STANDINGS = "~&@%+! "
"""Marks before a nick: of an operator and the like."""


@dataclass(slots=True, kw_only=True)
class _Log:
    """Where a log has come to: lines name the hour, and few of them the day."""

    at: datetime
    room: str = ""


def _is_of(head: str, _: str) -> bool:
    lines = glance(head)
    stamped = [found["rest"] for found in map(_STAMP.match, lines) if found]
    known = len(stamped) + sum(1 for line in lines if line.startswith(_ROOM_SIGNS))
    said = any(_said(rest) is not None for rest in stamped)
    return said and 2 * known >= len(lines)


def _read(lines: Iterator[str]) -> Iterator[HistoryItem]:
    log, part = _Log(at=UNDATED.replace(tzinfo=None)), None
    for line in numbered(lines):
        if line.part is not part:
            part = line.part
            log = _Log(at=_day(part), room=_room(part))
        if line.fault:
            yield line.unreadable()
        elif line.text.strip():
            yield from _items(line, line.text, log)


def _items(line: Line, text: str, log: _Log) -> Iterator[HistoryItem]:
    try:
        if found := _NEW_DAY.match(text):
            log.at = _opened(found)
        elif found := _STAMP.match(text):
            at = _moved(log, found)
            yield _line(line.number, of_talk(at), found["rest"], log)
        elif text.startswith("==="):
            at = of_talk(log.at)
            yield HistoryLine(
                number=line.number, at=at, author="", text=text.strip("= "), kind=LineKind.SYSTEM,
                room=log.room,
            )  # fmt: skip
        elif not text.startswith(_ROOM_SIGNS):
            yield UnreadableLine(
                number=line.number, reason="it is neither a message nor a line of the room"
            )
    except (ValueError, KeyError):
        yield UnreadableLine(
            number=line.number, reason="its date or hour does not exist, or no day is known"
        )


def _line(number: int, at: datetime, rest: str, log: _Log) -> HistoryLine:
    said = _said(rest)
    if said is None or _OF_THE_ROOM.match(rest.lstrip()):
        text = rest.strip(" \t*=-!<>")
        return HistoryLine(
            number=number, at=at, author="", text=text, kind=LineKind.SYSTEM, room=log.room
        )
    nick, text, is_action = said
    text = f"* {nick}{text}" if is_action else text.strip()
    return HistoryLine(number=number, at=at, author=nick, text=text, room=log.room)


def _said(rest: str) -> tuple[str, str, bool] | None:
    """Nick, text and whether it is an action; None where the room or the log speaks."""
    rest = rest.removeprefix("\t").lstrip(" ")
    if found := _ACTION.match(rest):
        return found["nick"], found["text"].rstrip(), True
    if found := _WORDS.match(rest) or _TABLE.match(rest):
        nick = found["nick"].lstrip(_STANDINGS).rstrip()
        return (nick, found["text"], False) if nick else None
    return None


def _moved(log: _Log, found: re.Match[str]) -> datetime:
    """When a line was said: past midnight the day goes on, and a clock set back stays on its day.

    Raises:
        ValueError: there is no such date or hour.
        KeyError: there is no such month.

    """
    clock = time.fromisoformat(found["clock"])
    if found["date"]:
        log.at = datetime.fromisoformat(f"{found['date']} {found['clock']}")
        return datetime.fromisoformat(f"{log.at.isoformat()}{found['zone'] or ''}")
    if found["month"]:
        month, day = MONTHS[found["month"].lower()], int(found["day"])
        ahead = log.at.month - month  # in January December was last year, and the other way round
        year = log.at.year + (ahead > _HALF_A_YEAR) - (ahead < -_HALF_A_YEAR)
        log.at = datetime.combine(datetime(year, month, day), clock)  # noqa: DTZ001 - logs name no zone
        return log.at
    then = datetime.combine(log.at, clock)
    log.at = then + timedelta(days=1) if log.at - then > _HALF_A_DAY else then
    return log.at


def _opened(found: re.Match[str]) -> datetime:
    month = MONTHS[found["month"].lower()]
    day = datetime(int(found["year"]), month, int(found["day"]))  # noqa: DTZ001 - the same
    return datetime.combine(day, time.fromisoformat(found["clock"] or "00:00"))


def _day(part: PartName) -> datetime:
    """The day in the name of a log, or else the one on which it was last written to."""
    found = _DAY_IN_NAME.search(part.rpartition("/")[2])
    try:
        if found:
            return datetime(int(found[1]), int(found[2]), int(found[3]))  # noqa: DTZ001 - the same
    except ValueError:
        pass
    return datetime.combine(part.changed_at, time())


def _room(part: PartName) -> str:
    found = _ROOM_IN_NAME.search(part.rpartition("/")[2])
    return found[0] if found else ""


READER = FormatReader(format="IRC", platform="irc", is_of=_is_of, items=_read)

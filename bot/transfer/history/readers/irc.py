"""Logs of IRC: weechat, irssi, ZNC, HexChat, mIRC, and what bots write in the same forms."""

import re
from collections.abc import Iterator
from datetime import datetime

from bot.transfer.history.format_reader import HistoryReader
from bot.transfer.history.lines import NO_PART, Line, PartName, glance, numbered
from bot.transfer.history.model import DayOrder, HistoryItem, HistoryLine, LineKind, UnreadableLine
from bot.transfer.history.readers.irc_clock import NEW_DAY, STAMP, LogClock

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

_ROOM_IN_NAME = re.compile(r"#{1,2}[^\s./\\#]{1,64}")

_RENAMED = re.compile(r"[\s*=<>!-]{0,9}(?P<old>\S{1,64}) is now known as (?P<new>\S{1,64})")
_GONE = re.compile(r"[\s*=<>!-]{0,9}(?P<nick>\S{1,64}) [(\[]\S{1,200}[)\]] has (?:quit|left)")

_STANDINGS = "~&@%+! "
"""Marks before a nick: of an operator and the like."""


def _is_of(head: str, _: str) -> bool:
    lines = glance(head)
    stamped = [found["rest"] for found in map(STAMP.match, lines) if found]
    known = len(stamped) + sum(1 for line in lines if line.startswith(_ROOM_SIGNS))
    said = any(_said(rest) is not None for rest in stamped)
    return said and 2 * known >= len(lines)


def _read(lines: Iterator[str], _: DayOrder) -> Iterator[HistoryItem]:
    log = _Log(NO_PART)
    for line in numbered(lines):
        if line.part is not log.part:
            log = _Log(line.part)
        if line.fault:
            yield line.unreadable()
        elif line.text.strip():
            yield from _items(line, log)


class _Log:
    """What time it is in one log, and whose first nick is which."""

    def __init__(self, part: PartName) -> None:
        self.part = part
        self.clock = LogClock(part)
        self._first: dict[str, str] = {}

    def notice(self, rest: str) -> None:
        """Follow a line of the room that says who is called otherwise now, or gone."""
        if found := _RENAMED.match(rest):
            self._first[found["new"]] = self._first.pop(found["old"], found["old"])
        elif found := _GONE.match(rest):
            self._first.pop(found["nick"], None)

    def author(self, nick: str) -> str:
        """The first nick of who has this one."""
        return self._first.get(nick, nick)


def _items(line: Line, log: _Log) -> Iterator[HistoryItem]:
    reason = "it is neither a message nor a line of the room"
    try:
        if found := NEW_DAY.match(line.text):
            log.clock.begin_day(found)
        elif found := STAMP.match(line.text):
            yield _line(line, log, log.clock.move_to(found), found["rest"])
        elif line.text.startswith("==="):
            yield _line(line, log, log.clock.now, line.text)
        elif not line.text.startswith(_ROOM_SIGNS):
            yield UnreadableLine(number=line.number, reason=reason)
    except (ValueError, KeyError, OverflowError):
        reason = "its date or hour does not exist, or no day is known"
        yield UnreadableLine(number=line.number, reason=reason)


def _line(line: Line, log: _Log, at: datetime, rest: str) -> HistoryLine:
    room, said = _room(line.part), _said(rest)
    if said is None or _OF_THE_ROOM.match(rest.lstrip()):
        log.notice(rest)
        author, kind, text = "", LineKind.SYSTEM, rest.strip(" \t*=-!<>")
    else:
        nick, text, is_action = said
        author = log.author(nick)
        kind, text = LineKind.SAID, f"* {nick}{text}" if is_action else text.strip()
    return HistoryLine(number=line.number, at=at, author=author, text=text, kind=kind, room=room)


def _said(rest: str) -> tuple[str, str, bool] | None:
    """Nick, text and whether it is an action; None where the room or the log speaks."""
    rest = rest.removeprefix("\t").lstrip(" ")
    if found := _ACTION.match(rest):
        return found["nick"], found["text"].rstrip(), True
    if found := _WORDS.match(rest) or _TABLE.match(rest):
        nick = found["nick"].lstrip(_STANDINGS).rstrip()
        return (nick, found["text"], False) if nick else None
    return None


def _room(part: PartName) -> str:
    found = _ROOM_IN_NAME.search(part.rpartition("/")[2])
    return found[0] if found else ""


READER = HistoryReader(format="IRC", platform="irc", recognises=_is_of, read=_read)

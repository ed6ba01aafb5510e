"""Recorded rooms, read as the inbound messages they were."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from hashlib import sha1
from pathlib import Path

from bot.model.events import AuthorRef, Inbound, InboundKind, RoomRef
from bot.transfer.files import lines_of

_IRC = re.compile(r"^\[(\d\d):(\d\d)\]\s+(?:<([^>]+)> ?(.*)|\* +(\S+)(.*))$", re.DOTALL)
_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)")
_HALF_A_DAY = timedelta(hours=12)
_NOT_UTF_8 = "it is not valid UTF-8; kept with marks for the bad bytes"

LONGEST = 1 << 20
"""Bytes of a line that is read: no platform takes a message of a quarter of that."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A line that could not be read as it stands, and why."""

    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class _Said:
    id: str
    at: datetime
    nick: str
    text: str
    is_system: bool = False


Item = Inbound | Unreadable


def read_recording(path: Path, format_: str | None, room: RoomRef) -> Iterator[Item]:
    """The messages of a recording, in order; a bad line is reported and the rest goes on.

    Invalid UTF-8 is reported too, and the line is kept with marks in place of the bad bytes.
    The file is read as far as it is asked for.

    Raises:
        FileRefused: it is no file.
        OSError: it cannot be read.

    """
    lines = _lines(path)
    if (format_ or _guess(path)) == "jsonl":
        return _jsonl(lines, path, room)
    return _irc(lines, path, room)


def lines_in(path: Path) -> int:
    """How many lines a recording has.

    Raises:
        FileRefused: it is no file.
        OSError: it cannot be read.

    """
    return sum(1 for _ in lines_of(path, LONGEST))


def _lines(path: Path) -> Iterator[tuple[int, str, str]]:
    """Number, text and fault of each line that has any text; the fault is "" where it is sound."""
    for number, raw in lines_of(path, LONGEST):
        text = raw.decode("utf-8", "replace").rstrip("\r\n")
        if len(raw) > LONGEST:
            yield number, "", f"it is longer than {LONGEST} bytes; left out"
        elif text.strip():
            is_sound = "\ufffd" not in text or "\ufffd".encode() in raw
            yield number, text, "" if is_sound else _NOT_UTF_8


def _irc(lines: Iterator[tuple[int, str, str]], path: Path, room: RoomRef) -> Iterator[Item]:
    """Lines `[HH:MM] <nick> text`, `[HH:MM] * nick does`, `=== system`; the date is in the name."""
    at = datetime.combine(_day(path), time(), UTC)
    for number, line, fault in lines:
        if fault:
            yield Unreadable(number, fault)
        if not line:
            continue
        id_ = _id(path, number, line)
        if found := _IRC.match(line):
            at = _later(at, int(found[1]), int(found[2]))
            nick = found[3] or found[5]
            text = found[4] if found[3] else f"* {nick}{found[6]}"
            yield _spoken(_Said(id_, at, nick, text), room, number)
        elif line.startswith("==="):
            yield _spoken(_Said(id_, at, "*", line.lstrip("= "), is_system=True), room, number)
        else:
            yield Unreadable(number, "it is neither a message nor a system line")


def _jsonl(lines: Iterator[tuple[int, str, str]], path: Path, room: RoomRef) -> Iterator[Item]:
    """One object a line: `author`, `text`, `at` (ISO 8601), and maybe `id` and `system`."""
    for number, line, fault in lines:
        if fault:
            yield Unreadable(number, fault)
        if not line:
            continue
        try:
            row = json.loads(line)
            at = datetime.fromisoformat(row["at"])
            said = _Said(
                _whole(str(row.get("id") or _id(path, number, line))),
                at if at.tzinfo else at.replace(tzinfo=UTC),
                _whole(str(row["author"])),
                str(row["text"]),
                is_system=bool(row.get("system", False)),
            )
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            yield Unreadable(number, f"it is not a message ({error!r})")
            continue
        yield _spoken(said, room, number)


def _whole(name: str) -> str:
    """The name, which half a character (an escaped lone surrogate) would keep out of any database.

    Raises:
        UnicodeEncodeError: it holds one.

    """
    name.encode("utf-8")
    return name


def _spoken(said: _Said, room: RoomRef, number: int) -> Item:
    if not said.text.strip():
        return Unreadable(number, "it says nothing; left out")
    return Inbound(
        external_id=said.id,
        room=room,
        author=AuthorRef(platform="irc", external_id=said.nick, name=said.nick),
        text=said.text,
        sent_at=said.at,
        kind=InboundKind.SYSTEM if said.is_system else InboundKind.MESSAGE,
    )


def _id(path: Path, number: int, line: str) -> str:
    # Name, number and content: the same file again adds nothing, a corrected line is a new one.
    digest = sha1(line.encode("utf-8", "replace"), usedforsecurity=False).hexdigest()[:12]
    return f"{path.stem}:{number}:{digest}"


def _later(at: datetime, hour: int, minute: int) -> datetime:
    """The next moment of this hour and minute: past midnight the day goes on."""
    then = at.replace(hour=hour % 24, minute=minute % 60)
    return then + timedelta(days=1) if at - then > _HALF_A_DAY else then


def _day(path: Path) -> date:
    found = _DATE.search(path.name)
    if found is None:
        return datetime.fromtimestamp(path.stat().st_mtime, UTC).date()
    return date(int(found[1]), int(found[2]), int(found[3]))


def _guess(path: Path) -> str:
    return "jsonl" if path.suffix.lower() in {".jsonl", ".ndjson", ".json"} else "irc"

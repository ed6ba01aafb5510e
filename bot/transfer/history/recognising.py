"""Which format a file is in, by what stands in it; one simple one until the readers are here."""

import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from bot.transfer.history.model import (
    DayOrder,
    HistoryItem,
    HistoryLine,
    HistoryReader,
    LineKind,
    ReadOptions,
    Recognised,
    UnknownHistory,
    UnreadableLine,
)


class JsonLines:
    """Lines of JSON with `author`, `text` and `at`, and maybe any other field of a line."""

    format = "JSON lines"
    platform = "irc"

    def recognises(self, head: str, name: str) -> bool:
        """Whether the first line is an object with those three."""
        del name
        try:
            first = json.loads(head.partition("\n")[0])
        except ValueError:
            return False
        return isinstance(first, dict) and {"author", "text", "at"} <= first.keys()

    def order(self, lines: Iterator[str]) -> DayOrder:
        """Moments are ISO 8601: there is no question."""
        del lines
        return DayOrder()

    def read(self, lines: Iterator[str], options: ReadOptions) -> Iterator[HistoryItem]:
        """Its lines in order."""
        del options
        for number, line in enumerate(lines, start=1):
            try:
                row = json.loads(line)
                at, kind = datetime.fromisoformat(row.pop("at")), LineKind(row.pop("kind", "said"))
                yield HistoryLine(number=number, at=at, kind=kind, **row)
            except (ValueError, TypeError, KeyError, AttributeError):
                yield UnreadableLine(number=number, reason="it is not a message")


READER = JsonLines()


def recognised(path: Path) -> tuple[HistoryReader, Recognised]:
    """The reader of a file, and what is known of it.

    Raises:
        UnknownHistory: it is in no format that can be read.
        OSError: it cannot be read.

    """
    with path.open(encoding="utf-8", errors="replace") as file:
        head = file.read(65_536)
    if not READER.recognises(head, path.name):
        raise UnknownHistory(f"{path.name} is in no format that I can read.")
    return READER, Recognised(format=READER.format, platform=READER.platform, parts=(path.name,))


def opened(path: Path, recognised: Recognised) -> Iterator[str]:
    """The lines of a file, one at a time.

    Raises:
        OSError: it cannot be read.

    """
    del recognised
    with path.open(encoding="utf-8", errors="replace") as file:
        yield from file

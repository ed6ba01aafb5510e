"""Our own form: an object a line, or an array of them, with `author`, `text` and `at`."""

from collections.abc import Iterator, Mapping
from typing import Any

from bot.transfer.history.documents import JsonEntry, paths_in, read_entries, rows
from bot.transfer.history.format_reader import FormatReader
from bot.transfer.history.lines import glance
from bot.transfer.history.model import HistoryItem, HistoryLine, LineKind
from bot.transfer.history.moments import moment

_NEEDED = frozenset({"author", "text", "at"})

_OPTIONAL = ("author_id", "room", "id", "edits", "reply_to", "quoted", "forwarded_from")


def _is_of(head: str, _: str) -> bool:
    if {f"item.{each}" for each in _NEEDED} <= paths_in(head):
        return True
    return any(paths_in(line) >= _NEEDED for line in glance(head))


def _read(lines: Iterator[str]) -> Iterator[HistoryItem]:
    return read_entries(rows(lines), _lines)


def _lines(entry: JsonEntry) -> Iterator[HistoryLine]:
    row = entry.value
    yield HistoryLine(
        number=entry.number,
        at=moment(row["at"]),
        author=str(row["author"]),
        text=str(row["text"]).strip(),
        kind=_kind(row),
        files=tuple(str(each) for each in row.get("files") or ()),
        **{key: str(row[key]) for key in _OPTIONAL if row.get(key)},
    )


def _kind(row: Mapping[str, Any]) -> LineKind:
    if row.get("system"):
        return LineKind.SYSTEM
    if row.get("forwarded_from"):
        return LineKind.FORWARDED
    return LineKind(row.get("kind", LineKind.SAID))


READER = FormatReader(format="JSON lines", platform="jsonl", is_of=_is_of, items=_read)

"""What mem0 kept, as its `get_all` or its export gives it: statements, each of one user."""

from collections.abc import Iterator

from bot.transfer.history.documents import JsonEntry, entries, has_paths, read_entries
from bot.transfer.history.format_reader import FormatReader
from bot.transfer.history.model import HistoryItem, HistoryLine, LineKind
from bot.transfer.history.moments import moment

_PLACES = frozenset({"results.item", "memories.item", "item"})


def _read(lines: Iterator[str]) -> Iterator[HistoryItem]:
    return read_entries(entries(lines, _PLACES), _lines)


def _lines(entry: JsonEntry) -> Iterator[HistoryLine]:
    row = entry.value
    yield HistoryLine(
        number=entry.number,
        at=moment(row.get("updated_at") or row["created_at"]),
        author=str(row.get("user_id") or row.get("agent_id") or ""),
        author_id=str(row.get("user_id") or ""),
        text=str(row["memory"]).strip(),
        kind=LineKind.MEMORY,
        id=str(row["id"]),
    )


READER = FormatReader(
    format="mem0",
    platform="mem0",
    is_of=has_paths(*({f"{place}.memory", f"{place}.id"} for place in _PLACES)),
    items=_read,
)

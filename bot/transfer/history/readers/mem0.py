"""What mem0 kept, as its `get_all` or its export gives it: statements, each of one user."""

from collections.abc import Iterator

from bot.transfer.history.documents import JsonEntry
from bot.transfer.history.format_reader import Known, json_reader
from bot.transfer.history.model import HistoryLine, LineKind
from bot.transfer.history.moments import moment

_PLACES = frozenset({"results.item", "memories.item", "item"})


def _lines(entry: JsonEntry, _: Known) -> Iterator[HistoryLine]:
    row = entry.value
    is_of_agent = bool(row.get("agent_id")) and not row.get("user_id")
    yield HistoryLine(
        number=entry.number,
        at=moment(row.get("updated_at") or row["created_at"]),
        author=str(row.get("user_id") or row.get("agent_id") or ""),
        author_id=str(row.get("user_id") or ""),
        text=str(row["memory"]).strip(),
        kind=LineKind.BOT if is_of_agent else LineKind.MEMORY,
        id=str(row["id"]),
    )


READER = json_reader(
    "mem0", "mem0", tuple({f"{place}.memory", f"{place}.id"} for place in _PLACES), _lines, _PLACES
)

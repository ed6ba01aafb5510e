"""The lines of JSON that signal-export writes beside its pages."""

from collections.abc import Iterator

from bot.transfer.history.documents import JsonEntry
from bot.transfer.history.format_reader import Known, json_reader
from bot.transfer.history.model import HistoryLine, LineKind
from bot.transfer.history.moments import moment


def _lines(entry: JsonEntry, _: Known) -> Iterator[HistoryLine]:
    row = entry.value
    files = tuple(str(each["name"]) for each in row.get("attachments") or ())
    kind = LineKind.DELETED if row.get("deleted") else LineKind.SAID
    quoted = (line.lstrip("> ") for line in str(row.get("quote") or "").strip().split("\n"))
    yield HistoryLine(
        number=entry.number,
        at=moment(row["date"]),
        author=str(row["sender"]),
        text=str(row["body"] or "").strip(),
        quoted="\n".join(quoted),
        kind=LineKind.SYSTEM if row.get("call") else kind,
        room=entry.part.rpartition("/")[0].rpartition("/")[2],
        files=(*files, "sticker") if row.get("sticker") else files,
    )


READER = json_reader(
    "Signal (JSON)",
    "signal",
    (
        {"date", "sender", "body", "quote"},
        {"date", "sender", "body", "reactions"},
    ),
    _lines,
)

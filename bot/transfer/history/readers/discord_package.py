"""Discord's own data package: what one account wrote, a folder of it for each channel."""

import csv
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from itertools import chain
from typing import Any

from bot.transfer.history.documents import JsonEntry, entries, paths_in, read_entries
from bot.transfer.history.format_reader import HistoryReader
from bot.transfer.history.lines import PartName, numbered, parts
from bot.transfer.history.model import DayOrder, HistoryItem, HistoryLine, UnreadableLine
from bot.transfer.history.moments import moment

_COLUMNS = ("ID", "Timestamp", "Contents")
_HEADER = ",".join(_COLUMNS)

_ACCOUNT, _CHANNEL = "user.json", "channel.json"

_OWNER = "@me"
"""Discord's own word for the account, where the package does not say who it is."""

_WANTED = frozenset({"item", "id", "name", "username", "global_name"})

_Known = dict[str, dict[str, Any]]
"""What the account and the channel say of themselves, by the name of their file."""


def _is_of(head: str, name: str) -> bool:
    paths = paths_in(head)
    if name.endswith((_ACCOUNT, _CHANNEL)):
        return "id" in paths and not paths.isdisjoint({"type", "username"})
    return head.startswith(_HEADER) or {f"item.{each}" for each in _COLUMNS} <= paths


def _read(lines: Iterator[str], _: DayOrder) -> Iterator[HistoryItem]:
    known: _Known = {_ACCOUNT: {}, _CHANNEL: {}}
    number = 0
    for part, pieces in parts(lines):
        of = known.get(part.rpartition("/")[2], {})
        of.clear()
        for found in _rows(part, pieces):
            if isinstance(found, JsonEntry) and found.path != "item":
                of[found.path] = found.value
            else:
                number += 1
                yield from read_entries([replace(found, number=number)], partial(_lines, known))


def _rows(part: PartName, pieces: Iterator[str]) -> Iterator[JsonEntry | UnreadableLine]:
    first = next(pieces, "")
    everything = chain([first], pieces)
    if first.startswith(_HEADER):
        return _of_table(everything, part)
    return entries(chain([part], everything), _WANTED)


def _of_table(pieces: Iterator[str], part: PartName) -> Iterator[JsonEntry | UnreadableLine]:
    texts = (f"{line.text}\n" for line in numbered(pieces))
    table = csv.DictReader(texts)
    while True:
        try:
            yield JsonEntry(number=0, path="item", value=next(table), part=part)
        except csv.Error:
            yield UnreadableLine(number=0, reason="its quotation marks have no end")
        except StopIteration:
            return


def _lines(known: _Known, entry: JsonEntry) -> Iterator[HistoryLine]:
    row, account, channel = entry.value, known[_ACCOUNT], known[_CHANNEL]
    yield HistoryLine(
        number=entry.number,
        at=_in_utc(moment(row["Timestamp"])),
        author=account.get("global_name") or account.get("username") or _OWNER,
        author_id=str(account.get("id", "")),
        text=(row["Contents"] or "").strip(),
        room=str(channel.get("name") or channel.get("id", "")),
        id=str(row["ID"]),
        files=tuple(_file_names(row)),
    )


def _in_utc(at: datetime) -> datetime:
    """A time of the package, which names no zone and is in UTC."""
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def _file_names(row: Mapping[str, Any]) -> Iterator[str]:
    for address in (row.get("Attachments") or "").split():
        yield address.partition("?")[0].rpartition("/")[2]


READER = HistoryReader(
    format="Discord's data package", platform="discord", recognises=_is_of, read=_read
)

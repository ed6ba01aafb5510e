"""What reads a format: made of functions, most of them over the entries of a JSON document."""

from collections.abc import Callable, Collection, Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

from bot.transfer.history.documents import JsonEntry, entries, has_paths, read_entries, rows
from bot.transfer.history.model import DayOrder, HistoryItem

Known = dict[str, Any]
"""What a document said before, which what stands behind it is read with."""


def _no_order(_: Iterator[str]) -> DayOrder:
    return DayOrder()


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryReader:
    """Reads one format; each is a module of `readers/` with an instance called `READER`.

    `recognises` takes the decoded first 64 KiB of a file and its name, which is a hint only. `read`
    gives the entries of a file one at a time, in its order, and does not raise. `order` says
    whether days stand before months, where a format writes both as numbers; `read` is told.
    """

    format: str
    platform: str
    recognises: Callable[[str, str], bool]
    read: Callable[[Iterator[str], DayOrder], Iterator[HistoryItem]]
    order: Callable[[Iterator[str]], DayOrder] = _no_order


def json_reader(
    format_: str,
    platform: str,
    signs: Collection[AbstractSet[str]],
    read: Callable[[JsonEntry, Known], Iterable[HistoryItem]],
    wanted: Collection[str] | None = None,
) -> HistoryReader:
    """A reader of what stands at the wanted paths of a document, or of each of its rows.

    It is of the format that has all paths of one of `signs`.
    """

    def items(lines: Iterator[str], _: DayOrder) -> Iterator[HistoryItem]:
        known: Known = {}
        found = rows(lines) if wanted is None else entries(lines, wanted)
        return read_entries(found, lambda entry: read(entry, known))

    return HistoryReader(
        format=format_, platform=platform, recognises=has_paths(*signs), read=items
    )

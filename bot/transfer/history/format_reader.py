"""A reader made of two functions, for the formats that write no day and month as bare numbers."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bot.transfer.history.model import DayOrder, HistoryItem, ReadOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class FormatReader:
    """Reads one format: `is_of` takes a head and a name, `items` the lines of a file."""

    format: str
    platform: str
    is_of: Callable[[str, str], bool]
    items: Callable[[Iterator[str]], Iterator[HistoryItem]]

    def recognises(self, head: str, name: str) -> bool:
        """Whether the head of a file is of this format."""
        return self.is_of(head, name)

    def order(self, lines: Iterator[str]) -> DayOrder:  # noqa: ARG002 - the protocol has it
        """Nothing: the times of this format read in one way only."""
        return DayOrder()

    def read(self, lines: Iterator[str], options: ReadOptions) -> Iterator[HistoryItem]:  # noqa: ARG002 - the same
        """Its lines in the order of the file."""
        return self.items(lines)

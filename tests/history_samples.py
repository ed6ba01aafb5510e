"""Small invented histories in the form of each program, and how tests read them."""

import zipfile
from collections.abc import Iterator
from pathlib import Path

from bot.transfer.history.model import DayOrder, HistoryItem, HistoryLine, UnreadableLine
from bot.transfer.history.recognising import opened, recognised

SAMPLES = Path(__file__).parent / "data" / "history"

FILES = sorted(path.name for path in SAMPLES.iterdir() if path.is_file())

FOLDERS = ("package", "slack")
"""Samples that come as archives."""


def items_of(path: Path) -> list[HistoryItem]:
    """What a file holds, read as its own order of day and month has it."""
    reader, known = recognised(path)
    day_first = known.order.day_first is not False
    return list(reader.read(opened(path, known), DayOrder(day_first=day_first)))


def lines_of(path: Path) -> list[HistoryLine]:
    """The lines of a file that could be read."""
    return [item for item in items_of(path) if isinstance(item, HistoryLine)]


def unreadable_in(path: Path) -> list[int]:
    """The numbers of those that could not."""
    return [item.number for item in items_of(path) if isinstance(item, UnreadableLine)]


def said_in(path: Path) -> list[tuple[str, str, str]]:
    """Kind, author and text of each line."""
    return [(line.kind.value, line.author, line.text) for line in lines_of(path)]


def zipped(folder: Path, target: Path, within: str = "") -> Path:
    """A folder of samples as the archive that its program gives."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in _files(folder):
            archive.write(path, f"{within}{path.relative_to(folder).as_posix()}")
    return target


def _files(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.rglob("*")) if path.is_file())

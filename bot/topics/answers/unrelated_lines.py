"""Lines that have nothing to do with what is kept: from recordings of rooms, or plain text.

The command line reads them, and so nothing of the pet is imported here.
"""

from collections.abc import Sequence
from glob import glob
from pathlib import Path
from random import Random

from bot.errors import BotError
from bot.model.events import Inbound, InboundKind, RoomRef
from bot.transfer.files import FileRefused
from bot.transfer.recordings import read_recording
from memory.model.rooms import RoomKind, RoomRole

_ROOM = RoomRef(
    platform="silence", external_id="queries", name="queries", kind=RoomKind.GROUP,
    role=RoomRole.LOBBY,
)  # fmt: skip
"""Where recorded lines are read as if they were said."""


class QueriesRefused(BotError):
    """There are no lines to ask."""


def read_queries(names: Sequence[str]) -> list[str]:
    """What people say in some files, folders or patterns of files, in order.

    Raises:
        QueriesRefused: a file cannot be read, or there is nothing in any.

    """
    lines = [line for name in names for path in _files(name) for line in _lines(path)]
    if not lines:
        raise QueriesRefused(f"There is nothing to ask in {', '.join(names)}.")
    return lines


def sampled(lines: Sequence[str], limit: int | None, seed: int) -> list[str]:
    """At most `limit` of the lines, drawn evenly, in their order."""
    if limit is None or limit >= len(lines):
        return list(lines)
    places = sorted(Random(seed).sample(range(len(lines)), limit))  # noqa: S311 - not a secret
    return [lines[place] for place in places]


def _files(name: str) -> list[Path]:
    path = Path(name)
    if path.is_dir():
        return sorted(one for one in path.iterdir() if one.is_file())
    if path.exists():
        return [path]
    found = sorted(Path(one) for one in glob(name))  # noqa: PTH207 - it may be absolute
    if not found:
        raise QueriesRefused(f"{name} cannot be read: there is no such file.")
    return found


def _lines(path: Path) -> list[str]:
    """What people said in a recording; every line, where the file has no recorded message."""
    try:
        items = list(read_recording(path, None, _ROOM))
        said = [
            item.text
            for item in items
            if isinstance(item, Inbound) and item.kind is InboundKind.MESSAGE
        ]
        text = path.read_text("utf-8", "replace")
    except FileRefused as error:
        raise QueriesRefused(str(error)) from error
    except OSError as error:
        raise QueriesRefused(f"{path} cannot be read: {error.strerror}.") from error
    return said or [line.strip() for line in text.splitlines() if line.strip()]

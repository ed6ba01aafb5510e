"""Encrypted messages whose key has not come: noted on disk, and read when it has."""

import json
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from pathlib import Path

import structlog

from bot.channels.matrix.service.json_values import as_map, maps_in, text_in
from bot.secret_file import write_private

log = structlog.get_logger()

FILE = "unread.json"

KEPT_FOR = timedelta(days=7)
"""How long a key is waited for: a sender's device may have been away for days."""

MOST_KEPT = 2000
"""Messages that are waited for; the oldest are given up first, with a line in the log."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnreadEvent:
    """A message that could not be read: where it stands, and since when it is noted."""

    room: str
    event: str
    noted_at: str


class UnreadEvents:
    """The list of such messages, without anything of their content."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._waiting: dict[str, UnreadEvent] = {one.event: one for one in _kept(self._path)}
        self._saved = tuple(self._waiting)

    @property
    def waiting(self) -> tuple[UnreadEvent, ...]:
        """Those that are waited for, the oldest first."""
        return tuple(self._waiting.values())

    def note(self, room: str, event: str, now: datetime) -> None:
        """Wait for the key of a message."""
        if event and event not in self._waiting:
            noted = UnreadEvent(room=room, event=event, noted_at=now.isoformat())
            self._waiting[event] = noted

    def done(self, event: str) -> None:
        """Wait for it no more."""
        self._waiting.pop(event, None)

    def expire(self, now: datetime) -> None:
        """Give up what was waited for too long, or is too much."""
        oldest = (now - KEPT_FOR).isoformat()
        given_up = [one.event for one in self.waiting if one.noted_at < oldest]
        given_up += list(self._waiting)[: max(0, len(self._waiting) - MOST_KEPT)]
        for event in dict.fromkeys(given_up):
            del self._waiting[event]
        if given_up:
            log.warning("messages.dropped", messages=len(given_up))

    @property
    def has_changed(self) -> bool:
        """Whether the list is another one than that on disk."""
        return tuple(self._waiting) != self._saved

    def save(self) -> None:
        """Write the list down.

        Raises:
            FolderRefused: it cannot be written.

        """
        waiting = self.waiting
        write_private(self._path, json.dumps({"waiting": [asdict(one) for one in waiting]}))
        self._saved = tuple(one.event for one in waiting)


def _kept(path: Path) -> list[UnreadEvent]:
    try:
        said = as_map(json.loads(path.read_text("utf-8")))
    except (OSError, ValueError):
        return []
    return [
        UnreadEvent(
            room=text_in(one, "room"),
            event=text_in(one, "event"),
            noted_at=text_in(one, "noted_at"),
        )
        for one in maps_in(said, "waiting")
    ]

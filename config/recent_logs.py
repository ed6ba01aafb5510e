"""The latest events of the log, kept in memory for the page that shows them: no words, no secrets.

What is kept is what the log file gets: JSON without what people wrote, secrets masked.
"""

import json
import logging
from collections import Counter, deque
from typing import Any

KEPT = 200
"""Events that are kept: a page of them, and a tenth of a megabyte."""

LONGEST = 2_000
"""Characters of one event: of a longer one, such as a traceback, only what happened is kept."""


class RecentEvents(logging.Handler):
    """Keeps the latest events at info and above, of any logger."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self._lines: deque[str] = deque(maxlen=KEPT)
        self.counts: Counter[str] = Counter()
        """Events of this process by level; those that are left out as repetitions do not count."""

    def emit(self, record: logging.LogRecord) -> None:
        """Keep one event."""
        self.counts[record.levelname.lower()] += 1
        try:
            line = self.format(record)
        except (ValueError, TypeError, KeyError):
            self.handleError(record)
            return
        self._lines.append(line if len(line) <= LONGEST else _headed(line))

    def events(self) -> list[dict[str, Any]]:
        """What is kept, the latest first."""
        return [json.loads(line) for line in reversed(self._lines)]


def recent_events() -> list[dict[str, Any]]:
    """The latest events of this process's log, the latest first; none where no log was set up."""
    kept = _kept()
    return [] if kept is None else kept.events()


def event_counts() -> Counter[str]:
    """How many events the log of this process has, by level; none where no log was set up."""
    kept = _kept()
    return Counter() if kept is None else kept.counts


def _kept() -> RecentEvents | None:
    handlers = logging.getLogger().handlers
    return next((one for one in handlers if isinstance(one, RecentEvents)), None)


def _headed(line: str) -> str:
    event = json.loads(line)
    return json.dumps({name: event.get(name) for name in ("event", "level", "timestamp")})

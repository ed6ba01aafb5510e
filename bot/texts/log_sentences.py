"""Writes an event of the log as a sentence, for people who watch the daemon in a terminal."""

import logging
from collections.abc import Mapping
from datetime import datetime, tzinfo
from string import Formatter

from structlog.typing import EventDict, WrappedLogger

from bot.texts.catalogue import Texts

TOLD: Mapping[str, tuple[str, ...]] = {
    "log.digest.finished": (),
    "log.conversations.extracted": ("spans",),
    "log.messages.resumed": (),
    "log.notes.refreshed": ("pieces",),
    "log.schema.backed_up": (),
    "log.schema.migrated": ("numbers",),
    "log.index.held_elsewhere": (),
}
"""The sentences of events that are met in everyday use, by their keys, with the fields that they
leave out on purpose. Other events are written by their names and fields."""

UNTOLD = frozenset({"edge_worker.ended", "edge_worker.started", "stop.asked", "turn.replied"})
"""Events that need no sentence: the daemon says that it starts and stops, and a line for each reply
would push the link to the dashboard out of sight."""

_SECTION = "log."

_URGENCY = {"warning": "log.warning", "error": "log.error", "critical": "log.error"}

_TRACES = ("exception", "stack")
"""Fields of several lines, which follow the sentence."""


class LogSentences:
    """Renders events in one language, in the pet's time zone; hostile values stay one line.

    It is a renderer of structlog and a filter of the standard library's logging.
    """

    def __init__(self, texts: Texts, zone: tzinfo) -> None:
        self._texts = texts
        self._zone = zone

    def __call__(self, _: WrappedLogger, __: str, event: EventDict) -> str:
        """The text of an event."""
        name, level = str(event.pop("event")), event.pop("level", "info")
        at = datetime.fromisoformat(event.pop("timestamp")).astimezone(self._zone)
        traces = [str(event.pop(key)) for key in _TRACES if event.get(key)]
        said = self._said(name, event)
        if level in _URGENCY:
            said = self._texts.say(_URGENCY[level], said=said)
        return "\n".join([f"{at:%H:%M:%S} {said}", *traces])

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether an event is worth a sentence; above info it always is."""
        event = record.msg.get("event") if isinstance(record.msg, dict) else None
        return event not in UNTOLD or record.levelno > logging.INFO

    def _said(self, name: str, event: EventDict) -> str:
        key = _SECTION + name
        fields = fields_of(key, self._texts) if key in TOLD else None
        if fields is None or not fields <= event.keys():
            return _by_name(name, event)
        values = {field: _plain(value) for field, value in event.items()}
        left = {field: value for field, value in event.items() if field not in fields and value}
        return self._texts.say(key, **values) + _rest(left)


def fields_of(key: str, texts: Texts) -> set[str]:
    """The fields that a sentence fills in or leaves out on purpose.

    Any other field is written behind it, unless it is nothing (0, no, none).
    """
    parts = Formatter().parse(str(texts.entries[key]))
    return {name for _, name, _, _ in parts if name} | set(TOLD[key])


def _by_name(name: str, event: EventDict) -> str:
    """`loop.suspected` as "Loop suspected"; its name stays, so that it can be looked up."""
    noun, dot, verb = name.rpartition(".")
    if not dot or not name.replace(".", "").replace("_", "").isalnum():
        return _plain(name) + _rest(event)  # a library's own words
    words = f"{noun} {verb}".replace(".", " ").replace("_", " ")
    reason = f": {_plain(event.pop('reason'))}" if "reason" in event else ""
    return f"{words[0].upper()}{words[1:]}{reason}{_rest(event)} [{name}]"


def _rest(event: EventDict) -> str:
    fields = ", ".join(f"{key} {_plain(value)}" for key, value in event.items())
    return f" ({fields})" if fields else ""


def _plain(value: object) -> str:
    """A value on one line that can neither pose as another event nor command the terminal."""
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in str(value))

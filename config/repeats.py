"""Leaves out of the log what says the same time and again, and counts it."""

import logging
from collections import OrderedDict
from collections.abc import Hashable, Mapping
from dataclasses import dataclass

from structlog.typing import EventDict, WrappedLogger

WINDOW_S = 60.0
"""How long a fault that was told is not told again."""

KNOWN = 1024
"""Faults that are watched at once; of more, the ones told longest ago are told again."""

_FIELD = "suppressed"


@dataclass(slots=True)
class _Told:
    at: float
    left_out: int = 0


class RepeatedFaults(logging.Filter):
    """Lets a warning or error through once in WINDOW_S; the next time it says how many it was.

    One is the same as another by its event and the words in its fields, not their numbers; of
    libraries, by the first line before its values are filled in, and by the kind of exception.
    One instance serves all handlers, each of which asks it about every record.
    """

    def __init__(self) -> None:
        super().__init__()
        self._told: OrderedDict[Hashable, _Told] = OrderedDict()

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a record is to be written."""
        if record.levelno < logging.WARNING:
            return True
        if not hasattr(record, _FIELD):
            setattr(record, _FIELD, self._take(record))
        return getattr(record, _FIELD) is not None

    def _take(self, record: logging.LogRecord) -> int | None:
        """How many were left out before this one; None when it is left out too."""
        key = _key(record)
        told = self._told.get(key)
        if told is not None and 0 <= record.created - told.at < WINDOW_S:
            told.left_out += 1
            return None
        self._told[key] = _Told(at=record.created)
        self._told.move_to_end(key)
        if len(self._told) > KNOWN:
            self._told.popitem(last=False)
        return 0 if told is None else told.left_out


def with_suppressed(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """The event with the number of those that were left out before it."""
    left_out = getattr(event.get("_record"), _FIELD, None)
    if left_out:
        event[_FIELD] = left_out
    return event


def _key(record: logging.LogRecord) -> Hashable:
    if isinstance(record.msg, Mapping):
        fields = record.msg.items()
        words = tuple(
            sorted((str(k), v) for k, v in fields if isinstance(v, str) and k != "timestamp")
        )
        return (record.levelno, words, _kind(record.msg.get("exc_info") or record.exc_info))
    first_line = str(record.msg).partition("\n")[0]
    return (record.levelno, record.name, first_line, _kind(record.exc_info))


def _kind(exc_info: object) -> str:
    if isinstance(exc_info, BaseException):
        return type(exc_info).__name__
    if isinstance(exc_info, tuple) and isinstance(exc_info[0], type):
        return exc_info[0].__name__
    return ""

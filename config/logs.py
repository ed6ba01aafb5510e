"""Sets up what the daemon writes about its work: for people or as JSON, never what people say."""

import logging
import sys
from collections import OrderedDict
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from logging.handlers import WatchedFileHandler
from pathlib import Path
from typing import Protocol, TextIO

import structlog
from pydantic import SecretStr
from structlog.typing import EventDict, Processor, WrappedLogger

from config.recent_logs import RecentEvents
from config.redaction import MASK, masked
from config.sections.daemon import LogSettings

WORDS = frozenset({"text", "content", "message_text", "injection", "prompt"})
"""Fields that carry what a person wrote."""

SECRETS = frozenset({"api_key", "authorization", "password", "secret", "token", "x-api-key"})
"""Fields that carry a secret whatever it looks like."""

QUIET = (
    "anthropic",
    "apscheduler",
    "asyncio",
    "discord",
    "fsspec",
    "httpcore",
    "httpcore2",
    "httpx",
    "httpx2",
    "huggingface_hub",
    "mcp",
    "nio",
    "peewee",
    "qdrant_client",
    "sse_starlette",
    "urllib3",
    "uvicorn",
    "watchfiles",
    "websockets",
)
"""Libraries that are heard from warnings up, also at debug: some of them write whole requests."""

WINDOW_S = 60.0
"""How long a fault that was told is not told again."""

KNOWN = 1024
"""Faults that are watched at once; of more, the ones told longest ago are told again."""

_FIELD = "suppressed"


class Sentences(Protocol):
    """The log for people: which events they are told, and in which words."""

    def __call__(self, logger: WrappedLogger, method: str, event: EventDict, /) -> str:
        """The text of an event."""

    def filter(self, record: logging.LogRecord, /) -> bool:
        """Whether an event is told at all."""


def set_up_logs(
    log: LogSettings,
    sentences: Sentences,
    *,
    secrets: Iterable[SecretStr] = (),
    stream: TextIO | None = None,
) -> None:
    """Send every event of ours, and the warnings of libraries, to `stream` (standard error).

    A terminal gets `sentences`, anything else JSON, unless `log` says otherwise. `secrets` are
    masked wherever they appear. Calling it again replaces what was set up before.

    Raises:
        OSError: the log file cannot be opened.

    """
    stream = sys.stderr if stream is None else stream
    known = tuple(secret.get_secret_value() for secret in secrets)
    level = logging.getLevelNamesMapping()[log.level.upper()]
    for_people = log.format == "console" or (log.format == "auto" and stream.isatty())
    handlers: list[logging.Handler] = [
        _stream_handler(stream, known, sentences if for_people else None)
    ]
    if log.file is not None:
        handlers.append(_file_handler(log.file, known))
    handlers.append(_recent_handler(known))
    repeats = RepeatedFaults()
    for handler in handlers:
        handler.addFilter(repeats)
    _replace_handlers(handlers, level)
    structlog.configure(
        processors=[*_shared(), structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=False,
    )


def without_words(_: WrappedLogger, method: str, event: EventDict) -> EventDict:
    """The event without what people wrote, unless it is a debug event; their length stays."""
    if event.get("level", method) == "debug":
        return event
    return {key: value for pair in event.items() for key, value in _wordless(*pair)}


def _wordless(key: str, value: object) -> list[tuple[str, object]]:
    if key in WORDS:
        return [(f"{key}_chars", len(value))] if isinstance(value, str) else []
    if isinstance(value, Mapping):
        inside = {k: v for pair in value.items() for k, v in _wordless(*pair)}
        return [(key, inside)]
    return [(key, value)]


def without_secrets(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """The event with the fields masked that are secret by name."""
    return {key: _covered(key, value) for key, value in event.items()}


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


def _covered(key: str, value: object) -> object:
    if key.lower() in SECRETS and value is not None:
        return MASK
    if isinstance(value, Mapping):
        return {k: _covered(str(k), v) for k, v in value.items()}
    return value


def _shared() -> list[Processor]:
    """What happens to each event, ours or a library's, before it is written as text."""
    return [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        without_words,
        without_secrets,
    ]


def _stream_handler(
    stream: TextIO, known: tuple[str, ...], sentences: Sentences | None
) -> logging.Handler:
    """Sentences, or JSON where there are none."""
    handler = logging.StreamHandler(stream)
    if sentences is None:
        handler.setFormatter(
            _formatter(structlog.processors.JSONRenderer(ensure_ascii=False), known)
        )
        return handler
    handler.setFormatter(_formatter(sentences, known))
    handler.addFilter(sentences)
    return handler


def _formatter(renderer: Processor, known: tuple[str, ...]) -> logging.Formatter:
    """Writes an event as one text and masks that, so that nothing on the way can bring it back."""

    def mask(_: WrappedLogger, __: str, line: object) -> str:
        return masked(str(line), known)

    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=_shared(),
        processors=[
            with_suppressed,
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            structlog.processors.format_exc_info,  # the plain traceback: no local variables
            renderer,
            mask,
        ],
    )


def _file_handler(path: str, known: tuple[str, ...]) -> logging.Handler:
    """A file that may be moved away by whatever rotates it."""
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    handler = WatchedFileHandler(path, encoding="utf-8")
    handler.setFormatter(_formatter(structlog.processors.JSONRenderer(ensure_ascii=False), known))
    return handler


def _recent_handler(known: tuple[str, ...]) -> logging.Handler:
    handler = RecentEvents()
    handler.setFormatter(_formatter(structlog.processors.JSONRenderer(ensure_ascii=False), known))
    return handler


def _replace_handlers(handlers: Iterable[logging.Handler], level: int) -> None:
    root = logging.getLogger()
    for old in list(root.handlers):
        if isinstance(old.formatter, structlog.stdlib.ProcessorFormatter):
            root.removeHandler(old)
            old.close()
    for new in handlers:
        root.addHandler(new)
    root.setLevel(level)
    for name in QUIET:
        logging.getLogger(name).setLevel(max(level, logging.WARNING))
    logging.captureWarnings(capture=True)


@dataclass(slots=True)
class _Told:
    at: float
    left_out: int = 0


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

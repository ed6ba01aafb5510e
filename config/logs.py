"""Sets up what the daemon writes about its work: for people or as JSON, never what people say."""

import logging
import sys
from collections.abc import Iterable, Mapping
from logging.handlers import WatchedFileHandler
from pathlib import Path
from typing import Protocol, TextIO

import structlog
from pydantic import SecretStr
from structlog.typing import EventDict, Processor, WrappedLogger

from config.recent_logs import RecentEvents
from config.redaction import MASK, masked
from config.repeats import RepeatedFaults, with_suppressed
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
    "nio",
    "peewee",
    "qdrant_client",
    "urllib3",
    "uvicorn",
    "voyage",
    "watchfiles",
    "websockets",
)
"""Libraries that are heard from warnings up, also at debug: some of them write whole requests."""


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

"""A fault that repeats is told once a minute, with how many it was."""

import io
import json
import logging
from datetime import UTC
from pathlib import Path
from typing import Any

import pytest
import structlog

from bot.texts.catalogue import texts_in
from bot.texts.log_sentences import LogSentences
from config.logs import KNOWN, WINDOW_S, set_up_logs
from config.sections.daemon import LogSettings


class Log:
    """A log as JSON, and the clock of its records."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, **chosen: Any) -> None:
        self.now = 1_000_000.0
        self._stream = io.StringIO()
        settings = LogSettings(format="json", **chosen)
        set_up_logs(settings, LogSentences(texts_in("en"), UTC), stream=self._stream)
        made = logging.getLogRecordFactory()

        def record(*args: Any, **kwargs: Any) -> logging.LogRecord:
            one = made(*args, **kwargs)
            one.created = self.now
            return one

        monkeypatch.setattr(logging, "_logRecordFactory", record)

    def lines(self) -> list[dict[str, Any]]:
        """What was written."""
        return [json.loads(line) for line in self._stream.getvalue().splitlines()]


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch) -> Log:
    """A new log."""
    return Log(monkeypatch)


def test_a_repeated_fault_is_one_line_a_minute(log: Log) -> None:
    """However its numbers change; the next line says how many were left out."""
    for number in range(1000):
        structlog.get_logger().warning("connections.limited", limit="total", open=number)
    log.now += WINDOW_S
    structlog.get_logger().warning("connections.limited", limit="total", open=1000)
    assert [line.get("suppressed") for line in log.lines()] == [None, 999]


def test_faults_with_other_words_are_others(log: Log) -> None:
    """Another event, level, reason or room is no repetition."""
    logger = structlog.get_logger()
    for _ in range(3):
        logger.warning("reply.refused", room="a")
        logger.warning("reply.refused", room="b")
        logger.error("reply.refused", room="a")
        logger.warning("reply.postponed", room="a")
    assert len(log.lines()) == 4


def test_what_is_no_fault_is_always_told(log: Log) -> None:
    """Everyday work may repeat."""
    for _ in range(3):
        structlog.get_logger().info("turn.replied")
    assert len(log.lines()) == 3


def test_libraries_are_held_to_it_too(log: Log) -> None:
    """By the first line of what they say, whatever they fill in, and by what went wrong."""
    heard = logging.getLogger("asyncio")
    for number in range(100):
        heard.error("socket.accept() out of system resource\nsocket: %s", number)
        heard.warning("Exception in callback %s", number)
        for error in (OSError(number), ValueError(number)):
            try:
                raise error
            except (OSError, ValueError):
                heard.exception("Exception in ASGI application %s", number)
    assert len(log.lines()) == 4


def test_the_file_is_told_as_the_screen_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Both have the same lines."""
    path = tmp_path / "eko.log"
    log = Log(monkeypatch, file=str(path))
    for _ in range(3):
        structlog.get_logger().warning("request.refused", reason="host")
    log.now += WINDOW_S
    structlog.get_logger().warning("request.refused", reason="host")
    written = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert written == log.lines()
    assert [line.get("suppressed") for line in written] == [None, 2]


def test_a_flood_of_different_faults_fills_no_memory(log: Log) -> None:
    """Those told longest ago are forgotten, and told again."""
    for number in range(KNOWN + 1):
        structlog.get_logger().warning("request.refused", reason=f"r{number}")
    structlog.get_logger().warning("request.refused", reason="r0")
    structlog.get_logger().warning("request.refused", reason=f"r{KNOWN}")
    assert len(log.lines()) == KNOWN + 2


def test_a_clock_that_was_set_back_silences_nothing(log: Log) -> None:
    """A fault of the future is told again."""
    structlog.get_logger().warning("request.refused", reason="host")
    log.now -= 3600
    structlog.get_logger().warning("request.refused", reason="host")
    assert len(log.lines()) == 2

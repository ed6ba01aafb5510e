"""A stop is heard, whatever became of where the log went."""

import asyncio
import os
import signal
import sys
from collections.abc import Iterator

import pytest

from bot.daemon.daemon import stop_on_signals
from bot.texts.catalogue import texts_in
from bot.texts.commands import OWN
from tests.patience import PATIENCE_S


class ClosedPipe:
    """Standard error whose reader has gone, as after `eko run 2>&1 | head -1`."""

    def write(self, _text: str) -> int:
        """Refuse."""
        raise BrokenPipeError

    def flush(self) -> None:
        """Refuse."""
        raise BrokenPipeError


@pytest.fixture
def handlers() -> Iterator[None]:
    """The handlers of signals as they were, afterwards."""
    kept = {name: signal.getsignal(name) for name in (signal.SIGINT, signal.SIGTERM)}
    yield
    for name, handler in kept.items():
        signal.signal(name, handler)


@pytest.mark.usefixtures("handlers")
async def test_a_stop_is_heard_although_nobody_reads_the_log(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The daemon is told to end by SIGTERM and begins to."""
    stop = stop_on_signals(texts_in(OWN))
    monkeypatch.setattr(sys, "stderr", ClosedPipe())
    os.kill(os.getpid(), signal.SIGTERM)
    async with asyncio.timeout(PATIENCE_S):
        await stop.wait()

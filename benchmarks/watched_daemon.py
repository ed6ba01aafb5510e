"""The daemon with its event loop watched: `python -m benchmarks.watched_daemon`, then SIGTERM.

It runs with the settings of its environment. Its last line is JSON: what the busiest turn of the
loop took of the processor, by the second of the monotonic clock. The watch sits where the loop
waits for work, so it wakes nothing by itself and adds a microsecond to a turn.
"""

import asyncio
import json
import os
import selectors
from time import monotonic, thread_time

from bot.daemon import daemon
from bot.texts.catalogue import texts_in
from bot.texts.log_sentences import LogSentences
from config.logs import set_up_logs
from config.settings import load_settings
from memory.storage.allocator import stop_counting_memory


class WatchedSelector(selectors.DefaultSelector):
    """Where a loop waits; `busiest_ms` is its longest turn in each second, in processor time.

    Nothing else of the loop, such as a gateway's heartbeat, is served during a turn.
    """

    def __init__(self) -> None:
        super().__init__()
        self.busiest_ms: dict[int, float] = {}
        self._worked = thread_time()

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Wait as any other does, and count what was worked since the last time."""
        took_ms = (thread_time() - self._worked) * 1000
        second = int(monotonic())
        if took_ms > self.busiest_ms.get(second, 0):
            self.busiest_ms[second] = took_ms
        ready = super().select(timeout)
        self._worked = thread_time()
        return ready


def _announce(_page: str | None, _login: str | None) -> None:
    """Say nothing: its address is in its folder."""


def main() -> None:
    """Run until SIGTERM, as `eko run` does."""
    os.umask(0o077)
    settings = load_settings()
    set_up_logs(settings.log, LogSentences(texts_in(settings.locale), settings.zone))
    stop_counting_memory()
    selector = WatchedSelector()
    with asyncio.Runner(loop_factory=lambda: asyncio.SelectorEventLoop(selector)) as runner:
        runner.run(daemon.run(settings, _announce))
    print(json.dumps(selector.busiest_ms))


if __name__ == "__main__":
    main()

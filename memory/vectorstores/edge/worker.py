"""The child process that owns the Edge shards: `python -m ... FOLDER DIMENSION NAME...`.

It answers framed requests from standard input on standard output, in order, and exits when the
pipe closes. It imports as little as it can, because the daemon waits for it.
"""

import os
import select
import signal
import sys
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

from memory.vectorstores.edge.frames import FrameBuffer, encoded
from memory.vectorstores.edge.partition import Partition

_FLUSH_EVERY_S = 2.0
"""What a power cut may cost in seconds; a flush takes 6-20 ms at 100k entries."""

_READ_BYTES = 1 << 20
"""As much as arrives at once; a batch of 256 points is a quarter of that."""

_NOTHING: tuple[Any, ...] = ()


class Requests:
    """The requests that arrive on a pipe."""

    def __init__(self, pipe: int) -> None:
        self._pipe = pipe
        self._frames = FrameBuffer()
        self._waiting: deque[tuple[Any, ...]] = deque()

    def next(self, patience_s: float | None) -> tuple[Any, ...]:
        """The next request, or an empty one if none came in time; None waits for ever.

        Raises:
            EOFError: the daemon is gone.

        """
        if not self._waiting and select.select([self._pipe], [], [], patience_s)[0]:
            self._receive()
        return self._waiting.popleft() if self._waiting else _NOTHING

    def _receive(self) -> None:
        data = os.read(self._pipe, _READ_BYTES)
        if not data:
            raise EOFError
        self._waiting.extend(self._frames.feed(data))


class Partitions:
    """The collections of a folder, opened when they are first needed or when there is time."""

    def __init__(self, folder: Path, dimension: int, names: list[str]) -> None:
        self._of = {name: Partition(folder / name, dimension) for name in names}
        self._flush_at: float | None = None

    def answer(self, verb: str, *arguments: Any) -> Any:
        """What a request comes to: flush, or a method of Partition followed by the collection."""
        if verb == "flush":
            return self._flush()
        name, *rest = arguments
        return getattr(self._of[name], verb)(*rest)

    def patience_s(self) -> float | None:
        """How long there is nothing to do but to wait; None is for ever."""
        if any(each.has_unopened for each in self._of.values()):
            return 0
        return None if self._flush_at is None else max(0, self._flush_at - time.monotonic())

    def use_idle_time(self) -> None:
        """Open a shard that will be asked for, or flush."""
        for each in self._of.values():
            if each.has_unopened:
                each.open_next()
                return
        if any(each.dirty for each in self._of.values()):
            self._flush()

    def plan_flush(self) -> None:
        """Make sure that what was written is flushed soon, also when requests keep coming."""
        if self._flush_at is None and any(each.dirty for each in self._of.values()):
            self._flush_at = time.monotonic() + _FLUSH_EVERY_S
        elif self._flush_at is not None and time.monotonic() >= self._flush_at:
            self._flush()

    def close(self) -> None:
        """Flush and release everything."""
        for each in self._of.values():
            each.close()

    def _flush(self) -> None:
        self._flush_at = None
        for each in self._of.values():
            each.flush()


def serve(requests: Requests, partitions: Partitions, replies: int) -> None:
    """Answer until the daemon is gone."""
    while True:
        request = requests.next(partitions.patience_s())
        if request:
            number, *message = request
            _write(replies, encoded((number, *_outcome(partitions.answer, *message))))
        done, complaint = _outcome(partitions.plan_flush if request else partitions.use_idle_time)
        if not done:
            sys.stderr.write(f"{complaint}\n")


def _outcome(work: Callable[..., Any], *arguments: Any) -> tuple[bool, Any]:
    """Whether the work was done, and its result or the sentence that says why not."""
    try:
        return True, work(*arguments)
    except Exception as error:  # noqa: BLE001 - Edge raises nothing narrower
        return False, f"{type(error).__name__}: {error}"


def _write(pipe: int, frame: bytes) -> None:
    view = memoryview(frame)
    while view:
        view = view[os.write(pipe, view) :]


def _private_pipe() -> int:
    """Standard output for the replies alone: what anything else prints goes to standard error."""
    replies = os.dup(1)
    os.dup2(2, 1)
    return replies


def main() -> None:
    """Serve the folder given on the command line until standard input closes."""
    # Signals are for the daemon, which may still be writing its last turns; its end closes the
    # pipe, and that ends this process.
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    folder, dimension, *names = sys.argv[1:]
    partitions = Partitions(Path(folder), int(dimension), names)
    try:
        serve(Requests(0), partitions, _private_pipe())
    except (EOFError, BrokenPipeError):
        partitions.close()


if __name__ == "__main__":
    main()

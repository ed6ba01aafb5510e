"""The life of an Edge worker process: started when needed, asked many things at once, replaced."""

import asyncio
import fcntl
import itertools
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import structlog

from memory.child_processes import environment, python_of
from memory.model.errors import VectorStoreUnavailable
from memory.tasks import within
from memory.vectorstores.edge.frames import FrameBuffer, encoded

_log = structlog.get_logger(__name__)

_FIRST_BACK_OFF_S = 0.5
"""A worker that dies without a single answer is not started more often than this at first."""

_REAPED_WITHIN_S = 5.0
"""A killed process is gone at once; a daemon that stops waits no longer than this to be told."""

_LONGEST_BACK_OFF_S = 30.0
"""The wait doubles up to here: often enough to recover by itself, rare enough to cost nothing."""

_PIPE_BYTES = 1 << 20
"""Room for a whole batch: past the 64 KB of a pipe every further piece waits until both processes
were scheduled, which made an upsert of 64 points take 10 ms instead of 2."""

_STDIN, _STDOUT = 0, 1


def worker_command(folder: Path, dimension: int, names: Sequence[str]) -> tuple[str, ...]:
    """The command line of a worker that serves these shards."""
    module = "memory.vectorstores.edge.worker"
    return python_of(module, str(folder), str(dimension), *names)


class EdgeProcess:
    """A worker process behind its pipes; a caller never sees that it was replaced.

    `timeout_s` limits each answer: a worker that exceeds it is killed, because it answers in
    order and nothing behind would be answered either. `monotonic` tells seconds for the back-off.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        timeout_s: float,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._command = command
        self._timeout_s = timeout_s
        self._monotonic = monotonic
        self._worker: _Worker | None = None
        self._starting = asyncio.Lock()
        self._back_off_s = 0.0
        self._not_before = 0.0
        self._closed = False

    @property
    def pid(self) -> int | None:
        """The process id of the worker, None while there is none."""
        return self._worker.pid if self._worker and self._worker.alive else None

    async def start(self) -> None:
        """Have a worker running.

        Raises:
            VectorStoreUnavailable: it cannot be started, or died so often that it must wait.

        """
        await self._running()

    async def request(self, verb: str, *arguments: Any) -> Any:
        """The worker's answer.

        Raises:
            VectorStoreUnavailable: it failed, died, or took too long.

        """
        worker = await self._running()
        try:
            async with asyncio.timeout(self._timeout_s):
                done, outcome = await worker.ask(verb, *arguments)
        except TimeoutError as late:
            worker.kill()
            raise VectorStoreUnavailable(
                f"The vector store did not answer within {self._timeout_s:g} s."
            ) from late
        self._back_off_s = self._not_before = 0.0
        if not done:
            raise VectorStoreUnavailable(f"The vector store failed: {outcome}")
        return outcome

    async def close(self) -> None:
        """Let the worker finish what it was asked, flush and exit; kill it if it takes too long.

        Interrupted, it can be called again.
        """
        self._closed = True
        async with self._starting:
            worker = self._worker
        if worker is None:
            return
        worker.hang_up()
        if not await within(self._timeout_s, worker.gone.wait()):
            worker.kill()
            if not await within(_REAPED_WITHIN_S, worker.gone.wait()):
                _log.warning("edge_worker.lost", pid=worker.pid)
        self._worker = None

    async def _running(self) -> "_Worker":
        async with self._starting:
            if self._closed:
                raise VectorStoreUnavailable("The vector store is closed.")
            if self._worker is None or not self._worker.alive:
                self._wait_for_its_turn()
                self._worker = await self._started()
            return self._worker

    def _wait_for_its_turn(self) -> None:
        """Refuse to start a worker that keeps dying without having answered anything."""
        now = self._monotonic()
        if now < self._not_before:
            raise VectorStoreUnavailable("The vector store keeps stopping; it is tried again soon.")
        self._not_before = now + self._back_off_s
        doubled = max(_FIRST_BACK_OFF_S, 2 * self._back_off_s)
        self._back_off_s = min(_LONGEST_BACK_OFF_S, doubled)

    async def _started(self) -> "_Worker":
        loop = asyncio.get_running_loop()
        try:
            _, worker = await loop.subprocess_exec(_Worker, *self._command, env=environment())
        except OSError as error:
            raise VectorStoreUnavailable("The vector store's process cannot be started.") from error
        _log.info("edge_worker.started", pid=worker.pid)
        return worker


class _Worker(asyncio.SubprocessProtocol):
    """One running worker: callbacks of the event loop, so there is no task to look after."""

    def __init__(self) -> None:
        self.alive = False
        self.pid: int | None = None
        self.gone = asyncio.Event()
        self._frames = FrameBuffer()
        self._numbers = itertools.count()
        self._asked: dict[int, asyncio.Future[tuple[bool, Any]]] = {}

    async def ask(self, verb: str, *arguments: Any) -> tuple[bool, Any]:
        """Whether the worker did it, and its result or a sentence that says why not.

        Raises:
            VectorStoreUnavailable: it died before it answered.

        """
        if not self.alive:
            raise VectorStoreUnavailable("The vector store's process stopped.")
        number = next(self._numbers)
        answer: asyncio.Future[tuple[bool, Any]] = asyncio.get_running_loop().create_future()
        self._asked[number] = answer
        try:
            self._requests.write(encoded((number, verb, *arguments)))
            return await answer
        finally:
            del self._asked[number]

    def hang_up(self) -> None:
        """Close the pipe of requests, which ends the worker once it has answered."""
        self._requests.close()

    def kill(self) -> None:
        """End the worker at once."""
        self._end()
        with suppress(ProcessLookupError):  # it has ended by itself
            self._transport.kill()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The process runs."""
        assert isinstance(transport, asyncio.SubprocessTransport)  # noqa: S101 - narrows the type
        self._transport = transport
        self._requests: asyncio.WriteTransport = transport.get_pipe_transport(_STDIN)  # type: ignore[assignment]
        _widen(self._requests)
        self.pid = transport.get_pid()
        self.alive = True

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """Hand answers to those who asked; what goes to standard error is for debugging only."""
        if fd != _STDOUT:
            _log.debug("edge_worker.spoken", text=data.decode(errors="replace"))
            return
        for number, done, outcome in self._frames.feed(data):
            answer = self._asked.get(number)
            if answer is not None and not answer.done():
                answer.set_result((done, outcome))

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        """Without its pipe of answers a worker is as good as dead."""
        del exc
        if fd == _STDOUT:
            self._end()

    def connection_lost(self, exc: Exception | None) -> None:
        """The process has ended and its pipes are closed."""
        del exc
        self._end()
        _log.info("edge_worker.ended", pid=self.pid, exit_code=self._transport.get_returncode())
        self._transport.close()
        self.gone.set()

    def _end(self) -> None:
        self.alive = False
        for answer in self._asked.values():
            if not answer.done():
                answer.set_exception(VectorStoreUnavailable("The vector store's process stopped."))


def _widen(pipe: asyncio.BaseTransport) -> None:
    if sys.platform == "linux":
        with suppress(OSError):  # a limit of this system; it works without, only slower
            fcntl.fcntl(pipe.get_extra_info("pipe"), fcntl.F_SETPIPE_SZ, _PIPE_BYTES)

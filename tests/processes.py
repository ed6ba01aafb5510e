"""Processes of `python -m bot`: forked from one that has it imported, or begun as users do."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryFile

from tests.fork_server import LONGEST_ORDER
from tests.patience import PATIENCE_S

ROOT = Path(__file__).parents[1]
FORKS = sys.platform == "linux"
"""Elsewhere the libraries of the system may not survive a fork: processes begin as usual."""

_KEPT = ("PATH", "HOME", "LANG", "TMPDIR")
"""What a process needs of the environment; no key and no setting of whoever runs the tests."""

_LONGEST_ANSWER = 64


class ForkServer:
    """The process that forks; it ends with the one that asks it to."""

    def __init__(self) -> None:
        self._orders, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.fork_server", str(theirs.fileno())],
                cwd=ROOT,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                start_new_session=True,  # an interruption of the tests is not meant for it
            )

    def fork(
        self, arguments: Sequence[str], environment: Mapping[str, str], cwd: Path, files: list[int]
    ) -> socket.socket:
        """Order a process with these standard files; what tells its id, then its exit code."""
        order = {"arguments": arguments, "environment": dict(environment), "cwd": str(cwd)}
        message = json.dumps(order).encode()
        assert len(message) <= LONGEST_ORDER
        told, telling = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with telling:
            socket.send_fds(self._orders, [message], [*files, telling.fileno()])
        return told

    def close(self) -> None:
        """Let it end, once what it forked has ended."""
        self._orders.close()
        self._process.wait()


@cache
def fork_server() -> ForkServer:
    """The one of this test process, begun when it is first asked for."""
    return ForkServer()


def close_fork_server() -> None:
    """End it, if it was begun."""
    if fork_server.cache_info().currsize:
        fork_server().close()
        fork_server.cache_clear()


class Forked:
    """A forked process; as much of `asyncio.subprocess.Process` as the tests use."""

    def __init__(self, pid: int, stdout: asyncio.StreamReader, told: socket.socket) -> None:
        self.pid = pid
        self.stdout = stdout
        self._ending = asyncio.create_task(_exit_code(told))

    @property
    def returncode(self) -> int | None:
        """How it ended, or None while it runs."""
        return self._ending.result() if self._ending.done() else None

    async def wait(self) -> int:
        """Wait for its end; how it ended."""
        return await asyncio.shield(self._ending)

    def send_signal(self, number: int) -> None:
        """Send it a signal, if it still runs."""
        if self.returncode is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def terminate(self) -> None:
        """SIGTERM."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """`kill -9`."""
        self.send_signal(signal.SIGKILL)


Process = Forked | asyncio.subprocess.Process


def environment_of(settings: Mapping[str, str]) -> dict[str, str]:
    """The environment of a process with these settings."""
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    return {**kept, "PYTHONPATH": str(ROOT), **settings}


async def started(arguments: Sequence[str], environment: Mapping[str, str]) -> Process:
    """A process of `python -m bot` in a new interpreter, imports and all."""
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", *arguments),
        cwd=ROOT,
        env=environment,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )


async def forked(arguments: Sequence[str], environment: Mapping[str, str]) -> Process:
    """The same with the imports done, where the system lets a process fork."""
    if not FORKS:
        return await started(arguments, environment)
    reading, writing = os.pipe()
    with open(os.devnull, "rb") as nothing, os.fdopen(writing, "wb") as output:  # noqa: ASYNC230, PTH123 - opens at once
        files = [nothing.fileno(), output.fileno(), output.fileno()]
        told = fork_server().fork(arguments, environment, ROOT, files)
    loop, stdout = asyncio.get_running_loop(), asyncio.StreamReader()
    await loop.connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(stdout), os.fdopen(reading, "rb", 0)
    )
    told.setblocking(False)  # noqa: FBT003 - the standard library's own form
    return Forked(int(await loop.sock_recv(told, _LONGEST_ANSWER)), stdout, told)


async def _exit_code(told: socket.socket) -> int:
    with told:
        return int(await asyncio.get_running_loop().sock_recv(told, _LONGEST_ANSWER))


def eko(
    folder: Path, *arguments: str, cwd: Path = ROOT, **environment: str
) -> subprocess.CompletedProcess[str]:
    """What a command came to on a data folder without an embedder."""
    given = {"EKO_DATA_DIR": str(folder), "EKO_EMBEDDER__KIND": "none", **environment}
    return _run(arguments, environment_of(given), cwd)


def _run(
    arguments: Sequence[str], environment: Mapping[str, str], cwd: Path
) -> subprocess.CompletedProcess[str]:
    if not FORKS:
        command = [sys.executable, "-m", "bot", *arguments]
        return subprocess.run(
            command, cwd=cwd, env=environment, capture_output=True, text=True, check=False
        )
    with open(os.devnull, "rb") as nothing, TemporaryFile() as out, TemporaryFile() as err:  # noqa: PTH123 - no path of ours
        files = [nothing.fileno(), out.fileno(), err.fileno()]
        with fork_server().fork(arguments, environment, cwd, files) as told:
            told.settimeout(PATIENCE_S)
            told.recv(_LONGEST_ANSWER)
            code = int(told.recv(_LONGEST_ANSWER))
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read().decode())
    return subprocess.CompletedProcess(list(arguments), code, *texts)

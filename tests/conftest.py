"""Keeps every test on this machine: nothing but loopback may be reached."""

import gc
import ipaddress
import logging
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import structlog
from hypothesis import HealthCheck, settings

from config.logs import QUIET
from tests.long_first import begun_in_time
from tests.processes import close_fork_server

_GUARDED = {
    "socket.connect": 1,
    "socket.sendto": 1,
    "socket.sendmsg": 1,
    "socket.getaddrinfo": 0,
    "socket.gethostbyname": 0,
}
"""Python's audit events that name a host, and which of their arguments does."""

_LOCAL_NAMES = frozenset({"", "localhost", "ip6-localhost"})


_PLAIN = [
    *structlog.get_config()["processors"][:-1],
    structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback),
]
"""What logs are written with before a test configures them: a coloured traceback takes 60 ms."""


class OutsideRefused(RuntimeError):
    """A test tried to reach something that is not on this machine."""


def _is_local(host: object) -> bool:
    if host is None or isinstance(host, int):
        return True
    name = host.decode("ascii", "replace") if isinstance(host, bytes) else str(host)
    if name in _LOCAL_NAMES:
        return True
    try:
        return ipaddress.ip_address(name.partition("%")[0]).is_loopback
    except ValueError:
        return False


def _refuse_outside(event: str, arguments: tuple[Any, ...]) -> None:
    position = _GUARDED.get(event) if _GUARDED else None  # there is none as the interpreter ends
    if position is None:
        return
    target = arguments[position]
    if position == 1 and not isinstance(target, tuple):
        return  # a Unix socket has a path, and a connected one sends without an address
    host = target[0] if position == 1 else target
    if not _is_local(host):
        raise OutsideRefused(f"{event} to {host!r}: tests reach nothing but loopback")


sys.addaudithook(_refuse_outside)

# The pet lives where its machine is: every machine is one that only knows UTC here.
os.environ["TZ"] = "UTC"

_IN_MEMORY = Path("/dev/shm")  # noqa: S108 - a disk in memory, where the system has one

_ROOM = 4 << 30
"""Bytes that are free there: tests that passed leave nothing, and need a twentieth of it."""


def _is_fit(folder: Path) -> bool:
    """Whether tests can keep their files and run their programs there."""
    if not folder.is_dir() or not os.access(folder, os.W_OK):
        return False
    found = os.statvfs(folder)
    return found.f_bavail * found.f_frsize >= _ROOM and not found.f_flag & os.ST_NOEXEC


# Thousands of databases wait for the disk at every commit. What a process wrote outlives its kill
# in memory too; only a machine without power would tell the two apart, and no test takes that away.
if "TMPDIR" not in os.environ and sys.platform == "linux" and _is_fit(_IN_MEMORY):
    os.environ["TMPDIR"] = str(_IN_MEMORY)
    tempfile.tempdir = None

# A busy machine takes many times as long for an example, which says nothing about the code.
settings.register_profile("eko", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("eko")


gc.disable()  # what the tests import is garbage to nobody: looking takes half of the collection


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what takes longest."""
    items[:] = begun_in_time(items)


def pytest_collection_finish() -> None:
    """Let no collection of garbage walk what was imported and found: a full one takes 300 ms.

    They are also rarer than by default, at which they take a twentieth of all tests.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)
    gc.enable()


@pytest.fixture(autouse=True)
def _restored() -> Iterator[None]:
    """Leave logging as it was found, or the next test sees it as this one chose it."""
    root = logging.getLogger()
    before, level = list(root.handlers), root.level
    levels = {name: logging.getLogger(name).level for name in QUIET}
    structlog.configure(processors=_PLAIN)
    yield
    structlog.reset_defaults()
    logging.captureWarnings(capture=False)
    for handler in [handler for handler in root.handlers if handler not in before]:
        root.removeHandler(handler)
        handler.close()
    root.setLevel(level)
    for name, old in levels.items():
        logging.getLogger(name).setLevel(old)


@pytest.fixture(scope="session", autouse=True)
def _fork_server_ended() -> Iterator[None]:
    """End the process that forks others, if a test asked for it."""
    yield
    close_fork_server()

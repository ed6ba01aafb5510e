"""One process per data folder: the lock, and the note that says who holds it."""

import fcntl
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from time import sleep
from typing import TextIO

from bot.errors import AlreadyRunning, FolderRefused

LOCK = "eko.lock"
"""The file of a folder that says who holds it."""

STARTING = "starting"
"""What a daemon does that takes no operations yet."""

TRIES = 5
"""Looking who holds the folder takes the lock for an instant, which must not refuse a daemon."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Holder:
    """Who holds a data folder: a daemon has a socket and maybe a page, a single command neither."""

    pid: int
    since: str
    doing: str
    socket: str | None = None
    page: str | None = None


@contextmanager
def held(data_dir: Path, holder: Holder) -> Iterator[Callable[[Holder], None]]:
    """Hold the data folder until the body ends; the lock dies with the process, however it dies.

    The body may say more of itself later by calling what it is given.

    Raises:
        AlreadyRunning: another process holds it; the sentence names that process.
        FolderRefused: it cannot be made or written to; the sentence says why.

    """
    with _opened(data_dir) as file:
        if not any(_locked(file) for _ in range(TRIES)):
            raise AlreadyRunning(_refusal(data_dir))

        def note(holder: Holder) -> None:
            file.truncate(0)
            file.write(json.dumps(asdict(holder)))
            file.flush()

        note(holder)
        try:
            yield note
        finally:
            file.truncate(0)


def _opened(data_dir: Path) -> TextIO:
    try:
        data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        return (data_dir / LOCK).open("a+", encoding="utf-8")
    except OSError as error:
        raise FolderRefused(
            f"{data_dir} cannot hold the pet's data: {error.strerror}. {_way_out(data_dir)}, or "
            "choose another folder with EKO_DATA_DIR."
        ) from error


def _way_out(data_dir: Path) -> str:
    """How the folder, or the lock that another user left in it, can become writable."""
    owner, user = _owner(data_dir), os.geteuid()
    if owner is None or owner.st_uid == user:
        return "Make it writable"
    as_owner = f", run the pet as its owner (in a container: --user {owner.st_uid}:{owner.st_gid})"
    return (
        f"It belongs to user {owner.st_uid}, and the pet runs as user {user}: give it to the pet "
        f"(chown -R {user}:{os.getegid()}){as_owner if owner.st_uid else ''}"
    )


def _owner(data_dir: Path) -> os.stat_result | None:
    for path in (data_dir / LOCK, data_dir):
        with suppress(OSError):
            return path.stat()
    return None


def _locked(file: TextIO) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        sleep(0.05)
        return False
    return True


def holder_of(data_dir: Path) -> Holder | None:
    """Who holds the data folder now, or None."""
    path = data_dir / LOCK
    if not path.exists():
        return None
    with path.open("r", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            return _read(path)
    return None


def this_process(doing: str, since: datetime, **more: str | None) -> Holder:
    """The holder that this process is."""
    return Holder(pid=os.getpid(), since=since.isoformat(timespec="seconds"), doing=doing, **more)


def _read(path: Path) -> Holder:
    try:
        return Holder(**json.loads(path.read_text("utf-8")))
    except (ValueError, TypeError):
        return Holder(pid=0, since="", doing=STARTING)


def _refusal(data_dir: Path) -> str:
    first = _read(data_dir / LOCK)
    page = f", its page is {first.page}" if first.page else ""
    return (
        f"{data_dir} is in use by process {first.pid} ({first.doing} since {first.since}{page}): "
        "stop it first, or choose another folder with EKO_DATA_DIR."
    )

"""Which process of a pet has which shards: two of one machine never have the same.

Each process holds a lock on a file of its own that says what it claims; a lock dies with its
process. A data folder remembers whose guilds it holds.
"""

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from hashlib import sha256
from pathlib import Path
from typing import TextIO

from bot.channels.discord.machine_folder import machine_folder
from bot.errors import ShardsTaken
from bot.model.shards import ShardRange

MARK = "shards"
"""The file of a channel's folder that names the shards whose guilds the data folder holds."""


@contextmanager
def claimed(token: str, shards: ShardRange, kept_in: Path) -> Iterator[None]:
    """Have these shards of the bot with this token until the body ends.

    `kept_in` is the channel's folder in the data folder of this process.

    Raises:
        ShardsTaken: another process has some of them, or the folder is of other shards.

    """
    _refuse_other_folder(shards, kept_in)
    folder = machine_folder() / f"eko-{os.getuid()}-shards"
    folder.mkdir(mode=0o700, exist_ok=True)
    name = sha256(token.encode()).hexdigest()[:16]
    with ExitStack() as stack:
        with _opened(folder / f"{name}.lock") as one_at_a_time:
            fcntl.flock(one_at_a_time, fcntl.LOCK_EX)
            for other in folder.glob(f"{name}-*.claim"):
                _refuse_taken(shards, other)
            path = folder / f"{name}-{shards.first}-{os.getpid()}.claim"
            file = stack.enter_context(_opened(path))
            fcntl.flock(file, fcntl.LOCK_EX)
            file.truncate(0)
            file.write(json.dumps({"shards": str(shards), "folder": str(kept_in.resolve())}))
            file.flush()
            stack.callback(path.unlink, missing_ok=True)
        kept_in.mkdir(mode=0o700, parents=True, exist_ok=True)
        (kept_in / MARK).write_text(f"{shards}\n", "ascii")
        yield


def refuse_marked(kept_in: Path) -> None:
    """Refuse to be in all servers with the folder of a process that had some shards.

    Raises:
        ShardsTaken: the folder holds the guilds of some shards only.

    """
    mark = kept_in / MARK
    if mark.exists():
        raise ShardsTaken(
            f"{kept_in} holds the guilds of the shards {mark.read_text('ascii').strip()}: start "
            f"it with --shards and these, or remove {mark} if this process is to have all servers."
        )


def _opened(path: Path) -> TextIO:
    number = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    return os.fdopen(number, "r+", encoding="utf-8")


def _refuse_other_folder(shards: ShardRange, kept_in: Path) -> None:
    mark = kept_in / MARK
    former = mark.read_text("ascii").strip() if mark.exists() else str(shards)
    if former != str(shards):
        raise ShardsTaken(
            f"{kept_in} holds the guilds of the shards {former}, and this process has {shards}: "
            f"choose the folder of {shards} with EKO_DATA_DIR. If the shards were shared out anew, "
            f"remove {mark}; what servers said elsewhere stays in the other folders."
        )


def _refuse_taken(shards: ShardRange, other: Path) -> None:
    """Refuse what a process at work has; the claim of one that has ended is removed."""
    with _opened(other) as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            told = json.loads(file.read())
        else:
            other.unlink(missing_ok=True)
            return
    theirs, pid = ShardRange.parsed(told["shards"]), other.stem.rpartition("-")[2]
    if theirs is None or not shards.collides(theirs):
        return
    both = "both would answer" if shards.total == theirs.total else "the totals must be the same"
    raise ShardsTaken(
        f"Process {pid} of this pet has the shards {theirs} (its folder is {told['folder']}), and "
        f"this one is to have {shards}: {both}. Stop that process, or choose other shards."
    )

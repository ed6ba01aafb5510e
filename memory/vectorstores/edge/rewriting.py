"""Rewrites a shard from its living entries, since Edge never overwrites what it deletes.

After a delete, a replacement, a flush and an optimization the old payload still stood in the
write-ahead log, in the payload pages and in the payload index, and the old vector in its chunk.
Imported by the worker process only.
"""

import os
import shutil
from pathlib import Path
from typing import Any

from memory.vectorstores.edge.shard import Shard

_PAGE = 128
"""Entries copied at a time: 8 ms, so no search waits longer behind it than behind a batch."""


class Rewriting:
    """A shard on its way into a new one beside it; each write goes to both."""

    def __init__(self, path: Path, shard: Shard, dimension: int) -> None:
        recover(path)
        self.path = path
        """The shard it takes the place of."""
        self.copied = False
        """Whether every entry is in the new shard."""
        self._old = shard
        self._new = Shard(_beside(path), dimension)
        self._after: bytes | None = None

    def copy_some(self) -> None:
        """Copy the next entries."""
        self._after = self._old.copy(self._new, self._after, _PAGE)
        self.copied = self._after is None

    def upsert(self, ids: bytes, vectors: bytes, payloads: list[dict[str, Any]]) -> None:
        """Follow what was written to the old shard meanwhile."""
        self._new.upsert(ids, vectors, payloads)

    def delete(self, ids: bytes) -> None:
        """Follow what was deleted from the old shard meanwhile."""
        self._new.delete(ids)

    def flush(self) -> None:
        """Write the new shard to disk, which keeps its write-ahead log short."""
        self._new.flush()

    def take_place(self) -> None:
        """Put the new one in the place of the old one, which is closed, whole at every moment."""
        self._new.close()
        self.path.rename(_discarded(self.path))
        _beside(self.path).rename(self.path)
        _settle(self.path.parent)
        recover(self.path)

    def give_up(self) -> None:
        """Leave the old shard as it is."""
        self._new.close()
        recover(self.path)


def recover(path: Path) -> None:
    """Finish or undo what was interrupted at this shard: the old one, or the new one whole."""
    old, new = _discarded(path), _beside(path)
    if old.exists() and new.exists() and not path.exists():
        new.rename(path)  # the old one only steps aside for a new one that is whole
    for left in (old, new):
        if left.is_dir():
            shutil.rmtree(left)
        else:
            left.unlink(missing_ok=True)


def recover_all(folder: Path) -> None:
    """The same for every shard of a folder."""
    for left in sorted(folder.glob("*.*")):
        recover(left.with_suffix(""))


def _beside(path: Path) -> Path:
    return path.with_name(f"{path.name}.rewriting")


def _discarded(path: Path) -> Path:
    return path.with_name(f"{path.name}.discarded")


def _settle(folder: Path) -> None:
    """Have the names of a folder on disk, so that no power cut brings the old shard back."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)

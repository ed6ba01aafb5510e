"""The shards of one collection on disk: opened when needed, and told apart when damaged.

Of 33 kinds of file that a shard has, each emptied and each filled with random bytes, the engine
refuses 39 of 66 when it opens the shard, a few only when it reads or writes an entry, some by a
panic that is no `Exception`. None of them ends or hangs the process. Imported by the worker only.
"""

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from memory.vectorstores.edge.rewriting import recover, recover_all
from memory.vectorstores.edge.shard import EntryDamaged, Shard

T = TypeVar("T")

OTHERS = "others"
"""The shard of people, single rooms and everyone: many small audiences, filtered in one."""

_PANIC = "PanicException"
"""What a panic of the engine is called; its type cannot be imported."""

_OF_THE_MACHINE = re.compile(r"os error (5|12|13|23|24|28|30)\b|WouldBlock|StorageFull|OutOfMemory")
"""Trouble of the disk, of memory or of rights (errno(3)), which no new shard would end."""


class ShardDamaged(Exception):
    """The files of a shard cannot be read; a new one is filled from the database."""


class Shards:
    """The shards of one folder, by name.

    One whose files the engine cannot read holds nothing from then on, while the others answer:
    what it held is missing when the index is compared with the database.
    """

    def __init__(self, folder: Path, dimension: int) -> None:
        self._folder = folder
        self._dimension = dimension
        if folder.exists() and not folder.is_dir():
            folder.unlink()
        recover_all(folder)
        self.names = {path.name for path in folder.glob("*") if _is_shard(path.name)}
        """Those on disk, damaged ones too."""
        self._unopened = sorted(self.names)
        self._open: dict[str, Shard] = {}
        self._damaged: dict[str, str] = {}
        self._made_anew: set[str] = set()

    @property
    def has_unopened(self) -> bool:
        """Whether there is a shard on disk that nothing has tried to open yet."""
        return bool(self._unopened)

    @property
    def dirty(self) -> tuple[str, ...]:
        """Those that something was written to since they were flushed."""
        return tuple(name for name, shard in self._open.items() if shard.dirty)

    @property
    def damaged(self) -> list[tuple[str, str]]:
        """Those found damaged so far, each with what the engine said."""
        return sorted(self._damaged.items())

    def open_next(self) -> bool:
        """Open one more shard; whether there are more."""
        if self._unopened:
            self.read(self._unopened[0], lambda _: None, None)
        return self.has_unopened

    def path(self, name: str) -> Path:
        """Where a shard is."""
        return self._folder / name

    def read(self, name: str, ask: Callable[[Shard], T], otherwise: T) -> T:
        """What a shard answers, or `otherwise` if it is damaged."""
        try:
            return self.ask(name, ask)
        except ShardDamaged:
            return otherwise

    def ask(self, name: str, ask: Callable[[Shard], T]) -> T:
        """What a shard answers; it is opened or made when needed.

        Raises:
            ShardDamaged: its files cannot be read. One that was made anew and fails again has
                another trouble, which is told as it is.

        """
        if name in self._damaged:
            raise ShardDamaged(self._damaged[name])
        try:
            return ask(self._opened(name))
        except BaseException as error:
            damage = _damage_in(error)
            if damage is None or name in self._made_anew:
                raise
            self._damaged[name] = damage
            self._open.pop(name, None)
        raise ShardDamaged(self._damaged[name])

    def close(self, name: str) -> None:
        """Write a shard to disk and release its lock."""
        if name in self._open:
            self.read(name, Shard.close, None)
            self._open.pop(name, None)

    def close_all(self) -> None:
        """Close every shard that is open."""
        for name in [*self._open]:
            self.close(name)

    def discard_damaged(self) -> int:
        """Make room for new shards; how many. Nothing is kept of the old: it may hold words."""
        for name in self._damaged:
            for path in (self.path(name), *self._folder.glob(f"{name}.*")):
                _remove(path)
            self.names.discard(name)
            self._made_anew.add(name)
        discarded = len(self._damaged)
        self._damaged.clear()
        return discarded

    def _opened(self, name: str) -> Shard:
        if name in self._unopened:
            self._unopened.remove(name)
        if name not in self._open:
            recover(self.path(name))
            self._open[name] = Shard(self.path(name), self._dimension)
            self.names.add(name)
        return self._open[name]


def _damage_in(error: BaseException) -> str | None:
    """What the engine says of files that it cannot read; None for any other trouble."""
    of_the_engine = type(error) is Exception or type(error).__name__ == _PANIC
    if not of_the_engine and not isinstance(error, EntryDamaged):
        return None
    sentence = str(error)
    return None if _OF_THE_MACHINE.search(sentence) else sentence


def _is_shard(name: str) -> bool:
    return name == OTHERS or (name.startswith("space-") and name.removeprefix("space-").isdecimal())


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)

"""One collection as a few shards, so that what a scope allows is mostly whole shards.

Edge checks a filter entry by entry, 70 ns each, while it scans without one at 7 ns. The audiences
of communities are the large ones, so each has a shard to itself, and a group's question scans that
one unfiltered. Imported by the worker process only.
"""

from collections.abc import Collection, Iterable
from hashlib import blake2b
from heapq import nlargest
from pathlib import Path
from typing import Any

from memory.vectorstores.edge.rewriting import Rewriting, recover, recover_all
from memory.vectorstores.edge.shard import FILTER_FIELD, ID_BYTES, Shard, is_soiled

OTHERS = "others"
"""The shard of people, single rooms and everyone: many small audiences, filtered in one."""

_SPACE = "space:"

_SPACE_SHARDS = 16
"""Shards made at most for spaces, a tenth of a second each; those that meet in one are told apart
by the filter. Three spaces all have their own four times of five."""

Cursor = tuple[str, bytes | None]
"""Where a listing goes on: a shard, and the first id there."""


def part_of(audience: str) -> str:
    """The shard that keeps this audience."""
    if not audience.startswith(_SPACE):
        return OTHERS
    digest = blake2b(audience.encode(), digest_size=8).digest()
    return f"space-{int.from_bytes(digest) % _SPACE_SHARDS:02}"


class ScrubNotPlanned(Exception):
    """A worker is asked to go on with what another one began."""


class Partition:
    """The entries of one collection, made with one embedder; an id is in one shard only."""

    def __init__(self, folder: Path, dimension: int) -> None:
        self._folder = folder
        self._dimension = dimension
        recover_all(folder)
        self._names = {path.name for path in folder.glob("*") if _is_part(path.name)}
        self._unopened = sorted(self._names)
        self._open: dict[str, Shard] = {}
        self._to_rewrite: list[str] | None = None
        self._rewriting: Rewriting | None = None

    @property
    def has_unopened(self) -> bool:
        """Whether there is a shard on disk that nothing has tried to open yet."""
        return bool(self._unopened)

    @property
    def dirty(self) -> bool:
        """Whether something was written since the last flush."""
        return any(shard.dirty for shard in self._open.values()) or self._rewriting is not None

    def open_next(self) -> None:
        """Open one more shard."""
        self._part(self._unopened[0])

    def upsert(self, ids: bytes, vectors: bytes, payloads: list[dict[str, Any]]) -> None:
        """Insert or replace entries; `ids` are 16 bytes each and `vectors` float32, end to end."""
        rows_of: dict[str, list[int]] = {}
        for row, payload in enumerate(payloads):
            rows_of.setdefault(part_of(payload[FILTER_FIELD]), []).append(row)
        width = len(vectors) // len(payloads)
        for name, rows in rows_of.items():
            moved = _taken(ids, rows, ID_BYTES)
            # First, so that a crash in between leaves nothing that the old audience still sees.
            self._withdraw(moved, self._names - {name})
            written = (moved, _taken(vectors, rows, width), [payloads[row] for row in rows])
            self._part(name).upsert(*written)
            if self._rewriting and self._rewriting.path.name == name:
                self._rewriting.upsert(*written)

    def delete(self, ids: bytes) -> None:
        """Remove entries by id."""
        self._withdraw(ids, self._names)

    def search(
        self, vector: bytes, limit: int, audiences: list[str] | None
    ) -> list[tuple[bytes, float]]:
        """The nearest entries as (id, cosine), best first, among these audiences."""
        if audiences is None:
            parts, allowed = self._names, None
        else:
            allowed = frozenset(audiences)
            parts = self._names & set(map(part_of, allowed))
        hits = [
            hit for name in sorted(parts) for hit in self._part(name).search(vector, limit, allowed)
        ]
        return nlargest(limit, hits, key=lambda hit: hit[1])

    def ids(self, after: Cursor | None, limit: int) -> tuple[bytes, Cursor | None]:
        """A page of ids, and where the next page starts, if there is one."""
        name, start = after or (min(self._names, default=OTHERS), None)
        page, following = self._part(name).ids(start, limit)
        if following is not None:
            return page, (name, following)
        later = min((other for other in self._names if other > name), default=None)
        return page, None if later is None else (later, None)

    def plan_scrub(self) -> None:
        """Mean to rewrite each shard whose files may hold what is no entry any more."""
        self._give_up()
        self._to_rewrite = [name for name in self._names if is_soiled(self._folder / name)]

    def scrub_some(self) -> bool:
        """Rewrite a few more entries; whether there is more to do.

        Raises:
            ScrubNotPlanned: this worker was not told to, because it is another one by now.

        """
        if self._to_rewrite is None:
            raise ScrubNotPlanned("The rewriting was interrupted and has to begin again.")
        if self._rewriting is not None:
            self._rewrite_some(self._rewriting)
        elif self._to_rewrite:
            name = self._to_rewrite.pop()
            self._rewriting = Rewriting(self._folder / name, self._part(name), self._dimension)
        else:
            self._to_rewrite = None
        return self._to_rewrite is not None

    def _rewrite_some(self, rewriting: Rewriting) -> None:
        if not rewriting.copied:
            rewriting.copy_some()
            return
        name = rewriting.path.name
        self._rewriting = None
        del self._open[name]
        rewriting.take_place()
        self._part(name)

    def _give_up(self) -> None:
        self._to_rewrite = None
        if self._rewriting is not None:
            rewriting, self._rewriting = self._rewriting, None
            rewriting.give_up()

    def flush(self) -> None:
        """Write everything to disk."""
        for shard in self._open.values():
            if shard.dirty:
                shard.flush()
        if self._rewriting is not None:
            self._rewriting.flush()

    def close(self) -> None:
        """Write everything to disk and release the locks."""
        self._give_up()
        while self._open:
            self._open.popitem()[1].close()

    def _withdraw(self, ids: bytes, names: Collection[str]) -> None:
        for name in sorted(names):
            there = self._part(name).present(ids)
            if there:
                self._part(name).delete(there)
                if self._rewriting and self._rewriting.path.name == name:
                    self._rewriting.delete(there)

    def _part(self, name: str) -> Shard:
        """A shard, made or opened when needed; one that cannot be read fails every time."""
        if name in self._unopened:
            self._unopened.remove(name)
        if name not in self._open:
            recover(self._folder / name)
            self._open[name] = Shard(self._folder / name, self._dimension)
            self._names.add(name)
        return self._open[name]


def _is_part(name: str) -> bool:
    return name == OTHERS or (name.startswith("space-") and name.removeprefix("space-").isdecimal())


def _taken(packed: bytes, rows: Iterable[int], width: int) -> bytes:
    return b"".join(packed[row * width : (row + 1) * width] for row in rows)

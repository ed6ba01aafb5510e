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

from memory.vectorstores.edge.rewriting import Rewriting
from memory.vectorstores.edge.shard import FILTER_FIELD, ID_BYTES, Shard, is_soiled
from memory.vectorstores.edge.shards import OTHERS, Shards

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
        self._dimension = dimension
        self._shards = Shards(folder, dimension)
        self._to_rewrite: list[str] | None = None
        self._rewriting: Rewriting | None = None

    @property
    def has_unopened(self) -> bool:
        """Whether there is a shard on disk that nothing has tried to open yet."""
        return self._shards.has_unopened

    @property
    def dirty(self) -> bool:
        """Whether something was written since the last flush."""
        return bool(self._shards.dirty) or self._rewriting is not None

    def open_next(self) -> bool:
        """Open one more shard; whether there are more."""
        return self._shards.open_next()

    def check_some(self, after: Cursor | None, limit: int) -> Cursor | None:
        """Read a page of entries whole; where the next page starts, if there is one."""
        name, start = after or self._first()
        following = self._shards.read(name, lambda shard: shard.check(start, limit), None)
        return self._onward(name, following)

    def damaged(self) -> list[tuple[str, str]]:
        """The shards found damaged so far, each with what the engine said."""
        return self._shards.damaged

    def discard_damaged(self) -> int:
        """Let go of the shards found damaged, to be filled anew; how many."""
        self._give_up()
        return self._shards.discard_damaged()

    def upsert(self, ids: bytes, vectors: bytes, payloads: list[dict[str, Any]]) -> None:
        """Insert or replace entries; `ids` are 16 bytes each and `vectors` float32, end to end."""
        rows_of: dict[str, list[int]] = {}
        for row, payload in enumerate(payloads):
            rows_of.setdefault(part_of(payload[FILTER_FIELD]), []).append(row)
        width = len(vectors) // len(payloads)
        for name, rows in rows_of.items():
            moved = _taken(ids, rows, ID_BYTES)
            # First, so that a crash in between leaves nothing that the old audience still sees.
            self._withdraw(moved, self._shards.names - {name})
            written = (moved, _taken(vectors, rows, width), [payloads[row] for row in rows])
            self._write(name, *written)

    def delete(self, ids: bytes) -> None:
        """Remove entries by id."""
        self._withdraw(ids, self._shards.names)

    def search(
        self, vector: bytes, limit: int, audiences: list[str] | None
    ) -> list[tuple[bytes, float]]:
        """The nearest entries as (id, cosine), best first, among these audiences."""
        if audiences is None:
            parts, allowed = self._shards.names, None
        else:
            allowed = frozenset(audiences)
            parts = self._shards.names & set(map(part_of, allowed))
        hits = [hit for name in sorted(parts) for hit in self._hits(name, vector, limit, allowed)]
        return nlargest(limit, hits, key=lambda hit: hit[1])

    def _hits(
        self, name: str, vector: bytes, limit: int, allowed: frozenset[str] | None
    ) -> list[tuple[bytes, float]]:
        none: list[tuple[bytes, float]] = []
        return self._shards.read(name, lambda shard: shard.search(vector, limit, allowed), none)

    def ids(self, start: bytes, limit: int) -> tuple[bytes, bytes | None]:
        """The ids from `start` to before the next page, and where that starts, if there is one.

        A page has at most about `limit` ids, of each shard its share.
        """
        names = sorted(self._shards.names)
        share = max(1, limit // max(1, len(names)))
        nothing: tuple[bytes, bytes | None] = (b"", None)
        pages = [
            self._shards.read(name, lambda shard: shard.ids(start, share), nothing)
            for name in names
        ]
        end = min((following for _, following in pages if following is not None), default=None)
        ids = b"".join(page for page, _ in pages)
        return (ids, None) if end is None else (_before(ids, end), end)

    def count(self) -> int:
        """How many entries there are."""
        return sum(self._shards.read(name, Shard.count, 0) for name in sorted(self._shards.names))

    def plan_scrub(self) -> None:
        """Mean to rewrite each shard whose files may hold what is no entry any more."""
        self._give_up()
        names = self._shards.names
        self._to_rewrite = [name for name in names if is_soiled(self._shards.path(name))]

    def scrub_some(self) -> bool:
        """Rewrite a few more entries; whether there is more to do.

        Raises:
            ScrubNotPlanned: this worker was not told to, because it is another one by now.
            ShardDamaged: a shard cannot be read, and is to be filled anew.

        """
        if self._to_rewrite is None:
            raise ScrubNotPlanned("The rewriting was interrupted and has to begin again.")
        if self._rewriting is not None:
            self._rewrite_some(self._rewriting)
        elif self._to_rewrite:
            name = self._to_rewrite.pop()
            self._rewriting = self._shards.ask(name, lambda shard: self._begun(name, shard))
        else:
            self._to_rewrite = None
        return self._to_rewrite is not None

    def _begun(self, name: str, shard: Shard) -> Rewriting:
        return Rewriting(self._shards.path(name), shard, self._dimension)

    def _rewrite_some(self, rewriting: Rewriting) -> None:
        name = rewriting.path.name
        if not rewriting.copied:
            self._shards.ask(name, lambda _: rewriting.copy_some())
            return
        self._rewriting = None
        self._shards.close(name)
        rewriting.take_place()
        self._shards.ask(name, lambda _: None)

    def _give_up(self) -> None:
        self._to_rewrite = None
        if self._rewriting is not None:
            rewriting, self._rewriting = self._rewriting, None
            rewriting.give_up()

    def flush(self) -> None:
        """Write everything to disk."""
        for name in self._shards.dirty:
            self._shards.read(name, Shard.flush, None)
        if self._rewriting is not None:
            self._rewriting.flush()

    def close(self) -> None:
        """Write everything to disk and release the locks."""
        self._give_up()
        self._shards.close_all()

    def _write(self, name: str, ids: bytes, vectors: bytes, payloads: list[dict[str, Any]]) -> None:
        self._shards.ask(name, lambda shard: shard.upsert(ids, vectors, payloads))
        if self._rewriting and self._rewriting.path.name == name:
            self._rewriting.upsert(ids, vectors, payloads)

    def _withdraw(self, ids: bytes, names: Collection[str]) -> None:
        for name in sorted(names):
            there = self._shards.read(name, lambda shard: shard.present(ids), b"")
            if there:
                self._remove(name, there)

    def _remove(self, name: str, ids: bytes) -> None:
        self._shards.ask(name, lambda shard: shard.delete(ids))
        if self._rewriting and self._rewriting.path.name == name:
            self._rewriting.delete(ids)

    def _first(self) -> Cursor:
        return min(self._shards.names, default=OTHERS), None

    def _onward(self, name: str, following: bytes | None) -> Cursor | None:
        if following is not None:
            return name, following
        later = min((other for other in self._shards.names if other > name), default=None)
        return None if later is None else (later, None)


def _taken(packed: bytes, rows: Iterable[int], width: int) -> bytes:
    return b"".join(packed[row * width : (row + 1) * width] for row in rows)


def _before(packed: bytes, end: bytes) -> bytes:
    ids = (packed[at : at + ID_BYTES] for at in range(0, len(packed), ID_BYTES))
    return b"".join(each for each in ids if each < end)

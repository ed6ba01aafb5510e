"""What memory needs from outside: a clock, notices, an embedder and a vector store."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, Protocol, Self
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from memory.model.audience import Scope
from memory.model.clock import ClockJump
from memory.model.notices import OwnerNotice
from memory.model.stores import Collection

Vectors = NDArray[np.float32]
"""Shape (n, dimension) or (dimension,), each row of unit length."""

FIRST_ID = UUID(int=0)
LAST_ID = UUID(int=2**128 - 1)
"""Between these two are all others."""

Payload = Mapping[str, str | int | float | bool | list[str] | None]


class Clock(Protocol):
    """The only reader of the time."""

    def now(self) -> datetime:
        """The present moment, aware, in UTC."""
        ...


class MachineClock(Clock, Protocol):
    """A clock that goes on when the machine's is turned back, until that is trusted."""

    @property
    def behind(self) -> timedelta:
        """How far the machine is behind the time that is told."""
        ...

    def take_jumps(self) -> Sequence[ClockJump]:
        """The jumps ahead since this was asked last."""
        ...

    def hold(self, until: datetime) -> None:
        """Go on from a moment that was seen before, if the machine is behind it."""
        ...

    def trust(self) -> None:
        """Follow the machine, wherever it is."""
        ...


class OwnerNotices(Protocol):
    """Takes what the owner of the pet is to be warned of."""

    def tell(self, notice: OwnerNotice) -> None:
        """Warn the owner soon, at most once an hour for each kind; never waits, never fails."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Fingerprint:
    """What an embedding was made with; vectors of different fingerprints are never compared."""

    name: str
    dimension: int
    """0 where nothing is embedded at all, by choice."""
    version: str

    @property
    def embeds(self) -> bool:
        """Whether there are vectors at all."""
        return self.dimension > 0

    def __str__(self) -> str:
        return f"{self.name}/{self.dimension}/{self.version}"


class Embedder(Protocol):
    """Turns texts into vectors."""

    @property
    def fingerprint(self) -> Fingerprint:
        """What its vectors are made with, known without a call."""
        ...

    async def embed(self, texts: Sequence[str], kind: Literal["query", "document"]) -> Vectors:
        """One unit vector per text, shape (len(texts), dimension), in order.

        Raises:
            EmbeddingFailed: there are no usable vectors (service away, wrong count, not finite).

        """
        ...


class EmbedderInUse(Embedder, Protocol):
    """The embedder that vectors are made with now; another one may take its place meanwhile."""

    def held(self) -> AbstractContextManager[None]:
        """It and the store that has its vectors stay in use until the body ends."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One entry of the index. The payload always carries `audience` (str) for the scope filter."""

    id: UUID
    vector: Vectors
    payload: Payload


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One entry found, with its cosine similarity in -1..1."""

    id: UUID
    similarity: float


class VectorSearch(Protocol):
    """Finds the nearest entries of a collection."""

    async def search(
        self, collection: Collection, vector: Vectors, *, limit: int, scope: Scope
    ) -> Sequence[Hit]:
        """The nearest `limit` entries whose audience the scope allows, best first.

        Raises:
            VectorStoreUnavailable: the store did not answer.
            VectorRefused: the vector is of the wrong shape or not finite.

        """
        ...


class VectorIndex(VectorSearch, Protocol):
    """A vector store that can be written, compared with the database and rebuilt from it."""

    async def upsert(self, collection: Collection, points: Sequence[Point]) -> None:
        """Insert or replace entries by id. Idempotent.

        Raises:
            VectorStoreUnavailable: the store did not take them; apply them again later.
            VectorRefused: one of them can never be stored; nothing was.

        """
        ...

    async def delete(self, collection: Collection, ids: Sequence[UUID]) -> None:
        """Remove entries by id; ids that are not there are fine.

        Raises:
            VectorStoreUnavailable: the store did not take it; apply it again later.

        """
        ...

    async def ids(
        self, collection: Collection, *, start: UUID = FIRST_ID, limit: int | None = None
    ) -> frozenset[UUID]:
        """The lowest ids of the collection from `start` on, at most `limit` of them, or all.

        Raises:
            VectorStoreUnavailable: the store did not answer.

        """
        ...

    async def count(self, collection: Collection) -> int:
        """How many entries the collection has.

        Raises:
            VectorStoreUnavailable: the store did not answer.

        """
        ...

    async def scrub(self, collections: Sequence[Collection]) -> bool:
        """Leave no byte in the store's files of what was deleted or replaced before the call.

        False where a server decides for itself when it clears its files. Searches and writes go
        on meanwhile; repeating it is fine.

        Raises:
            VectorStoreUnavailable: something may be left; call again.

        """
        ...

    async def damaged(self, *, thorough: bool = False) -> Sequence[str]:
        """What of its files the store cannot read, a sentence each; `thorough` reads all of them.

        Entries in there are missing meanwhile, as `ids` tells.

        Raises:
            VectorStoreUnavailable: the store did not answer.

        """
        ...

    async def discard_damaged(self) -> int:
        """Let go of what was found damaged, so that it can be filled anew; how many parts.

        Raises:
            VectorStoreUnavailable: some may be left; call again.

        """
        ...

    async def drop_outdated(self) -> None:
        """Remove the collections that earlier embedders filled, with all they hold.

        Raises:
            VectorStoreUnavailable: some may be left; call again.

        """
        ...

    async def flush(self) -> None:
        """Make everything accepted so far survive a power cut."""
        ...

    async def close(self) -> None:
        """Flush and release the store; further calls raise VectorStoreUnavailable."""
        ...


class VectorLease(Protocol):
    """Says whose entries in a shared store are used, and settles it between two data folders."""

    async def pet(self) -> UUID:
        """The id of the pet.

        Raises:
            HeldElsewhere: another folder holds it; nothing of the store may be used.
            VectorStoreUnavailable: the store did not answer.

        """
        ...

    async def keep(self) -> None:
        """Take the pet over: this folder is it."""
        ...

    async def begin_anew(self) -> None:
        """Be a pet of its own from now on."""
        ...

    async def shares_store_with(self, other: Self) -> bool | None:
        """Whether both are about one store, by two addresses; None if the other is away.

        Raises:
            VectorStoreUnavailable: this one did not answer.

        """
        ...

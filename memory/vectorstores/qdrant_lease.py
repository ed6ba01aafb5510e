"""Which folder uses a pet's points on a Qdrant server: two copies of one never do at once.

The server keeps a record of each pet, and the database what it last wrote there; what the two say
together is decided in `memory/model/vector_lease.py`, and why so in `docs/storage.md`.
"""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, fields, replace
from typing import NoReturn, Protocol, Self
from uuid import UUID, uuid4

import structlog
from qdrant_client import AsyncQdrantClient, models

from memory.model.errors import HeldElsewhere, VectorStoreUnavailable
from memory.model.vector_lease import Folder, KeptLease, ServerLease, may_claim
from memory.vectorstores.qdrant_server import QdrantServer, unless_it_exists

_log = structlog.get_logger(__name__)

BEAT_EVERY_S = 60.0
"""How often a process that holds a pet says so: also how long a copy may go unnoticed by it."""

SILENT_AFTER_S = 2.5 * BEAT_EVERY_S
"""After so long without a beat, whichever process held the pet was killed, or its machine was."""

_FIELDS = tuple(field.name for field in fields(ServerLease))

_UNUSED_VECTOR = [1.0]
"""A record is found by its id; the server wants a vector of it all the same."""


class LeaseStore(Protocol):
    """Keeps the pet's id and what was last claimed, in the database.

    `claimed_here` has the tokens of all leases of this process.
    """

    claimed_here: set[str]

    async def kept(self) -> KeptLease:
        """What the database says."""
        ...

    async def keep(self, lease: KeptLease) -> None:
        """Write it down."""
        ...


class QdrantLease:
    """The pet whose points this process may use; it is claimed when it is first asked for.

    `original_is_there` tells whether the folder that the database was last used from, at a path
    and of an identity, is still there. Another lease of the same store that reaches the same server
    by another address takes nothing from this one.
    """

    def __init__(
        self,
        server: QdrantServer,
        store: LeaseStore,
        folder: Folder,
        *,
        prefix: str,
        original_is_there: Callable[[str, str], bool],
    ) -> None:
        self._server = server
        self._store = store
        self._folder = folder
        self._name = f"{prefix}pets"
        self._original_is_there = original_is_there
        self._claiming = asyncio.Lock()
        self._held: KeptLease | None = None
        self._lost = False
        self._told = ""
        self._seen: tuple[ServerLease, float] | None = None

    async def pet(self) -> UUID:
        """The id that this pet's points carry.

        Raises:
            HeldElsewhere: another folder holds it; nothing of the index may be used.
            VectorStoreUnavailable: the server did not answer.

        """
        if self._held is not None:
            return self._held.pet
        async with self._claiming:
            self._held = self._held or await self._claimed()
            return self._held.pet

    async def keep(self) -> None:
        """Take the pet over, whichever folder holds it: this one is the pet."""
        async with self._claiming:
            self._held = await self._claim(await self._store.kept())

    async def begin_anew(self) -> None:
        """Be a pet of its own from now on; the points of the former stay as they are."""
        async with self._claiming:
            self._held = await self._claim(KeptLease(pet=uuid4()))

    async def shares_store_with(self, other: Self) -> bool | None:
        """Whether one record is at both addresses, whichever wrote it; None if the other is away.

        Nothing is claimed for that.

        Raises:
            VectorStoreUnavailable: the server of this one did not answer.

        """
        pet = (await self._store.kept()).pet
        here = await self._served(pet)
        while here is not None:
            try:
                there = await other._served(pet)
            except VectorStoreUnavailable:
                return None
            if there is None or here.token == there.token:
                return there is not None
            before, here = here, await self._served(pet)
            if here is not None and here.token == before.token:
                return False  # else it was claimed between the two looks
        return False

    async def run(self) -> None:
        """Say every minute that this process is at work, and notice if another took over."""
        while True:
            await asyncio.sleep(BEAT_EVERY_S)
            with suppress(VectorStoreUnavailable):
                await self.beat()

    async def beat(self) -> None:
        """Say that this process is at work, unless another has taken over.

        Raises:
            VectorStoreUnavailable: the server did not answer.

        """
        async with self._claiming:
            if self._held is None:
                return
            served = await self._served(self._held.pet)
            if served is not None and served.token in self._store.claimed_here:
                self._held = replace(self._held, token=served.token)
            if served is None or served.token != self._held.token:
                self._held, self._lost = None, served is not None
                return
            await self._serve(self._held.pet, replace(served, beats=served.beats + 1))

    async def close(self) -> None:
        """Tell the server that this process is done, and drop the connection."""
        with suppress(VectorStoreUnavailable):
            await self._release()
        await self._server.close()

    async def _release(self) -> None:
        async with self._claiming:
            if self._held is None:
                return
            served = await self._served(self._held.pet)
            if served is not None and served.token == self._held.token:
                await self._serve(self._held.pet, replace(served, running=False))

    async def _claimed(self) -> KeptLease:
        kept = await self._store.kept()
        served = self._unless_silent(await self._served(kept.pet))
        if served is not None and (self._lost or not await self._may_claim(kept, served)):
            self._refuse(served.place)
        if served is None and not await self._may_claim(kept, None):
            self._refuse(kept.path)
        return await self._claim(kept)

    async def _may_claim(self, kept: KeptLease, served: ServerLease | None) -> bool:
        moved = bool(kept.folder) and kept.folder != self._folder.identity
        there = moved and await asyncio.to_thread(self._original_is_there, kept.path, kept.folder)
        return may_claim(kept, served, self._folder, original_is_there=there)

    def _refuse(self, place: str) -> NoReturn:
        if self._told != place:
            self._told = place
            _log.warning("index.held_elsewhere", place=place)
        raise HeldElsewhere(place)

    def _unless_silent(self, served: ServerLease | None) -> ServerLease | None:
        """The record, as of a process that has ended if no beat came for long enough."""
        now = time.monotonic()
        if served is None or self._seen is None or self._seen[0] != served:
            self._seen = None if served is None else (served, now)
            return served
        is_silent = now - self._seen[1] >= SILENT_AFTER_S
        return replace(served, running=False) if is_silent else served

    async def _claim(self, kept: KeptLease) -> KeptLease:
        """Write the claim down on both sides, so that a crash between the two loses nothing."""
        token = uuid4().hex
        self._store.claimed_here.add(token)
        await self._store.keep(replace(kept, claiming=token))
        await self._serve(
            kept.pet,
            ServerLease(
                token=token, folder=self._folder.identity, place=str(self._folder), running=True
            ),
        )
        held = KeptLease(
            pet=kept.pet, token=token, folder=self._folder.identity, path=self._folder.path
        )
        await self._store.keep(held)
        self._lost = False
        return held

    async def _served(self, pet: UUID) -> ServerLease | None:
        async with self._server.answering() as client:
            await self._prepare(client)
            records = await client.retrieve(self._name, [str(pet)], with_payload=True)
        for record in records:
            told = record.payload or {}
            return ServerLease(**{name: told[name] for name in _FIELDS if name in told})
        return None

    async def _serve(self, pet: UUID, lease: ServerLease) -> None:
        told = {**asdict(lease), "pet": pet.hex}
        point = models.PointStruct(id=str(pet), vector=_UNUSED_VECTOR, payload=told)
        async with self._server.answering() as client:
            await self._prepare(client)
            await client.upsert(self._name, [point], wait=True)

    async def _prepare(self, client: AsyncQdrantClient) -> None:
        if not await client.collection_exists(self._name):
            shape = models.VectorParams(size=len(_UNUSED_VECTOR), distance=models.Distance.DOT)
            async with unless_it_exists():
                await client.create_collection(self._name, vectors_config=shape)

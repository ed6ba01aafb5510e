"""Qdrant as a server or a cluster.

Importing this module costs a second, so it is imported only where a server is used.
"""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Protocol
from uuid import UUID

from qdrant_client import AsyncQdrantClient, models

from memory.model.audience import Scope
from memory.model.errors import VectorStoreUnavailable
from memory.model.stores import Collection
from memory.ports import FIRST_ID, Fingerprint, Hit, Payload, Point, Vectors
from memory.vectors import checked, checked_points, collection_names
from memory.vectorstores.qdrant_server import QdrantServer, unless_it_exists

_BATCH = 256
"""Ids per deletion: some kilobytes of JSON."""

_IDS_PAGE = 10_000
"""Ids per request: half a megabyte of JSON."""

_EF = 256
"""Candidates HNSW keeps while it searches; the default misses neighbours behind a filter."""

_PET = "pet"
"""The payload field that says whose a point is."""

_GRAPH = {"m": 0, "payload_m": 16}
"""A graph for each pet, and none over all of them: no search is over all."""

_SEARCH = models.SearchParams(
    hnsw_ef=_EF, quantization=models.QuantizationSearchParams(rescore=True, oversampling=2)
)
"""Where vectors are quantized, twice as many as are wanted are compared again whole."""

_QUANTIZED: dict[str, models.QuantizationConfig | None] = {
    "none": None,
    "scalar": models.ScalarQuantization(
        scalar=models.ScalarQuantizationConfig(type=models.ScalarType.INT8, always_ram=True)
    ),
    "binary": models.BinaryQuantization(binary=models.BinaryQuantizationConfig(always_ram=True)),
}

_INDEXES: dict[str, models.PayloadFieldSchema] = {
    _PET: models.KeywordIndexParams(type=models.KeywordIndexType.KEYWORD, is_tenant=True),
    "audience": models.PayloadSchemaType.KEYWORD,
    "person": models.PayloadSchemaType.KEYWORD,
    "room": models.PayloadSchemaType.KEYWORD,
    "space": models.PayloadSchemaType.KEYWORD,
    "timestamp": models.PayloadSchemaType.DATETIME,
}
"""What is filtered by, here and by people who browse; pets are what a cluster is divided by."""

_IDS = 1 << 128
"""How many ids there are."""


class Tenant(Protocol):
    """Says whose points are used."""

    async def pet(self) -> UUID:
        """The id of the pet.

        Raises:
            VectorStoreUnavailable: its points may not be used now.

        """
        ...


class QdrantIndex:
    """A VectorIndex on a Qdrant server; collections are made when they are first needed.

    Several pets share a server. Each point carries the id of its pet, which every request filters
    by, and its own id is that of the entry moved on by the pet's: an entry that two pets have (a
    message's id is a small number, a copy has all ids of its original) is two points, and the
    order of ids stays. Collections whose names lack `shared` were filled before points carried a
    pet; nothing is read there, and entries that are brought here are removed there.
    """

    def __init__(
        self, server: QdrantServer, fingerprint: Fingerprint, tenant: Tenant, prefix: str = "eko_"
    ) -> None:
        self._server = server
        asked = server.options.read_consistency
        self._consistency = None if asked == "one" else models.ReadConsistencyType(asked)
        self._tenant = tenant
        self._dimension = fingerprint.dimension
        self._prefix = prefix
        self._names = collection_names(f"{prefix}shared-", fingerprint)
        self._unshared: dict[Collection, list[str]] = {}
        self._preparing: defaultdict[Collection, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def search(
        self, collection: Collection, vector: Vectors, *, limit: int, scope: Scope
    ) -> Sequence[Hit]:
        """The nearest entries the scope allows, best first."""
        query = checked(vector, self._dimension).tolist()
        async with self._using(collection) as (client, pet):
            answer = await client.query_points(
                self._names[collection],
                query=query,
                query_filter=_among(pet, scope),
                search_params=_SEARCH,
                limit=limit,
                with_payload=False,
                consistency=self._consistency,
            )
        return [Hit(id=_entry(pet, hit.id), similarity=hit.score) for hit in answer.points]

    async def upsert(self, collection: Collection, points: Sequence[Point]) -> None:
        """Insert or replace entries; they are applied when this returns."""
        vectors = checked_points(points, self._dimension)
        size = self._server.options.upload_batch
        for start in range(0, len(points), size):
            batch = points[start : start + size]
            rows = vectors[start : start + size].tolist()
            async with self._using(collection) as (client, pet):
                structs = [
                    models.PointStruct(
                        id=_point(pet, point.id),
                        vector=row,
                        payload={**point.payload, _PET: pet.hex},
                    )
                    for point, row in zip(batch, rows, strict=True)
                ]
                await client.upsert(self._names[collection], structs, wait=True)
            await self._adopt(collection, {point.id: point.payload for point in batch})

    async def delete(self, collection: Collection, ids: Sequence[UUID]) -> None:
        """Remove entries by id; they are gone when this returns."""
        for start in range(0, len(ids), _BATCH):
            batch = ids[start : start + _BATCH]
            async with self._using(collection) as (client, pet):
                points: list[models.ExtendedPointId] = [_point(pet, each) for each in batch]
                chosen = _of(pet, models.HasIdCondition(has_id=points))
                await client.delete(
                    self._names[collection], models.FilterSelector(filter=chosen), wait=True
                )
            await self._adopt(collection, dict.fromkeys(batch))

    async def ids(
        self, collection: Collection, *, start: UUID = FIRST_ID, limit: int | None = None
    ) -> frozenset[UUID]:
        """The lowest ids from `start` on, at most `limit` of them, or all."""
        found: set[UUID] = set()
        pet = await self._tenant.pet()
        for low, high in _spans(pet, start):
            at: int | None = low
            while at is not None and at < high and (limit is None or len(found) < limit):
                wanted = _IDS_PAGE if limit is None else min(_IDS_PAGE, limit - len(found))
                page, at = await self._page(collection, at, wanted)
                found.update(_entry(pet, one) for one in page if UUID(one).int < high)
        return frozenset(found)

    async def _page(
        self, collection: Collection, start: int, limit: int
    ) -> tuple[list[str], int | None]:
        """The next points of this pet from one on, and where the page after them starts."""
        async with self._using(collection) as (client, pet):
            page, following = await client.scroll(
                self._names[collection],
                scroll_filter=_of(pet),
                limit=limit,
                offset=str(UUID(int=start)),
                with_payload=False,
                consistency=self._consistency,
            )
        after = None if following is None else UUID(str(following)).int
        return [str(record.id) for record in page], after

    async def count(self, collection: Collection) -> int:
        """How many entries the collection has."""
        async with self._using(collection) as (client, pet):
            found = await client.count(self._names[collection], count_filter=_of(pet), exact=True)
        return found.count

    async def scrub(self, collections: Sequence[Collection]) -> bool:
        """The server's optimizer rewrites its segments in its own time; nothing can make it."""
        del collections
        await self.flush()
        return False

    async def damaged(self, *, thorough: bool = False) -> Sequence[str]:
        """None: the files are the server's own matter."""
        del thorough
        return []

    async def discard_damaged(self) -> int:
        """None: the files are the server's own matter."""
        return 0

    async def drop_outdated(self) -> None:
        """Remove this pet's points of other fingerprints; their collections may be in use."""
        pet = await self._tenant.pet()
        async with self._server.answering() as client:
            there = {each.name for each in (await client.get_collections()).collections}
        for name in sorted(there - set(self._names.values())):
            if any(name.startswith(f"{self._prefix}shared-{each}-") for each in Collection):
                async with self._server.answering() as client:
                    selector = models.FilterSelector(filter=_of(pet))
                    await client.delete(name, selector, wait=True)

    async def flush(self) -> None:
        """The server's own write-ahead log has everything it accepted."""
        async with self._server.answering():
            pass

    async def close(self) -> None:
        """Drop the connections."""
        await self._server.close()

    async def _adopt(self, collection: Collection, entries: Mapping[UUID, Payload | None]) -> None:
        """Remove what these entries were before points carried a pet, now that they are here."""
        for name in [*self._unshared.get(collection, ())]:
            async with self._using(collection) as (client, _):
                found = await client.retrieve(name, list(map(str, entries)), with_payload=True)
                ours: list[models.ExtendedPointId] = [
                    record.id
                    for record in found
                    if _is_same(collection, record.payload, entries[UUID(str(record.id))])
                ]
                if not ours:
                    continue
                await client.delete(name, models.PointIdsList(points=ours), wait=True)
                if (await client.count(name, exact=True)).count == 0:
                    await client.delete_collection(name)
                    self._unshared[collection].remove(name)

    @asynccontextmanager
    async def _using(self, collection: Collection) -> AsyncIterator[tuple[AsyncQdrantClient, UUID]]:
        """The client and the pet, once the collection is there and has its indexes."""
        pet = await self._tenant.pet()
        try:
            async with self._server.answering() as client:
                await self._prepare(client, collection)
                yield client, pet
        except VectorStoreUnavailable:
            self._unshared.pop(collection, None)  # it may have been removed behind our back
            raise

    async def _prepare(self, client: AsyncQdrantClient, collection: Collection) -> None:
        async with self._preparing[collection]:
            if collection in self._unshared:
                return
            name = self._names[collection]
            there = [each.name for each in (await client.get_collections()).collections]
            if name in there:
                await self._check_shape(client, name)
            else:
                await self._create(client, name)
            for field, schema in _INDEXES.items():
                await client.create_payload_index(name, field, schema, wait=True)
            former = f"{self._prefix}{collection}-"
            self._unshared[collection] = [each for each in there if each.startswith(former)]

    async def _create(self, client: AsyncQdrantClient, name: str) -> None:
        chosen = self._server.options
        shape = models.VectorParams(
            size=self._dimension,
            distance=models.Distance.COSINE,
            on_disk=chosen.on_disk or None,
        )
        async with unless_it_exists():
            await client.create_collection(
                name,
                vectors_config=shape,
                hnsw_config=models.HnswConfigDiff(**_GRAPH, on_disk=chosen.on_disk or None),
                shard_number=chosen.shards,
                replication_factor=chosen.replicas,
                write_consistency_factor=chosen.write_consistency,
                quantization_config=_QUANTIZED[chosen.quantization],
            )

    async def _check_shape(self, client: AsyncQdrantClient, name: str) -> None:
        """Leave a collection alone that something else made.

        Raises:
            VectorStoreUnavailable: its vectors are of another size.

        """
        shape = (await client.get_collection(name)).config.params.vectors
        if not isinstance(shape, models.VectorParams) or shape.size != self._dimension:
            raise VectorStoreUnavailable(
                f"The collection {name} on the Qdrant server is not this pet's: its vectors are "
                "of another size. Choose another prefix with [vectors] prefix."
            )


def _of(pet: UUID, *conditions: models.Condition) -> models.Filter:
    """A filter for what a pet has, and these conditions allow."""
    match = models.MatchValue(value=pet.hex)
    return models.Filter(must=[models.FieldCondition(key=_PET, match=match), *conditions])


def _among(pet: UUID, scope: Scope) -> models.Filter:
    if scope.audiences is None:
        return _of(pet)
    match = models.MatchAny(any=sorted(scope.audiences))
    return _of(pet, models.FieldCondition(key="audience", match=match))


def _point(pet: UUID, entry: UUID) -> str:
    """The id of the point of an entry."""
    return str(UUID(int=(entry.int + pet.int) % _IDS))


def _entry(pet: UUID, point: models.ExtendedPointId) -> UUID:
    """The entry whose point has this id."""
    return UUID(int=(UUID(str(point)).int - pet.int) % _IDS)


def _spans(pet: UUID, start: UUID) -> Iterator[tuple[int, int]]:
    """The ranges of point ids, from one up to before another, of the entries from `start` on."""
    first = (start.int + pet.int) % _IDS
    if first >= pet.int:
        yield first, _IDS
        yield 0, pet.int
    else:
        yield first, pet.int


def _is_same(collection: Collection, there: Payload | None, entry: Payload | None) -> bool:
    """Whether a point that carries no pet is that of an entry with the same id.

    Other ids are drawn at random, but each pet numbers its messages from one.
    """
    if collection is not Collection.LIVE:
        return True
    known = ("message_id", "author_id", "timestamp")
    if there is None or entry is None:
        return False
    return all(there.get(one) == entry.get(one) for one in known)

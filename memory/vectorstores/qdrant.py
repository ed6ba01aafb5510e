"""Qdrant as a server or a cluster.

Importing this module costs a second, so it is imported only where a server is used.
"""

import asyncio
import json
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Self
from uuid import UUID

import structlog
from qdrant_client import AsyncQdrantClient, models
from qdrant_client.common.client_exceptions import QdrantException
from qdrant_client.http.exceptions import ApiException, UnexpectedResponse

from memory.errors import VectorStoreUnavailable
from memory.model.audience import Scope
from memory.model.stores import Collection
from memory.model.vectors import checked, checked_points, collection_names, is_ours
from memory.ports import Fingerprint, Hit, Point, Vectors

_log = structlog.get_logger(__name__)

_BATCH = 256
"""Points per request: 1 MB of JSON at 256 dimensions, 5 MB at 1024, under the server's 32 MB."""

_IDS_PAGE = 10_000
"""Ids per request: half a megabyte of JSON."""

_EF = 256
"""Candidates HNSW keeps while it searches; the default misses neighbours behind a filter."""

_INDEXES: dict[str, models.PayloadFieldSchema] = {
    "audience": models.PayloadSchemaType.KEYWORD,
    "person": models.PayloadSchemaType.KEYWORD,
    "room": models.PayloadSchemaType.KEYWORD,
    "space": models.KeywordIndexParams(type=models.KeywordIndexType.KEYWORD, is_tenant=True),
    "timestamp": models.PayloadSchemaType.DATETIME,
}
"""What is filtered by, here and by people who browse; spaces are what a cluster is divided by."""


class QdrantIndex:
    """A VectorIndex on a Qdrant server; collections are made when they are first needed.

    `timeout_s` limits each request.
    """

    def __init__(
        self,
        client: AsyncQdrantClient,
        fingerprint: Fingerprint,
        *,
        prefix: str = "eko_",
        timeout_s: float = 10,
    ) -> None:
        self._client = client
        self._dimension = fingerprint.dimension
        self._prefix = prefix
        self._names = collection_names(prefix, fingerprint)
        self._timeout_s = timeout_s
        self._ready: set[Collection] = set()
        self._preparing: defaultdict[Collection, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._closed = False

    @classmethod
    def at(
        cls,
        url: str,
        fingerprint: Fingerprint,
        *,
        api_key: str | None = None,
        prefix: str = "eko_",
        timeout_s: float = 10,
    ) -> Self:
        """An index on the server at this address; nothing is sent yet."""
        client = AsyncQdrantClient(
            url=url,
            api_key=api_key,
            timeout=max(1, round(timeout_s)),
            check_compatibility=False,  # it would ask the server from the constructor
        )
        return cls(client, fingerprint, prefix=prefix, timeout_s=timeout_s)

    async def search(
        self, collection: Collection, vector: Vectors, *, limit: int, scope: Scope
    ) -> Sequence[Hit]:
        """The nearest entries the scope allows, best first."""
        query = checked(vector, self._dimension).tolist()
        async with self._using(collection):
            answer = await self._client.query_points(
                self._names[collection],
                query=query,
                query_filter=_among(scope),
                search_params=models.SearchParams(hnsw_ef=_EF),
                limit=limit,
                with_payload=False,
            )
        return [Hit(id=UUID(str(hit.id)), similarity=hit.score) for hit in answer.points]

    async def upsert(self, collection: Collection, points: Sequence[Point]) -> None:
        """Insert or replace entries; they are applied when this returns."""
        vectors = checked_points(points, self._dimension)
        for start in range(0, len(points), _BATCH):
            batch = [
                models.PointStruct(id=str(point.id), vector=row, payload=dict(point.payload))
                for point, row in zip(
                    points[start : start + _BATCH],
                    vectors[start : start + _BATCH].tolist(),
                    strict=True,
                )
            ]
            async with self._using(collection):
                await self._client.upsert(self._names[collection], batch, wait=True)

    async def delete(self, collection: Collection, ids: Sequence[UUID]) -> None:
        """Remove entries by id; they are gone when this returns."""
        for start in range(0, len(ids), _BATCH):
            selected: list[int | str | UUID] = [str(each) for each in ids[start : start + _BATCH]]
            async with self._using(collection):
                await self._client.delete(
                    self._names[collection], models.PointIdsList(points=selected), wait=True
                )

    async def ids(self, collection: Collection) -> frozenset[UUID]:
        """Every id in the collection."""
        found: set[UUID] = set()
        following = None
        while True:
            async with self._using(collection):
                page, following = await self._client.scroll(
                    self._names[collection],
                    limit=_IDS_PAGE,
                    offset=following,
                    with_payload=False,
                )
            found.update(UUID(str(record.id)) for record in page)
            if following is None:
                return frozenset(found)

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
        """Remove the collections with this prefix that belong to other fingerprints."""
        async with self._answering():
            there = (await self._client.get_collections()).collections
        current = set(self._names.values())
        for name in {each.name for each in there} - current:
            if is_ours(name, self._prefix):
                async with self._answering():
                    await self._client.delete_collection(name)

    async def flush(self) -> None:
        """The server's own write-ahead log has everything it accepted."""
        if self._closed:
            raise VectorStoreUnavailable("The vector store is closed.")

    async def close(self) -> None:
        """Drop the connections."""
        if not self._closed:
            self._closed = True
            await self._client.close()

    @asynccontextmanager
    async def _using(self, collection: Collection) -> AsyncIterator[None]:
        """The collection, there and with its indexes."""
        try:
            async with self._answering():
                await self._prepare(collection)
                yield
        except VectorStoreUnavailable:
            self._ready.discard(collection)  # it may have been removed behind our back
            raise

    @asynccontextmanager
    async def _answering(self) -> AsyncIterator[None]:
        """Within the time limit; every vendor error in one."""
        if self._closed:
            raise VectorStoreUnavailable("The vector store is closed.")
        try:
            async with asyncio.timeout(self._timeout_s):
                yield
        except UnexpectedResponse as error:
            # From None: the body may quote what was sent, which is for debugging only.
            _log.debug("qdrant_request.refused", status=error.status_code, body=error.content)
            raise VectorStoreUnavailable(f"Qdrant answered {error.status_code}.") from None
        except TimeoutError as error:
            raise VectorStoreUnavailable(
                f"Qdrant did not answer within {self._timeout_s:g} s."
            ) from error
        except (ApiException, QdrantException, json.JSONDecodeError) as error:
            raise VectorStoreUnavailable("Qdrant did not answer as it should.") from error

    async def _prepare(self, collection: Collection) -> None:
        async with self._preparing[collection]:
            if collection in self._ready:
                return
            name = self._names[collection]
            if not await self._client.collection_exists(name):
                await self._create(name)
            for field, schema in _INDEXES.items():
                await self._client.create_payload_index(name, field, schema, wait=True)
            self._ready.add(collection)

    async def _create(self, name: str) -> None:
        shape = models.VectorParams(size=self._dimension, distance=models.Distance.COSINE)
        try:
            await self._client.create_collection(name, vectors_config=shape)
        except UnexpectedResponse as error:
            if error.status_code != 409:  # another process was faster
                raise


def _among(scope: Scope) -> models.Filter | None:
    if scope.audiences is None:
        return None
    match = models.MatchAny(any=sorted(scope.audiences))
    return models.Filter(must=[models.FieldCondition(key="audience", match=match)])

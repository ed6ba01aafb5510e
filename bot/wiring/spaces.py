"""Which embedder and which vector store serve the settings; of both the earlier ones for a while.

Where the settings ask for another embedder than the one that the index was filled by, that one goes
on answering while the new one embeds what is kept, if it can still be had.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypedDict

from bot.data_folder import MODELS, VECTORS, is_still_there, marked_folder
from bot.wiring.adapters import (
    embeds_locally,
    embeds_nothing,
    embeds_offline,
    indexes_embedded,
)
from config.settings import Settings
from memory.embedders.local_models import LOCAL_MODELS
from memory.embedders.model_folder import ModelFolder
from memory.embedders.none import NoEmbedder
from memory.embedders.usem3 import OfflineEmbedder
from memory.ports import Embedder, Fingerprint, VectorIndex, VectorLease
from memory.storage.search.outbox import filled_by
from memory.storage.search.vector_tenant import VectorTenant
from memory.storage.sqlite.database import Database
from memory.tasks import background_task
from memory.vectorstores.edge.index import EdgeIndex, remove_shards
from memory.vectorstores.in_memory import InMemoryIndex
from memory.vectorstores.in_use import SpaceInUse, VectorSpace


@asynccontextmanager
async def open_spaces(settings: Settings, database: Database) -> AsyncIterator[SpaceInUse]:
    """The embedder and the vector store of the settings, flushed and released in the end.

    Raises:
        VectorStoreUnavailable: the embedded vector store cannot be started.

    """
    chosen = _chosen(settings)
    former = _former(settings, chosen.fingerprint, await filled_by(database))
    async with _lease(settings, chosen.fingerprint, database) as lease:
        now = await _space(settings, former or chosen, lease)
        spaces = SpaceInUse(now, lease=lease)
        try:
            if former is not None:
                spaces.beside = await _space(settings, chosen, lease)
            yield spaces
        finally:
            await spaces.close()


@asynccontextmanager
async def _lease(
    settings: Settings, fingerprint: Fingerprint, database: Database
) -> AsyncIterator[VectorLease | None]:
    if indexes_embedded(settings) or not fingerprint.embeds:
        yield None
        return
    from memory.vectorstores.qdrant_lease import QdrantLease
    from memory.vectorstores.qdrant_server import QdrantServer

    lease = QdrantLease(
        QdrantServer.at(**_address(settings)),
        VectorTenant(database),
        marked_folder(settings.data_dir),
        prefix=settings.vectors.prefix,
        original_is_there=is_still_there,
    )
    try:
        async with background_task(lease.run(), name="lease"):
            yield lease
    finally:
        await lease.close()


def model_folder(settings: Settings) -> ModelFolder:
    """Where the files of the chosen local model are, or will be."""
    return _folder(settings, settings.embedder.local_model)


def _folder(settings: Settings, name: str) -> ModelFolder:
    return ModelFolder(settings.data_dir / MODELS, LOCAL_MODELS[name])


def _chosen(settings: Settings) -> Embedder:
    if embeds_nothing(settings):
        return NoEmbedder()
    if embeds_offline(settings):
        return OfflineEmbedder()
    if embeds_locally(settings):
        return _local(model_folder(settings))
    return _voyage(settings)


def _former(settings: Settings, chosen: Fingerprint, known: str | None) -> Embedder | None:
    """The embedder that filled the index, if it is another one and can still answer."""
    if known is None or known == str(chosen) or not chosen.embeds:
        return None
    candidates = _others(settings, known)
    return next((one for one in candidates if str(one.fingerprint) == known), None)


def _others(settings: Settings, known: str) -> Iterator[Embedder]:
    yield OfflineEmbedder()
    for name in LOCAL_MODELS:
        folder = _folder(settings, name)
        if folder.is_complete and str(folder.model.fingerprint) == known:
            yield _local(folder)
    given = settings.embedder
    if known.endswith("/voyage") and (given.api_key is not None or given.base_url is not None):
        yield _voyage(settings)


def _local(folder: ModelFolder) -> Embedder:
    from memory.embedders.local import LocalEmbedder

    return LocalEmbedder(folder)


def _voyage(settings: Settings) -> Embedder:
    from memory.embedders.voyage import VoyageEmbedder, VoyageService

    chosen = settings.embedder
    return VoyageEmbedder(
        VoyageService(
            api_key=chosen.api_key.get_secret_value() if chosen.api_key else "",
            model=chosen.model,
            dimension=chosen.dimension,
            base_url=chosen.base_url,
            timeout_s=chosen.timeout_s,
            attempts=chosen.retries + 1,
        )
    )


async def _space(settings: Settings, embedder: Embedder, lease: VectorLease | None) -> VectorSpace:
    folder = settings.data_dir / VECTORS
    index = await _index(settings, folder, embedder.fingerprint, lease)
    return VectorSpace(embedder=embedder, index=index)


async def _index(
    settings: Settings, folder: Path, fingerprint: Fingerprint, lease: VectorLease | None
) -> VectorIndex:
    chosen = settings.vectors
    if not (fingerprint.embeds and indexes_embedded(settings)):
        await asyncio.to_thread(remove_shards, folder, chosen.prefix)
    if not fingerprint.embeds:
        return InMemoryIndex(fingerprint)  # where there are no vectors it stays empty
    if lease is None:
        return await EdgeIndex.open(
            folder, fingerprint, prefix=chosen.prefix, timeout_s=chosen.timeout_s
        )
    from memory.vectorstores.qdrant import QdrantIndex
    from memory.vectorstores.qdrant_server import QdrantServer

    return QdrantIndex(QdrantServer.at(**_address(settings)), fingerprint, lease, chosen.prefix)


class _Address(TypedDict):
    url: str
    api_key: str | None
    timeout_s: float


def _address(settings: Settings) -> _Address:
    chosen = settings.vectors
    return _Address(
        url=chosen.url or "",
        api_key=chosen.api_key.get_secret_value() if chosen.api_key else None,
        timeout_s=chosen.timeout_s,
    )

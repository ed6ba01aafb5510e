"""Which embedder and which vector store serve the settings; of both the earlier ones for a while.

Where the settings ask for another embedder than the one that the index was filled by, that one goes
on answering while the new one embeds what is kept, if it can still be had. So does the vector store
that the index is in, while another one is filled.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager

import structlog

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
from memory.model.errors import VectorStoreUnavailable
from memory.model.vector_place import EMBEDDED, VectorPlace
from memory.ports import Embedder, Fingerprint, VectorIndex, VectorLease
from memory.storage.search.outbox import filled_by
from memory.storage.search.vector_place import VectorPlaces
from memory.storage.search.vector_tenant import VectorTenant
from memory.storage.sqlite.database import Database
from memory.tasks import background_task
from memory.upkeep.filling import emptied
from memory.upkeep.parts import UsedStores
from memory.vectorstores.edge.index import EdgeIndex, remove_shards
from memory.vectorstores.in_memory import InMemoryIndex
from memory.vectorstores.in_use import SpaceInUse, VectorSpace
from memory.vectorstores.server_options import ServerOptions

log = structlog.get_logger()


@asynccontextmanager
async def open_spaces(
    settings: Settings, database: Database, *, still: bool = False
) -> AsyncIterator[UsedStores]:
    """The embedder and the vector store in use, flushed and released in the end.

    Those of the settings, and beside them the former ones while these answer still. With `still`
    only those of the settings are opened, wherever the index of the folder is.

    Raises:
        VectorStoreUnavailable: the embedded vector store cannot be started.

    """
    chosen = _chosen(settings)
    former = _former(settings, chosen.fingerprint, await filled_by(database))
    asked = EMBEDDED if indexes_embedded(settings) else (settings.vectors.url or "").rstrip("/")
    places, stores = VectorPlaces(database, asked), OpenedStores(settings, database)
    if still or not chosen.fingerprint.embeds:
        place = VectorPlace(at=asked, asked=asked)
    else:
        place = await places.change(lambda kept: kept.as_asked(asked))
    if EMBEDDED not in {place.at, place.to} or not chosen.fingerprint.embeds:
        await stores.remove_embedded()
    async with AsyncExitStack() as stack:
        opened = stores.open(place.at, former or chosen)
        spaces = SpaceInUse(await stack.enter_async_context(opened))
        try:
            if former is not None or place.to is not None:
                opened = stores.open(place.to or place.at, chosen)
                spaces.beside = await stack.enter_async_context(opened)
            yield UsedStores(spaces=spaces, places=places, stores=stores)
        finally:
            await spaces.close()


class OpenedStores:
    """The VectorStores that the settings have what it takes to reach."""

    def __init__(self, settings: Settings, database: Database) -> None:
        self._settings = settings
        self._leases: dict[str, VectorLease] = {}
        self._tenant = VectorTenant(database)

    @asynccontextmanager
    async def open(self, place: str, embedder: Embedder) -> AsyncIterator[VectorSpace]:
        """The index of an embedder at a place, released in the end.

        Raises:
            VectorStoreUnavailable: it cannot be opened.

        """
        made_with = embedder.fingerprint
        if not made_with.embeds:  # where there are no vectors it stays empty
            yield VectorSpace(embedder=embedder, index=InMemoryIndex(made_with), place=place)
            return
        async with self._lease(place) as lease:
            index = await self._index(place, made_with, lease)
            try:
                yield VectorSpace(embedder=embedder, index=index, place=place, lease=lease)
            finally:
                await index.close()

    async def empty(self, place: str, embedder: Embedder) -> None:
        """Remove all that this pet has at a place; see `VectorStores`."""
        if place == EMBEDDED:
            await self.remove_embedded()
            return
        others = [lease for at, lease in self._leases.items() if at != place]
        async with self.open(place, embedder) as space:
            for other in others:
                shared = space.lease is not None and await space.lease.shares_store_with(other)
                if shared is None:
                    raise VectorStoreUnavailable("It may be the store in use, which is away.")
                if shared:
                    log.info("former_index.shared", place=place)  # another name of what is used
                    return
            await emptied(space.index)

    async def remove_embedded(self) -> None:
        """Remove the embedded index, which is not open."""
        folder, prefix = self._settings.data_dir / VECTORS, self._settings.vectors.prefix
        await asyncio.to_thread(remove_shards, folder, prefix)

    async def _index(
        self, place: str, fingerprint: Fingerprint, lease: VectorLease | None
    ) -> VectorIndex:
        chosen = self._settings.vectors
        if lease is None:
            folder = self._settings.data_dir / VECTORS
            return await EdgeIndex.open(
                folder, fingerprint, prefix=chosen.prefix, timeout_s=chosen.timeout_s
            )
        from memory.vectorstores.qdrant import QdrantIndex
        from memory.vectorstores.qdrant_server import QdrantServer

        server = QdrantServer.at(_server(self._settings, place))
        return QdrantIndex(server, fingerprint, lease, chosen.prefix)

    @asynccontextmanager
    async def _lease(self, place: str) -> AsyncIterator[VectorLease | None]:
        """What settles whose the entries of a server are: one for each server, however often."""
        if place == EMBEDDED or place in self._leases:
            yield self._leases.get(place)
            return
        from memory.vectorstores.qdrant_lease import QdrantLease
        from memory.vectorstores.qdrant_server import QdrantServer

        lease = QdrantLease(
            QdrantServer.at(_server(self._settings, place)),
            self._tenant,
            marked_folder(self._settings.data_dir),
            prefix=self._settings.vectors.prefix,
            original_is_there=is_still_there,
        )
        self._leases[place] = lease
        try:
            async with background_task(lease.run(), name="lease"):
                yield lease
        finally:
            del self._leases[place]
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


def _server(settings: Settings, url: str) -> ServerOptions:
    chosen = settings.vectors
    return ServerOptions(
        url=url,
        api_key=chosen.api_key.get_secret_value() if chosen.api_key else None,
        port=chosen.server_port,
        **chosen.model_dump(include=_OF_SERVERS),
    )


_OF_SERVERS = {
    "ca_file",
    "timeout_s",
    "retries",
    "upload_batch",
    "shards",
    "replicas",
    "write_consistency",
    "quantization",
    "on_disk",
    "read_consistency",
}
"""The settings of `[vectors]` that a server is reached, and its collections made, with."""

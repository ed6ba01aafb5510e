"""The parts of this room, made over one storage."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from memory.ports import Embedder, MachineClock, VectorLease
from memory.storage.search.embeddings import Embeddings
from memory.storage.search.outbox import Outbox
from memory.storage.search.vector_place import VectorPlaces
from memory.storage.storage import Storage
from memory.upkeep.claim_pass import ClaimPass
from memory.upkeep.clock_watch import ClockWatch
from memory.upkeep.indexer import Indexer
from memory.upkeep.moving import IndexMove, VectorStores
from memory.upkeep.reembedding import EmbedderChange, Reembedding
from memory.vectorstores.in_use import EmbedderOfSpace, IndexOfSpace, SpaceInUse, VectorSpace


@dataclass(frozen=True, slots=True, kw_only=True)
class UsedStores:
    """The embedder and the index in use, where the index is, and what opens it elsewhere."""

    spaces: SpaceInUse
    places: VectorPlaces
    stores: VectorStores


class UpkeepParts:
    """What keeps the index and the clock right. `reembedding` is None without another embedder."""

    def __init__(
        self,
        storage: Storage,
        used: UsedStores,
        clock: MachineClock,
        prepare: Callable[[Embedder], Awaitable[None]],
    ) -> None:
        """Make the parts; `prepare` has another embedder ready for questions."""
        spaces, places, stores = used.spaces, used.places, used.stores
        embedder, index = EmbedderOfSpace(spaces), IndexOfSpace(spaces)
        self.indexer = Indexer(storage.outbox, embedder, index, ClaimPass(storage.claims))
        self.clock_watch = ClockWatch(storage.timeline, clock)
        self._spaces = spaces

        def filling(to: VectorSpace) -> Reembedding:
            made = Embeddings(storage.database, EmbedderOfSpace(SpaceInUse(to)), clock)
            outbox = Outbox(storage.database, made, clock)
            work = Reembedding(spaces, to, outbox, self.indexer, prepare)
            return work if to.place == spaces.now.place else work.at_another_place(places)

        self.reembedding = None if spaces.beside is None else filling(spaces.beside)
        self.index_move = IndexMove(spaces, places, stores, filling, self.reembedding)

    @property
    def lease(self) -> VectorLease | None:
        """What settles whose the entries of a server are; None where none is used."""
        return self._spaces.now.lease

    @property
    def change(self) -> EmbedderChange | None:
        """The embedder or the place of the index that is taking over."""
        work = self.index_move.work
        return None if work is None else work.change

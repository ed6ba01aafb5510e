"""The parts of this room, made over one storage."""

from collections.abc import Awaitable, Callable

from memory.ports import Embedder, MachineClock
from memory.storage.search.embeddings import Embeddings
from memory.storage.search.outbox import Outbox
from memory.storage.storage import Storage
from memory.upkeep.claim_pass import ClaimPass
from memory.upkeep.clock_watch import ClockWatch
from memory.upkeep.indexer import Indexer
from memory.upkeep.reembedding import Reembedding
from memory.vectorstores.in_use import EmbedderOfSpace, IndexOfSpace, SpaceInUse


class UpkeepParts:
    """What keeps the index and the clock right. `reembedding` is None without another embedder."""

    def __init__(
        self,
        storage: Storage,
        spaces: SpaceInUse,
        clock: MachineClock,
        prepare: Callable[[Embedder], Awaitable[None]],
    ) -> None:
        """Make the parts; `prepare` has another embedder ready for questions."""
        embedder, index = EmbedderOfSpace(spaces), IndexOfSpace(spaces)
        self.indexer = Indexer(storage.outbox, embedder, index, ClaimPass(storage.claims))
        self.lease = spaces.lease
        self.clock_watch = ClockWatch(storage.timeline, clock)
        self.reembedding: Reembedding | None = None
        if (to := spaces.beside) is not None:
            made = Embeddings(storage.database, EmbedderOfSpace(SpaceInUse(to)), clock)
            outbox = Outbox(storage.database, made, clock)
            self.reembedding = Reembedding(spaces, to, outbox, self.indexer, prepare)

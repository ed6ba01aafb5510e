"""The parts of this room, made over one storage."""

from collections.abc import Collection
from functools import partial

from memory.forgetting.finding import ForgettingFinder
from memory.forgetting.purge import Purge, Scrub
from memory.forgetting.service import Forgetting
from memory.model.stores import Collection as VectorCollection
from memory.ports import EmbedderInUse, VectorIndex
from memory.storage.forgetting.candidates import ForgettingCandidates
from memory.storage.storage import Storage


class ForgettingParts:
    """What is forgotten on request, and purged a day later.

    `called` are the names of the pet; `settle` brings the index up to date before a purge.
    """

    def __init__(
        self,
        storage: Storage,
        embedder: EmbedderInUse,
        index: VectorIndex,
        settle: Scrub,
        *,
        called: Collection[str],
    ) -> None:
        finder = ForgettingFinder(ForgettingCandidates(storage.database), embedder, called)
        self.forgetting = Forgetting(
            storage.forgettings,
            storage.aliases,
            storage.people,
            finder,
            storage.reminders,
        )
        scrubs: list[Scrub] = [storage.scrubber.scrub, partial(index.scrub, list(VectorCollection))]
        self.purging = Purge(storage.forgettings, settle, scrubs)

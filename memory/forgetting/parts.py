"""The parts of this room, made over one storage."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import partial

from memory.forgetting.elsewhere import ForgettingElsewhere, ForgettingReach
from memory.forgetting.files import FilesLookedIn
from memory.forgetting.finding import ForgettingFinder
from memory.forgetting.purge import Purge, Scrub
from memory.forgetting.service import Forgetting
from memory.model.stores import INDEX_FOLDER
from memory.model.stores import Collection as VectorCollection
from memory.ports import EmbedderInUse, VectorIndex
from memory.storage.forgetting.candidates import ForgettingCandidates
from memory.storage.storage import Storage


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedForgetting:
    """How forgetting is asked for: the names of the pet, and who else forgets, if anybody does."""

    called: Collection[str]
    elsewhere: ForgettingElsewhere | None = None


class ForgettingParts:
    """What is forgotten on request, and purged a day later.

    `settle` brings the index up to date before a purge. The
    files of the database and of an index beside it are then searched for what it was about.
    """

    def __init__(
        self,
        storage: Storage,
        embedder: EmbedderInUse,
        index: VectorIndex,
        settle: Scrub,
        asked: AskedForgetting,
    ) -> None:
        candidates = ForgettingCandidates(storage.database)
        reach = ForgettingReach(
            finder=ForgettingFinder(candidates, embedder, asked.called), elsewhere=asked.elsewhere
        )
        self.forgetting = Forgetting(
            storage.forgettings,
            storage.aliases,
            storage.people,
            reach,
            storage.reminders,
        )
        scrubs: list[Scrub] = [storage.scrubber.scrub, partial(index.scrub, list(VectorCollection))]
        path = storage.database.path
        places = (path, path.with_name(f"{path.name}-wal"), path.with_name(INDEX_FOLDER))
        self.purging = Purge(
            storage.forgettings, settle, scrubs, FilesLookedIn(storage.traces, places)
        )

"""Purging: after a day what was forgotten is removed from every file, for good.

Each step is durable before the next begins, so a purge that is killed is taken up again.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

import structlog

from memory.forgetting.files import FilesLookedIn
from memory.rules.forgetting.receipt import NothingToUndo, Receipt
from memory.rules.forgetting.selector import Requester
from memory.storage.forgetting.requests import Forgettings

log = structlog.get_logger()

Scrub = Callable[[], Awaitable[object]]
"""Rewrites the files of one store so that no byte of a deleted row is left; may be repeated.

False where a server decides for itself when it does that.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Purged:
    """One forgetting after its purge; `is_clean` when no byte of it is left in any file."""

    receipt: Receipt
    is_clean: bool


class Purge:
    """Purges what can no longer be undone. `scrubs` are done in order: database, then index.

    `settle` brings the index up to date before: what it still held would be kept. Afterwards
    `files` are searched for what was purged, unless the process ended in between.
    """

    def __init__(
        self,
        forgettings: Forgettings,
        settle: Scrub,
        scrubs: Sequence[Scrub],
        files: FilesLookedIn | None = None,
    ) -> None:
        self._forgettings = forgettings
        self._settle = settle
        self._scrubs = scrubs
        self._files = files

    async def run(self) -> int:
        """Purge all that is due, and finish what was begun; how many forgettings that were.

        Raises:
            VectorStoreUnavailable: the rest is done the next time.

        """
        await self._forgettings.drop_previews()
        for forgetting in await self._forgettings.due():
            await self._begin(forgetting)
        begun = await self._forgettings.in_purge()
        if begun:
            await self._scrubbed(begun)
        return len(begun)

    async def now(self, forgetting: int, asker: Requester) -> Purged:
        """Purge one forgetting before its time, on request.

        Those that came before it are purged with it: they keep their words for undoing, which may
        be the same.

        Raises:
            NothingToUndo: there is no such forgetting, or it was undone or purged.
            VectorStoreUnavailable: the rest is done the next time.

        """
        if not await self._begin(forgetting, asker):
            receipt = await self._forgettings.receipt(forgetting)
            if receipt is None or forgetting not in await self._forgettings.in_purge():
                raise NothingToUndo(f"There is no forgetting {forgetting} that can be purged.")
        for earlier in await self._forgettings.before(forgetting):
            await self._begin(earlier, asker)
        is_clean = await self._scrubbed(await self._forgettings.in_purge())
        receipt = await self._forgettings.receipt(forgetting)
        if receipt is None:  # receipts are never deleted
            raise NothingToUndo(f"There is no forgetting {forgetting}.")
        return Purged(receipt=receipt, is_clean=is_clean)

    async def clean(self) -> bool:
        """Remove the bytes of what people took back since the last time; whether there were any.

        Raises:
            VectorStoreUnavailable: it is done the next time.

        """
        mark = await self._forgettings.soiled()
        if mark is None:
            return False
        is_clean = await self._scrub()
        await self._forgettings.cleaned(mark)
        log.info("files.cleaned", clean=is_clean)
        return True

    async def _begin(self, forgetting: int, asker: Requester | None = None) -> bool:
        """Let go of what could undo a forgetting; its texts are remembered until files are read."""
        if self._files is not None:
            await self._files.remember(forgetting)
        return await self._forgettings.begin_purge(forgetting, asker)

    async def _scrub(self) -> bool:
        """Rewrite every file; whether none can hold a byte of it any more."""
        await self._settle()
        return all([await scrub() is not False for scrub in self._scrubs])

    async def _scrubbed(self, begun: Sequence[int]) -> bool:
        is_clean = await self._scrub()
        await self._forgettings.purged(begun)
        if self._files is not None:
            await self._files.look(begun)
        log.info("forgettings.purged", forgettings=len(begun), clean=is_clean)
        return is_clean

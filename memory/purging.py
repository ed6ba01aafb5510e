"""Purging: after a day what was forgotten is removed from every file, for good.

Each step is durable before the next begins, so a purge that is killed is taken up again.
"""

from collections.abc import Awaitable, Callable, Sequence

import structlog

from memory.adapters.sqlite.forgettings import Forgettings
from memory.forgetting.receipt import NothingToUndo, Receipt
from memory.forgetting.selector import Asker

log = structlog.get_logger()

Scrub = Callable[[], Awaitable[object]]
"""Rewrites the files of one store so that no byte of a deleted row is left; may be repeated."""


class Purging:
    """Purges what can no longer be undone. `scrubs` are done in order: the truth, then its index.

    `settle` brings the index up to the truth before: what it still held would be kept.
    """

    def __init__(self, forgettings: Forgettings, settle: Scrub, scrubs: Sequence[Scrub]) -> None:
        self._forgettings = forgettings
        self._settle = settle
        self._scrubs = scrubs

    async def run(self) -> int:
        """Purge all that is due, and finish what was begun; how many forgettings that were.

        Raises:
            VectorStoreUnavailable: the rest is done the next time.

        """
        await self._forgettings.drop_stale_previews()
        for forgetting in await self._forgettings.due():
            await self._forgettings.begin_purge(forgetting)
        return await self._scrubbed()

    async def now(self, forgetting: int, asker: Asker) -> Receipt:
        """Purge one forgetting before its time, as `asker` wants it.

        Raises:
            NothingToUndo: there is no such forgetting, or it was undone or purged.
            VectorStoreUnavailable: the rest is done the next time.

        """
        if not await self._forgettings.begin_purge(forgetting, asker):
            receipt = await self._forgettings.receipt(forgetting)
            if receipt is None or forgetting not in await self._forgettings.in_purge():
                raise NothingToUndo(f"There is no forgetting {forgetting} that can be purged.")
        await self._scrubbed()
        receipt = await self._forgettings.receipt(forgetting)
        if receipt is None:  # receipts are never deleted
            raise NothingToUndo(f"There is no forgetting {forgetting}.")
        return receipt

    async def _scrubbed(self) -> int:
        begun = await self._forgettings.in_purge()
        if not begun:
            return 0
        await self._settle()
        for scrub in self._scrubs:
            await scrub()
        await self._forgettings.purged(begun)
        log.info("forgettings.purged", forgettings=len(begun))
        return len(begun)

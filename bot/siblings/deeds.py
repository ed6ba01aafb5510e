"""Hands what people asked on to the pet's other processes, until each of them has done it."""

import asyncio
from typing import NoReturn

import structlog
from pydantic import TypeAdapter

from bot.errors import DeliveryFailed
from bot.platforms.backoff import Backoff
from bot.siblings.circle import Siblings
from bot.siblings.client import Sibling
from bot.siblings.values import Deed, DeedDone
from memory.model.elsewhere import NOWHERE, Elsewhere
from memory.model.errors import EkoMemoryError
from memory.ports import Clock
from memory.storage.elsewhere.deeds import SiblingDeeds, keep_done, keep_forgetting, queue_deed
from memory.storage.sqlite.database import Transaction
from memory.tasks import within

log = structlog.get_logger()

ANSWER_S = 3.0
"""Seconds that a person waits to be told who has done it; the others do it later all the same."""

DEED_S = 60.0
"""Seconds for one deed to be done: forgetting everything of a person takes some."""

IDLE_S = 60.0
"""Seconds until what waits is looked up again unasked: who asked may have been cut off
between the commit and the word."""

_READER: TypeAdapter[Deed] = TypeAdapter(Deed)


class DeedQueue:
    """Hands deeds on to siblings, each in the order in which it was asked, until it is done there.

    They are on disk from the transaction on that does them here.
    """

    def __init__(self, siblings: Siblings, deeds: SiblingDeeds, clock: Clock) -> None:
        self.siblings = siblings
        self._deeds = deeds
        self._clock = clock
        self._done = asyncio.Event()
        for one in siblings.every:
            one.behind = True  # until it is looked up

    async def add(
        self, transaction: Transaction, deed: Deed, forgetting: int | None = None
    ) -> None:
        """Queue a deed in the transaction that does it here."""
        now = self._clock.now()
        addresses = self.siblings.addresses
        if not addresses:
            return
        for one in self.siblings.every:
            one.behind = True
        await queue_deed(transaction, addresses, deed.id, deed.model_dump_json(), now)
        await keep_done(transaction, deed.id, now, deed.links, deed.asked_at)
        if forgetting is not None:
            await keep_forgetting(transaction, deed.id, forgetting)

    async def outcome(self, deed: str) -> Elsewhere:
        """Who has done a deed, after a short wait for all of them; NOWHERE if it was not queued."""
        if not self.siblings.every or not await self._deeds.is_done(deed):
            return NOWHERE
        for one in self.siblings.every:
            one.behind = True
            one.stirred.set()
        await within(ANSWER_S, self._until_done(deed))
        left = await self._deeds.left(deed)
        every = self.siblings.every
        return Elsewhere(
            done=tuple(one.name for one in every if one.address not in left),
            missing=tuple(one.name for one in every if one.address in left),
        )

    async def run(self) -> None:
        """Hand on what waits, from before the start too, until cancelled."""
        async with asyncio.TaskGroup() as group:
            for one in self.siblings.every:
                group.create_task(self._hand_on(one), name=f"sibling {one.address}")
            await asyncio.Event().wait()

    async def _until_done(self, deed: str) -> None:
        while True:
            self._done.clear()
            behind = any(one.behind for one in self.siblings.every)
            if not behind and not await self._deeds.left(deed):
                return
            await self._done.wait()

    async def _hand_on(self, sibling: Sibling) -> NoReturn:
        backoff, stirred = Backoff(first_s=1, longest_s=60, healthy_s=0), sibling.stirred
        while True:
            stirred.clear()
            try:
                if await self._sent_some(sibling):
                    backoff.succeeded()
                    continue
            except (DeliveryFailed, EkoMemoryError) as error:
                wait_s = backoff.failed()
                log.warning("deed.postponed", sibling=sibling.name, reason=str(error))
                await within(wait_s, stirred.wait())
                continue
            self._done.set()
            await within(IDLE_S, stirred.wait())

    async def _sent_some(self, sibling: Sibling) -> bool:
        """Whether there were deeds that it has done now."""

        def none_waits() -> None:
            sibling.behind = False

        waiting = await self._deeds.waiting(sibling.address, none_waits)
        for one in waiting:
            deed = _READER.validate_json(one.body)
            await sibling.asked(DeedDone, "/deeds", deed, limit_s=DEED_S)
            await self._deeds.sent(sibling.address, one.deed)
            log.info("deed.sent", sibling=sibling.name, kind=deed.kind)
            self._done.set()
        return bool(waiting)

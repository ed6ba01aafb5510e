"""Does what a person asked of another process: each deed once, whenever it comes."""

import asyncio
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial

import structlog

from bot.siblings.desk import by, selector_of
from bot.siblings.readers import PrivateReaders
from bot.siblings.values import (
    Deed,
    ForgetDeed,
    JoinDeed,
    ObserveDeed,
    SiblingAccount,
    SplitDeed,
    UndoDeed,
)
from memory.forgetting.service import Forgetting
from memory.model.errors import AccountRefused, AlreadyJoined
from memory.model.people import PSEUDONYM, AccountId, PersonId, Signature
from memory.rules.forgetting.receipt import NothingToUndo
from memory.rules.forgetting.selector import Selector
from memory.rules.forgetting.topic import TopicSaysNothing
from memory.storage.elsewhere.deeds import keep_forgetting
from memory.storage.sqlite.database import Transaction
from memory.storage.storage import Storage

log = structlog.get_logger()

LATE = timedelta(minutes=1)
"""From then on a forgetting leaves what was said since it was asked for."""


class DeedDesk:
    """Does deeds one after the other; one that was done before is not done again."""

    def __init__(self, storage: Storage, forgetting: Forgetting, readers: PrivateReaders) -> None:
        self._storage = storage
        self._forgetting = forgetting
        self._readers = readers
        self._turn = asyncio.Lock()

    async def do(self, deed: Deed) -> None:
        """Have it done when this returns, now or before.

        Raises:
            StorageFailed: it could not be; it is to be sent again.

        """
        async with self._turn:
            if await self._storage.sibling_deeds.is_done(deed.id):
                return
            match deed:
                case ObserveDeed():
                    await self._observe(deed)
                case ForgetDeed():
                    await self._forget(deed)
                case UndoDeed():
                    await self._undo(deed)
                case JoinDeed():
                    await self._join(deed)
                case SplitDeed():
                    await self._split(deed)
            await self._storage.sibling_deeds.done(deed.id, deed.links, deed.asked_at)
        log.info("deed.done", kind=deed.kind)

    async def _observe(self, deed: ObserveDeed) -> None:
        """A person who has not spoken here yet is not read either when they do.

        One of before their last wish here is of no consequence.
        """
        known = await self._readers.known(deed.accounts)
        for person in known or [await self._readers.met(deed.accounts[0])]:
            await self._storage.people.observe(
                person, observed=deed.observed, asked_at=deed.asked_at
            )

    async def _forget(self, deed: ForgetDeed) -> None:
        known = await self._readers.known(deed.accounts)
        if not known and not deed.topic:  # they are not read either when they come
            known = [await self._readers.met(deed.accounts[0], name=PSEUDONYM)]
        along = partial(self._keep, deed.id)
        for person in known:
            try:
                await self._forgetting.at_once(self._chosen(deed, person), by(person), along=along)
            except TopicSaysNothing:
                log.info("deed.skipped", kind=deed.kind)

    def _chosen(self, deed: ForgetDeed, person: PersonId) -> Selector:
        selector = selector_of(deed, person)
        is_late = self._now() - deed.asked_at > LATE
        return replace(selector, end=deed.asked_at) if is_late else selector

    async def _keep(self, deed: str, transaction: Transaction, forgetting: int) -> None:
        await keep_forgetting(transaction, deed, forgetting)

    async def _undo(self, deed: UndoDeed) -> None:
        for forgetting in await self._storage.sibling_deeds.forgettings_of(deed.of):
            receipt = await self._forgetting.receipt(forgetting)
            if receipt is None or receipt.person is None:
                continue
            try:
                await self._forgetting.undo(by(receipt.person), receipt.id)
            except NothingToUndo:
                log.info("deed.skipped", kind=deed.kind)

    async def _join(self, deed: JoinDeed) -> None:
        since = await self._storage.sibling_deeds.linked_since(deed.links, deed.asked_at)
        both = [one for one in (*deed.into, *deed.accounts) if one.account not in since]
        for other in both[1:]:
            survivor, merged = await self._readers.met(both[0]), await self._readers.met(other)
            with suppress(AlreadyJoined):
                await self._storage.joined_people.join(merged, survivor, Signature(other.account))

    async def _split(self, deed: SplitDeed) -> None:
        since = await self._storage.sibling_deeds.linked_since(deed.links, deed.asked_at)
        leaving = [AccountId(one) for one in deed.links if one not in since]
        owners = [await self._readers.known((SiblingAccount(account=one),)) for one in leaving]
        together = [one for one, owner in zip(leaving, owners, strict=True) if owner == owners[0]]
        if not together or not owners[0]:
            return
        try:
            await self._storage.accounts.split(together[0], Signature(together[0]), *together[1:])
        except AccountRefused:
            log.info("deed.skipped", kind=deed.kind)

    def _now(self) -> datetime:
        return self._storage.clock.now()

"""What a person asks of this process, done here and in every other one of the pet."""

from dataclasses import replace
from hashlib import sha256
from typing import Any
from uuid import uuid4

from bot.siblings.deeds import DeedQueue
from bot.siblings.values import (
    CountsGiven,
    ForgetAsked,
    ForgetDeed,
    JoinDeed,
    ObserveDeed,
    SiblingAccount,
    SplitDeed,
    UndoDeed,
)
from memory.model.elsewhere import NOWHERE, Elsewhere, added
from memory.model.linking import Joined, Splitting
from memory.model.people import AccountId, PersonId, Signature
from memory.rules.forgetting.selector import Requester, Selector
from memory.storage.elsewhere.deeds import accounts_of
from memory.storage.linking.codes import Joins, LinkCodes, joins_here_alone
from memory.storage.linking.splitting import Accounts
from memory.storage.people.people import keep_wish
from memory.storage.sqlite.database import Check, Rows, Transaction, no_check
from memory.storage.storage import Storage

PREVIEW_S = 3.0
"""Seconds for the others to count what would go."""


class EveryProcess:
    """The ForgettingElsewhere port, and `/privacy` in every process."""

    def __init__(self, queue: DeedQueue, storage: Storage) -> None:
        self.queue = queue
        self._storage = storage

    async def preview(self, selector: Selector, asker: Requester) -> Elsewhere:
        """What siblings would forget, as far as they answer in time."""
        siblings, person = self.queue.siblings, asker.person
        if not siblings.every or person is None:
            return NOWHERE
        accounts = await self.accounts_in(self._storage.database, person)
        if not accounts:
            return NOWHERE
        asked = ForgetAsked(accounts=accounts, topic=selector.asked)
        answers = await siblings.all(CountsGiven, "/forgettable", asked, limit_s=PREVIEW_S)
        return Elsewhere(
            done=tuple(one.name for one in answers.given),
            missing=answers.names_missing,
            counts=added(one.counts for one in answers.given.values()),
        )

    async def confirmed(
        self, transaction: Transaction, selector: Selector, asker: Requester, forgetting: int
    ) -> None:
        """Queue a forgetting for the siblings, in the transaction that forgets here."""
        accounts = await self.accounts_in(transaction, asker.person)
        if asker.person is not None and selector.erases(asker.person):
            await keep_wish(transaction, asker.person, self._storage.clock.now())
        if accounts:
            bare = tuple(SiblingAccount(account=one.account) for one in accounts)
            deed = ForgetDeed(**self.new(), accounts=bare, topic=selector.asked)
            await self.queue.add(transaction, deed, forgetting)

    async def undone(self, transaction: Transaction, forgetting: int) -> None:
        """Queue its undoing, if siblings were to forget it."""
        of = await self._storage.sibling_deeds.deed_of(forgetting)
        if of is not None:
            deed = UndoDeed(id=_undoing(of), asked_at=self._storage.clock.now(), of=of)
            await self.queue.add(transaction, deed)

    async def outcome(self, forgetting: int, *, undone: bool = False) -> Elsewhere:
        """Who has forgotten it or given it back, after a short wait."""
        of = await self._storage.sibling_deeds.deed_of(forgetting)
        if of is None:
            return NOWHERE
        return await self.queue.outcome(_undoing(of) if undone else of)

    async def observe(self, person: PersonId, *, observed: bool) -> Elsewhere:
        """Observe a person in the lobbies of every process, or stop it; who does so already."""
        new = self.new()

        async def along(transaction: Transaction) -> None:
            accounts = await self.accounts_in(transaction, person)
            if accounts:
                deed = ObserveDeed(**new, accounts=accounts, observed=observed)
                await self.queue.add(transaction, deed)

        await self._storage.people.observe(person, observed=observed, along=along)
        return await self.queue.outcome(new["id"])

    def new(self) -> dict[str, Any]:
        """The id of a deed that is asked for now, and when that is."""
        return {"id": uuid4().hex, "asked_at": self._storage.clock.now()}

    async def accounts_in(self, rows: Rows, person: PersonId | None) -> tuple[SiblingAccount, ...]:
        """The accounts by which siblings know a person; none where there are no siblings."""
        siblings = self.queue.siblings
        if person is None or not siblings.every:
            return ()
        found = await accounts_of(rows, person, siblings.platform)
        return tuple(SiblingAccount.of(account, name) for account, name in found)


class LinkCodesEverywhere(LinkCodes):
    """Codes of this process; what entering one joins is joined in every process."""

    def __init__(self, storage: Storage, every: EveryProcess) -> None:
        super().__init__(storage.database, storage.people, storage.clock)
        self._every = every

    async def join(
        self, code: str, person: PersonId, account: str, along: Joins = joins_here_alone
    ) -> Joined:
        """Merge the person who enters a code into the one who offered it; see `LinkCodes.join`."""
        new = self._every.new()

        async def queued(transaction: Transaction, merged: PersonId, survivor: PersonId) -> None:
            await along(transaction, merged, survivor)
            accounts = await self._every.accounts_in(transaction, merged)
            into = await self._every.accounts_in(transaction, survivor)
            if accounts and into:
                deed = JoinDeed(**new, accounts=accounts, into=into)
                await self._every.queue.add(transaction, deed)

        joined = await super().join(code, person, account, queued)
        return replace(joined, elsewhere=await self._every.queue.outcome(new["id"]))


class AccountsEverywhere(Accounts):
    """Accounts that their owners split off, in every process."""

    def __init__(self, storage: Storage, every: EveryProcess) -> None:
        super().__init__(storage.database, storage.people, storage.clock)
        self._every = every

    async def split(
        self, account: AccountId, by: Signature, *others: AccountId, along: Check = no_check
    ) -> Splitting:
        """Make accounts one person of their own, in every process; see `Accounts.split`."""
        new, knows = self._every.new(), self._every.queue.siblings.knows
        leaving = tuple(one for one in (account, *others) if knows(one))

        async def queued(transaction: Transaction) -> None:
            await along(transaction)
            if leaving:
                deed = SplitDeed(**new, account=leaving[0], others=leaving[1:])
                await self._every.queue.add(transaction, deed)

        splitting = await super().split(account, by, *others, along=queued)
        return replace(splitting, elsewhere=await self._every.queue.outcome(new["id"]))


def _undoing(deed: str) -> str:
    """The id of the deed that gives back what a deed forgot: one for each."""
    return sha256(f"undo {deed}".encode()).hexdigest()[:32]

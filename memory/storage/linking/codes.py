"""One-time codes: those that join two accounts, and those that give an account back.

The first are given on one account and entered on the other; people keep the second and enter them
in a browser that does not know their account.
"""

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta
from typing import TypeVar

from memory.model.errors import LinkRefused, OwnCode, TooManyTries, UnknownCode
from memory.model.linking import (
    MOST_TRIES,
    OPEN_FOR,
    RECOVERY_LENGTH,
    Account,
    Joined,
    Joining,
    Moved,
    RecoveredAccount,
    bare,
    hashed,
    new_code,
    shown,
)
from memory.model.people import AuditedChange, PersonId, Signature
from memory.ports import Clock
from memory.storage.linking.merging import merge
from memory.storage.people.people import People, surviving_person
from memory.storage.sqlite.audit import record
from memory.storage.sqlite.database import Database, TimedTable, Transaction
from memory.storage.sqlite.rows import millis, queries, row_as

_SQL = queries("linking/codes")
_KEY = "link_codes.key"
T = TypeVar("T")

UNUSED_FOR = timedelta(days=30)
"""How long a recovery code is kept of an account from which nothing was said."""


Joins = Callable[[Transaction, PersonId, PersonId], Awaitable[None]]
"""What goes along with a person's being merged into another one."""


async def joins_here_alone(
    _transaction: Transaction, _merged: PersonId, _survivor: PersonId
) -> None:
    """Do nothing besides."""


class LinkCodes(TimedTable):
    """The codes that wait to be entered, and what entering one does.

    A recovery code of an account of the page can be entered instead. The person who ENTERS a code
    is merged into the one who OFFERED it: the id, settings and name of the latter stay. A wrong
    code counts against the account that enters it, on disk, so that neither a restart nor another
    person's id resets the count.
    """

    def __init__(self, database: Database, people: People, clock: Clock) -> None:
        super().__init__(database, clock)
        self._people = people

    async def offer(self, person: PersonId, account: str) -> str:
        """A new code for ten minutes, in the place of an earlier one of this person.

        `account` is where it was asked for, as `platform:id`.
        """
        now = self._clock.now()
        code = new_code()

        async def work(transaction: Transaction) -> None:
            giver = await surviving_person(transaction, person)
            await transaction.run(_SQL["drop_codes"], {"now": millis(now), "person": giver})
            await transaction.run(_SQL["drop_tries"], {"since": millis(now - OPEN_FOR)})
            values = {
                "code": await stored_code(transaction, code),
                "person": giver,
                "account": account,
                "expires_at": millis(now + OPEN_FOR),
            }
            await transaction.run(_SQL["offer"], values)

        await self._database.write(work)
        return shown(code)

    async def void(self, code: str) -> None:
        """Make a code worthless, because others may have seen it."""

        async def work(transaction: Transaction) -> None:
            values = {"code": await stored_code(transaction, bare(code))}
            await transaction.run(_SQL["void"], values)
            await transaction.run(_SQL["drop_recovery"], values)

        await self._database.write(work)

    async def preview(self, code: str, person: PersonId, account: str) -> Joining:
        """What entering a code would join, so that the person can be asked first.

        Raises:
            LinkRefused: see `join`; a wrong code counts here as well.

        """
        now = self._clock.now()

        async def work(transaction: Transaction) -> Joining | LinkRefused:
            enters = await surviving_person(transaction, person)
            offered = await _offered(transaction, code, enters, account, now)
            if isinstance(offered, LinkRefused):
                return offered
            return Joining(
                joining=await _accounts(transaction, enters),
                staying=await _accounts(transaction, offered),
                counts=await _counts(transaction, enters),
            )

        return _accepted(await self._database.write(work))

    async def join(
        self, code: str, person: PersonId, account: str, along: Joins = joins_here_alone
    ) -> Joined:
        """Merge the person who enters a code into the one who offered it, in one transaction.

        What goes `along` is done in it too, while they are two.

        Raises:
            UnknownCode: it was never given out, was used, or is older than ten minutes.
            OwnCode: it was given to this person.
            TooManyTries: five wrong ones were entered from this account within ten minutes.
            StorageFailed: nothing was joined.

        """
        now = self._clock.now()

        async def work(transaction: Transaction) -> Joined | LinkRefused:
            enters = await surviving_person(transaction, person)
            offered = await _offered(transaction, code, enters, account, now)
            if isinstance(offered, LinkRefused):
                return offered
            values = {"code": await stored_code(transaction, bare(code)), "now": millis(now)}
            await transaction.run(_SQL["used"], values)
            await transaction.run(_SQL["drop_recovery"], {"code": values["code"]})
            await along(transaction, enters, offered)
            return await _joined(transaction, enters, offered, account, now)

        joined = _accepted(await self._database.write(work))
        self._people.refresh()
        return joined


class RecoveryCodes(TimedTable):
    """At most one open recovery code for each account; a used one is deleted."""

    async def offer(self, platform: str, external_id: str, *, by: Signature | None = None) -> str:
        """Make a code for an account, in place of an earlier one; only its hash is stored.

        `by` is who asked for it if that is not the account itself, for the audit log.
        """
        code, now = new_code(RECOVERY_LENGTH), self._clock.now()

        async def work(transaction: Transaction) -> None:
            await transaction.run(_SQL["drop_unused"], {"since": millis(now - UNUSED_FOR)})
            values = {
                "platform": platform,
                "external_id": external_id,
                "code": await stored_code(transaction, code),
                "now": millis(now),
            }
            await transaction.run(_SQL["offer_recovery"], values)
            if by is not None:
                account = f"{platform}:{external_id}"
                change = AuditedChange(actor=by, action="recovery_code.offered", target=account)
                await record(transaction, change, now)

        await self._database.write(work)
        return shown(code)

    async def redeem(self, code: str) -> RecoveredAccount:
        """The account that a code is for; the code cannot be used again.

        Raises:
            UnknownCode: it was never given out, was used, or another took its place.

        """

        async def work(transaction: Transaction) -> RecoveredAccount | None:
            values = {"code": await stored_code(transaction, bare(code))}
            row = await transaction.one(_SQL["recovered"], values)
            await transaction.run(_SQL["drop_recovery"], values)
            return None if row is None else row_as(RecoveredAccount, row)

        account = await self._database.write(work)
        if account is None:
            raise UnknownCode("This code is not known, or was used already.")
        return account

    async def accounts(self, platform: str, named: str) -> Sequence[RecoveredAccount]:
        """The accounts of a platform with this id or name."""
        values = {"platform": platform, "named": named}
        return await self._database.all_as(RecoveredAccount, _SQL["accounts_named"], values)


def _accepted(outcome: T | LinkRefused) -> T:
    """The result, or raise a refusal: only here, after the wrong code was written down."""
    if isinstance(outcome, LinkRefused):
        raise outcome
    return outcome


async def _joined(
    transaction: Transaction, enters: PersonId, offered: PersonId, account: str, now: datetime
) -> Joined:
    counts = await _counts(transaction, enters)
    await merge(transaction, enters, offered, now)
    change = AuditedChange(
        actor=Signature(account), action="account.joined", target=offered, detail=enters
    )
    await record(transaction, change, now)
    accounts = await _accounts(transaction, offered)
    return Joined(person=offered, merged=enters, accounts=accounts, counts=counts)


async def _offered(
    transaction: Transaction, code: str, enters: PersonId, account: str, now: datetime
) -> PersonId | LinkRefused:
    """The person who offered a code, or why it is refused; a wrong code is written down."""
    since = millis(now - OPEN_FOR)
    (row,) = await transaction.all(_SQL["tries"], {"account": account, "since": since})
    if row["tries"] >= MOST_TRIES:
        return TooManyTries("Too many wrong codes from this account: try again in ten minutes.")
    values = {"code": await stored_code(transaction, bare(code)), "now": millis(now)}
    offered = await transaction.one(_SQL["offered"], values)
    if offered is None:
        await transaction.run(_SQL["tried"], {"account": account, "now": millis(now)})
        return UnknownCode("This code is not known, or is older than ten minutes: ask for another.")
    if offered["person_id"] == enters:
        return OwnCode("This code is your own: enter it on the other account.")
    return PersonId(offered["person_id"])


async def stored_code(transaction: Transaction, code: str) -> str:
    """The hash of a code that is kept in the database, made with a key that is made once."""
    await transaction.run(_SQL["make_key"], {"key": _KEY})
    (row,) = await transaction.all(_SQL["key"], {"key": _KEY})
    return hashed(code, bytes.fromhex(row["value"]))


async def _accounts(transaction: Transaction, person: PersonId) -> tuple[Account, ...]:
    rows = await transaction.all(_SQL["accounts"], {"person": person})
    return tuple(row_as(Account, row) for row in rows)


async def _counts(transaction: Transaction, person: PersonId) -> dict[Moved, int]:
    (row,) = await transaction.all(_SQL["counts"], {"person": person})
    return {kind: row[kind] for kind in Moved if row[kind]}

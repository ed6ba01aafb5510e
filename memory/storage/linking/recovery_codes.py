"""Recovery codes, which people keep and enter in a browser that does not know their account."""

from collections.abc import Sequence
from datetime import timedelta

from memory.model.errors import UnknownCode
from memory.model.linking import RECOVERY_LENGTH, RecoveredAccount, bare, new_code, shown
from memory.model.people import AuditedChange, Signature
from memory.storage.linking.link_codes import stored_code
from memory.storage.sqlite.audit import record
from memory.storage.sqlite.columns import millis
from memory.storage.sqlite.database import TimedTable, Transaction
from memory.storage.sqlite.queries import queries
from memory.storage.sqlite.rows import row_as

UNUSED_FOR = timedelta(days=30)
"""How long a code is kept of an account from which nothing was said."""

_SQL = queries("linking/recovery_codes")


class RecoveryCodes(TimedTable):
    """At most one open code for each account; a used code is deleted."""

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
            await transaction.run(_SQL["offer"], values)
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
            row = await transaction.one(_SQL["account"], values)
            await transaction.run(_SQL["drop"], values)
            return None if row is None else row_as(RecoveredAccount, row)

        account = await self._database.write(work)
        if account is None:
            raise UnknownCode("This code is not known, or was used already.")
        return account

    async def accounts(self, platform: str, named: str) -> Sequence[RecoveredAccount]:
        """The accounts of a platform with this id or name."""
        values = {"platform": platform, "named": named}
        rows = await self._database.all(_SQL["accounts"], values)
        return [row_as(RecoveredAccount, row) for row in rows]

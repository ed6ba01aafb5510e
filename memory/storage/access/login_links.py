"""One-time links by which a browser logs in."""

from memory.model.access import LINK_OPEN_FOR, new_token, token_hash
from memory.model.people import AuditedChange, Signature
from memory.model.rooms import SpaceId
from memory.ports import Clock
from memory.storage.sqlite.audit import record
from memory.storage.sqlite.columns import millis
from memory.storage.sqlite.database import Database, Transaction
from memory.storage.sqlite.queries import queries

_SQL = queries("access/login_links")


class LoginLinks:
    """The login_links table; what is in it can be followed once, and not for long."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def make(self, space: SpaceId | None, *, by: Signature) -> str:
        """The token of a new link, for the owner or for a manager of a community."""
        token, now = new_token(), self._clock.now()
        values = {"token": token_hash(token), "space": space, "now": millis(now)}
        change = AuditedChange(actor=by, action="login_link.made", target=space or "owner")

        async def work(transaction: Transaction) -> None:
            await transaction.run(_SQL["drop_old"], {"since": millis(now - LINK_OPEN_FOR)})
            await transaction.run(_SQL["add"], values)
            await record(transaction, change, now)

        await self._database.write(work)
        return token

"""Keys of programs: made and revoked by the owner, each with rights of its own."""

from collections.abc import Sequence
from datetime import datetime

from memory.model.access import (
    USE_KEPT_EVERY,
    ApiKey,
    Right,
    in_order,
    new_key,
    token_hash,
)
from memory.model.people import AuditedChange, PersonId, Signature
from memory.model.rooms import SpaceId
from memory.storage.sqlite.audit import record
from memory.storage.sqlite.database import TimedTable, Transaction
from memory.storage.sqlite.rows import json_list, maybe_millis, millis, queries, row_as

_SQL = queries("access/keys")

_BEYOND = (1 << 63) - 1
"""Greater than every number of a key: a list that goes down begins before it."""


class ApiKeys(TimedTable):
    """The api_keys table; a revoked key has no row."""

    async def add(
        self,
        name: str,
        rights: frozenset[Right],
        expires_at: datetime | None,
        *,
        by: Signature,
        space: SpaceId | None = None,
        person: PersonId | None = None,
    ) -> tuple[ApiKey, str]:
        """Make a key and return it with its token, which is not kept and cannot be shown again."""
        token, now = new_key(), self._clock.now()
        values = {
            "token": token_hash(token),
            "name": name,
            "rights": json_list(in_order(rights)),
            "space": space,
            "person": person,
            "now": millis(now),
            "expires": maybe_millis(expires_at),
        }

        async def work(transaction: Transaction) -> ApiKey:
            added = await transaction.one(_SQL["add"], values)
            assert added is not None  # noqa: S101 - an insert returns its row
            key = ApiKey(
                id=added["id"],
                name=name,
                rights=in_order(rights),
                space=space,
                person=person,
                created_at=now,
                expires_at=expires_at,
            )
            change = AuditedChange(
                actor=by,
                action="key.made",
                target=key.label,
                detail=name,
                after=_may(key),
            )
            await record(transaction, change, now)
            return key

        return await self._database.write(work), token

    async def used(self, token: str) -> ApiKey | None:
        """The key of a token, which counts as used now; None if the token is of no key."""
        now = self._clock.now()
        row = await self._database.one(
            _SQL["by_token"], {"token": token_hash(token), "now": millis(now)}
        )
        if row is None:
            return None
        key = row_as(ApiKey, row)
        if key.last_used_at is None or now - key.last_used_at >= USE_KEPT_EVERY:
            await self._keep_use(key.id, now)
        return key

    async def listed(self, limit: int, before: int | None = None) -> Sequence[ApiKey]:
        """The latest `limit` keys, newest first; `before` is the last number of the page before."""
        values = {"limit": limit, "before": before or _BEYOND}
        return await self._database.all_as(ApiKey, _SQL["listed"], values)

    async def revoke(self, number: int, *, by: Signature) -> bool:
        """Delete a key; returns whether there was one of this number."""
        now = self._clock.now()

        async def work(transaction: Transaction) -> bool:
            row = await transaction.one(_SQL["revoke"], {"id": number})
            if row is None:
                return False
            key = row_as(ApiKey, row)
            change = AuditedChange(
                actor=by,
                action="key.revoked",
                target=key.label,
                detail=key.name,
                before=_may(key),
            )
            await record(transaction, change, now)
            return True

        return await self._database.write(work)

    async def _keep_use(self, number: int, now: datetime) -> None:
        await self._database.run(_SQL["use"], {"id": number, "now": millis(now)})


def _may(key: ApiKey) -> str:
    """The rights of a key, for whom, and when it expires, as the audit log shows them."""
    whose = f" in {key.space}" if key.space else f" as {key.person}" if key.person else ""
    until = f" until {key.expires_at.isoformat(timespec='minutes')}" if key.expires_at else ""
    return f"{', '.join(key.rights)}{whose}{until}"

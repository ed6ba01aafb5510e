"""Settings that were changed while the pet ran; each change has an entry in the audit log."""

from dataclasses import dataclass
from datetime import datetime

from memory.model.people import AuditedChange, Signature
from memory.storage.sqlite.audit import record
from memory.storage.sqlite.database import TimedTable, Transaction
from memory.storage.sqlite.rows import millis, queries

_SQL = queries("community/settings")


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptSetting:
    """A setting that was changed: its value as text, when and by whom."""

    key: str
    value: str
    at: datetime
    by: Signature


class MemorySettings(TimedTable):
    """The memory_settings table."""

    async def kept(self) -> list[KeptSetting]:
        """Every setting that was changed, by its key."""
        return await self._database.all_as(KeptSetting, _SQL["kept"])

    async def keep(self, key: str, value: str, *, was: str, by: Signature) -> KeptSetting:
        """Change a setting; `was` is its value before, for the audit log."""
        now = self._clock.now()
        values = {"key": key, "value": value, "now": millis(now), "by": by}
        change = _change("setting.changed", key, (was, value), by)

        async def work(transaction: Transaction) -> None:
            await transaction.run(_SQL["keep"], values)
            await record(transaction, change, now)

        await self._database.write(work)
        return KeptSetting(key=key, value=value, at=now, by=by)

    async def drop(self, key: str, *, was: str, default: str, by: Signature) -> None:
        """Give a setting its default again; `was` is its value before, for the audit log."""
        change = _change("setting.reset", key, (was, default), by)

        async def work(transaction: Transaction) -> None:
            await transaction.run(_SQL["drop"], {"key": key})
            await record(transaction, change, self._clock.now())

        await self._database.write(work)


def _change(action: str, key: str, values: tuple[str, str], by: Signature) -> AuditedChange:
    was, now = values
    detail = f"{was} -> {now}"
    return AuditedChange(actor=by, action=action, target=key, detail=detail, before=was, after=now)

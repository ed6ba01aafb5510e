"""What is done once on a platform, also after a restart: greetings, commands, announcements."""

from datetime import datetime, timedelta

from memory.model.rooms import SpaceId
from memory.storage.sqlite.database import Table, TimedTable, Transaction
from memory.storage.sqlite.rows import millis, moment, queries

_SQL = queries("community/done_once")

AGAIN_AFTER = timedelta(days=1)
"""A person who invites it anew within a day has seen what it said."""

KEPT_FOR = timedelta(days=1)
"""How long an invocation is known; platforms drop theirs after a quarter of an hour."""


class GreetedSpaces(TimedTable):
    """The greeted_spaces table: a community is told once for one invitation who the pet is."""

    async def take(self, space: SpaceId, joined: datetime) -> bool:
        """Whether a community that it joined then is still to be told; from now on it is not.

        One that had it removed and invites it anew is told again, a day after the last time.
        """
        now = self._clock.now()
        values = {
            "space": space,
            "now": millis(now),
            "joined": millis(joined),
            "before": millis(now - AGAIN_AFTER),
        }

        async def work(transaction: Transaction) -> bool:
            return await transaction.one(_SQL["greet"], values) is not None

        if await self._database.one(_SQL["greeted"], values) is not None:
            return False  # as nearly all are, each time the pet connects
        return await self._database.write(work)

    async def give_back(self, space: SpaceId) -> None:
        """Note that it could not be told after all."""
        await self._database.run(_SQL["give_back"], {"space": space})


class Invocations(TimedTable):
    """The invocations table: a command of a platform's own is done once."""

    async def take(self, platform: str, external_id: str) -> bool:
        """Whether this one is new; from now on it is not, also after a restart."""
        now = self._clock.now()
        values = {"platform": platform, "external_id": external_id, "now": millis(now)}

        async def work(transaction: Transaction) -> bool:
            await transaction.run(_SQL["trim"], {"before": millis(now - KEPT_FOR)})
            return await transaction.one(_SQL["invoke"], values) is not None

        return await self._database.write(work)


class AnnouncedCommands(Table):
    """What a platform was told last of the pet's commands, so that it is told only of changes."""

    async def last(self, account: str) -> str | None:
        """The fingerprint of what was told last; None before the first time."""
        row = await self._database.one(_SQL["last_told"], {"key": f"commands:{account}"})
        return None if row is None else str(row["value"])

    async def keep(self, account: str, fingerprint: str) -> None:
        """Remember what the platform has taken."""
        await self._database.run(_SQL["keep"], {"key": f"commands:{account}", "value": fingerprint})


class SessionStarts(Table):
    """When the pet last began a session there: a restart must not begin one too soon."""

    async def last(self, account: str) -> datetime | None:
        """When it last began one; None before the first time."""
        row = await self._database.one(_SQL["last_begun"], {"key": f"session:{account}"})
        return None if row is None else moment(row["at"])

    async def keep(self, account: str, at: datetime) -> None:
        """Remember that it begins one now."""
        await self._database.run(
            _SQL["keep"], {"key": f"session:{account}", "value": str(millis(at))}
        )

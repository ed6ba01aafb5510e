"""The time zones that people are in, as their devices or they themselves say."""

import asyncio
from collections.abc import Iterable
from datetime import tzinfo

from memory.language.times.zones import zone_called
from memory.model.audience import Scope
from memory.model.people import PersonId
from memory.storage.sqlite.database import Table
from memory.storage.sqlite.rows import audiences, queries

_SQL = queries("people/zones")


class PersonZones(Table):
    """Whose clock is which: nothing that was said in private is used where others read."""

    async def of(self, person: PersonId, scope: Scope) -> tzinfo | None:
        """The zone that a person is in, as far as a scope may know; None where nothing says so.

        Raises:
            StorageFailed: it cannot be read.

        """
        values = {"person": person, "audiences": audiences(scope)}
        told = dict.fromkeys(row["zone"] for row in await self._database.all(_SQL["told"], values))
        return await asyncio.to_thread(_first, told) if told else None


def _first(told: Iterable[str]) -> tzinfo | None:
    """The first that is a zone; the first look-up of a city takes a third of a second."""
    return next(filter(None, map(zone_called, told)), None)

"""Which vector store answers, as the data folder keeps it."""

import json
from collections.abc import Callable
from dataclasses import asdict

from memory.model.vector_place import VectorPlace
from memory.storage.sqlite.database import Database, Table, Transaction
from memory.storage.sqlite.rows import queries

_SQL = queries("search/outbox")
_PLACE = "vectors.place"


class VectorPlaces(Table):
    """The place of the index; `asked` is what the settings name, and holds while none is kept."""

    def __init__(self, database: Database, asked: str) -> None:
        super().__init__(database)
        self._asked = asked

    async def kept(self) -> VectorPlace:
        """Where the index is and where it goes."""
        row = await self._database.one(_SQL["get_meta"], {"key": _PLACE})
        return self._read(None if row is None else str(row["value"]))

    async def change(self, by: Callable[[VectorPlace], VectorPlace]) -> VectorPlace:
        """Keep what `by` makes of the place, in one transaction."""

        async def work(transaction: Transaction) -> VectorPlace:
            row = await transaction.one(_SQL["get_meta"], {"key": _PLACE})
            place = by(self._read(None if row is None else str(row["value"])))
            values = {"key": _PLACE, "value": json.dumps(asdict(place))}
            await transaction.run(_SQL["set_meta"], values)
            return place

        return await self._database.write(work)

    def _read(self, value: str | None) -> VectorPlace:
        if value is None:
            return VectorPlace(at=self._asked, asked=self._asked)
        told = json.loads(value)
        return VectorPlace(**{**told, "leaving": tuple(told["leaving"])})

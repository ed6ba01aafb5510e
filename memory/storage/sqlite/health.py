"""Whether the database is whole: counts, full-text indexes against their tables, references."""

from dataclasses import dataclass

from memory.model.errors import StorageFailed
from memory.storage.sqlite.database import Table, Transaction
from memory.storage.sqlite.rows import queries

_SQL = queries("sqlite/health")

_TABLES = ("messages", "memories", "turns", "knowledge")
"""Tables with a full-text index of their own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkup:
    """Row counts by name, and a sentence for each thing that is wrong."""

    counts: dict[str, int]
    problems: tuple[str, ...]
    broken_text: tuple[str, ...]
    """Tables whose full-text index differs from them and can be rebuilt."""


class Health(Table):
    """Looks the database over."""

    async def counts(self) -> dict[str, int]:
        """How many rows the tables have."""
        row = await self._database.one(_SQL["counts"])
        return {} if row is None else dict(row)

    async def version(self) -> tuple[int, str]:
        """The number of the schema, and SQLite's version."""
        row = await self._database.one(_SQL["schema"])
        return (row["schema"], row["sqlite"]) if row else (0, "")

    async def checkup(self) -> Checkup:
        """Read everything once and say what is wrong."""
        counts = await self.counts()
        broken = [table for table in _TABLES if await self._is_broken(table, counts)]
        problems = [f"The full-text index of {table} differs from the table." for table in broken]
        problems += [
            f"SQLite finds damage: {row[0]}."
            for row in await self._database.all(_SQL["quick_check"])
            if row[0] != "ok"
        ]
        problems += dict.fromkeys(  # once, however many rows of a table do
            f"A row of {row[0]} refers to a row of {row[2]} that is not there."
            for row in await self._database.all(_SQL["foreign_keys"])
        )
        return Checkup(counts=counts, problems=tuple(problems), broken_text=tuple(broken))

    async def rebuild_text(self, tables: tuple[str, ...]) -> None:
        """Make the full-text indexes of these tables anew."""

        async def work(transaction: Transaction) -> None:
            for table in tables:
                await transaction.run(_SQL[f"rebuild_{table}"])

        await self._database.write(work)

    async def _is_broken(self, table: str, counts: dict[str, int]) -> bool:
        if counts[table] != counts[f"{table}_fts"]:
            return True

        async def work(transaction: Transaction) -> None:
            await transaction.run(_SQL[f"check_{table}"])

        try:
            await self._database.write(work)
        except StorageFailed:
            return True
        return False

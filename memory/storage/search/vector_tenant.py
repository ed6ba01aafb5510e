"""Which points of a shared vector server are this pet's, and which folder held them last."""

import json
from uuid import UUID

from memory.model.vector_lease import KeptLease
from memory.storage.sqlite.database import Database, Table, Transaction
from memory.storage.sqlite.rows import queries

_SQL = queries("search/vector_tenant")
_PET, _LEASE = "vectors.pet", "vectors.lease"


class VectorTenant(Table):
    """The pet's id in a vector server, and the lease that this database was last written under.

    `claimed_here` has the tokens of all leases that this process claimed by it.
    """

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self.claimed_here: set[str] = set()

    async def kept(self) -> KeptLease:
        """What the database says."""
        rows = await self._database.all(_SQL["kept"], {"pet": _PET, "lease": _LEASE})
        values = {row["key"]: row["value"] for row in rows}
        return KeptLease(pet=UUID(values[_PET]), **json.loads(values.get(_LEASE, "{}")))

    async def keep(self, lease: KeptLease) -> None:
        """Write the lease down; its pet id may be another one from now on."""
        held = {
            "token": lease.token,
            "claiming": lease.claiming,
            "folder": lease.folder,
            "path": lease.path,
        }

        async def work(transaction: Transaction) -> None:
            await transaction.run(_SQL["keep"], {"key": _PET, "value": lease.pet.hex})
            await transaction.run(_SQL["keep"], {"key": _LEASE, "value": json.dumps(held)})

        await self._database.write(work)

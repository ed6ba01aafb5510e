"""The notes of vaults that were read, in which version, and the knowledge made of each."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from memory.model.audience import Origin, Scope
from memory.model.knowledge import (
    KnowledgeId,
    KnowledgeKind,
    ListedNote,
    NewKnowledge,
    Piece,
    ReadNote,
    VaultState,
)
from memory.rules.notes.chunks import CHANNEL
from memory.storage.sqlite.database import Table, Transaction
from memory.storage.sqlite.rows import audiences, json_list, millis, queries, row_as
from memory.storage.statements.knowledge import drop_knowledge, keep_knowledge

_SQL = queries("statements/notes")


class Notes(Table):
    """The notes of the vaults, with the knowledge that is made of them."""

    async def etags(self, vault: str) -> Mapping[str, str]:
        """The version in which each note of a vault was read, by its path."""
        rows = await self._database.all(_SQL["etags"], {"vault": vault})
        return {row["path"]: row["etag"] for row in rows}

    async def keep(
        self, vault: str, read: Sequence[ReadNote], origin: Origin, now: datetime
    ) -> int:
        """Store notes as they are now, in one transaction; returns how many pieces are new.

        A piece that a note had before and still has is not touched.
        """

        async def work(transaction: Transaction) -> int:
            before = await _pieces_of(transaction, vault, [note.path for note in read])
            after = {piece.id: piece for note in read for piece in note.pieces}
            await drop_knowledge(transaction, [id_ for id_ in before if id_ not in after])
            fresh = [_knowledge(piece, origin) for id_, piece in after.items() if id_ not in before]
            await keep_knowledge(transaction, fresh, now)
            for note in read:
                await _put(transaction, vault, note, now)
            return len(fresh)

        return await self._database.write(work)

    async def drop(self, vault: str, paths: Sequence[str]) -> None:
        """Forget notes with all their pieces, in one transaction."""
        await self._database.write(lambda transaction: _drop(transaction, vault, paths))

    async def drop_others(self, vault: str) -> int:
        """Forget the notes of every vault but this one; returns how many. "" is no vault."""
        found = await self._database.all(_SQL["other_vaults"], {"vault": vault})
        dropped = 0
        for row in found:
            paths = list(await self.etags(row["vault"]))
            await self._database.write(_vault_dropping(row["vault"], paths))
            dropped += len(paths)
        return dropped

    async def refreshed(self, vault: str, now: datetime) -> None:
        """Record that a vault was read to its end."""
        await self._write("refreshed", {"vault": vault, "now": millis(now)})

    async def troubled(self, vault: str, trouble: str, now: datetime) -> None:
        """Record in one sentence why a vault cannot be read; the first moment is kept."""
        await self._write("troubled", {"vault": vault, "trouble": trouble, "now": millis(now)})

    async def state(self, vault: str) -> VaultState:
        """How reading a vault went last."""
        row = await self._database.one(_SQL["vault"], {"vault": vault})
        return VaultState() if row is None else row_as(VaultState, row)

    async def listed(self, vault: str, scope: Scope) -> list[ListedNote]:
        """Every note of a vault by its path, with the pieces that the scope allows."""
        values = {"vault": vault, "audiences": audiences(scope)}
        return await self._database.all_as(ListedNote, _SQL["listed"], values)

    async def pieces(self, vault: str, path: str, scope: Scope, limit: int) -> list[Piece]:
        """The first pieces of a note, in their order, as the scope allows."""
        values = {"vault": vault, "path": path, "audiences": audiences(scope), "limit": limit}
        return await self._database.all_as(Piece, _SQL["pieces_shown"], values)

    async def _write(self, query: str, values: Mapping[str, Any]) -> None:
        await self._database.write(lambda transaction: transaction.run(_SQL[query], values))


async def _pieces_of(
    transaction: Transaction, vault: str, paths: Sequence[str]
) -> set[KnowledgeId]:
    rows = await transaction.all(_SQL["pieces_of"], {"vault": vault, "paths": json_list(paths)})
    return {KnowledgeId(UUID(row["knowledge_id"])) for row in rows}


async def _put(transaction: Transaction, vault: str, note: ReadNote, now: datetime) -> None:
    values = {
        "vault": vault,
        "path": note.path,
        "etag": note.etag,
        "state": note.state,
        "refused": note.refused,
        "now": millis(now),
    }
    await transaction.run(_SQL["put_note"], values)
    pieces = [
        {"id": str(piece.id), "vault": vault, "path": note.path, "position": position}
        for position, piece in enumerate(note.pieces)
    ]
    await transaction.many(_SQL["put_piece"], pieces)


async def _drop(transaction: Transaction, vault: str, paths: Sequence[str]) -> None:
    await drop_knowledge(transaction, list(await _pieces_of(transaction, vault, paths)))
    await transaction.run(_SQL["drop_notes"], {"vault": vault, "paths": json_list(paths)})


def _vault_dropping(vault: str, paths: Sequence[str]) -> Any:
    async def work(transaction: Transaction) -> None:
        await _drop(transaction, vault, paths)
        await transaction.run(_SQL["drop_vault"], {"vault": vault})

    return work


def _knowledge(piece: Piece, origin: Origin) -> NewKnowledge:
    return NewKnowledge(
        id=piece.id,
        kind=KnowledgeKind.NOTE,
        title=piece.title,
        content=piece.content,
        origin=origin,
        at=piece.at,
        channel=CHANNEL,
    )

"""Imports of histories: which files were read, how far, what came by each, and taking it back."""

from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import asdict
from uuid import NAMESPACE_OID, UUID, uuid5

from memory.model.histories import (
    BroughtHistory,
    GoingWithImport,
    HistoryCounts,
    HistoryFile,
    ImportId,
    NothingToTakeBack,
)
from memory.model.messages import Message, MessageId
from memory.model.people import PSEUDONYM, PersonId
from memory.model.rooms import RoomId, SpaceId
from memory.model.statements import MemoryId, StatedBefore, StatementPlace
from memory.model.stores import Collection as Indexed
from memory.model.stores import Store
from memory.rules.forgetting.selection import ErasureSelection
from memory.rules.forgetting.selector import ErasureRequest, Requester, Selector
from memory.storage.conversations.edits import soil
from memory.storage.conversations.messages import message_of
from memory.storage.forgetting.erasure import erase, with_facts
from memory.storage.forgetting.unmeeting import unmeet
from memory.storage.forgotten.selection import SelectionReader
from memory.storage.search.outbox import announce
from memory.storage.sqlite.database import TimedTable, Transaction
from memory.storage.sqlite.rows import Row, columns_of, json_list, millis, queries, row_as

_SQL = queries("transfer/histories")

Learn = Callable[[Transaction, frozenset[MessageId]], Awaitable[None]]
"""Stores what was learnt; it gets the messages that still say what was read."""

_LAST_STEPS = (
    *("part_forgotten_facts", "part_forgotten_statements", "part_forgotten_messages"),
    *("drop_spoken", "drop_empty_accounts", "close_room", "drop_members", "undone"),
)

ERASED_AT_ONCE = 64
"""Messages in one transaction of an undoing: people are answered between two."""


class Histories(TimedTable):
    """The imports table. Each step is one transaction, so a crash repeats at most one step."""

    async def begin(self, file: HistoryFile) -> BroughtHistory:
        """The import of this file into its room that was broken off, or a new one."""

        async def work(transaction: Transaction) -> BroughtHistory:
            values = {**columns_of(file), "now": millis(self._clock.now())}
            found = await transaction.one(_SQL["broken_off"], values)
            return _brought(found or (await transaction.all(_SQL["begin"], values))[0])

        return await self._database.write(work)

    async def let_know(self, space: SpaceId, people: Collection[PersonId]) -> None:
        """Let these people know, in their direct rooms, what was said in a space."""
        rows = [{"space": space, "person": one} for one in people]
        await self._database.write(lambda one: one.many(_SQL["let_know"], rows))

    async def members(self, space: SpaceId) -> dict[PersonId, str]:
        """Whom the owner let know a space, with their names."""
        rows = await self._database.all(_SQL["members"], {"space": space})
        return {PersonId(row["id"]): row["name"] for row in rows}

    async def went_on(self, id_: ImportId, read_to: int, counts: HistoryCounts) -> None:
        """Note how far a file was read, and what became of its lines."""
        values = {"id": id_, "read_to": read_to, **asdict(counts)}
        await self._database.run(_SQL["went_on"], values)

    async def finish(self, id_: ImportId) -> BroughtHistory | None:
        """Note that a file was read to its end; None where nothing of it was new."""
        await self._database.run(_SQL["read"], {"id": id_, "now": millis(self._clock.now())})
        await self._database.run(_SQL["drop_empty"], {"id": id_})
        return await self.one(id_)

    async def latest(self, limit: int) -> list[BroughtHistory]:
        """The latest imports, newest first."""
        rows = await self._database.all(_SQL["latest"], {"limit": limit})
        return list(map(_brought, rows))

    async def one(self, id_: ImportId) -> BroughtHistory | None:
        """One import, or None."""
        row = await self._database.one(_SQL["one"], {"id": id_})
        return None if row is None else _brought(row)

    async def id_prefix(self, room: RoomId, external_id: str) -> str:
        """What stands before the ids of a room's messages: its own, where its platform does so."""
        row = await self._database.one(_SQL["id_of_one"], {"room": room})
        beginning = f"{external_id}:"
        return beginning if row and row["external_id"].startswith(beginning) else ""

    async def unlearnt(self) -> list[BroughtHistory]:
        """The imports with lines in which no facts were looked for yet, oldest first."""
        rows = await self._database.all(_SQL["unlearnt"])
        return list(map(_brought, rows))

    async def next_lines(self, id_: ImportId, limit: int) -> list[Message]:
        """The next lines of an import in which facts are to be looked for."""
        rows = await self._database.all(_SQL["next_lines"], {"id": id_, "limit": limit})
        return [message_of(row) for row in rows]

    async def learnt(self, id_: ImportId, lines: Sequence[Message], learn: Learn) -> None:
        """Store what was learnt from the next lines of an import, once, and go on behind them.

        From then on the lines are found by meaning: piece by piece, so that what is said meanwhile
        does not wait for a whole file.
        """

        async def work(transaction: Transaction) -> None:
            (row,) = await transaction.all(_SQL["learnt_to"], {"id": id_})
            if row["learnt_to"] >= lines[-1].id:
                return
            values = {"id": id_, "from": row["learnt_to"], "to": lines[-1].id}
            if await transaction.run(_SQL["learnt"], values):
                await learn(transaction, await _still_said(transaction, lines))
                await announce(transaction, Indexed.LIVE, [UUID(int=one.id) for one in lines])

        await self._database.write(work)

    async def stated(self, keys: Collection[str]) -> dict[str, StatementPlace]:
        """The place of each of these statements, by its key: the same one file after file.

        What is left of one that was taken back is passed over: it may come again.
        """
        found: dict[str, StatementPlace] = {}
        turn = 0
        while waiting := [key for key in keys if key not in found]:
            found |= await self._stated(waiting, turn)
            turn += 1
        return found

    async def _stated(self, keys: Collection[str], turn: int) -> dict[str, StatementPlace]:
        ids = {key: _stated_id(key, turn) for key in keys}
        values = {"ids": json_list(map(str, ids.values()))}
        rows = {row["id"]: row for row in await self._database.all(_SQL["stated"], values)}
        states = {key: _before(rows.get(str(id_))) for key, id_ in ids.items()}
        return {
            key: StatementPlace(id=ids[key], before=state)
            for key, state in states.items()
            if state is not None
        }

    async def add_statement(
        self, transaction: Transaction, id_: ImportId, memory: MemoryId
    ) -> None:
        """Note, inside its transaction, that a statement came by an import."""
        await transaction.run(_SQL["add_statement"], {"memory": str(memory), "id": id_})

    async def going(self, id_: ImportId) -> GoingWithImport:
        """What would go with an import.

        Raises:
            NothingToTakeBack: there is none, or it was undone.

        """
        await self.standing(id_)
        row = await self._database.one(_SQL["going"], {"id": id_})
        people = await self._database.all(_SQL["only_here"], {"id": id_})
        said = await self._database.all(_SQL["samples"], {"id": id_})
        return GoingWithImport(
            messages=row["messages"] if row else 0,
            statements=row["statements"] if row else 0,
            people=len(people),
            samples=tuple(one["text"] for one in said),
        )

    async def messages_of(self, id_: ImportId, limit: int) -> tuple[MessageId, ...]:
        """The latest messages of an import that are still there."""
        rows = await self._database.all(_SQL["messages_of"], {"id": id_, "limit": limit})
        return tuple(MessageId(row["id"]) for row in rows)

    async def statements_of(self, id_: ImportId, limit: int) -> tuple[MemoryId, ...]:
        """The statements that came by an import without a message and are still there."""
        rows = await self._database.all(_SQL["statements_of"], {"id": id_, "limit": limit})
        return tuple(MemoryId(UUID(row["id"])) for row in rows)

    async def begin_undo(self, id_: ImportId) -> BroughtHistory:
        """Let nothing more of an import be learnt; it is undone step by step from now on.

        Raises:
            NothingToTakeBack: there is none, or it was undone.

        """
        found = await self.standing(id_)
        await self._database.run(_SQL["undoing"], {"id": id_})
        return found

    async def undo_some(self, id_: ImportId, asker: Requester) -> int:
        """Take back some messages of an import and what rests on them alone; how many, 0 for none.

        Who was met in it alone goes with the last of their messages. No trace stays by which they
        would be refused: the file may be read again, elsewhere.
        """
        messages = await self.messages_of(id_, ERASED_AT_ONCE)
        stated = await self.statements_of(id_, ERASED_AT_ONCE)
        if not messages and not stated:
            return 0
        chosen = Selector(messages=messages, memories=stated)
        asked = ErasureRequest(selector=chosen, asker=asker)
        now = self._clock.now()

        async def work(transaction: Transaction) -> int:
            found = await SelectionReader(transaction, asked).chosen()
            selection = await with_facts(transaction, found)
            await hold_again(transaction, selection)
            await erase(transaction, selection, now)
            await transaction.run(_SQL["drop_stated"], {"ids": json_list(map(str, stated))})
            await _say_from(transaction, selection)
            authors = await transaction.all(_SQL["authors"], {"ids": json_list(messages)})
            await drop_messages(transaction, messages)
            spoke = {"people": json_list([row["id"] for row in authors]), "id": id_}
            for row in await transaction.all(_SQL["left_behind"], spoke):
                await unmeet(transaction, PersonId(row["id"]), now)
            return len(messages) + len(stated)

        return await self._database.write(work)

    async def finish_undo(self, found: BroughtHistory, *, keeps_room: bool = False) -> None:
        """Let go of the names of an import whose messages are gone; its number stays known.

        Its room `keeps_room` where they may be given back.
        """
        steps = ("undone",) if keeps_room else _LAST_STEPS
        now = self._clock.now()
        values = {**columns_of(found), "now": millis(now), "pseudonym": PSEUDONYM}

        async def work(transaction: Transaction) -> None:
            for step in steps:
                await transaction.run(_SQL[step], values)
            await soil(transaction, now)

        await self._database.write(work)

    async def standing(self, id_: ImportId) -> BroughtHistory:
        """An import that was not undone.

        Raises:
            NothingToTakeBack: there is none, or it was undone.

        """
        found = await self.one(id_)
        if found is None or found.undone_at is not None:
            raise NothingToTakeBack(f"There is no import {id_}, or it was undone already.")
        return found


def _stated_id(key: str, turn: int) -> MemoryId:
    return MemoryId(uuid5(NAMESPACE_OID, f"import:{key}:{turn}"))


def _before(row: Row | None) -> StatedBefore | None:
    """What a row is of a statement; None for what is left of one that was taken back."""
    if row is None:
        return StatedBefore.NOTHING
    if row["holds"]:
        return StatedBefore.KEPT
    return StatedBefore.FORGOTTEN if row["is_brought"] else None


def _brought(row: Row) -> BroughtHistory:
    return row_as(BroughtHistory, row, room=row["room_id"])


async def _still_said(transaction: Transaction, lines: Sequence[Message]) -> frozenset[MessageId]:
    """Those lines that were neither edited nor taken back since they were read."""
    texts = {one.id: one.text for one in lines}
    rows = await transaction.all(_SQL["still_said"], {"ids": json_list(texts)})
    return frozenset(MessageId(row["id"]) for row in rows if row["text"] == texts[row["id"]])


async def drop_messages(transaction: Transaction, messages: Collection[MessageId]) -> None:
    """Delete messages that were erased, but for the number of the last there is."""
    ids = {"ids": json_list(messages)}
    for step in ("drop_grounds", "husk", "drop_messages"):
        await transaction.run(_SQL[step], ids)


async def _say_from(transaction: Transaction, selection: ErasureSelection) -> None:
    """Let what was emptied name no account, and what stays one that still says it."""
    backed = {"ids": json_list(str(one.memory) for one in selection.shared)}
    await transaction.run(_SQL["said_from"], backed)
    ids = json_list(map(str, (*selection.memories, *selection.knowledge)))
    for step in ("part_statements", "part_facts"):
        await transaction.run(_SQL[step], {"ids": ids})


async def hold_again(transaction: Transaction, selection: ErasureSelection) -> None:
    """Let what the statements that go had taken the place of be recalled again."""
    ids = {"ids": json_list(map(str, selection.memories))}
    back = await transaction.all(_SQL["replaced_by"], ids)
    await transaction.run(_SQL["hold_again"], ids)
    for store in Store:
        points = [UUID(row["id"]) for row in back if row["store"] == store]
        await announce(transaction, store.collection, points, changed=True)

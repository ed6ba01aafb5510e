"""Forgettings as they are kept: asked for, confirmed, undone, purged, each in one transaction."""

import json
import secrets
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from memory.model.forgetting import Counts
from memory.model.messages import MessageId
from memory.model.people import AuditedChange
from memory.model.rooms import SpaceId
from memory.rules.forgetting.narrowing import ShownRows
from memory.rules.forgetting.receipt import (
    CONFIRM_WITHIN,
    UNDO_WITHIN,
    ForgettingState,
    NothingToConfirm,
    NothingToUndo,
    Preview,
    Receipt,
    Undone,
)
from memory.rules.forgetting.selection import given_back
from memory.rules.forgetting.selector import (
    ErasureRequest,
    NamedRows,
    Requester,
    Selector,
    read_selector,
    written,
)
from memory.storage.forgetting.erasure import erase, erase_echoes, with_facts
from memory.storage.forgetting.receipts import (
    asker_in,
    lines_in,
    previewed,
    receipt_in,
    written_lines,
)
from memory.storage.forgetting.undo_journal import (
    PlayedBack,
    announce_restored,
    clear_journal,
    journalled,
    play_back,
    words_in_journal,
)
from memory.storage.forgotten.selection import SelectionReader, kept_with
from memory.storage.forgotten.tombstones import add_tombstones, remove_tombstones
from memory.storage.forgotten.value_marks import add_value_marks, mask_since, remove_value_marks
from memory.storage.sqlite.audit import record, signature_of
from memory.storage.sqlite.database import Check, TimedTable, Transaction, no_check
from memory.storage.sqlite.rows import audiences, json_list, millis, queries

_SQL = queries("forgetting/requests")


Along = Callable[[Transaction, int], Awaitable[None]]
"""What is done in the transaction of a forgetting, with its number."""


async def nothing_along(_transaction: Transaction, _forgetting: int) -> None:
    """Do nothing besides."""


class Forgettings(TimedTable):
    """The forgettings table, and what becomes of everything else by them."""

    async def preview(self, request: ErasureRequest) -> Preview:
        """What would be forgotten now; nothing is changed and nothing is kept of the question."""
        return await previewed(self._database, request)

    async def ask(
        self, request: ErasureRequest, *, shows: bool = False, elsewhere: bool = False
    ) -> Preview:
        """The same, to be confirmed by its token unless it is empty; an earlier one is dropped.

        Where it `shows` its lines, these can be named by their numbers. What is to be forgotten
        `elsewhere` can be confirmed although there is nothing of it here.
        """
        now = self._clock.now()

        async def work(transaction: Transaction) -> Preview:
            await _drop_previews(transaction, now, request.asker)
            preview = await previewed(transaction, request)
            if preview.is_empty and not elsewhere:
                return preview  # confirming it could only take what was never shown
            given = replace(preview, token=secrets.token_hex(4))
            await _add(transaction, request, given, now, shows=shows)
            return given

        return await self._database.write(work)

    async def waiting(
        self, asker: Requester, token: str, message: MessageId | None
    ) -> tuple[int, Selector, Requester]:
        """The previewed forgetting that a person confirms in a message of theirs.

        Who asks has the power with which it was previewed, and never more than `asker`: what they
        may have forgotten here and could not there was never shown. The way is that of `asker`.

        Raises:
            NothingToConfirm: there is none, it is too old, or it was asked for just now.

        """
        since = millis(self._clock.now() - CONFIRM_WITHIN)
        values = {
            "person": asker.person,
            "mandate": asker.actor.mandate,
            "manages": asker.actor.space,
            "token": token,
            "message": message,
            "since": since,
        }
        row = await self._database.one(_SQL["waiting"], values)
        if row is None:
            raise NothingToConfirm("There is nothing to confirm: ask again, then confirm it.")
        shown = asker_in(row)
        scope, actor = asker.scope.within(shown.scope), replace(shown.actor, via=asker.actor.via)
        asked = replace(shown, scope=scope, actor=actor)
        return row["id"], read_selector(row["selector"]), asked

    async def shown(self, forgetting: int) -> ShownRows:
        """The rows of each line that a preview showed."""
        row = await self._database.one(_SQL["by_id"], {"id": forgetting})
        return ShownRows() if row is None else lines_in(row)

    async def kept_with(self, rows: NamedRows) -> NamedRows:
        """Rows with all that must stay for them to stay."""
        return await kept_with(self._database, rows)

    async def confirm(
        self, forgetting: int, request: ErasureRequest, along: Check = no_check
    ) -> Receipt:
        """Forget what a selector chooses now and do what goes `along`, all of it or nothing."""
        now = self._clock.now()

        async def work(transaction: Transaction) -> Receipt:
            await along(transaction)
            return await _forget(transaction, forgetting, request, now)

        return await self._database.write(work)

    async def forget(
        self, request: ErasureRequest, check: Check = no_check, along: Along = nothing_along
    ) -> Receipt:
        """Forget at once what a selector chooses, if `check` lets it; undone as any other.

        What goes `along` is done in the same transaction, with the number of the forgetting.
        """
        now = self._clock.now()

        async def work(transaction: Transaction) -> Receipt:
            await check(transaction)
            preview = Preview(counts={}, samples=(), kept=())
            forgetting = await _add(transaction, request, preview, now, shows=False)
            await along(transaction, forgetting)
            return await _forget(transaction, forgetting, request, now)

        return await self._database.write(work)

    async def undoable(self, forgetting: int | None, asker: Requester, *, anybody: bool) -> int:
        """The number of a forgetting that can be undone, or of the latest one of the asker.

        Raises:
            NothingToUndo: there is none, or it is older than a day.

        """
        values = {
            "id": forgetting,
            "person": asker.person,
            "mandate": asker.actor.mandate,
            "manages": asker.actor.space,
            "anybody": anybody,
            "since": millis(self._clock.now() - UNDO_WITHIN),
        }
        row = await self._database.one(_SQL["undoable"], values)
        if row is None:
            raise NothingToUndo("There is nothing to undo: it is a day ago, or never was.")
        return int(row["id"])

    async def after(self, forgetting: int) -> list[tuple[int, Selector, Requester]]:
        """The forgettings in force that came after one, oldest first, and who asked for each."""
        rows = await self._database.all(_SQL["after"], {"id": forgetting})
        return [(row["id"], read_selector(row["selector"]), asker_in(row)) for row in rows]

    async def undo(
        self,
        forgetting: int,
        asker: Requester,
        later: Sequence[tuple[int, ErasureRequest]],
        along: Check = no_check,
    ) -> Undone:
        """Give back what a forgetting took, but for what `later` ones would have taken of it.

        What goes `along` is done in the same transaction.

        Raises:
            NothingToUndo: it was undone or purged meanwhile.

        """
        now = self._clock.now()

        async def work(transaction: Transaction) -> Undone:
            (row,) = await transaction.all(_SQL["by_id"], {"id": forgetting})
            if row["state"] != ForgettingState.FORGOTTEN:
                raise NothingToUndo("There is nothing to undo: it was undone or purged meanwhile.")
            await along(transaction)
            await record(transaction, _audited("forgetting.undone", forgetting, asker), now)
            undone, played = await _undo(transaction, forgetting, now)
            for other, request in later:
                await _forget_again(transaction, other, request, played, now)
            return undone

        return await self._database.write(work)

    async def receipt(self, forgetting: int) -> Receipt | None:
        """The receipt of one forgetting."""
        row = await self._database.one(_SQL["by_id"], {"id": forgetting})
        return None if row is None else receipt_in(row)

    async def receipts(
        self, limit: int, *, before: int | None = None, manages: SpaceId | None = None
    ) -> list[Receipt]:
        """The latest receipts, or those before one, newest first; previews are none.

        With `manages` only what the managers of that community had forgotten.
        """
        values = {"limit": limit, "before": before or 2**62, "manages": manages}
        rows = await self._database.all(_SQL["latest"], values)
        return [receipt_in(row) for row in rows]

    async def beginning(self, beginning: str) -> list[tuple[str, UUID]]:
        """The rows whose id begins like this, each with its table."""
        rows = await self._database.all(_SQL["beginning"], {"beginning": beginning})
        return [(row["tbl"], UUID(row["id"])) for row in rows]

    async def drop_previews(self, asker: Requester | None = None) -> None:
        """Let go of an asker's previews, and of those too old to be confirmed: they hold words."""
        before = millis(self._clock.now() - CONFIRM_WITHIN)
        person = None if asker is None else asker.person
        values = {"before": before, "person": person, "replaced": asker is not None}
        await self._database.run(_SQL["drop_previews"], values)

    async def due(self) -> list[int]:
        """The forgettings that can no longer be undone and are to be purged, oldest first."""
        before = millis(self._clock.now() - UNDO_WITHIN)
        return [row["id"] for row in await self._database.all(_SQL["due"], {"before": before})]

    async def before(self, forgetting: int) -> list[int]:
        """The forgettings in force that came before one: they may keep the same words for undo."""
        rows = await self._database.all(_SQL["before"], {"id": forgetting})
        return [row["id"] for row in rows]

    async def begin_purge(self, forgetting: int, asker: Requester | None = None) -> bool:
        """Let go of what could undo a forgetting and of what it was about; whether it could.

        Answers that repeat it and came after it was confirmed go as well. Who asks for it before
        its day is written down.
        """
        now = self._clock.now()

        async def work(transaction: Transaction) -> bool:
            row = await transaction.one(_SQL["by_id"], {"id": forgetting})
            if row is None or row["state"] != ForgettingState.FORGOTTEN:
                return False
            await transaction.run(_SQL["purging"], {"id": forgetting})
            if asker is not None:
                await record(transaction, _audited("forgetting.purged", forgetting, asker), now)
            words = await words_in_journal(transaction, forgetting)
            await erase_echoes(transaction, words, now)
            await clear_journal(transaction, forgetting)
            return True

        return await self._database.write(work)

    async def in_purge(self) -> list[int]:
        """The forgettings whose bytes are still to be removed."""
        return [row["id"] for row in await self._database.all(_SQL["in_purge"])]

    async def soiled(self) -> str | None:
        """The mark of when something was last taken back whose bytes are still in the files."""
        row = await self._database.one(_SQL["soiled"])
        return None if row is None else str(row["value"])

    async def cleaned(self, mark: str) -> None:
        """Say that the files were cleaned of what was taken back until this mark."""
        await self._database.run(_SQL["cleaned"], {"mark": mark})

    async def purged(self, forgettings: Sequence[int]) -> None:
        """Say that nothing of these forgettings is left in any file."""
        values = {"ids": json_list(forgettings), "now": millis(self._clock.now())}
        await self._database.run(_SQL["purged"], values)


async def _add(
    transaction: Transaction,
    request: ErasureRequest,
    preview: Preview,
    now: datetime,
    *,
    shows: bool,
) -> int:
    (row,) = await transaction.all(
        _SQL["add"],
        {
            "kinds": json_list(request.selector.kinds),
            "selector": written(request.selector),
            "token": preview.token,
            "shown": written_lines(preview) if shows else "[]",
            "person": request.asker.person,
            "audiences": audiences(request.asker.scope),
            "mandate": request.asker.actor.mandate,
            "manages": request.asker.actor.space,
            "counts": json.dumps(preview.counts),
            "now": millis(now),
        },
    )
    return int(row["id"])


async def _drop_previews(transaction: Transaction, now: datetime, asker: Requester) -> None:
    values = {
        "before": millis(now - CONFIRM_WITHIN),
        "person": asker.person,
        "replaced": True,
    }
    await transaction.run(_SQL["drop_previews"], values)


async def _forget(
    transaction: Transaction,
    forgetting: int,
    request: ErasureRequest,
    now: datetime,
) -> Receipt:
    (row,) = await transaction.all(_SQL["by_id"], {"id": forgetting})
    if row["state"] != ForgettingState.PREVIEWED:
        raise NothingToConfirm("That was confirmed already.")
    chosen = await SelectionReader(transaction, request).chosen()
    selection = await with_facts(transaction, chosen)
    since = {"ids": json_list(selection.messages), "after": row["after_message"]}
    (said,) = await transaction.all(_SQL["said_since"], since)
    await add_tombstones(transaction, forgetting, selection, now)
    await add_value_marks(transaction, forgetting, selection, request)
    async with journalled(transaction, forgetting):
        counts = await erase(transaction, selection, now)
        await mask_since(transaction, request)
    await transaction.run(_SQL["begun"], {"id": forgetting, "now": millis(now)})
    await record(
        transaction, _audited("forgetting.confirmed", forgetting, request.asker, counts), now
    )
    (row,) = await transaction.all(_SQL["count"], {"id": forgetting, "counts": json.dumps(counts)})
    return receipt_in(row, more=said["more"])


async def _forget_again(
    transaction: Transaction,
    forgetting: int,
    request: ErasureRequest,
    played: PlayedBack,
    now: datetime,
) -> None:
    """Let a forgetting take what it would have taken of what is back, to be undone alike."""
    (row,) = await transaction.all(_SQL["by_id"], {"id": forgetting})
    if row["state"] != ForgettingState.FORGOTTEN:
        return
    chosen = await SelectionReader(transaction, request).chosen()
    selection = given_back(await with_facts(transaction, chosen), played.rows)
    await add_tombstones(transaction, forgetting, selection, now)
    await add_value_marks(transaction, forgetting, selection, request)
    async with journalled(transaction, forgetting):
        await erase(transaction, selection, now)


async def _undo(
    transaction: Transaction, forgetting: int, now: datetime
) -> tuple[Undone, PlayedBack]:
    played = await play_back(transaction, forgetting)
    await announce_restored(transaction, played)
    await remove_tombstones(transaction, forgetting)
    await remove_value_marks(transaction, forgetting)
    await clear_journal(transaction, forgetting)
    values = {"id": forgetting, "now": millis(now)}
    (row,) = await transaction.all(_SQL["undone"], values)
    undone = Undone(
        receipt=receipt_in(row), restored=played.restored, changed_since=played.changed_since
    )
    return undone, played


def _audited(
    action: str, forgetting: int, asker: Requester, counts: Counts | None = None
) -> AuditedChange:
    detail = json.dumps(counts) if counts else ""
    signed = signature_of(asker.actor)
    return AuditedChange(actor=signed, action=action, target=str(forgetting), detail=detail)

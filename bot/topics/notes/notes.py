"""What `eko notes` asks of the pet: which notes it knows, and to look at the vault now."""

from collections.abc import AsyncIterator, Mapping
from datetime import datetime
from typing import Any

from bot.errors import BotError
from bot.surfaces.json import Event
from bot.surfaces.operations import TopicOperations, operation
from bot.surfaces.requests import NoArguments, OperationRequest
from bot.texts.catalogue import say
from bot.wiring.settings import note_choice
from memory.model.knowledge import ListedNote, VaultState
from observers.notes import NoteSync

OFF = 'No vault is chosen: set [obsidian] kind to "folder" or "rest".'


class SyncNotesRequest(OperationRequest):
    """Look at the vault of notes now, or only say what that would do."""

    dry_run: bool = False


class NoteOperations(TopicOperations):
    """The vault of notes, as the operator sees it."""

    @operation("notes")
    async def listed(self, _request: NoArguments) -> Event:
        """Every note that is known, with its state and when the vault was read last."""
        sync = self._sync()
        notes = await self._app.storage.notes.listed(sync.vault, self._caller.scope)
        state = await self._app.storage.notes.state(sync.vault)
        at_hand = note_choice(self._app.live_settings.current()).always_at_hand
        known = {note.path for note in notes}
        return {
            "vault": sync.vault,
            **_state_json(state),
            "notes": [_note_json(note, always=note.path in at_hand) for note in notes],
            "missing": [path for path in at_hand if path not in known],
        }

    @operation("notes_sync")
    async def sync(self, request: SyncNotesRequest) -> AsyncIterator[Event]:
        """Look at the vault now, or only say what that would do."""
        sync = self._sync()
        yield {"progress": {"state": "reading the vault"}}
        report = await sync.sync(dry_run=request.dry_run)
        yield {
            "result": {
                "dry_run": request.dry_run,
                "notes": report.notes,
                "read": list(report.read),
                "gone": list(report.gone),
                "too_large": list(report.too_large),
                "pieces": report.pieces,
                "refused": report.refused,
            }
        }

    def _sync(self) -> NoteSync:
        if self._app.services.notes is None:
            off = self._app.settings.obsidian.kind == "off"
            raise NoVault(OFF if off else say("doctor.todo.notes_for_nobody", "en"))
        return self._app.services.notes


class NoVault(BotError):
    """There is no vault to look at, or no audience that may know of it."""


def _state_json(state: VaultState) -> Mapping[str, Any]:
    return {
        "refreshed_at": _text(state.refreshed_at),
        "trouble": state.trouble,
        "troubled_since": _text(state.troubled_since),
    }


def _note_json(note: ListedNote, *, always: bool) -> Event:
    return {
        "path": note.path,
        "state": note.state,
        "always": always,
        "pieces": note.pieces,
        "refused": note.refused,
        "at": _text(note.at),
        "synced_at": _text(note.synced_at),
    }


def _text(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat(timespec="seconds")

"""What `eko notes` asks of the pet: which notes it knows, and to look at the vault now."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

from bot.errors import BotError
from bot.surfaces.operations import TopicOperations, operation
from bot.surfaces.requests import NoArguments, OperationRequest
from bot.surfaces.values import Event, extended
from bot.texts.catalogue import say
from bot.wiring.settings import note_choice
from memory.model.knowledge import ListedNote, VaultState
from memory.model.shown import Shown
from observers.notes import NoteReport, NoteSync

OFF = 'No vault is chosen: set [obsidian] kind to "folder" or "rest".'


class SyncNotesRequest(OperationRequest):
    """Look at the vault of notes now, or only say what that would do."""

    dry_run: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteAtHand(ListedNote):
    """A note, and whether it is `always` before the model, in every turn."""

    always: Shown[bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownVault(VaultState):
    """A vault by its place, and the notes that are to be always at hand and `missing` in it."""

    vault: Shown[str]
    missing: Shown[Sequence[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownNotes(KnownVault):
    """A vault with the notes of it that are known, by path."""

    notes: Shown[Sequence[NoteAtHand]]


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncDone(NoteReport):
    """What a look at the vault came to; a `dry_run` only says what it would."""

    dry_run: Shown[bool]


class NoteOperations(TopicOperations):
    """The vault of notes, as the operator sees it."""

    @operation("notes")
    async def listed(self, _request: NoArguments) -> KnownNotes:
        """Every note that is known, with its state and when the vault was read last."""
        sync = self._sync()
        notes = await self._app.storage.notes.listed(sync.vault, self._caller.scope)
        state = await self._app.storage.notes.state(sync.vault)
        at_hand = note_choice(self._app.live_settings.current()).always_at_hand
        known = {note.path for note in notes}
        return extended(
            KnownNotes,
            state,
            vault=sync.vault,
            notes=[extended(NoteAtHand, one, always=one.path in at_hand) for one in notes],
            missing=[path for path in at_hand if path not in known],
        )

    @operation("notes_sync")
    async def sync(self, request: SyncNotesRequest) -> AsyncIterator[Event]:
        """Look at the vault now, or only say what that would do."""
        yield {"progress": {"state": "reading the vault"}}
        yield {"result": await self.look(dry_run=request.dry_run)}

    async def look(self, *, dry_run: bool = False) -> SyncDone:
        """The same without progress."""
        report = await self._sync().sync(dry_run=dry_run)
        return extended(SyncDone, report, dry_run=dry_run)

    def _sync(self) -> NoteSync:
        if self._app.services.notes is None:
            off = self._app.settings.obsidian.kind == "off"
            raise NoVault(OFF if off else say("doctor.todo.notes_for_nobody", "en"))
        return self._app.services.notes


class NoVault(BotError):
    """There is no vault to look at, or no audience that may know of it."""

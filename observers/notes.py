"""The vault's observer: what was written, edited or deleted there is soon known here."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta

import structlog

from memory.model.audience import Audience, Origin, audience_of
from memory.model.errors import NotesUnavailable, NoteTooLarge
from memory.model.knowledge import Piece, ReadNote
from memory.model.shown import Shown
from memory.ports import Clock
from memory.rules.forgetting.tombstones import ForgottenTexts, IncomingText
from memory.rules.notes.chunks import CUTTING, NoteChoice, NoteEntry, pieces_of
from memory.storage.statements.notes import Notes
from memory.tasks import background_task
from observers.ports import NoteSource
from observers.schedule import guarded

log = structlog.get_logger()

AT_ONCE = 32
"""Notes read side by side and kept in one transaction: people's messages wait for no more."""

FIRST_WAIT = timedelta(seconds=30)
"""How long a vault that cannot be read is left alone; twice as long each time, up to a refresh."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteRules:
    """Which notes, for whom, and how often it is looked for changes the vault did not announce."""

    choice: Callable[[], NoteChoice]
    origin: Callable[[], Awaitable[Origin]]
    refresh: timedelta


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteReport:
    """What a pass came to: notes that are there, that were `read` again, and that are gone.

    `pieces` are new ones; `refused` were forgotten before. A dry run reads nothing.
    """

    notes: Shown[int]
    read: Shown[tuple[str, ...]]
    gone: Shown[tuple[str, ...]]
    too_large: Shown[tuple[str, ...]] = ()
    pieces: Shown[int] = 0
    refused: Shown[int] = 0


class NoteSync:
    """Keeps what is known of a vault as the vault is; the vault itself is never written to."""

    def __init__(
        self,
        source: NoteSource,
        notes: Notes,
        rules: NoteRules,
        clock: Clock,
        forgotten: ForgottenTexts | None = None,
    ) -> None:
        self._source = source
        self._notes = notes
        self._rules = rules
        self._clock = clock
        self._forgotten = forgotten
        self._turn = asyncio.Lock()
        self._changed = asyncio.Event()
        self._failed = 0

    @property
    def vault(self) -> str:
        """Which vault it follows."""
        return self._source.vault

    async def run(self) -> None:
        """Follow the vault until cancelled."""
        async with background_task(self._follow(), name="note-changes"):
            while True:
                self._changed.clear()
                await guarded("notes", self.refresh)()
                with suppress(TimeoutError):
                    async with asyncio.timeout(self._pause().total_seconds()):
                        await self._changed.wait()

    async def sync(self, *, dry_run: bool = False) -> NoteReport:
        """Bring what is known up to the vault: only notes that changed are read again.

        Raises:
            NotesUnavailable: the vault cannot be read; what was kept before stays.
            StorageFailed: nothing more could be kept.

        """
        async with self._turn:
            return await self._synced(dry_run=dry_run)

    async def refresh(self) -> None:
        """Sync, and log what changed; that the vault is away is said once, until it is back."""
        try:
            report = await self.sync()
        except NotesUnavailable as error:
            self._failed += 1
            if self._failed == 1:
                log.warning("notes.missed", reason=str(error))
            return
        if self._failed or report.read or report.gone:
            log.info(
                "notes.refreshed",
                notes=report.notes,
                read=len(report.read),
                gone=len(report.gone),
                pieces=report.pieces,
            )
        self._failed = 0

    def _pause(self) -> timedelta:
        if not self._failed:
            return self._rules.refresh
        return min(FIRST_WAIT * (1 << min(self._failed - 1, 10)), self._rules.refresh)

    async def _follow(self) -> None:
        """Have a pass made whenever the vault tells of a change."""
        while True:
            try:
                async for _ in self._source.changes():
                    self._changed.set()
            except NotesUnavailable as error:
                log.info("watch.lost", reason=str(error))
            await asyncio.sleep(self._rules.refresh.total_seconds())

    async def _synced(self, *, dry_run: bool) -> NoteReport:
        choice, origin = self._rules.choice(), await self._rules.origin()
        if not dry_run:
            await self._revoke(audience_of(origin))
        try:
            entries = await self._source.entries(choice)
            report = await self._compared(entries, choice, origin, dry_run=dry_run)
        except NotesUnavailable as error:
            await self._notes.troubled(self.vault, str(error), self._clock.now())
            raise
        if not dry_run:
            await self._notes.refreshed(self.vault, self._clock.now())
        return report

    async def _revoke(self, audience: Audience) -> None:
        """Forget what is of another vault or for others than now, even while the vault is away."""
        await self._notes.drop_others(self.vault)
        kept = await self._notes.etags(self.vault)
        others = [path for path, etag in kept.items() if not etag.endswith(f"\t{audience}")]
        for paths in _batches(others):
            await self._notes.drop(self.vault, paths)

    async def _compared(
        self, entries: Sequence[NoteEntry], choice: NoteChoice, origin: Origin, *, dry_run: bool
    ) -> NoteReport:
        audience = audience_of(origin)
        there = {entry.path: f"{entry.etag}\t{CUTTING}\t{audience}" for entry in entries}
        before = await self._notes.etags(self.vault)
        gone = tuple(path for path in before if path not in there)
        changed = {path: etag for path, etag in there.items() if before.get(path) != etag}
        if dry_run:
            return NoteReport(notes=len(there), read=tuple(changed), gone=gone)
        for paths in _batches(gone):
            await self._notes.drop(self.vault, paths)
        return await self._kept(changed, gone, origin, choice, len(there))

    async def _kept(
        self,
        changed: Mapping[str, str],
        gone: tuple[str, ...],
        origin: Origin,
        choice: NoteChoice,
        notes: int,
    ) -> NoteReport:
        audience = audience_of(origin)
        read: list[ReadNote] = []
        pieces = 0
        for paths in _batches(tuple(changed)):
            each = (self._read(path, changed[path], audience, choice) for path in paths)
            found = [note for note in await asyncio.gather(*each) if note is not None]
            missing = set(paths) - {note.path for note in found}
            await self._notes.drop(self.vault, sorted(missing))
            pieces += await self._notes.keep(self.vault, found, origin, self._clock.now())
            read += found
        return NoteReport(
            notes=notes,
            read=tuple(note.path for note in read),
            gone=gone,
            too_large=tuple(note.path for note in read if note.state == "too large"),
            pieces=pieces,
            refused=sum(note.refused for note in read),
        )

    async def _read(
        self, path: str, etag: str, audience: Audience, choice: NoteChoice
    ) -> ReadNote | None:
        """A note in pieces; None when it is gone, or no longer wanted by what it says itself."""
        try:
            note = await self._source.read(path)
        except NoteTooLarge:
            log.warning("note.refused", reason="too large")  # its path may be what was forgotten
            return ReadNote(path=path, etag=etag, state="too large")
        if note is None or not choice.wants(path, note.tags):
            return None
        pieces = await asyncio.to_thread(pieces_of, note, self.vault, audience)
        left = [await self._without_forgotten(piece, audience) for piece in pieces]
        refused = sum(one != piece for one, piece in zip(left, pieces, strict=True))
        kept = tuple(piece for piece in left if piece is not None)
        return ReadNote(path=path, etag=etag, pieces=kept, refused=refused)

    async def _without_forgotten(self, piece: Piece, audience: Audience) -> Piece | None:
        """What is left of a piece, whole or line by line: an edit moves lines between pieces."""
        if self._forgotten is None:
            return piece
        lines = piece.content.split("\n")
        # When the note was written to does not matter: that says none of its lines anew.
        said = [
            IncomingText(text=text, at=None, audience=audience) for text in (piece.content, *lines)
        ]
        whole, *each = await self._forgotten.refuses(said)
        left = [line for line, is_gone in zip(lines, each, strict=True) if not is_gone]
        return replace(piece, content="\n".join(left)) if left and not whole else None


def _batches(paths: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(paths), AT_ONCE):
        yield paths[start : start + AT_ONCE]

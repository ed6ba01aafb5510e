"""Backups of the pet: made while it runs, kept in a folder, with the journal beside them."""

import asyncio
import os
import re
import shutil
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import structlog

from bot.data_folder import COPYING, DATABASE, UPGRADES
from bot.errors import BotError
from bot.release import VERSION
from bot.transfer.archive import Manifest, manifest_of, write_archive
from bot.transfer.erasure_journal import ErasureJournal
from memory.model.backups import BackupRecord
from memory.model.errors import EkoMemoryError
from memory.ports import Clock
from memory.storage.backups.copies import DatabaseCopies
from memory.storage.backups.erasures import Erasures
from memory.storage.backups.records import BackupRecords
from memory.tasks import background_task

log = structlog.get_logger()

_NAME = re.compile(r"eko-(?P<pet>[0-9a-f]+)-(?P<at>\d{8}T\d{6})Z\.tar\.gz(\.age)?")

_MOMENT = "%Y%m%dT%H%M%S"


def name_of(pet: str, at: datetime, *, encrypted: bool) -> str:
    """What a backup is called."""
    moment = at.astimezone(UTC).strftime(_MOMENT)
    return f"eko-{pet}-{moment}Z.tar.gz{'.age' if encrypted else ''}"


def moment_of(name: str, pet: str) -> datetime | None:
    """When a backup of this pet was made, by its name; None for any other file."""
    found = _NAME.fullmatch(name)
    if found is None or found["pet"] != pet:
        return None
    with suppress(ValueError):  # the thirteenth month
        return datetime.strptime(found["at"], _MOMENT).replace(tzinfo=UTC)
    return None


def outlived(names: Iterable[str], pet: str, *, daily: int, weekly: int) -> list[str]:
    """The backups of a pet that are not kept, oldest first.

    Kept is the last one of each of the latest `daily` days on which any was made, and of each of
    the latest `weekly` weeks.
    """
    made = [(at, name) for name in names if (at := moment_of(name, pet)) is not None]
    newest = sorted(made, reverse=True)
    by_day: dict[object, str] = {}
    by_week: dict[object, str] = {}
    for at, name in newest:
        by_day.setdefault(at.date(), name)
        by_week.setdefault(at.isocalendar()[:2], name)
    kept = {*list(by_day.values())[:daily], *list(by_week.values())[:weekly]}
    return [name for _, name in reversed(newest) if name not in kept]


_TOLD_EVERY_S = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupRules:
    """Where backups go, how many are kept, and for which public keys they are encrypted."""

    data_dir: Path
    folder: Path | None
    daily: int
    weekly: int
    recipients: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupStep:
    """How far a backup is: bytes done of all; the manifest and the file once it is made."""

    done: int = 0
    total: int = 0
    path: Path | None = None
    made: Manifest | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupTables:
    """What of the database backups are about."""

    copies: DatabaseCopies
    erasures: Erasures
    records: BackupRecords


class BackupFailed(BotError):
    """No backup was made; the sentence says why."""


class Backups:
    """Makes the backups of one pet, one at a time, and keeps the journal beside them."""

    def __init__(self, tables: BackupTables, rules: BackupRules, clock: Clock) -> None:
        self._tables = tables
        self._rules = rules
        self._clock = clock
        self._making = asyncio.Lock()
        self._journalling = asyncio.Lock()
        self._journalled_to: dict[Path, int] = {}

    async def make(self, target: Path | None = None) -> AsyncIterator[BackupStep]:
        """Make one, in the folder of the settings without a name; the last step has its manifest.

        Raises:
            BackupFailed: there is no folder, the disk is full, or a file is there already.

        """
        folder = self._rules.folder if target is None else target.parent
        if folder is None:
            raise BackupFailed("Name a file, or choose a folder for backups: [backup] folder.")
        async with self._making:
            try:
                async for step in self._made(folder, target):
                    yield step
            except (BotError, EkoMemoryError, OSError) as error:
                await self._failed(error)
                raise BackupFailed(f"No backup was made: {error}") from error

    async def made_before(self, moment: datetime) -> int:
        """How many backups of this pet in the folder of the settings are older than a moment."""
        folder, pet = self._rules.folder, await self._tables.erasures.pet()
        if folder is None or not folder.is_dir():
            return 0
        names = await asyncio.to_thread(os.listdir, folder)
        return sum(made < moment for one in names if (made := moment_of(one, pet)) is not None)

    async def nightly(self) -> None:
        """Make one where there is a folder for them, and let go of those that outlived theirs."""
        if self._rules.folder is None:
            return
        async for _ in self.make():
            pass

    async def is_due(self, after: timedelta) -> bool:
        """Whether there is a folder for them, and the last one was made longer ago than this."""
        made = await self._tables.records.made()
        late = made is None or self._clock.now() - made.at > after
        return self._rules.folder is not None and late

    async def journal(self) -> None:
        """Write down beside the backups what lost its words since it was done last.

        Also beside one that was made before an upgrade, in case that is taken back.

        Raises:
            FileRefused: the folder cannot be written to.

        """
        folders = [self._rules.folder, self._rules.data_dir / UPGRADES]
        for folder in filter(None, folders):
            if folder.is_dir():
                await self._journalled(folder)

    async def _made(self, folder: Path, target: Path | None) -> AsyncIterator[BackupStep]:
        now = self._clock.now()
        with working_copy(self._rules.data_dir) as database:
            await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
            copy = await self._tables.copies.make(database)
            made = await asyncio.to_thread(manifest_of, database, copy, now, VERSION)
            name = name_of(copy.pet, now, encrypted=bool(self._rules.recipients))
            path = folder / name if target is None else target
            async for done in _written(database, made, path, self._rules.recipients):
                yield BackupStep(done=done, total=made.size)
        await self._journalled(folder)
        if target is None:
            await asyncio.to_thread(self._let_go, folder, copy.pet)
        size = path.stat().st_size
        await self._tables.records.keep_made(BackupRecord(at=now, path=str(path), size=size))
        log.info("backup.made", size_bytes=size, rows=sum(copy.counts.values()))
        yield BackupStep(done=made.size, total=made.size, path=path, made=made)

    async def _failed(self, error: Exception) -> None:
        log.error("backup.failed", reason=str(error))
        await self._tables.records.keep_failed(
            BackupRecord(at=self._clock.now(), reason=str(error))
        )

    async def _journalled(self, folder: Path) -> None:
        async with self._journalling:
            journal = ErasureJournal(folder, await self._tables.erasures.pet())
            last = self._journalled_to.get(folder)
            if last is None or not journal.path.exists():
                last = await asyncio.to_thread(journal.last)
            if last is None:
                await asyncio.to_thread(journal.add, [])
            self._journalled_to[folder] = last or 0
            async for page in self._tables.erasures.after(last or 0):
                await asyncio.to_thread(journal.add, page)
                self._journalled_to[folder] = page[-1].seq

    def _let_go(self, folder: Path, pet: str) -> None:
        names = [path.name for path in folder.iterdir()]
        daily, weekly = self._rules.daily, self._rules.weekly
        for name in outlived(names, pet, daily=daily, weekly=weekly):
            (folder / name).unlink(missing_ok=True)
            log.info("backup.removed", file=name)


@contextmanager
def working_copy(data_dir: Path, name: str = COPYING) -> Iterator[Path]:
    """A path for a copy of the database, gone with what stands beside it when the body ends."""
    folder = data_dir / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700)
    try:
        yield folder / DATABASE
    finally:
        shutil.rmtree(folder, ignore_errors=True)


async def _written(
    database: Path, made: Manifest, target: Path, recipients: Sequence[str]
) -> AsyncIterator[int]:
    """Write the archive beside the loop, and say now and then how many bytes are done."""
    progress = [0]

    def tell(done: int, _total: int) -> None:
        progress[0] = done

    work = partial(write_archive, database, made, target, recipients, tell)
    async with background_task(asyncio.to_thread(work), name="backup") as writing:
        while not (await asyncio.wait({writing}, timeout=_TOLD_EVERY_S))[0]:
            yield progress[0]

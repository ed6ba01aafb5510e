"""Puts a backup in the place of the database: looked at first, and whole at every moment."""

import os
import shutil
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import structlog

from bot.data_folder import DATABASE, RESTORING, SIDECARS, VECTORS
from bot.errors import BotError
from bot.transfer.archive import BackupRefused, Manifest, unpack
from bot.transfer.erasure_journal import ErasureJournal
from bot.transfer.files import settle_folder
from memory.model.backups import Erasure
from memory.model.errors import DatabaseRefused, StorageFailed
from memory.model.rooms import SpaceId
from memory.ports import Clock
from memory.storage.backups.copies import sound
from memory.storage.backups.erasures import Erasures
from memory.storage.backups.replay import replay
from memory.storage.sqlite.database import open_database

log = structlog.get_logger()

_KNOWN_AFTER = "%Y%m%dT%H%M%SZ"


class NothingToldForgotten(BotError):
    """Nothing tells what was forgotten since a backup was made."""


class FolderInUse(BotError):
    """The data folder has a database, which is only replaced if that is asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupToRestore:
    """Which backup is restored into which folder.

    `journals` are the folders where its journal may be. `unjournalled` restores it even where
    nothing tells what was forgotten since.
    """

    archive: Path
    data_dir: Path
    key_file: Path | None = None
    journals: tuple[Path, ...] = ()
    unjournalled: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Restorable:
    """A backup that was unpacked, checked, and rid of what was forgotten since.

    `known` is how many erasures were told of, by which `sources`; `erased` how many rows and
    accounts they took or muted. `let_go` are the spaces that had moved away since and are there
    again, without their words. `replaces` says that there is a database in its place.
    """

    made: Manifest
    database: Path
    known: int
    erased: int
    sources: tuple[str, ...]
    let_go: tuple[SpaceId, ...]
    replaces: bool


async def prepare(request: BackupToRestore, clock: Clock) -> Restorable:
    """Unpack a backup beside the database, check it, and let it lose what was forgotten since.

    The data folder must be held. Nothing in it is changed but a working folder.

    Raises:
        BackupRefused: it is no backup, or damaged.
        EncryptionFailed: the key does not open it.
        DatabaseRefused: its database is of a newer version.
        NothingToldForgotten: there is neither a database of this pet nor a journal.

    """
    folder = request.data_dir / RESTORING
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700)
    made, database = unpack(request.archive, folder, request.key_file)
    erasures, sources, let_go = await _since(request, made)
    if not sources and not request.unjournalled:
        raise NothingToldForgotten(
            f"Nothing tells what was forgotten since {made.made_at:%Y-%m-%d %H:%M} UTC: there is "
            f"neither a readable database of this pet in {request.data_dir} nor its journal "
            f"(eko-{made.copy.pet}.forgotten.jsonl) beside the backup. Put one there. With "
            "--without-journal it is restored with all that was forgotten since."
        )
    async with open_database(database) as copy:
        problems = await sound(copy)
        if problems:
            raise BackupRefused(f"{request.archive} is damaged: {' '.join(problems)}")
        erased = await replay(copy, erasures, clock)
    return Restorable(
        made=made,
        database=database,
        known=len(erasures),
        erased=erased,
        sources=sources,
        let_go=let_go,
        replaces=_is_filled(request.data_dir / DATABASE),
    )


def put_in_place(
    ready: Restorable, data_dir: Path, now: datetime, *, replacing: bool
) -> Path | None:
    """Let the restored database take its place; the folder where the old one was set aside.

    Killed anywhere, there is one whole database: the old one before the last rename, the restored
    one after it. The vectors go first, since they can be made from either.

    Raises:
        FolderInUse: there is a database, and replacing it was not asked for.

    """
    if ready.replaces and not replacing:
        raise FolderInUse(
            f"{data_dir} has a database: nothing was changed. With --replace it is set aside."
        )
    aside = _set_aside(data_dir, now)
    shutil.rmtree(data_dir / VECTORS, ignore_errors=True)
    ready.database.replace(data_dir / DATABASE)
    settle_folder(data_dir)
    shutil.rmtree(data_dir / RESTORING, ignore_errors=True)
    log.info("backup.restored", made_at=ready.made.made_at.isoformat(), erased=ready.erased)
    return aside


def discard(data_dir: Path) -> None:
    """Let go of what was unpacked."""
    shutil.rmtree(data_dir / RESTORING, ignore_errors=True)


def _set_aside(data_dir: Path, now: datetime) -> Path | None:
    """Keep the old database under another name too, and its log only there."""
    database = data_dir / DATABASE
    left = [database.with_name(f"{DATABASE}{end}") for end in ("", *SIDECARS)]
    if not any(path.exists() for path in left):
        return None
    aside = data_dir / f"before-restore-{now.strftime(_KNOWN_AFTER)}"
    aside.mkdir(mode=0o700, exist_ok=True)
    if database.exists():
        _linked(database, aside / DATABASE)
    for path in left[1:]:
        if path.exists():
            path.replace(aside / path.name)
    settle_folder(aside)
    return aside


def _linked(path: Path, other: Path) -> None:
    other.unlink(missing_ok=True)
    try:
        os.link(path, other)
    except OSError:  # a file system without links
        shutil.copy2(path, other)


async def _since(
    request: BackupToRestore, made: Manifest
) -> tuple[list[Erasure], tuple[str, ...], tuple[SpaceId, ...]]:
    """Every erasure after a backup that the database or a journal knows of, and who told.

    And the spaces that were let go of since, which only the database knows.
    """
    found: dict[int, Erasure] = {}
    sources, let_go = list[str](), tuple[SpaceId, ...]()
    for folder in dict.fromkeys((request.archive.parent, *request.journals)):
        journal = ErasureJournal(folder, made.copy.pet)
        if journal.path.exists():
            found |= {one.seq: one for one in journal.read(made.copy.erasures)}
            sources.append(str(journal.path))
    database = request.data_dir / DATABASE
    with suppress(DatabaseRefused, StorageFailed):
        if _is_filled(database):
            async with open_database(database) as opened:
                erasures = Erasures(opened)
                if await erasures.pet() == made.copy.pet:
                    pages = [page async for page in erasures.after(made.copy.erasures)]
                    let_go = await erasures.let_go(made.made_at)
                    found |= {one.seq: one for page in pages for one in page}
                    sources.append(str(database))
    return [found[seq] for seq in sorted(found)], tuple(sources), let_go


def _is_filled(database: Path) -> bool:
    return database.exists() and database.stat().st_size > 0

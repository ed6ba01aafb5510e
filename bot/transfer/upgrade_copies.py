"""The backup that is made before an upgrade changes the schema of the database."""

import os
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import structlog

from bot.data_folder import COPYING, DATABASE, UPGRADES
from bot.errors import BotError, FolderRefused
from bot.release import VERSION
from bot.transfer.archive import manifest_of, write_archive
from bot.transfer.backups import BackupRules, working_copy
from bot.transfer.erasure_journal import ErasureJournal, journal_path
from memory.model.errors import DatabaseRefused, DatabaseTooNew, EkoMemoryError
from memory.storage.backups.copies import copy_as_it_is

log = structlog.get_logger()

KEPT_FOR = timedelta(days=28)
"""As long as the oldest backup of a folder with the rotation of the settings' defaults: words that
are forgotten meanwhile stay in it."""

_NAME = "eko-{pet}-before-schema-{schema}.tar.gz{end}"
"""Not as those of a night, so that rotation leaves it; an upgrade tried again makes no second."""


def back_up_before_upgrade(rules: BackupRules, now: datetime, within: str = COPYING) -> Path:
    """Make a backup of the database as it is, beside the others or in the data folder.

    It is made in the working folder `within`; the path is that of the backup.

    Raises:
        DatabaseRefused: it cannot be made, or the database is damaged; it is untouched.

    """
    try:
        path = _made(rules, now, within)
    except DatabaseRefused:  # it is damaged
        raise
    except (BotError, EkoMemoryError, OSError) as error:
        raise DatabaseRefused(
            f"{rules.data_dir / DATABASE} is of an earlier version, and no backup of it could be "
            f"made before it is upgraded: {error} Nothing was changed. Free some space, or choose "
            "another folder with [backup] folder."
        ) from error
    log.info("schema.backed_up", path=str(path))
    return path


def way_back(rules: BackupRules, refused: DatabaseTooNew) -> DatabaseRefused:
    """The refusal of a database that a newer version wrote, with how to go back to this one."""
    folder = _folder(rules)
    found = [
        (int(number), path)
        for path in folder.glob(_NAME.format(pet="*", schema="*", end="*"))
        if (number := path.name.partition(".")[0].rpartition("-")[2]).isdecimal()
        and int(number) <= refused.known
    ]
    if not found:
        return DatabaseRefused(
            f"{refused} To go back to this version, restore a backup that it made with: eko "
            f"restore FILE --replace --yes (there is none of before an upgrade in {folder})."
        )
    _, latest = max(found)
    return DatabaseRefused(
        f"{refused} To go back to this version and to what was kept before the upgrade: eko "
        f"restore {latest} --replace --yes"
    )


def clear_outdated_copies(rules: BackupRules, now: datetime) -> None:
    """Remove the backups that were made before upgrades of some weeks ago.

    Raises:
        FolderRefused: the folder for backups cannot be looked into; the sentence says why.

    """
    folder = _folder(rules)
    try:
        _clear(folder, now)
    except OSError as error:
        raise FolderRefused(
            f"{folder} cannot hold the pet's backups: {error.strerror}. Make it readable and "
            f"writable for user {os.geteuid()}, or choose another folder with [backup] folder."
        ) from error
    own = rules.data_dir / UPGRADES
    if own.is_dir() and not any(own.glob(_NAME.format(pet="*", schema="*", end="*"))):
        for journal in own.glob(journal_path(own, "*").name):
            journal.unlink()
        with suppress(OSError):  # something else is in it
            own.rmdir()


def _clear(folder: Path, now: datetime) -> None:
    with suppress(FileNotFoundError):  # it is made with the first backup
        folder.stat()
    for path in folder.glob(_NAME.format(pet="*", schema="*", end="*")):
        if now - datetime.fromtimestamp(path.stat().st_mtime, UTC) > KEPT_FOR:
            path.unlink()
            log.info("backup.removed", file=path.name)


def _made(rules: BackupRules, now: datetime, within: str) -> Path:
    folder = _folder(rules)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with working_copy(rules.data_dir, within) as database:
        copy = copy_as_it_is(rules.data_dir / DATABASE, database)
        made = manifest_of(database, copy, now, VERSION)
        end = ".age" if rules.recipients else ""
        path = folder / _NAME.format(pet=copy.pet, schema=copy.schema, end=end)
        beside = path.with_name(f"{path.name}.new")
        beside.unlink(missing_ok=True)
        write_archive(database, made, beside, rules.recipients, lambda _done, _total: None)
        # What is forgotten from now on is written there, so that going back brings none of it.
        ErasureJournal(folder, copy.pet).add([])
        return beside.replace(path)  # one of an upgrade that did not come to its end


def _folder(rules: BackupRules) -> Path:
    return rules.folder or rules.data_dir / UPGRADES

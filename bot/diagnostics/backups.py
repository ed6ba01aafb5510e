"""Looks at the backups: how old the last one is, whether it failed, and whether they are apart."""

from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from bot.diagnostics.findings import Finding, fail, note, ok
from memory.language.dates_in_words import age
from memory.model.backups import BackupRecord
from memory.ports import Clock
from memory.storage.backups.records import BackupRecords

_OLD = timedelta(hours=50)
"""Two nights and some: one that was missed is made up for at the next start."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupPlace:
    """Where backups go and what they are copies of; `nightly` if they are made by themselves."""

    data_dir: Path
    folder: Path | None
    nightly: bool


class BackupCheck:
    """Looks at the backups of one pet."""

    def __init__(self, records: BackupRecords, place: BackupPlace, clock: Clock) -> None:
        self._records = records
        self._place = place
        self._clock = clock

    async def look(self) -> Finding:
        """How the backups are now."""
        made, failed = await self._records.made(), await self._records.failed()
        if failed is not None:
            when = f"{failed.at:%Y-%m-%dT%H:%M}"
            return fail("backups", "backups_failed", "mend_backups", at=when, reason=failed.reason)
        if made is not None:
            return self._of(made)
        if self._place.folder is None:
            return note("backups", "backups_off", "choose_backups")
        return note("backups", "backups_never", "make_backup")

    def _of(self, made: BackupRecord) -> Finding:
        now = self._clock.now()
        at, path = f"{made.at:%Y-%m-%dT%H:%M}", Path(made.path)
        values = {"at": at, "age": age(made.at, now, "en"), "path": path}
        if self._place.nightly and now - made.at > _OLD:
            return fail("backups", "backups_old", "make_backup", **values)
        if is_near(path.parent, self._place.data_dir):
            return note("backups", "backups", "move_backups", **values)
        return ok("backups", "backups", **values)


def is_near(folder: Path, data_dir: Path) -> bool:
    """Whether a folder is inside the data folder, or on the same device."""
    if not folder.is_dir():
        return False
    if folder.resolve().is_relative_to(data_dir.resolve()):
        return True
    return folder.stat().st_dev == data_dir.stat().st_dev

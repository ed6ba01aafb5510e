"""Looks at the backups: how old the last one is, whether it failed, and whether they are apart."""

from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from bot.diagnostics.findings import Finding, PartState
from memory.language.dates_in_words import age
from memory.ports import Clock
from memory.storage.backups.records import BackupRecords

_PART = "backups"

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
        now = self._clock.now()
        if failed is not None:
            when = f"{failed.at:%Y-%m-%dT%H:%M}"
            return _finding(
                PartState.FAIL, "backups_failed", "mend_backups", at=when, reason=failed.reason
            )
        if made is None:
            found = "backups_off" if self._place.folder is None else "backups_never"
            todo = "choose_backups" if self._place.folder is None else "make_backup"
            return _finding(PartState.NOTE, found, todo)
        values = {
            "at": f"{made.at:%Y-%m-%dT%H:%M}",
            "age": age(made.at, now, "en"),
            "path": made.path,
        }
        if self._place.nightly and self._place.folder and now - made.at > _OLD:
            return _finding(PartState.FAIL, "backups_old", "make_backup", **values)
        if is_near(Path(made.path).parent, self._place.data_dir):
            return _finding(PartState.NOTE, "backups", "move_backups", **values)
        return _finding(PartState.OK, "backups", None, **values)


def is_near(folder: Path, data_dir: Path) -> bool:
    """Whether a folder is inside the data folder, or on the same device."""
    if not folder.is_dir():
        return False
    if folder.resolve().is_relative_to(data_dir.resolve()):
        return True
    return folder.stat().st_dev == data_dir.stat().st_dev


def _finding(state: PartState, said: str, todo: str | None, **values: object) -> Finding:
    return Finding(part=_PART, state=state, said=said, todo=todo, values=values)

"""The data folder: what stands where in it, and whether its database was lost."""

import shutil
import socket
from contextlib import suppress
from pathlib import Path

from bot.lock import holder_of
from memory.model.errors import DatabaseRefused
from memory.model.stores import INDEX_FOLDER
from memory.model.vector_lease import Folder

DATABASE = "eko.sqlite3"
"""All that the pet remembers."""

VECTORS = INDEX_FOLDER
"""The index, which can be made from the database."""

MODELS = "models"
"""The local embedder's models, which can be fetched again."""

SIDECARS = ("-wal", "-shm")
"""What SQLite keeps beside a database that is open, or whose process was killed."""

SECRETS = "*.secret"
"""Keys of the pet's own that no backup holds."""

MARK = "eko.folder"
"""A file that tells this folder from its copies: a copy has another place and time on the disk."""

COPYING, RESTORING = "backup.unfinished", "restore.unfinished"
"""Where a backup and a restoring have their working copies."""

UPGRADING = "upgrading.unfinished"
"""Where a copy of the database is upgraded, to be asked or to take its place."""

CHECKING = "looking.unfinished"
"""Where a copy is that is asked for what may not be known."""

UPGRADES = "before-upgrade"
"""Where backups before an upgrade go that has no folder for backups."""

_HEADER = 100
"""Bytes at the beginning of each SQLite database (https://www.sqlite.org/fileformat.html)."""


_MAGIC = b"SQLite format 3\0"


def refuse_lost_database(data_dir: Path) -> None:
    """Begin no new pet where there was one, and go on with no half of one.

    Raises:
        DatabaseRefused: the database is cut off, or it is empty or missing and other files say
            that it was not.

    """
    database = data_dir / DATABASE
    there = _size(database)
    left = _left_of_a_pet(data_dir)
    if there is not None and there >= _HEADER:
        _refuse_cut_off(database, there)
    elif left:
        state = "is missing" if there is None else "is empty"
        raise DatabaseRefused(
            f"{database} {state}, but {data_dir} is no new folder ({', '.join(left)}): nothing was "
            "changed. Put a backup in its place with: eko restore FILE. To begin a new pet, move "
            "the folder away, or choose another one with EKO_DATA_DIR."
        )


def marked_folder(data_dir: Path) -> Folder:
    """The data folder, with an identity that no copy of it has."""
    path = data_dir.resolve()
    with suppress(FileExistsError), (path / MARK).open("x", encoding="utf-8") as mark:
        mark.write("By this file Eko tells this folder from its copies: leave it where it is.\n")
    return Folder(identity=_identity(path), path=str(path), machine=socket.gethostname())


def is_still_there(path: str, identity: str) -> bool:
    """Whether a folder that was marked is still where it was."""
    try:
        return _identity(Path(path)) == identity
    except OSError:
        return False


def _identity(folder: Path) -> str:
    mark = (folder / MARK).stat()
    return f"{mark.st_ino:x}-{mark.st_ctime_ns:x}"


def clear_unfinished(data_dir: Path) -> None:
    """Remove the copies of people's words that a killed process left."""
    for name in (COPYING, RESTORING, UPGRADING, CHECKING):
        if holder_of(data_dir / name) is None:
            shutil.rmtree(data_dir / name, ignore_errors=True)


def _refuse_cut_off(database: Path, there: int) -> None:
    """SQLite fills a last page that is not whole with zeros; its log would have the rest of it."""
    with database.open("rb") as file:
        header = file.read(_HEADER)
    page = int.from_bytes(header[16:18]) or 1
    expected = int.from_bytes(header[28:32]) * (65536 if page == 1 else page)
    is_valid = header.startswith(_MAGIC) and header[24:28] == header[92:96]
    if is_valid and there < expected and not _size(database.with_name(f"{DATABASE}-wal")):
        raise DatabaseRefused(
            f"{database} is cut off: it has {there} of {expected} bytes. Put a backup in its place "
            f'with: eko restore FILE, or rescue what is left with: sqlite3 "{database}" .recover'
        )


def _left_of_a_pet(data_dir: Path) -> list[str]:
    """What is only there where a database was filled before."""
    names = [path.name for path in sorted(data_dir.glob(SECRETS))]
    if any((data_dir / VECTORS).glob("*")):
        names.append(VECTORS)
    if _size(data_dir / f"{DATABASE}-wal"):
        names.append(f"{DATABASE}-wal")
    return names


def _size(path: Path) -> int | None:
    return path.stat().st_size if path.exists() else None

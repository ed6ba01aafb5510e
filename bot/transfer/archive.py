"""A backup as a file: a tar of a manifest and the database, compressed, maybe encrypted."""

import gzip
import hashlib
import io
import json
import tarfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import IO, Any, BinaryIO, cast

from bot.transfer.encryption import decrypt, encrypt, is_encrypted
from bot.transfer.files import FileRefused, new_file
from memory.model.backups import DatabaseCopy

FORMAT = 1

_MANIFEST, _DATABASE = "manifest.json", "eko.sqlite3"

_LEVEL = 6
"""Of gzip: 9 takes three times as long for one hundredth less."""

_PIECE = 1 << 20

_LARGEST_MANIFEST = 1 << 20

_PRIVATE = 0o600

_UNREADABLE = (ValueError, TypeError, LookupError, ArithmeticError, AttributeError, RecursionError)
"""What reading a damaged or forged manifest raises."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What a backup holds, when it was made and by which version."""

    made_at: datetime
    version: str
    copy: DatabaseCopy
    sha256: str
    size: int


class BackupRefused(FileRefused):
    """A file is no backup, or not the one that was made."""


Tell = Callable[[int, int], None]
"""Takes how many bytes are done, and how many there are."""


def write_archive(
    database: Path, made: Manifest, target: Path, recipients: Sequence[str], tell: Tell
) -> None:
    """Write a backup, which has its name once it is whole and on disk.

    Raises:
        FileRefused: there is a file of that name already, or the system refuses.
        EncryptionFailed: a recipient is no public key.

    """
    with new_file(target) as write:
        if not recipients:
            _pack(database, made, _Sink(write), tell)
            return
        plain = database.with_suffix(".tar.gz")
        with plain.open("xb") as file:
            _pack(database, made, file, tell)
        with plain.open("rb") as file:
            encrypt(file, _Sink(write), recipients)
        plain.unlink()


def manifest_of(database: Path, copy: DatabaseCopy, made_at: datetime, version: str) -> Manifest:
    """What is to be said of a copy."""
    with database.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    size = database.stat().st_size
    return Manifest(made_at=made_at, version=version, copy=copy, sha256=digest, size=size)


def unpack(archive: Path, folder: Path, key_file: Path | None) -> tuple[Manifest, Path]:
    """What a backup says of itself, and its database, unpacked into a folder and compared.

    Raises:
        BackupRefused: it is no backup, it was damaged, or it needs a key.
        EncryptionFailed: the key does not open it.

    """
    if not archive.is_file():
        raise BackupRefused(f"{archive} is not a file.")
    try:
        with (
            _plain(archive, folder, key_file) as file,
            tarfile.open(fileobj=file, mode="r|gz") as tar,
        ):
            members = iter(tar)
            made = _manifest(_member(tar, members, _MANIFEST).read(_LARGEST_MANIFEST))
            database = folder / _DATABASE
            with database.open("xb") as written:
                database.chmod(_PRIVATE)
                _copy_within(made.size, _member(tar, members, _DATABASE), written, archive)
    except (tarfile.TarError, EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise BackupRefused(f"{archive} is no backup, or it is damaged ({error}).") from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise BackupRefused(f"{archive} cannot be unpacked: {reason}.") from error
    if manifest_of(database, made.copy, made.made_at, made.version) != made:
        raise BackupRefused(f"{archive} is damaged: its database is not the one that was packed.")
    return made, database


def _copy_within(size: int, packed: IO[bytes], written: BinaryIO, archive: Path) -> None:
    """Unpack no more than was packed: what is larger is no backup, and would fill the disk."""
    left = size
    while piece := packed.read(_PIECE):
        left -= len(piece)
        if left < 0:
            raise BackupRefused(f"{archive} is damaged: it holds more than its manifest says.")
        written.write(piece)


@contextmanager
def _plain(archive: Path, folder: Path, key_file: Path | None) -> Iterator[BinaryIO]:
    if not is_encrypted(archive):
        with archive.open("rb") as file:
            yield file
        return
    if key_file is None:
        raise BackupRefused(f"{archive} is encrypted: name the file of its key with --key.")
    decrypted = folder / "decrypted.tar.gz"
    with archive.open("rb") as file, decrypted.open("xb") as sink:
        decrypted.chmod(_PRIVATE)
        decrypt(file, sink, key_file)
    with decrypted.open("rb") as file:
        yield file
    decrypted.unlink()


def _member(tar: tarfile.TarFile, members: Iterator[tarfile.TarInfo], name: str) -> IO[bytes]:
    member = next(members, None)
    found = tar.extractfile(member) if member is not None and member.name == name else None
    if found is None:
        raise tarfile.ReadError(f"there is no {name}")
    return found


def _pack(database: Path, made: Manifest, sink: Any, tell: Tell) -> None:
    with (
        gzip.GzipFile(fileobj=sink, mode="wb", compresslevel=_LEVEL, mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w|") as tar,
        database.open("rb") as file,
    ):
        text = _written(made)
        tar.addfile(_info(_MANIFEST, len(text), made), io.BytesIO(text))
        tar.addfile(
            _info(_DATABASE, made.size, made), cast("IO[bytes]", _Counted(file, made.size, tell))
        )


def _info(name: str, size: int, made: Manifest) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.size, info.mode, info.mtime = size, _PRIVATE, int(made.made_at.timestamp())
    return info


def _written(made: Manifest) -> bytes:
    fields = {**asdict(made), "made_at": made.made_at.isoformat(), "format": FORMAT}
    return json.dumps(fields, indent=2).encode()


def _manifest(text: bytes) -> Manifest:
    try:
        found = json.loads(text)
        copy = found["copy"]
        if found["format"] > FORMAT:
            raise BackupRefused("This backup was made by a newer Eko: upgrade this one.")
        return Manifest(
            made_at=datetime.fromisoformat(found["made_at"]),
            version=str(found["version"]),
            copy=DatabaseCopy(
                pet=str(copy["pet"]),
                schema=int(copy["schema"]),
                erasures=int(copy["erasures"]),
                counts={str(table): int(rows) for table, rows in copy["counts"].items()},
            ),
            sha256=str(found["sha256"]),
            size=int(found["size"]),
        )
    except _UNREADABLE as error:
        raise BackupRefused(f"Its manifest cannot be read ({error}).") from error


class _Sink:
    """A file as far as it is written to."""

    def __init__(self, write: Callable[[bytes], object]) -> None:
        self._write = write

    def write(self, data: bytes, /) -> int:
        self._write(data)
        return len(data)

    def flush(self) -> None:
        """The file does so itself when it is closed."""


class _Counted:
    """A file that tells how far it was read."""

    def __init__(self, file: BinaryIO, size: int, tell: Tell) -> None:
        self._file = file
        self._size = size
        self._tell = tell
        self._done = 0

    def read(self, size: int = -1) -> bytes:
        data = self._file.read(size)
        self._done += len(data)
        self._tell(self._done, self._size)
        return data

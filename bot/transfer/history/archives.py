"""Exports as zip archives: read member by member, and never unpacked."""

import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from bot.transfer.history.model import UnknownHistory

MOST_MEMBERS = 500_000
"""Members of an archive; that of a large workspace has a file for each day of each channel."""

LARGEST = 1 << 33
"""Bytes of what is read of an archive, unpacked."""

_TEXTS = (".txt", ".json", ".jsonl", ".csv", ".log", ".md", ".af", ".weechatlog")

_WHO = "users.json"
"""Says who is who, and is read before what they said."""

_BEGINNINGS = (b"PK\x03\x04", b"PK\x05\x06")

_ENCRYPTED = 1

DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError)
"""What reading a damaged or forged archive raises."""


def is_archive(path: Path) -> bool:
    """Whether a file begins as a zip archive does."""
    with path.open("rb") as file:
        return file.read(4) in _BEGINNINGS


@contextmanager
def archive_at(path: Path) -> Iterator[zipfile.ZipFile]:
    """An archive to read from.

    Raises:
        UnknownHistory: it is damaged, or has too many members.

    """
    try:
        with zipfile.ZipFile(path) as archive:
            if len(archive.infolist()) > MOST_MEMBERS:
                raise UnknownHistory(f"{path.name} has more than {MOST_MEMBERS} members.")
            yield archive
    except DAMAGED as error:
        raise UnknownHistory(f"{path.name} is damaged, or no archive that can be read.") from error


def text_members(archive: zipfile.ZipFile) -> list[str]:
    """The members that may hold talk, those that say who and where before those that say what.

    Left out are encrypted ones and those whose names lead out of the archive.
    """
    found = {
        info.filename
        for info in archive.infolist()
        if info.filename.lower().endswith(_TEXTS) and _is_safe(info)
    }
    return sorted(found, key=lambda name: (name.count("/"), not name.endswith(_WHO), name))


def check_size(archive: zipfile.ZipFile, names: Sequence[str]) -> None:
    """Refuse what unpacks to more than is read; no member gives more than it says it has.

    Raises:
        UnknownHistory: it does.

    """
    if sum(archive.getinfo(name).file_size for name in names) > LARGEST:
        raise UnknownHistory(f"It unpacks to more than {LARGEST >> 30} GiB, which is not read.")


def _is_safe(info: zipfile.ZipInfo) -> bool:
    folders = info.filename.replace("\\", "/").split("/")
    leads_out = ".." in folders or folders[0] == "" or ":" in folders[0]
    return not (leads_out or info.is_dir() or info.flag_bits & _ENCRYPTED)

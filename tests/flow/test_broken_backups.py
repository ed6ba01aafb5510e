"""A file that is no backup, or a broken one, is refused in a sentence, and fills no disk."""

import gzip
import io
import json
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bot.transfer.archive import BackupRefused
from bot.transfer.restoring import BackupToRestore, prepare
from memory.clock import FrozenClock
from tests.cast import NOON

MADE: dict[str, Any] = {
    "made_at": "2026-11-19T04:00:00+00:00",
    "version": "1",
    "copy": {"pet": "ab", "schema": 1, "erasures": 0, "counts": {"messages": 1}},
    "sha256": "0" * 64,
    "size": 1000,
    "format": 1,
}

BOMB = 50_000_000
"""Bytes of nothing, which are packed into fifty thousand."""


def packed(manifest: bytes, size: int = 1000) -> bytes:
    """An archive with this manifest, and a database of so many zeros."""
    file = io.BytesIO()
    with (
        gzip.GzipFile(fileobj=file, mode="wb") as zipped,
        tarfile.open(fileobj=zipped, mode="w|") as tar,
    ):
        for name, text in (("manifest.json", manifest), ("eko.sqlite3", b"\0" * size)):
            info = tarfile.TarInfo(name)
            info.size = len(text)
            tar.addfile(info, io.BytesIO(text))
    return file.getvalue()


def said(**fields: Any) -> bytes:
    """A manifest with other fields."""
    return json.dumps({**MADE, **fields}).encode()


def a_zip() -> bytes:
    """An archive of another kind."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("eko.sqlite3", "x")
    return file.getvalue()


BROKEN: dict[str, Callable[[], bytes]] = {
    "empty": lambda: b"",
    "random": lambda: bytes(range(256)) * 100,
    "a zip": a_zip,
    "cut off": lambda: packed(said())[:60],
    "zeros": lambda: packed(said()),
    "larger than it says": lambda: packed(said(), BOMB),
    "no such day": lambda: packed(said(made_at="2026-13-45T99:00:00")),
    "no size": lambda: packed(said(size=float("inf"))),
    "no copy": lambda: packed(said(copy=None)),
    "no counts": lambda: packed(said(copy={**MADE["copy"], "counts": [1]})),
    "no object": lambda: packed(b"[1]"),
    "too deep": lambda: packed(b"[" * 500_000),
    "no text": lambda: packed(b"\xff\xfe"),
}


@pytest.mark.parametrize("kind", BROKEN)
async def test_what_is_no_backup_is_refused_in_a_sentence(tmp_path: Path, kind: str) -> None:
    """Nothing but the working folder is written to, and little of that."""
    archive, folder = tmp_path / "backup.tar.gz", tmp_path / "data"
    archive.write_bytes(BROKEN[kind]())
    folder.mkdir()
    request = BackupToRestore(archive=archive, data_dir=folder, unjournalled=True)
    with pytest.raises(BackupRefused, match=r"\.$"):
        await prepare(request, FrozenClock(NOON))
    left = [path.stat().st_size for path in folder.rglob("*") if path.is_file()]
    assert sum(left) < BOMB / 10

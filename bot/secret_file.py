"""Secrets that the pet makes for itself: one file each, whole or not there, for this user alone."""

import os
import secrets
import tempfile
from contextlib import suppress
from pathlib import Path

import structlog

from bot.errors import FolderRefused

log = structlog.get_logger()

LEAST_CHARS = 32
"""A secret that was cut short by a full disk, or emptied, is not taken for one."""

_BYTES = 32


def secret_in(path: Path) -> str:
    """The secret of a file; one that is missing, empty or too short is made anew.

    Raises:
        FolderRefused: it can neither be read nor made; the sentence says why.

    """
    try:
        kept = _read(path)
        if len(kept) >= LEAST_CHARS:
            path.chmod(0o600)
            return kept
        if path.exists():
            log.warning("secret.replaced", path=str(path), chars=len(kept))
        return _made(path)
    except OSError as error:
        raise FolderRefused(f"{path} cannot hold a secret: {error.strerror}.") from error


def _read(path: Path) -> str:
    with suppress(FileNotFoundError):
        return path.read_bytes().decode("ascii", "ignore").strip()
    return ""


def _made(path: Path) -> str:
    """A new secret, on disk before it is used."""
    secret = secrets.token_urlsafe(_BYTES)
    _write(path, secret)
    return secret


def write_private(path: Path, text: str) -> None:
    """Put a text into a file for this user alone: a crash leaves the whole of it, or what was.

    Raises:
        FolderRefused: it cannot be written.

    """
    try:
        _write(path, text)
    except OSError as error:
        raise FolderRefused(f"{path} cannot be written: {error.strerror}.") from error


def _write(path: Path, text: str) -> None:
    handle, name = tempfile.mkstemp(path.suffix, f".{path.stem}-", path.parent)  # made as 0600
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)

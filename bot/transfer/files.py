"""The files that memory is exported to and imported from; written whole or not at all."""

import os
import shutil
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from bot.errors import BotError
from memory.model.export import LONGEST_LINE

_PRIVATE_FILE, _PRIVATE_FOLDER = 0o600, 0o700
"""What people said is for this user's eyes only."""

WritePage = Callable[[str, str], None]
"""Takes the relative name and the text of one page."""


class FileRefused(BotError):
    """A file cannot be written or read as it was asked."""


@contextmanager
def new_file(path: Path) -> Iterator[Callable[[bytes], object]]:
    """A file to write to, which has its name once the body ends without an error.

    Raises:
        FileRefused: it exists already, there is no such folder, or the system refuses.

    """
    with _unfinished(path) as beside:
        handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PRIVATE_FILE)
        with os.fdopen(handle, "wb") as file:
            yield file.write
            file.flush()
            os.fsync(file.fileno())


@contextmanager
def new_pages(path: Path) -> Iterator[WritePage]:
    """A folder of pages, or a zip file of them when its name says so; the same promises.

    Raises:
        FileRefused: it exists already, there is no such folder, or the system refuses.

    """
    with _unfinished(path) as beside:
        if path.suffix.lower() == ".zip":
            with _zipped(beside) as write:
                yield write
        else:
            beside.mkdir(mode=_PRIVATE_FOLDER)
            yield lambda name, text: _write_page(beside, name, text)


def lines_of(path: Path, longest: int = LONGEST_LINE) -> Iterator[tuple[int, bytes]]:
    """The numbered lines of a file; of one that is too long no more than shows that it is.

    Raises:
        FileRefused: it is no file that can be read.

    """
    if not path.is_file():
        raise FileRefused(f"{path} is not a file.")
    with path.open("rb") as file:
        number = 0
        while line := file.readline(longest + 1):
            number += 1
            yield number, line
            while not line.endswith(b"\n") and line:
                line = file.readline(longest)


@contextmanager
def _unfinished(path: Path) -> Iterator[Path]:
    """A name beside the one that is asked for, cleared of what an earlier try left."""
    beside = path.with_name(f".{path.name}.unfinished")
    try:
        _check(path)
        _remove(beside)
        try:
            yield beside
            beside.rename(path)
            settle_folder(path.parent)
        finally:
            _remove(beside)
    except OSError as error:  # a full disk, a folder that is not ours, a name that is too long
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise FileRefused(f"{path} cannot be written: {reason}.") from error


def settle_folder(folder: Path) -> None:
    """Have the names in a folder on disk, so that no power cut takes them back."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _check(path: Path) -> None:
    if path.exists():
        raise FileRefused(f"{path} exists already: choose another name, or remove it.")
    if not path.parent.is_dir():
        raise FileRefused(f"{path.parent} is not a folder.")


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


@contextmanager
def _zipped(path: Path) -> Iterator[WritePage]:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PRIVATE_FILE)
    with (
        os.fdopen(handle, "wb") as file,
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive,
    ):
        yield archive.writestr


def _write_page(folder: Path, name: str, text: str) -> None:
    *folders, file_name = name.split("/")
    for each in folders:
        folder /= each
        folder.mkdir(mode=_PRIVATE_FOLDER, exist_ok=True)
    handle = os.open(folder / file_name, os.O_WRONLY | os.O_CREAT, _PRIVATE_FILE)
    with os.fdopen(handle, "wb") as file:
        file.write(text.encode())

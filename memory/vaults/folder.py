"""A vault as the folder it is: the notes that are wanted, read from disk and watched."""

import asyncio
import os
import stat
from collections.abc import AsyncIterator, Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from watchfiles import Change, awatch

from memory.model.errors import NotesUnavailable, NoteTooLarge
from memory.rules.notes.chunks import Note, NoteChoice, NoteEntry
from memory.rules.notes.markdown import tags_of

SETTLE_MS = 500
"""How long a burst of changes is gathered: an editor writes a file more than once."""


class VaultFolder:
    """The notes below a folder. What leads out of it, or is hidden, is no note."""

    def __init__(self, folder: Path, *, most_bytes: int) -> None:
        self._folder = folder
        self._most_bytes = most_bytes
        self._tags: dict[str, tuple[str, frozenset[str]]] = {}
        """The tags of each note by its path, with the version they were read from."""

    @property
    def vault(self) -> str:
        """Which vault this is."""
        return f"folder:{self._folder}"

    async def entries(self, choice: NoteChoice) -> list[NoteEntry]:
        """Every wanted note; one that was not written to since it was listed is not opened.

        Raises:
            NotesUnavailable: the folder is not there, is empty or may not be read.

        """
        return await asyncio.to_thread(self._entries, choice)

    async def read(self, path: str) -> Note | None:
        """A note, or None when there is none at this path (any more).

        Raises:
            NoteTooLarge: it is larger than notes are read.

        """
        return await asyncio.to_thread(self._read, path)

    async def changes(self) -> AsyncIterator[None]:
        """Something each time that a note was written, renamed or removed.

        Raises:
            NotesUnavailable: the folder cannot be watched.

        """
        try:
            root = self._folder.resolve(strict=True)
            async for _ in awatch(root, watch_filter=_is_note_below(root), step=SETTLE_MS):
                yield None
        except (OSError, RuntimeError) as error:
            raise NotesUnavailable(f"{self._folder} cannot be watched ({error}).") from error

    def _entries(self, choice: NoteChoice) -> list[NoteEntry]:
        root = self._root()
        try:
            is_empty = not os.listdir(root)  # noqa: PTH208 - os.walk would hide that it may not
        except OSError as error:
            raise NotesUnavailable(self._unreadable(error)) from error
        if is_empty:
            raise NotesUnavailable(f"{self._folder} is empty: is the vault's disk there?")
        found = {path: _etag(status) for path, status in _notes_below(root)}
        self._tags = {path: kept for path, kept in self._tags.items() if path in found}
        return [
            NoteEntry(path=path, etag=etag)
            for path, etag in found.items()
            if choice.wants(path, self._tags_in(path, etag) if choice.tag else frozenset())
        ]

    def _tags_in(self, path: str, etag: str) -> frozenset[str]:
        kept = self._tags.get(path)
        if kept is None or kept[0] != etag:
            opened = self._opened(path)  # of a note that is too large, the tags it begins with
            tags = frozenset() if opened is None else tags_of(_text(opened[0]))
            kept = self._tags[path] = (etag, tags)
        return kept[1]

    def _root(self) -> Path:
        try:
            return self._folder.resolve(strict=True)
        except (OSError, RuntimeError) as error:
            raise NotesUnavailable(self._unreadable(error)) from error

    def _unreadable(self, error: Exception) -> str:
        return (
            f"{self._folder} cannot be read ({type(error).__name__}): "
            "check that the vault is there and may be read."
        )

    def _read(self, path: str) -> Note | None:
        opened = self._opened(path)
        if opened is None:
            return None
        raw, written_s = opened
        if len(raw) > self._most_bytes:
            raise NoteTooLarge(f"{path} is larger than {self._most_bytes} bytes.")
        text = _text(raw)
        written_at = datetime.fromtimestamp(written_s, UTC)
        return Note(path=path, text=text, tags=tags_of(text), written_at=written_at)

    def _opened(self, path: str) -> tuple[bytes, float] | None:
        """The bytes of a note, one more than it may have at most, and when it was written."""
        root = self._root()
        place = root / path
        if _is_hidden(path) or not _leads_inside(place, root):
            return None
        try:
            # Not through a link that came in meanwhile, and without waiting for a pipe.
            handle = os.open(place.resolve(), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        except OSError:
            return None
        with os.fdopen(handle, "rb") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                return None
            return file.read(self._most_bytes + 1), status.st_mtime


def _text(raw: bytes) -> str:
    """The text of a note; bytes that are none do not take the rest with them."""
    return raw.decode("utf-8", "replace")


def _is_note_below(root: Path) -> Callable[[Change, str], bool]:
    """Whether a change may be one of a note; a folder that was renamed may hold some."""

    def is_note(_change: Change, place: str) -> bool:
        path = Path(os.path.relpath(place, root)).as_posix()
        return not _is_hidden(path) and Path(path).suffix.casefold() in {".md", ""}

    return is_note


def _notes_below(root: Path) -> Iterator[tuple[str, os.stat_result]]:
    """Each note with its state; folders behind links are not entered."""
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            if name.startswith(".") or not name.casefold().endswith(".md"):
                continue
            place = Path(folder) / name
            status = _status(place, root)
            if status is not None:
                yield place.relative_to(root).as_posix(), status


def _status(place: Path, root: Path) -> os.stat_result | None:
    try:
        status = place.lstat()
        if stat.S_ISLNK(status.st_mode):
            if not _leads_inside(place, root):
                return None
            status = place.stat()
    except OSError:
        return None
    return status if stat.S_ISREG(status.st_mode) else None


def _leads_inside(place: Path, root: Path) -> bool:
    """Whether a path ends in the folder, whatever links it goes through, and nowhere hidden."""
    try:
        real = place.resolve()
    except (OSError, RuntimeError, ValueError):
        return False
    return real.is_relative_to(root) and not _is_hidden(real.relative_to(root).as_posix())


def _is_hidden(path: str) -> bool:
    return any(part.startswith(".") for part in path.split("/"))


def _etag(status: os.stat_result) -> str:
    return f"{status.st_mtime_ns:x}-{status.st_ctime_ns:x}-{status.st_size:x}"

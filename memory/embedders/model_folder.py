"""Where a local model's files are on this machine, and how they come there from another folder."""

import errno
import fcntl
import hashlib
import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, TextIO

from memory.embedders.local_models import LocalModel, PinnedFile
from memory.model.errors import ModelFilesUnavailable

MOST_TOKENS = 512
"""Tokens read of a text. Work grows with their square: models that take 8,192 have needed 8 to
50 GB for a few long texts (qdrant/fastembed issue 222)."""

LEFT_FREE = 200_000_000
"""Bytes that a download leaves free: the database must still be able to grow."""

WEIGHTS, TOKENIZER = "model.onnx", "tokenizer.json"
"""The names of the files here, whatever they are called where they come from."""

_TOKENIZER_OPTIONS = "tokenizer_config.json"
"""Written here rather than fetched: the models' own name their longest text, 8,192 and more."""

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
"""What writing says when there is no room left, on the disk or for this user."""

_LOCK = "download.lock"
"""Beside the models; held while one is fetched, and free again however that ends."""

_NOT_THERE = frozenset({errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.ELOOP})
"""What opening says when there is no such file."""

_CHUNK = 1_048_576
"""Bytes copied at a time."""

Progress = Callable[[int], None]
"""Told the bytes that are there of the whole model, as they come."""


class ModelFolder:
    """The files of one model, in a folder of their own below `root`."""

    def __init__(self, root: Path, model: LocalModel) -> None:
        self.model = model
        self.path = root / f"{model.name}-{model.fingerprint.version}"

    @property
    def is_complete(self) -> bool:
        """Whether every file is there with its size; what they hold was checked as they came."""
        sizes = [(self.file(each), each.size) for each in self.model.files]
        return self._options.exists() and all(_size(path) == size for path, size in sizes)

    def file(self, pinned: PinnedFile) -> Path:
        """Where a file of the model is, or will be."""
        return self.path / (TOKENIZER if pinned is self.model.tokenizer else WEIGHTS)

    def begun(self, pinned: PinnedFile) -> Path:
        """Where as much of a file is as has come so far."""
        return self.file(pinned).with_suffix(".part")

    def missing(self) -> Iterator[PinnedFile]:
        """The files that have to be fetched; one that is not what it must be is let go of."""
        for each in self.model.files:
            if _size(self.file(each)) != each.size or digest(self.file(each)) != each.sha256:
                self.file(each).unlink(missing_ok=True)
                yield each

    @contextmanager
    def filling(self) -> Iterator[None]:
        """Let one command at a time fill the folder; it is complete once the body has ended.

        Raises:
            ModelFilesUnavailable: another one does, there is no room, or files cannot be kept here.

        """
        with self._kept():
            self.path.mkdir(parents=True, exist_ok=True)
            with (self.path.parent / _LOCK).open("a") as lock:
                if not _is_ours(lock):
                    raise ModelFilesUnavailable(
                        f"Another command fetches a model into {self.path.parent} just now. Once "
                        "it has ended, this one can go on after it."
                    )
                self._make_room()
                yield
                self._finish()

    def _make_room(self) -> None:
        for other in self.path.parent.glob(f"{self.model.name}-*"):
            if other != self.path:
                shutil.rmtree(other, ignore_errors=True)
        to_come = sum(
            each.size - (_size(self.begun(each)) or 0)
            for each in self.model.files
            if _size(self.file(each)) != each.size
        )
        free = shutil.disk_usage(self.path).free
        if to_come and free < to_come + LEFT_FREE:
            raise ModelFilesUnavailable(
                f"There is no room for {self.model.name} in {self.path}: {_mb(to_come)} are to "
                f"come, {_mb(LEFT_FREE)} must stay free, and {_mb(free)} are. Nothing was fetched."
            )

    @contextmanager
    def writing(self, pinned: PinnedFile, start: int) -> Iterator[BinaryIO]:
        """The file that is begun, to go on with from byte `start`.

        Raises:
            ModelFilesUnavailable: it cannot be written; on a full disk nothing is left of it.

        """
        with self._kept(self.begun(pinned)), self.begun(pinned).open("ab") as file:
            file.truncate(start)
            yield file

    def keep(self, pinned: PinnedFile) -> None:
        """Put a file in its place that has come whole.

        Raises:
            ModelFilesUnavailable: it is not the file that was meant, and is let go of.

        """
        begun = self.begun(pinned)
        found = digest(begun)
        if found != pinned.sha256:
            begun.unlink()
            raise ModelFilesUnavailable(
                f"{pinned.path} of {self.model.name} is not the file that was meant: its checksum "
                f"is {found[:12]}… and should be {pinned.sha256[:12]}…. What came was not kept; "
                "try again, and if that does not help, the source has another file under this name."
            )
        begun.replace(self.file(pinned))

    def copy_from(self, folder: Path, progress: Progress) -> None:
        """Take the files from another folder, as the hub has them or as they are here.

        Raises:
            ModelFilesUnavailable: one is missing there or is another one, or there is no room.

        """
        with self.filling():
            missing = list(self.missing())
            there = self.model.size - sum(each.size for each in missing)
            for pinned in missing:
                with self._found_in(folder, pinned) as source, self.writing(pinned, 0) as written:
                    for chunk in _chunks(source):
                        written.write(chunk)
                        there += len(chunk)
                        progress(there)
                self.keep(pinned)

    def _found_in(self, folder: Path, pinned: PinnedFile) -> BinaryIO:
        for place in (folder / pinned.path, folder / self.file(pinned).name):
            try:
                return place.open("rb")
            except OSError as error:
                if error.errno not in _NOT_THERE:
                    raise _unreadable(place, error) from error
        wanted = ", ".join(f"{each.path} ({_mb(each.size)})" for each in self.model.files)
        raise ModelFilesUnavailable(
            f"{folder} has no {pinned.path}. Wanted are {wanted}, from "
            f"{self.model.repository} at revision {self.model.revision}."
        )

    def _finish(self) -> None:
        """Write what is not fetched; from now on the folder is complete."""
        options = {"model_max_length": MOST_TOKENS, "pad_token": self.model.pad_token}
        begun = self._options.with_suffix(".part")
        with self._kept(begun):
            begun.write_text(json.dumps(options), "utf-8")
            begun.replace(self._options)

    @property
    def _options(self) -> Path:
        return self.path / _TOKENIZER_OPTIONS

    @contextmanager
    def _kept(self, begun: Path | None = None) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            if error.errno not in _FULL:
                raise ModelFilesUnavailable(
                    f"{self.model.name} cannot be kept in {self.path}: "
                    f"{error.strerror or error} ({error.filename or self.path})."
                ) from error
            if begun is not None:
                begun.unlink(missing_ok=True)
            raise ModelFilesUnavailable(
                f"The disk is full: {self.model.name} has no room in {self.path}. What had come "
                "of the file was given up. Make room, and give the same command again."
            ) from error


def digest(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _chunks(source: BinaryIO) -> Iterator[bytes]:
    try:
        while chunk := source.read(_CHUNK):
            yield chunk
    except OSError as error:
        raise _unreadable(Path(source.name), error) from error


def _unreadable(path: Path, error: OSError) -> ModelFilesUnavailable:
    return ModelFilesUnavailable(f"{path} cannot be read: {error.strerror}.")


def _is_ours(lock: TextIO) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _size(path: Path) -> int | None:
    return path.stat().st_size if path.is_file() else None


def _mb(size: int) -> str:
    return f"{size / 1_000_000:.0f} MB"

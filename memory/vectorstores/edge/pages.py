"""Gives back the memory of files that are mapped but will not be read again.

Edge maps its write-ahead log and reads all of it when it opens: up to 64 MB per shard, which
would otherwise count as the worker's for as long as it runs.
"""

import ctypes
import sys
from collections.abc import Iterator
from pathlib import Path

_DONT_NEED = 4
"""MADV_DONTNEED of madvise(2): on a shared mapping of a file it forgets where the pages are and
nothing they hold; written ones stay with the kernel, read ones come back from the file."""


def release_pages(folder: Path) -> None:
    """Let go of the pages of every file of the folder that is mapped as shared, on Linux."""
    if sys.platform != "linux":
        return
    madvise = ctypes.CDLL(None).madvise
    madvise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    for start, end in _shared_ranges(folder):
        madvise(start, end - start, _DONT_NEED)


def _shared_ranges(folder: Path) -> Iterator[tuple[int, int]]:
    """The address ranges of these files, as proc_pid_maps(5) lists them."""
    within = f"{folder.resolve()}/"
    for line in Path("/proc/self/maps").read_text(encoding="utf-8", errors="replace").splitlines():
        fields = line.split(maxsplit=5)
        if len(fields) == 6 and fields[1].endswith("s") and fields[5].startswith(within):
            start, _, end = fields[0].partition("-")
            yield int(start, 16), int(end, 16)

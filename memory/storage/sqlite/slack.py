"""Overwrites what the pages of a database hold between their rows; run as a process of its own.

`secure_delete` overwrites what SQLite frees, but a page that was split keeps copies of rows that
moved away in the room that no row has. Only `VACUUM` would take these out. This overwrites such
room in place, some pages at a time, while it holds the lock to write and the write-ahead log is
empty, so that what is in the file is what there is. No row is touched, and a page that does not
look as the format says is refused (https://www.sqlite.org/fileformat2.html#b_tree_pages).

It is a process of its own because one that closes a file loses all its locks on that, SQLite's too
(https://www.sqlite.org/howtocorrupt.html#posix_advisory_locks_canceled_by_a_separate_thread_doing_close).
`python -m ... DATABASE` says "ready", reads the first and the last page of a step from each line of
standard input, and answers "done", "busy" (something was written: ask again) or "refused".
"""

import os
import sqlite3
import struct
import sys
from contextlib import closing
from pathlib import Path

_HEADERS = {2: 12, 5: 12, 10: 8, 13: 8}
"""Bytes of the header of a b-tree page, by its first byte. Overflow and free pages begin with the
number of another page, which is below `MOST_PAGES`, so with 0."""

MOST_PAGES = 1 << 24
"""64 GB; past that a page of another kind could look like one of these."""

_FILE_HEADER = 100
"""Page 1 begins with the header of the file."""

_LOCK_BYTE = 1 << 30
"""The page with this byte is never used."""

_BLOCK = struct.Struct(">HH")
_HEADER = struct.Struct(">xHHH")


class PageRefused(Exception):
    """A page is not as the format says."""


def unused(page: bytes, header: int, usable: int) -> list[tuple[int, int]]:
    """The stretches of a page that no row has; none of a page that has no rows.

    Pieces of up to three bytes between rows, and the first four of a free block, stay.

    Raises:
        PageRefused: the page is damaged, or of another kind.

    """
    if page[header] not in _HEADERS:
        return []
    block, cells, content = _HEADER.unpack_from(page, header)
    first, content = header + _HEADERS[page[header]] + 2 * cells, content or 1 << 16
    if not first <= content <= usable:
        raise PageRefused
    found = [(first, content)]
    while block:
        if not content <= block <= usable - _BLOCK.size:
            raise PageRefused
        following, size = _BLOCK.unpack_from(page, block)
        if block + size > usable or 0 < following < block + size:
            raise PageRefused
        found.append((block + _BLOCK.size, block + size))
        block = following
    return found


class Layout:
    """What the header of a file says of its pages."""

    def __init__(self, head: bytes) -> None:
        (size,) = struct.unpack_from(">H", head, 16)
        self.page_size = 1 << 16 if size == 1 else size
        self.usable = self.page_size - head[20]
        has_maps = any(head[52:56])
        self._maps_every = self.usable // 5 + 1 if has_maps else 0

    def has_rows(self, number: int) -> bool:
        """Whether a page may have rows: maps of pages, and the page of the lock, never do."""
        lock = _LOCK_BYTE // self.page_size + 1
        if number == lock:
            return False
        if not self._maps_every or number == 1:
            return True
        map_page = (number - 2) // self._maps_every * self._maps_every + 2
        return number != (map_page + 1 if map_page == lock else map_page)


def overwrite(path: Path, file: int, first: int, last: int) -> str:
    """Overwrite the unused room of these pages, unless something was written; see the module."""
    with closing(sqlite3.connect(path, timeout=0.1, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("BEGIN IMMEDIATE")
        log = path.with_name(f"{path.name}-wal")
        if log.exists() and log.stat().st_size:
            return "busy"
        layout = Layout(os.pread(file, _FILE_HEADER, 0))
        size = layout.page_size
        pages = os.pread(file, (last - first + 1) * size, (first - 1) * size)
        for at in range(0, len(pages), size):
            number, page = first + at // size, pages[at : at + size]
            if not layout.has_rows(number):
                continue
            for start, end in unused(page, _FILE_HEADER if number == 1 else 0, layout.usable):
                if page.count(0, start, end) < end - start:
                    os.pwrite(file, bytes(end - start), (first - 1) * size + at + start)
        os.fsync(file)
        # Others drop the pages they remember, which have the room as it was, once a write came.
        connection.execute(
            "UPDATE meta SET value = printf('%010d', value + 1) WHERE key = 'scrub.step'"
        )
        connection.execute("COMMIT")
    return "done"


def main() -> None:
    """Overwrite what is asked for, line by line, until standard input closes."""
    path = Path(sys.argv[1])
    file = os.open(path, os.O_RDWR)  # never closed: see the module
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    for line in sys.stdin:
        first, last = map(int, line.split())
        try:
            answer = overwrite(path, file, first, last)
        except PageRefused:
            answer = "refused"
        except sqlite3.OperationalError:
            answer = "busy"
        sys.stdout.write(f"{answer}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()

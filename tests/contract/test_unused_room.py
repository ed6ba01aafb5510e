"""What no row has is overwritten in a database's pages, and nothing else."""

import os
import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from memory.storage.sqlite.slack import Layout, PageRefused, overwrite, unused

SETTINGS = [(page, vacuum) for page in (512, 4096, 65536) for vacuum in (0, 2)]


def crowded(path: Path, page_size: int, auto_vacuum: int) -> sqlite3.Connection:
    """A database of many rows of all lengths, some of them replaced, moved and deleted."""
    drawn = random.Random(page_size + auto_vacuum)
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute(f"PRAGMA page_size = {page_size}")
    connection.execute(f"PRAGMA auto_vacuum = {auto_vacuum}")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA secure_delete = ON")
    connection.executescript(
        "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;"
        "INSERT INTO meta VALUES ('scrub.step', '0000000000');"
        "CREATE TABLE rows (id INTEGER PRIMARY KEY, text TEXT); CREATE INDEX by ON rows (text);"
        "CREATE VIRTUAL TABLE words USING fts5 (text);"
    )
    connection.execute("BEGIN")
    for number in range(3_000):
        text = f"{drawn.getrandbits(64):x} " * drawn.choice((1, 3, 10, 200))
        row = (drawn.randrange(1_000), text)
        connection.execute("INSERT OR REPLACE INTO rows VALUES (?, ?)", row)
        connection.execute("INSERT INTO words VALUES (?)", (text,))
        if number % 3 == 0:
            connection.execute("DELETE FROM rows WHERE id = ?", (drawn.randrange(1_000),))
    connection.execute("COMMIT")
    return connection


def overwrite_all(path: Path) -> None:
    """Overwrite in steps of seven pages."""
    page_size = Layout(path.read_bytes()[:100]).page_size
    pages = path.stat().st_size // page_size
    file = os.open(path, os.O_RDWR)
    for first in range(1, pages + 1, 7):
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        assert overwrite(path, file, first, min(first + 6, pages)) == "done"
    os.close(file)


def left(path: Path) -> int:
    """Bytes in the room that no row has."""
    data = path.read_bytes()
    layout, found = Layout(data[:100]), 0
    for number in range(1, len(data) // layout.page_size + 1):
        page = data[(number - 1) * layout.page_size : number * layout.page_size]
        if layout.has_rows(number):
            for start, end in unused(page, 100 if number == 1 else 0, layout.usable):
                found += end - start - page.count(0, start, end)
    return found


@pytest.mark.parametrize(("page_size", "auto_vacuum"), SETTINGS)
def test_no_byte_is_left_where_no_row_is_and_every_row_stays(
    tmp_path: Path, page_size: int, auto_vacuum: int
) -> None:
    """Whatever the size of a page, with maps of pages and without; other connections go on."""
    path = tmp_path / "it.sqlite3"
    with closing(crowded(path, page_size, auto_vacuum)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        before = list(connection.iterdump())
        assert left(path) > 0
        overwrite_all(path)
        connection.execute("UPDATE rows SET text = text || 'x' WHERE id % 50 = 0")
        connection.execute("UPDATE rows SET text = rtrim(text, 'x') WHERE id % 50 = 0")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        steps = connection.execute("SELECT value FROM meta").fetchone()
        assert int(steps[0]) > 0
        connection.execute("UPDATE meta SET value = '0000000000'")
        assert list(connection.iterdump()) == before
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        overwrite_all(path)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        assert left(path) == 0


def test_while_something_waits_in_the_log_nothing_is_touched(tmp_path: Path) -> None:
    """What is in the file is not what there is then."""
    path = tmp_path / "it.sqlite3"
    with closing(crowded(path, 4096, 2)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.execute("INSERT INTO words VALUES ('one more')")
        before = path.read_bytes()
        file = os.open(path, os.O_RDWR)
        assert overwrite(path, file, 1, 1_000) == "busy"
        os.close(file)
        assert path.read_bytes() == before


@pytest.mark.parametrize(
    "page",
    [
        b"\x0d" + b"\x00\x00\xff\xff\x00\x10\x00" + bytes(504),  # more rows than fit
        b"\x0d" + b"\x00\x00\x00\x00\xff\xff\x00" + bytes(504),  # rows past the page
        b"\x0d" + b"\x01\xfe\x00\x00\x01\x00\x00" + b"\xff" * 504,  # a free block past it
        b"\x05" + b"\x00\x05\x00\x00\x01\x00\x00" + bytes(504),  # a free block in the header
    ],
)
def test_a_page_that_is_not_as_the_format_says_is_refused(page: bytes) -> None:
    """Rather than written to."""
    with pytest.raises(PageRefused):
        unused(page, 0, 512)


def test_other_pages_have_no_such_room() -> None:
    """Overflow and free pages begin with the number of another; maps and the lock are known."""
    assert unused(bytes(512), 0, 512) == []
    head = bytearray(100)
    head[16:18], head[52:56] = b"\x10\x00", b"\x00\x00\x00\x01"
    layout = Layout(bytes(head))
    assert [layout.has_rows(number) for number in (1, 2, 3, 821, 822)] == [
        *(True, False, True, True),
        False,
    ]
    assert not layout.has_rows((1 << 30) // 4096 + 1)

"""The journal beside the backups: in order, without words, whole after any crash."""

from pathlib import Path

import pytest

from bot.transfer.erasure_journal import ErasureJournal
from bot.transfer.files import FileRefused
from memory.model.backups import Erasure, ErasureKind, ErasureStone

PET = "0123456789abcdef"

STONE = ErasureStone(
    forgetting=3,
    kind="message",
    audience="space:home",
    content=-(2**63),
    stems=(1, 2**62),
    telling="[1]",
    forgotten_at=1_790_000_000_000,
)


def erasures(first: int, last: int) -> list[Erasure]:
    """Numbered ones, each second of which has a stone."""
    return [
        Erasure(
            seq=seq,
            kind=ErasureKind.TOMBSTONE if seq % 2 else ErasureKind.MESSAGE,
            key=str(seq),
            erased=seq % 3 > 0,
            stone=STONE if seq % 2 else None,
        )
        for seq in range(first, last + 1)
    ]


def test_what_is_added_is_read_again(tmp_path: Path) -> None:
    """In order, from any number on; with none in it, it is there and says so."""
    journal = ErasureJournal(tmp_path, PET)
    assert journal.last() is None
    journal.add([])
    assert journal.last() == 0
    journal.add(erasures(1, 3))
    journal.add(erasures(4, 5))
    assert list(journal.read(0)) == erasures(1, 5)
    assert list(journal.read(3)) == erasures(4, 5)
    assert journal.last() == 5


def test_a_crash_costs_the_line_that_was_being_written(tmp_path: Path) -> None:
    """At whatever byte: the lines before it stand, and it is written anew."""
    journal = ErasureJournal(tmp_path, PET)
    journal.add(erasures(1, 3))
    whole = journal.path.read_bytes()
    for end in range(len(whole)):
        journal.path.write_bytes(whole[:end])
        last = journal.last() or 0
        journal.add(erasures(last + 1, 3))
        assert journal.path.read_bytes() == whole


def test_another_pets_journal_is_refused(tmp_path: Path) -> None:
    """Its numbers mean other rows."""
    ErasureJournal(tmp_path, PET).add(erasures(1, 1))
    other = ErasureJournal(tmp_path, "fedcba9876543210")
    ErasureJournal(tmp_path, PET).path.rename(other.path)
    with pytest.raises(FileRefused, match="another pet"):
        list(other.read(0))


def test_a_line_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    """What was forgotten must not come back because of it."""
    journal = ErasureJournal(tmp_path, PET)
    journal.add(erasures(1, 2))
    lines = journal.path.read_bytes().splitlines(keepends=True)
    journal.path.write_bytes(b"".join([lines[0], b"{}\n", lines[2]]))
    with pytest.raises(FileRefused, match="line 2"):
        list(journal.read(0))

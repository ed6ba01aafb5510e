"""Searches files for the bytes of texts; run as a process of its own.

A process that closes a file loses all its locks on it, those of SQLite too
(https://www.sqlite.org/howtocorrupt.html#posix_advisory_locks_canceled_by_a_separate_thread_doing_close),
so the daemon may not open its own database as a file. `python -m ...` reads one JSON object from
standard input, with `places` (files and folders) and `texts`, and prints for each place the
numbers of the texts that stand in it.
"""

import json
import sys
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

_CHUNK = 1 << 20
"""Bytes that are searched at once."""


def found_in(place: Path, texts: Sequence[str]) -> set[int]:
    """The numbers of the texts whose bytes stand in a file, or in any file of a folder."""
    wanted = [text.encode() for text in texts]
    found: set[int] = set()
    for path in _files(place):
        for chunk in _chunks(path, max(map(len, wanted), default=0)):
            found |= {number for number, sought in enumerate(wanted) if sought in chunk}
    return found


def _files(place: Path) -> Collection[Path]:
    if place.is_dir():
        return [path for path in sorted(place.rglob("*")) if path.is_file()]
    return [place] if place.is_file() else []


def _chunks(path: Path, overlap: int) -> Iterator[bytes]:
    """A file in chunks, each with the end of the one before; a hole of zeros is passed over."""
    try:
        with path.open("rb") as file:
            end = b""
            while chunk := file.read(_CHUNK):
                if chunk.strip(b"\0"):
                    yield end + chunk
                end = chunk[-overlap:]
    except FileNotFoundError:
        return  # the store tidies itself meanwhile


def main() -> None:
    """Search for what standard input asks for."""
    asked = json.load(sys.stdin)
    found = [sorted(found_in(Path(place), asked["texts"])) for place in asked["places"]]
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()

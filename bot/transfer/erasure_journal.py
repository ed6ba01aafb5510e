"""The journal beside the backups: what was forgotten or muted since, so that none brings it back.

One JSON object a line, without words: first the pet it is of, then an erasure each, in order.
"""

import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path

from bot.transfer.files import FileRefused
from memory.model.backups import Erasure, ErasureKind, ErasureStone

_PRIVATE = 0o600


def journal_path(folder: Path, pet: str) -> Path:
    """Where the journal of a pet is among its backups."""
    return folder / f"eko-{pet}.forgotten.jsonl"


class ErasureJournal:
    """The journal of one pet in one folder."""

    def __init__(self, folder: Path, pet: str) -> None:
        self.path = journal_path(folder, pet)
        self._pet = pet

    def last(self) -> int | None:
        """The number of the last erasure in it; 0 if it has none, None if there is no journal.

        Raises:
            FileRefused: it cannot be read.

        """
        if not self.path.exists():
            return None
        return max((one.seq for one in self.read(0)), default=0)

    def read(self, after: int) -> Iterator[Erasure]:
        """The erasures after one. A last line that was cut short by a crash is not there.

        Raises:
            FileRefused: it is of another pet, or a line cannot be read.

        """
        with self.path.open("rb") as file:
            for number, line in enumerate(file):
                if not line.endswith(b"\n"):
                    return
                found = self._read(number, line)
                if found is not None and found.seq > after:
                    yield found

    def add(self, erasures: Iterable[Erasure]) -> None:
        """Write down more, on disk when it returns.

        Raises:
            FileRefused: the system refuses.

        """
        try:
            handle = os.open(self.path, os.O_RDWR | os.O_CREAT, _PRIVATE)
            with os.fdopen(handle, "r+b") as file:
                _to_the_end(file.fileno(), self.path)
                file.seek(0, os.SEEK_END)
                if not file.tell():
                    file.write(_line({"pet": self._pet}))
                file.writelines(_line(_fields(one)) for one in erasures)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise FileRefused(f"{self.path} cannot be written: {error.strerror}.") from error

    def _read(self, number: int, line: bytes) -> Erasure | None:
        try:
            found = json.loads(line)
            if number:
                return _erasure(found)
            if found["pet"] == self._pet:
                return None
        except (ValueError, KeyError, TypeError) as error:
            raise FileRefused(f"{self.path}, line {number + 1}: cannot be read.") from error
        raise FileRefused(f"{self.path} is of another pet.")


def _to_the_end(handle: int, path: Path) -> None:
    """Cut off a last line that a crash left unfinished."""
    text = path.read_bytes()
    os.ftruncate(handle, text.rfind(b"\n") + 1)


def _fields(one: Erasure) -> dict[str, object]:
    fields: dict[str, object] = {
        "seq": one.seq,
        "kind": one.kind,
        "key": one.key,
        "erased": one.erased,
    }
    return fields if one.stone is None else {**fields, "stone": asdict(one.stone)}


def _erasure(found: dict[str, object]) -> Erasure:
    stone = found.get("stone")
    return Erasure(
        seq=int(str(found["seq"])),
        kind=ErasureKind(str(found["kind"])),
        key=str(found["key"]),
        erased=bool(found["erased"]),
        stone=_stone(stone) if isinstance(stone, dict) else None,
    )


def _stone(found: dict[str, object]) -> ErasureStone:
    fields = {**found, "stems": tuple(found["stems"])}  # type: ignore[arg-type]
    return ErasureStone(**fields)  # type: ignore[arg-type]


def _line(fields: dict[str, object]) -> bytes:
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"

"""The mark on a data folder that a benchmark has filled, so that it is reused and no other is."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self

_NAME = "benchmark.json"


_ASKED_OF = 8
"""Memories for each question that is asked: a small folder only shows that all of it runs."""


def asked_of(folder: Path, most: int) -> int:
    """How many questions a filled folder is asked: fewer where there is little in it."""
    mark = Mark.on(folder)
    return most if mark is None else max(1, min(most, mark.memories // _ASKED_OF))


class NotFilled(Exception):
    """A folder that a benchmark must not touch, or must not take for one it has filled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """How much was invented in a folder, and from which seed."""

    memories: int
    seed: int

    def leave(self, folder: Path) -> None:
        """Write down that the folder holds all of this."""
        (folder / _NAME).write_text(json.dumps(asdict(self)), "utf-8")

    @classmethod
    def on(cls, folder: Path) -> Self | None:
        """The mark on a folder; None when there is nothing in it yet.

        Raises:
            NotFilled: the folder holds something else, or a filling that was not finished.

        """
        if (folder / _NAME).exists():
            return cls(**json.loads((folder / _NAME).read_text("utf-8")))
        if folder.exists() and any(folder.iterdir()):
            raise NotFilled(f"{folder} is not empty and was not filled by a benchmark.")
        return None

"""The set of talk with a pet that has no model, as tests/data/companion has it."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, Literal, get_args

from benchmarks.checkout import ROOT

Half = Literal["tune", "held", "fresh", "review", "sealed", "later", "last"]
HALVES: tuple[Half, ...] = get_args(Half)
FITTED: tuple[Half, ...] = ("tune", "fresh")
"""What may be looked at and fitted to; the other half is measured only."""
LANGUAGES = ("en", "fr")

_FOLDER = ROOT / "tests" / "data" / "companion"
_UNITS = {
    "w": timedelta(weeks=1),
    "m": timedelta(minutes=1),
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldLine:
    """A line that was said so long `ago`, in the `lobby`, in a `direct` room or of the `self`."""

    by: str
    where: str
    ago: timedelta
    text: str
    to_pet: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Encounter:
    """What is said to the pet after some lines, and how its reply is judged.

    A reply is right that has one of `answers` in its first line and none of `misleading`.
    """

    id: str
    kind: str
    told: tuple[ToldLine, ...]
    by: str
    where: str
    text: str
    answers: tuple[str, ...] = ()
    misleading: tuple[str, ...] = ()
    good: str = ""
    bad: str = ""


def encounters(what: str, language: str, half: Half) -> list[Encounter]:
    """The entries of one file: `utterances`, `questions`, `unknown`, of a half; or `dialogues`."""
    name = what if what == "dialogues" else f"{half}-{what}"
    return list(_read(_FOLDER / language / f"{name}.jsonl"))


def _read(path: Path) -> Iterator[Encounter]:
    for number, line in enumerate(path.read_text("utf-8").splitlines()):
        given = json.loads(line)
        yield Encounter(
            id=given.get("id", f"{path.parent.name}-{number:03}"),
            kind=given.get("dialogue") or given.get("kind", ""),
            told=tuple(map(_told, given["told"])),
            by=given["by"],
            where=given["where"],
            text=given["text"],
            answers=tuple(given.get("answer", ())),
            misleading=tuple(given.get("not", ())),
            good=given.get("good", ""),
            bad=given.get("bad", ""),
        )


def ago_of(written: str) -> timedelta:
    """How long ago, written as a number and a unit: `40d`, `5w`, `3h`, `20m`."""
    return int(written[:-1]) * _UNITS[written[-1]]


def _told(given: Mapping[str, Any]) -> ToldLine:
    return ToldLine(
        by=given["by"],
        where=given["where"],
        ago=ago_of(given["ago"]),
        text=given["text"],
        to_pet=given.get("to_pet", False),
    )

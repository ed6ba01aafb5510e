"""The French question set of tests/data/french: what a community said, and what it asks later."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, get_args

from benchmarks.checkout import ROOT
from memory.model.statements import MemoryType

FOLDER = ROOT / "tests" / "data" / "french"
"""Where the set is, and how it was written."""

Language = Literal["fr", "en"]
Kind = Literal["plain", "paraphrase", "alias", "time", "multi"]
Split = Literal["tune", "report"]

KINDS: tuple[Kind, ...] = get_args(Kind)
SPLITS: tuple[Split, ...] = get_args(Split)


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One memory of the set, as a digest or a person would leave it."""

    id: str
    content: str
    subjects: tuple[str, ...]
    said_by: str
    memory_type: MemoryType
    at: datetime
    language: Language


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One question of the set, with the ids of every statement that answers it.

    `cross_lingual` is true when no answer is in the language of the question.
    """

    id: str
    text: str
    asked_by: str
    at: datetime
    answers: tuple[str, ...]
    language: Language
    cross_lingual: bool
    kind: Kind
    split: Split


def statements() -> list[Statement]:
    """Every statement, oldest first."""
    return sorted(map(_statement, _rows("memories")), key=lambda one: one.at)


def questions(splits: Sequence[Split] = SPLITS) -> list[Asked]:
    """The questions of some halves, earliest first."""
    asked = map(_asked, _rows("questions"))
    return sorted((one for one in asked if one.split in splits), key=lambda one: one.at)


def _rows(name: str) -> Iterator[dict[str, Any]]:
    text = (FOLDER / f"{name}.jsonl").read_text("utf-8")
    return map(json.loads, text.splitlines())


def _statement(row: dict[str, Any]) -> Statement:
    read = {
        "subjects": tuple(row["subjects"]),
        "memory_type": MemoryType(row["memory_type"]),
        "at": datetime.fromisoformat(row["at"]),
    }
    return Statement(**row | read)


def _asked(row: dict[str, Any]) -> Asked:
    read = {"answers": tuple(row["answers"]), "at": datetime.fromisoformat(row["at"])}
    return Asked(**row | read)

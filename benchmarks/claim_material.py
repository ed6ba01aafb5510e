"""What people say, as claims: the material of tests/data/claims, cut into examples to fit on."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memory.claims.clauses import OwnClause, clauses_of
from memory.model.claims import Slot, Status

MANNERS = "manners"
"""The folder beside the material which has what is said to a pet."""

WITHOUT_CLAIM = frozenset(
    """
    greeting how_are_you thanks wrong can_do insult apology agreement laughter machine advice beyond
    person_or_bot opinion joke_wanted hush good_night creative love life clock memory_how tease
    musing maker gender forget age watching privacy fondness farewell countdown well_wishing taste
    probing pictures forget_how secret play languages flirt affection back sum_up lobby identity
    world asks_told_me asks_told_other asks_told_group date joke_told
    """.split()  # noqa: SIM905 - a list of words
)
"""What is said to a pet without saying anything of oneself, by the names of tests/data/manners."""

_WEIGHTS = (("train-p", 2.0), ("train-s", 0.3))
"""What an example of some files counts: pairs tell most, plain sentences are much alike."""

_COVERED = 0.6
"""How much of a claim's clause a part has to hold to be an example of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimExample:
    """A clause, with what it claims; no slot where it claims nothing."""

    clause: OwnClause
    slots: frozenset[Slot] = frozenset()
    status: Status = Status.HOLDS
    of_self: bool = False
    weight: float = 1.0

    @property
    def is_stated(self) -> bool:
        """Whether something is claimed that is true in one way or another."""
        return bool(self.slots) and self.status.is_stated


@dataclass(frozen=True, slots=True)
class WantedExample:
    """A question with the slot it asks for; None where it asks nothing of people."""

    text: str
    slot: Slot | None


def read(path: Path) -> list[dict[str, Any]]:
    """The entries of a file."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line]


def material(folder: Path, half: str, what: str) -> list[dict[str, Any]]:
    """The entries of a half: `natural`, `changes`, `unchanged`, `traps`, `talks` and so on."""
    return read(folder / f"{half}-{what}.jsonl")


def training(folder: Path) -> list[ClaimExample]:
    """What may be fitted to: the training files, and what is said to a pet without a claim."""
    found: list[ClaimExample] = []
    for path in sorted(folder.glob("*/train-*.jsonl")):
        weight = next((one for name, one in _WEIGHTS if path.stem.startswith(name)), 1.0)
        for entry in read(path):
            found += _examples(entry, weight)
    for path in sorted((folder.parent / MANNERS).glob("*/?.tsv")):
        for line in path.read_text("utf-8").splitlines():
            act, _, text = line.partition("\t")
            if act in WITHOUT_CLAIM:
                found.append(ClaimExample(clause=OwnClause(text, 0, len(text))))
    return found


def questions(folder: Path) -> list[WantedExample]:
    """The questions with what they want to know, of all languages."""
    return [
        WantedExample(one["text"], None if one["slot"] == "none" else Slot(one["slot"]))
        for path in sorted(folder.glob("*/questions.jsonl"))
        for one in read(path)
    ]


def _examples(entry: dict[str, Any], weight: float) -> Iterator[ClaimExample]:
    text = entry["text"]
    claims = [
        (at, at + len(one["clause"]), one)
        for one in entry["claims"]
        if (at := text.find(one["clause"])) >= 0 and one["slot"] in set(Slot)
    ]
    clauses = dict.fromkeys([OwnClause(text, start, end) for start, end, _ in claims])
    for clause in clauses | dict.fromkeys(clauses_of(text)):
        shared = [
            (min(clause.end, to) - max(clause.start, at), to - at, one)
            for at, to, one in claims
            if min(clause.end, to) > max(clause.start, at)
        ]
        held = [one for common, size, one in shared if common >= _COVERED * size]
        if shared and not held:
            continue  # a piece of a claim says neither that nor nothing
        yield ClaimExample(
            clause=clause,
            slots=frozenset(Slot(one["slot"]) for one in held),
            status=Status(held[0]["status"]) if held else Status.HOLDS,
            of_self=bool(held) and held[0]["about"] == "self",
            weight=weight,
        )

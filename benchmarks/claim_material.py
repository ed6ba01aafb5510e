"""What people say, as claims: the material of tests/data/claims, cut into examples to fit on."""

import json
import random
import re
from collections.abc import Iterator, Mapping, Sequence
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

_WEIGHTS = (("train-p", 2.0), ("train-s", 0.6))
"""What an example of some files counts: pairs tell most, plain sentences are much alike."""

_PLAIN = "train-s"

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
        swaps = _Swaps(folder, path.parent.name, plain=path.stem == _PLAIN)
        for entry in read(path):
            found += _examples(entry, weight)
            for swapped in swaps.of(entry):
                found += _examples(swapped, weight)
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


class _Swaps:
    """Messages once more with another value in the place of one: no city tells a joke from a home.

    `folder` has the values; of messages that are not `plain` only places and names are swapped.
    """

    def __init__(self, folder: Path, language: str, *, plain: bool) -> None:
        self._values = _values(folder / "values.tsv", language)
        self._plain = plain
        self._chance = random.Random(language)

    def of(self, entry: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """The message with other values; nothing where it has none that may be swapped."""
        claims = [one for one in entry["claims"] if self._others(one)]
        if claims:
            for _ in range(_COPIES if self._plain else 1):
                yield self._in_haste(self._swapped(entry, claims))
        elif self._plain:
            yield self._in_haste(entry)

    def _others(self, claim: Mapping[str, Any]) -> Sequence[str]:
        """What may stand in the place of the value of a claim."""
        slot, value = claim["slot"], claim["value"] or ""
        if value == claim["clause"] or f" {value}" not in claim["clause"]:
            return ()
        kind = (_OF_PLAIN if self._plain else _OF_ANY).get(slot, "")
        if kind in {"city", "name"} and not self._plain and not _NAMED.fullmatch(value):
            return ()
        return self._values.get(kind, ())

    def _swapped(self, entry: dict[str, Any], claims: Sequence[Any]) -> dict[str, Any]:
        """One copy, in the writing of the message."""
        new = {one["value"]: self._chance.choice(self._others(one)) for one in claims}
        if entry["text"].islower():
            new = {old: value.lower() for old, value in new.items()}
        return entry | {
            "text": _replaced(entry["text"], new),
            "claims": [one | {"clause": _replaced(one["clause"], new)} for one in entry["claims"]],
        }

    def _in_haste(self, entry: dict[str, Any]) -> dict[str, Any]:
        """A plain message as it may be typed in haste; another as it is."""
        if not self._plain or self._chance.random() < _HALF:
            return entry
        typed = {said: self._chance.choice(ways) for said, ways in _HASTY.items()}
        return entry | {
            "text": _typed(entry["text"], typed),
            "claims": [one | {"clause": _typed(one["clause"], typed)} for one in entry["claims"]],
        }


def _typed(text: str, typed: Mapping[str, str]) -> str:
    for said, way in typed.items():
        text = re.sub(said, way, text, flags=re.IGNORECASE)
    return text


def _replaced(text: str, new: Mapping[str, str]) -> str:
    for old, value in new.items():
        text = re.sub(rf"(?<!\w){re.escape(old)}(?!\w)", value, text)
    return text


def _values(path: Path, language: str) -> Mapping[str, Sequence[str]]:
    """The values of each kind in a language."""
    rows = [line.split("\t") for line in path.read_text("utf-8").splitlines()]
    return {row[0]: row[2].split(",") for row in rows if len(row) > 1 and row[1] in {"*", language}}


_COPIES = 4
_HALF = 0.5
_HASTY = {
    r"\bje suis\b": ("chuis", "jsuis", "j'suis", "chui", "je suis"),
    r"\bj'(?=\w)": ("j", "j ", "j'"),
    r"\bje (?=[bcdfgklmnprstv])": ("j", "je ", "je "),
    r"\bc'est\b": ("cest", "c est", "c'est"),
    r"\b([lmnstd])'(?=\w)": (r"\1 ", r"\1'", r"\1"),
    r"\bi'm\b": ("im", "i'm", "Im", "i am"),
    r"\bi've\b": ("ive", "i've"),
    r"\bdon't\b": ("dont", "don't"),
}
"""How words are typed in haste."""
_NAMED = re.compile(r"[A-ZÀ-Ý][\w'-]+(?: [A-ZÀ-Ý][\w'-]+)?")
_OF_ANY = {
    "home": "city",
    "origin": "city",
    "name": "name",
    "nickname": "name",
    "pet": "name",
    "family": "name",
    "partner": "name",
}
"""The kind of value by the slot of a claim."""
_OF_PLAIN = _OF_ANY | {
    "work": "work",
    "employer": "employer",
    "language": "language",
    "study": "study",
    "like": "liked",
    "dislike": "liked",
}


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

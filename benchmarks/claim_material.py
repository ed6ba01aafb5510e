"""What people say, as claims: the material of tests/data/claims, cut into examples to fit on."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

MANNERS = "manners"
"""The folder beside the material which has what is said to a pet."""

SLOTS = tuple(
    """
    name nickname home origin work employer study age birthday family partner pet health diet like
    dislike hobby possession language plan loss habit other
    """.split()  # noqa: SIM905 - a list of words
)

STATUSES = ("holds", "planned", "past", "ended", "wished", "joked", "quoted", "asked")

STATED = frozenset(("holds", "planned", "past", "ended"))
"""Statuses of what is true in one way or another; the others state nothing of their author."""

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

_SENTENCE = re.compile(
    r"(?<=[.!?…])[\"»”)]*\s+|\n+|\s+[-–—]+\s+|\s*;\s*|(?<=[\U0001F300-\U0001FAFF☀-➿])\s+(?=\w)"
)
_PART = re.compile(
    r",\s+|\s+(?=(?:and|but|so|because|cos|then|et|mais|donc|parce que|puis|du coup|car|while"
    r"|though|which|who|where|with my|avec mon|avec ma|alors que|sauf que)\s)|\s*[(:]\s+",
    re.IGNORECASE,
)

_SHORTEST = 3
"""Words of a part: a shorter one belongs to what stands before it."""

_COVERED = 0.6
"""How much of a claim's clause a part has to hold to be an example of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimExample:
    """A part of a message, with what it claims; no slot where it claims nothing."""

    text: str
    start: int
    end: int
    slots: frozenset[str] = frozenset()
    status: str = ""
    of_self: bool = False
    weight: float = 1.0

    @property
    def part(self) -> str:
        """The words themselves."""
        return self.text[self.start : self.end]

    @property
    def is_stated(self) -> bool:
        """Whether something is claimed that is true in one way or another."""
        return bool(self.slots) and self.status in STATED


def read(path: Path) -> list[dict[str, Any]]:
    """The entries of a file."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line]


def material(folder: Path, half: str, what: str) -> list[dict[str, Any]]:
    """The entries of a half: `natural`, `changes`, `unchanged`, `traps`, `talks` and so on."""
    return read(folder / f"{half}-{what}.jsonl")


def parts_of(text: str) -> list[tuple[int, int]]:
    """The sentences of a message and their parts, as places in it."""
    found: list[tuple[int, int]] = []
    for start, end in _cut(_SENTENCE, text, 0, len(text)):
        found.append((start, end))
        joined: list[tuple[int, int]] = []
        for part in _cut(_PART, text, start, end):
            if joined and len(text[slice(*part)].split()) < _SHORTEST:
                joined[-1] = (joined[-1][0], part[1])
            else:
                joined.append(part)
        found += joined if len(joined) > 1 else []
    return [one for one in found if text[slice(*one)].strip()]


def _cut(pattern: re.Pattern[str], text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    place = start
    for found in pattern.finditer(text, start, end):
        if found.start() > place:
            yield place, found.start()
        place = found.end()
    if place < end:
        yield place, end


def training(folder: Path) -> list[ClaimExample]:
    """What may be fitted to: the training files, and what is said to a pet without a claim."""
    found: list[ClaimExample] = []
    for path in sorted(folder.glob("*/train-*.jsonl")):
        weight = 2.0 if path.stem == "train-p" else 1.0
        for entry in read(path):
            found += _examples(entry, weight)
    for path in sorted((folder.parent / MANNERS).glob("*/?.tsv")):
        for line in path.read_text("utf-8").splitlines():
            act, _, text = line.partition("\t")
            if act in WITHOUT_CLAIM:
                found.append(ClaimExample(text=text, start=0, end=len(text)))
    return found


def _examples(entry: dict[str, Any], weight: float) -> Iterator[ClaimExample]:
    text = entry["text"]
    claims = [
        (at, at + len(one["clause"]), one)
        for one in entry["claims"]
        if (at := text.find(one["clause"])) >= 0 and one["slot"] in SLOTS
    ]
    places = dict.fromkeys([(start, end) for start, end, _ in claims] + parts_of(text))
    for start, end in places:
        shared = [
            (min(end, to) - max(start, at), to - at, one)
            for at, to, one in claims
            if min(end, to) > max(start, at)
        ]
        held = [one for common, size, one in shared if common >= _COVERED * size]
        if shared and not held:
            continue  # a piece of a claim says neither that nor nothing
        yield ClaimExample(
            text=text,
            start=start,
            end=end,
            slots=frozenset(one["slot"] for one in held),
            status=held[0]["status"] if held else "",
            of_self=bool(held) and held[0]["about"] == "self",
            weight=weight,
        )

"""Pairs of plain statements of which the second ends the first or does not, made of patterns.

`tests/data/claims/*/plain-changes.toml` has the patterns. A pair of one matter that names the same
thing is a change; of another thing, another matter or another person it is none.
"""

import random
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

NAMES = ("Maria", "Luc Moreau", "Peter", "Lola", "Karim", "Nora", "Ivy", "Omar", "Zoé", "Li Wei")

_OF_EACH = 10
"""Changes of each matter, in each person; there are as many pairs that are none."""

_SOLE = "sole"


def plain_pairs(folder: Path) -> Iterator[tuple[str, str, str]]:
    """An earlier statement, a later one, and whether that `ends` it or the first `stays`."""
    table = tomllib.loads((folder / "plain-changes.toml").read_text("utf-8"))
    chance = random.Random(folder.name)
    matters = [(kind, one) for kind, those in table.items() for one in those]
    for kind, matter in matters:
        others = [one for _, one in matters if one is not matter]
        for _ in range(_OF_EACH):
            for person in ("", "own_"):
                yield from _pairs(chance, kind, matter, chance.choice(others), person)


def _pairs(
    chance: random.Random,
    kind: str,
    matter: Mapping[str, Any],
    other: Mapping[str, Any],
    person: str,
) -> Iterator[tuple[str, str, str]]:
    holds, ends = ("own", "own_ends") if person else ("holds", "ends")
    value, new, third = _drawn(chance, matter["values"])
    one, another = chance.sample(NAMES, 2)

    def said(by: str, of: Mapping[str, Any], key: str, value: str, new: str) -> str:
        words = str(chance.choice(of[key])).replace("{v}", value).replace("{w}", new)
        return words if person else f"{by} {words}."

    held = said(one, matter, holds, value, new)
    yield held, said(one, matter, ends, value, new), "ends"
    far, farther, _ = _drawn(chance, other["values"])
    yield held, said(one, other, chance.choice((holds, ends)), far, farther), "stays"
    if not person:
        yield held, said(another, matter, ends, value, new), "stays"
    if kind != _SOLE:
        yield held, said(one, matter, chance.choice((holds, ends)), new, third), "stays"


def _drawn(chance: random.Random, values: Sequence[str]) -> tuple[str, str, str]:
    """Three different values, as far as there are so many."""
    drawn = chance.sample(values, min(3, len(values)))
    return drawn[0], drawn[1], drawn[-1]

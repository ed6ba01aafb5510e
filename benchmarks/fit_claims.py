"""How much a fitted head reads of what people say: `python -m benchmarks.fit_claims FOLDER`.

The folder is `tests/data/claims`. Fits `benchmarks/claim_head.py` on its training files, whose
authors wrote none of the halves, and prints for each language and half, at several chances from
which a claim counts: how many natural messages give a claim that is true in one way or another, how
many of these have the right slot, and how many look-alikes are taken for something that is true now
of their author. The half `held` is read with `--held` alone. `--show` prints the look-alikes that
are taken at that chance.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.claim_head import ClaimHead, Read, seen
from benchmarks.claim_material import (
    SLOTS,
    STATED,
    STATUSES,
    ClaimExample,
    material,
    parts_of,
    training,
)

_CHANCES = (0.4, 0.5, 0.6, 0.7, 0.8)

_LIKELY = 0.4
"""From this chance on a slot is one of those read, beside the likeliest."""

_OVER = tuple(STATUSES.index(one) for one in ("past", "ended"))


def report(head: ClaimHead, folder: Path, half: str, show: float | None) -> None:
    """Print what is read of one half in one language."""
    natural = material(folder, half, "natural")
    traps = material(folder, half, "traps")
    told, told_rows = _parts(natural)
    lured, lured_rows = _parts(traps)
    of_told, of_lured = head.read(seen(told)), head.read(seen(lured))
    for chance in _CHANCES:
        found = [_slots(of_told, _among(told_rows, row), chance) for row in range(len(natural))]
        wanted = [_first_slot(one) for one in natural]
        asked = [(slots, slot) for slots, slot in zip(found, wanted, strict=True) if slot]
        taken = [
            one
            for row, one in enumerate(traps)
            if any(_is_taken(of_lured, place, chance) for place in _among(lured_rows, row))
        ]
        print(
            f"{folder.name} {half} {chance}: read {sum(bool(slots) for slots, _ in asked)} of"
            f" {len(asked)}, slot {sum(slot in slots for slots, slot in asked)};"
            f" look-alikes taken {len(taken)} of {len(traps)}",
            flush=True,
        )
        if show == chance:
            print("\n".join(f"    {one['trap']}: {one['text']}" for one in taken))


def _parts(entries: Sequence[dict[str, Any]]) -> tuple[list[ClaimExample], list[int]]:
    """The parts of all messages, and the entry of each."""
    places = [
        (row, ClaimExample(text=one["text"], start=start, end=end))
        for row, one in enumerate(entries)
        for start, end in parts_of(one["text"])
    ]
    return [part for _, part in places], [row for row, _ in places]


def _among(rows: Sequence[int], row: int) -> list[int]:
    return [place for place, one in enumerate(rows) if one == row]


def _slots(found: Read, places: Sequence[int], chance: float) -> set[str]:
    """The slots of what is read in a message."""
    slots: set[str] = set()
    for place in places:
        if found.stated[place] >= chance:
            likely = found.slots[place] >= _LIKELY
            likely[np.argmax(found.slots[place])] = True
            slots |= {SLOTS[at] for at in np.flatnonzero(likely)}
    return slots


def _first_slot(entry: dict[str, Any]) -> str | None:
    return next((one["slot"] for one in entry["claims"] if one["status"] in STATED), None)


def _is_taken(found: Read, place: int, chance: float) -> bool:
    """Whether a part is taken for something that is true now of its author."""
    is_over = int(np.argmax(found.statuses[place])) in _OVER
    return bool(found.stated[place] >= chance and found.of_self[place] >= 0.5 and not is_over)


def main() -> None:
    """Fit, and print what is read of each language."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--held", action="store_true", help="measure the held half")
    parser.add_argument("--show", type=float, help="print what is taken at this chance")
    chosen = parser.parse_args()
    examples = training(chosen.folder)
    head = ClaimHead().fit(examples, seen(examples))
    for language in ("en", "fr"):
        half = "held" if chosen.held else "tune"
        report(head, chosen.folder / language, half, chosen.show)


if __name__ == "__main__":
    main()

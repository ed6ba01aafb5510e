"""Fits what reads claims, and prints how much it reads: `python -m benchmarks.fit_claims FOLDER`.

The folder is `tests/data/claims`. Fits `memory/claims/head.py` on the training files, whose
authors wrote none of the halves, and writes the weights beside it. Then prints for each language
and half, at several chances from which a claim counts: how many natural messages give a claim that
is true in one way or another, how many of these have the right slot, and how many look-alikes are
taken for something that is true now of their author; how many questions of the half are read as
ones for the slot that they are about; and of plain sentences how many are read, and of plain lines
that state nothing how many are taken for one. The half `held` is read with `--held` alone; it has
German, which nothing is fitted to. `--check` fits nothing and reads with the weights that there
are, in the file of `--to`; `--show` prints the look-alikes that are taken at that chance.
"""

import argparse
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

from benchmarks.claim_head import fit_clauses, fit_questions
from benchmarks.claim_material import material, questions, training
from memory.claims import head, reader
from memory.claims.features import seen_clauses, seen_questions
from memory.claims.head import heads_in
from memory.claims.reader import read_claims, wanted_slots
from memory.model.claims import SURELY, Claim, Slot, Status

WEIGHTS = Path(head.__file__).parent / head.WEIGHTS

_CHANCES = (0.5, 0.7, 0.8, 0.9, 0.95)

_NOTHING = "none"
"""The slot of what states nothing."""


def fit(folder: Path, weights: Path) -> None:
    """Fit both heads on a folder, and write their weights."""
    examples = training(folder)
    clauses = fit_clauses(examples, seen_clauses([one.clause for one in examples]))
    asked = questions(folder)
    wanted = fit_questions(asked, seen_questions([one.text for one in asked]))
    np.savez_compressed(weights, **clauses.written("clauses"), **wanted.written("questions"))


def report(folder: Path, half: str, show: float | None) -> None:
    """Print what is read of one half in one language."""
    natural = material(folder, half, "natural")
    traps = material(folder, half, "traps")
    told = read_claims([one["text"] for one in natural])
    lured = read_claims([one["text"] for one in traps])
    wanted = [_first_slot(one) for one in natural]
    for chance in _CHANCES:
        found = [_slots(claims, chance) for claims, slot in zip(told, wanted, strict=True) if slot]
        slots = [slot for slot in wanted if slot]
        right = sum(slot in those for those, slot in zip(found, slots, strict=True))
        taken = [one for one, claims in zip(traps, lured, strict=True) if _is_taken(claims, chance)]
        print(
            f"{folder.name} {half} {chance}: read {sum(map(bool, found))} of {len(found)},"
            f" slot {right}; look-alikes taken {len(taken)} of {len(traps)}",
            flush=True,
        )
        if show == chance:
            print("\n".join(f"    {one['trap']}: {one['text']}" for one in taken))
    asked = [(one["ask"], slot) for one, slot in zip(natural, wanted, strict=True) if slot]
    first = [(wanted_slots(text), slot) for text, slot in asked]
    known = sum(any(one.slot == slot for one in found) for found, slot in first)
    print(f"{folder.name} {half}: questions for their slot {known} of {len(asked)}", flush=True)
    if (folder / f"{half}-plain.jsonl").exists():
        _report_plain(folder.name, material(folder, half, "plain"))


def _report_plain(language: str, plain: Sequence[dict[str, Any]]) -> None:
    """Print how many plain sentences are surely read, with their slot, and how many of others."""
    read = [_slots(claims, SURELY) for claims in read_claims([one["text"] for one in plain])]
    found = Counter(
        (one["slot"] != _NOTHING, bool(slots), one["slot"] in slots)
        for one, slots in zip(plain, read, strict=True)
    )
    told = sum(count for (is_told, _, _), count in found.items() if is_told)
    with_slot = found[True, True, True]
    print(
        f"{language} plain {SURELY}: read {with_slot + found[True, True, False]} of {told},"
        f" slot {with_slot}; taken {found[False, True, False]} of {len(plain) - told}",
        flush=True,
    )


def _slots(claims: Sequence[Claim], chance: float) -> set[Slot]:
    """The slots of what is stated."""
    return {one.slot for one in claims if one.status.is_stated and one.certainty >= chance}


def _first_slot(entry: dict[str, Any]) -> str | None:
    stated = (one["slot"] for one in entry["claims"] if Status(one["status"]).is_stated)
    return next(stated, None)


def _is_taken(claims: Sequence[Claim], chance: float) -> bool:
    """Whether a claim is taken for something that is true now of its author."""
    return any(
        one.certainty >= chance
        and one.of_author
        and one.status.is_stated
        and not one.status.is_over
        for one in claims
    )


def main() -> None:
    """Fit, and print what is read of each language."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--held", action="store_true", help="measure the held half")
    parser.add_argument("--check", action="store_true", help="fit nothing")
    parser.add_argument("--to", type=Path, default=WEIGHTS, help="the file of weights to write")
    parser.add_argument("--show", type=float, help="print what is taken at this chance")
    chosen = parser.parse_args()
    if not chosen.check:
        fit(chosen.folder, chosen.to)
    half = "held" if chosen.held else "tune"
    with chosen.to.open("rb") as file:
        heads = heads_in(file)
    with patch.object(reader, "load_heads", return_value=heads):
        for folder in sorted(chosen.folder.iterdir()):
            if (folder / f"{half}-natural.jsonl").exists():
                report(folder, half, chosen.show)


if __name__ == "__main__":
    main()

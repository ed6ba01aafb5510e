"""Compares recall with a plain fusion in every kind of talk: `python -m benchmarks.talks FOLDER`.

The folder holds the sets of questions (LoCoMo's form) and everyday lines; the French set is our
own. Each set is heard once. Prints a table of recall@10 beside the fusion's, with the paired
difference, what of the evidence the model reads, and which unrelated lines bring something.
"""

import asyncio
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from rich.box import MARKDOWN
from rich.console import Console
from rich.table import Table

from benchmarks.evaluation.metrics import difference, recall_at, summary
from benchmarks.figures import Figures
from benchmarks.heard_talks import Choice, HeardTalk, choice_of, choosing, heard_talks
from benchmarks.settings import prepare_process
from benchmarks.talk_pairs import Pair
from benchmarks.unrelated import Quiet
from bot.errors import BotError

WIDE = 240
"""Columns of the table: a narrow terminal must not break what is pasted into a page."""

SEED = 1
"""Of the bootstrap, so that the same answers give the same interval."""

THRESHOLDS = tuple(round(0.1 * step, 1) for step in range(1, 10))
"""Where the curve of the gate is told; `[recall] min_score` is one of them."""

READ = ("answer_injected", "evidence_injected", "answer_in_lines")
"""What is reported of what the model reads."""


async def measure(choice: Choice) -> Figures:
    """Every set that is in the folder, and the mean over the kinds of talk."""
    found: dict[str, dict[str, Any]] = {}
    async for one in heard_talks(choice):
        found |= _figures(one)
    return {"sets": found, "mean": _mean_of_kinds(list(found.values()))}


def _figures(one: HeardTalk) -> dict[str, dict[str, Any]]:
    """The figures of a set for each who asked; the lines were said once for all of them."""
    return {
        f"{one.name}, asked by {asker}" if asker else one.name: {
            "kind": one.kind,
            **compared(pairs),
            "unrelated": {each: quiet.noise.figures() for each, quiet in one.quiet.items()},
            "gate": [_at(threshold, pairs, one.quiet) for threshold in THRESHOLDS],
            "reliability": [_between(low, pairs, one.quiet) for low in (0.0, *THRESHOLDS)],
        }
        for asker, pairs in one.asked.pairs.items()
        if pairs
    }


def compared(pairs: Sequence[Pair]) -> Figures:
    """The recall of both, how sure their difference is, and what of ours the model reads."""
    ours = [recall_at(one.ours.outcome, 10) for one in pairs]
    plain = [recall_at(one.plain, 10) for one in pairs]
    apart = asdict(difference(ours, plain, seed=SEED))
    whole = summary([one.ours for one in pairs])
    return {
        "n": len(pairs),
        "recall@10": whole["recall@10"],
        "plain recall@10": round(sum(plain) / len(plain), 4),
        "difference": {bound: round(value, 4) for bound, value in apart.items()},
        **{name: whole[name] for name in (*READ, "evidence_at_20", "missed_deadlines")},
        **_lines(pairs),
    }


def _lines(pairs: Sequence[Pair]) -> dict[str, float]:
    """How many lines a question brings, and what share of them is evidence."""
    lines = sum(len(one.ours.injection.lines) for one in pairs)
    evidence = sum(len(one.ours.evidence) for one in pairs)
    return {"lines": round(lines / len(pairs), 2), "lines_evidence": _share(evidence, lines)}


def _at(threshold: float, pairs: Sequence[Pair], quiet: Mapping[str, Quiet]) -> Figures:
    """What would pass the gate at another threshold, before diversity and the budget choose."""
    close = [one for one in pairs if one.ours.is_close]
    passed = [one for one in close if passes(one, threshold)]
    return {
        "min_score": threshold,
        "evidence": _share(len(passed), len(close)),
        "unrelated": {
            name: _share(sum(sure >= threshold for sure in one.surest), len(one.surest))
            for name, one in quiet.items()
        },
    }


def _between(low: float, pairs: Sequence[Pair], quiet: Mapping[str, Quiet]) -> Figures:
    """How many surest rows recall is so sure of, by tenths, and how many of them are evidence.

    Those of questions and of unrelated lines, which have none.
    """
    asked = [one for one in pairs if low <= one.surest < low + 0.1]
    lines = sum(low <= sure < low + 0.1 for one in quiet.values() for sure in one.surest)
    return {
        "from": low,
        "questions": len(asked),
        "evidence": sum(one.evidence == one.surest for one in asked),
        "lines": lines,
    }


def passes(one: Pair, threshold: float) -> bool:
    """Whether evidence would pass: the surest row, or one that is probable beside it."""
    surest = max(one.surest, one.evidence)
    return surest >= threshold and (one.fits or one.evidence == surest)


def _mean_of_kinds(sets: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """The mean over the kinds of talk, each of which weighs as much, however many sets it has."""
    names = ("recall@10", "plain recall@10", *READ)
    means = {}
    for name in names:
        by_kind: dict[str, list[float]] = {}
        for one in sets:
            if one[name] is not None:
                by_kind.setdefault(one["kind"], []).append(one[name])
        each = [sum(values) / len(values) for values in by_kind.values()]
        if each:
            means[name] = round(sum(each) / len(each), 4)
    return means


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0


def table(found: Mapping[str, Any]) -> Table:
    """A row for each set, and the mean of the kinds of talk."""
    sets = found["sets"]
    kinds = list(dict.fromkeys(name for one in sets.values() for name in one["unrelated"]))
    drawn = Table(
        "set", "n", "recall@10", "plain", "difference [95 %]", "evidence injected",
        "answer injected", "answer in lines", "lines", "of them evidence",
        *(f"lines: {name}" for name in kinds), box=MARKDOWN,
    )  # fmt: skip
    for name, one in sets.items():
        apart = one["difference"]
        drawn.add_row(
            name,
            str(one["n"]),
            f"{one['recall@10']:.3f}",
            f"{one['plain recall@10']:.3f}",
            f"{apart['mean']:+.3f} [{apart['low']:+.3f}, {apart['high']:+.3f}]",
            *_read(one),
            f"{one['lines']:.1f}",
            f"{one['lines_evidence']:.1%}",
            *(_quiet(one["unrelated"].get(kind)) for kind in kinds),
        )
    mean = found["mean"]
    apart = mean["recall@10"] - mean["plain recall@10"]
    drawn.add_row(
        "mean of the kinds", "", f"{mean['recall@10']:.3f}", f"{mean['plain recall@10']:.3f}",
        f"{apart:+.3f}", *_read(mean), *("" for _ in (*kinds, "lines", "of them evidence")),
    )  # fmt: skip
    return drawn


def reliability(found: Mapping[str, Any]) -> Table:
    """How sure recall is of its surest row, and how often that is evidence, over all sets."""
    drawn = Table("sure of the surest row", "questions", "of them evidence", "lines", box=MARKDOWN)
    for bins in zip(*(one["reliability"] for one in found["sets"].values()), strict=True):
        low, asked = bins[0]["from"], sum(one["questions"] for one in bins)
        share = sum(one["evidence"] for one in bins) / asked if asked else 0.0
        lines = sum(one["lines"] for one in bins)
        drawn.add_row(f"{low:.1f} to {low + 0.1:.1f}", str(asked), f"{share:.1%}", str(lines))
    return drawn


def gate_curve(found: Mapping[str, Any]) -> Table:
    """What would pass at each threshold: evidence set by set, and the most lines of any set."""
    sets = found["sets"]
    drawn = Table("set", *map(str, THRESHOLDS), box=MARKDOWN)
    for name, one in sets.items():
        drawn.add_row(name, *(f"{at['evidence']:.0%}" for at in one["gate"]))
    steps = list(zip(*(one["gate"] for one in sets.values()), strict=True))
    for name in dict.fromkeys(name for one in sets.values() for name in one["unrelated"]):
        most = (max(at["unrelated"].get(name, 0.0) for at in each) for each in steps)
        drawn.add_row(f"lines: {name}", *(f"{share:.1%}" for share in most))
    return drawn


def _read(one: Mapping[str, Any]) -> list[str]:
    """What the model reads: of the evidence, of all questions, and in the lines."""
    order = ("evidence_injected", "answer_injected", "answer_in_lines")
    return ["-" if one.get(name) is None else f"{one[name]:.1%}" for name in order]


def _quiet(noise: Mapping[str, Any] | None) -> str:
    return "-" if noise is None else f"{noise['injected_share']:.1%}"


def main() -> None:
    """Compare what the command line names, and print the figures."""
    parser = choosing("talks", __doc__)
    parser.add_argument("--json", action="store_true", help="print the figures as one object")
    options = parser.parse_args()
    prepare_process()
    try:
        found = asyncio.run(measure(choice_of(options)))
    except BotError as error:
        sys.exit(str(error))
    if options.json:
        print(json.dumps(found))
    else:
        Console(width=WIDE).print(table(found), reliability(found), gate_curve(found), sep="\n")


if __name__ == "__main__":
    main()

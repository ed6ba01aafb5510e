"""Compares recall with a plain fusion in every kind of talk: `python -m benchmarks.talks FOLDER`.

The folder holds the sets of questions (LoCoMo's form) and everyday lines; the French set is our
own. Each set is heard once. Prints a table of recall@10 beside the fusion's, with the paired
difference, what of the evidence the model reads, and which unrelated lines bring something.
"""

import argparse
import asyncio
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Any

from rich.box import MARKDOWN
from rich.console import Console
from rich.table import Table

from benchmarks.figures import Figures
from benchmarks.french import EMBEDDERS
from benchmarks.french_set import Asked, questions
from benchmarks.settings import prepare_process
from benchmarks.talk_pairs import AskedStore, Pair, asked_french, asked_talks
from benchmarks.talk_sets import SETS, TalkSet, everyday_lines, in_folder
from benchmarks.unrelated import Quiet, said_lines
from bot.errors import BotError
from bot.evaluation.metrics import difference, recall_at, summary
from memory.retrieval.selection import least_beside

FRENCH = "French set"

WIDE = 240
"""Columns of the table: a narrow terminal must not break what is pasted into a page."""

SEED = 1
"""Of the bootstrap, so that the same answers give the same interval."""

THRESHOLDS = tuple(round(0.1 * step, 1) for step in range(1, 10))
"""Where the curve of the gate is told; `[recall] min_score` is one of them."""

READ = ("answer_injected", "evidence_injected", "answer_in_lines")
"""What is reported of what the model reads."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What is compared, and how much of it."""

    folder: Path
    sets: Sequence[TalkSet] = SETS
    only: tuple[str, ...] = ()
    """The kinds of talk to compare, by name; all without one."""
    embedder: str = "offline"
    questions: int | None = None
    lines: int = 300
    seed: int = 1


async def measure(setup: Setup) -> Figures:
    """Every set that is in the folder, and the mean over the kinds of talk."""
    lines = everyday_lines(setup.folder, setup.lines, setup.seed)
    found: dict[str, dict[str, Any]] = {}
    for one in setup.sets:
        if not setup.only or one.kind in setup.only:
            for name, conversations in in_folder(one, setup.folder, setup.questions, setup.seed):
                _tell(name)
                async with asked_talks(one, conversations, setup.embedder, _unheard) as asked:
                    own = one.kind if len(conversations) > 1 else None
                    quiet = await said_lines(asked, lines, own, setup.lines, setup.seed)
                    found |= _figures(name, one.kind, asked, quiet)
    if not setup.only or FRENCH in setup.only:
        _tell(FRENCH)
        async with asked_french(setup.embedder, _some(setup)) as asked:
            quiet = await said_lines(asked, lines, None, setup.lines, setup.seed)
            found |= _figures(FRENCH, FRENCH, asked, quiet)
    return {"sets": found, "mean": _mean_of_kinds(list(found.values()))}


def _some(setup: Setup) -> list[Asked]:
    every = questions()
    if setup.questions is None or setup.questions >= len(every):
        return every
    return Random(setup.seed).sample(every, setup.questions)


def _figures(
    name: str, kind: str, asked: AskedStore, quiet: Mapping[str, Quiet]
) -> dict[str, dict[str, Any]]:
    """The figures of a set for each who asked; the lines were said once for all of them."""
    return {
        f"{name}, asked by {asker}" if asker else name: {
            "kind": kind,
            **compared(pairs),
            "unrelated": {each: one.noise.figures() for each, one in quiet.items()},
            "gate": [_at(threshold, pairs, quiet) for threshold in THRESHOLDS],
        }
        for asker, pairs in asked.pairs.items()
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
    }


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


def passes(one: Pair, threshold: float) -> bool:
    """Whether evidence would pass: where some row is sure enough, less will do."""
    surest = max(one.surest, one.evidence)
    return surest >= threshold and one.evidence >= least_beside(one.surest, threshold)


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
        "answer injected", "answer in lines", *(f"lines: {name}" for name in kinds), box=MARKDOWN,
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
            *(_quiet(one["unrelated"].get(kind)) for kind in kinds),
        )
    mean = found["mean"]
    apart = mean["recall@10"] - mean["plain recall@10"]
    drawn.add_row(
        "mean of the kinds", "", f"{mean['recall@10']:.3f}", f"{mean['plain recall@10']:.3f}",
        f"{apart:+.3f}", *_read(mean), *("" for _ in kinds),
    )  # fmt: skip
    return drawn


def _read(one: Mapping[str, Any]) -> list[str]:
    """What the model reads: of the evidence, of all questions, and in the lines."""
    order = ("evidence_injected", "answer_injected", "answer_in_lines")
    return ["-" if one.get(name) is None else f"{one[name]:.1%}" for name in order]


def _quiet(noise: Mapping[str, Any] | None) -> str:
    return "-" if noise is None else f"{noise['injected_share']:.1%}"


def _tell(name: str) -> None:
    """Say what is heard and asked now, where figures are not."""
    print(f"{name} ...", file=sys.stderr, flush=True)


def _unheard(_doing: str, _done: int, _total: int) -> None:
    """A set is too short to be told how far it is."""


def setup_of(words: Sequence[str]) -> tuple[Setup, bool]:
    """What a command line asks for, and whether it wants one JSON object."""
    kinds = (*dict.fromkeys(one.kind for one in SETS), FRENCH)
    parser = argparse.ArgumentParser(prog="python -m benchmarks.talks", description=__doc__)
    parser.add_argument("folder", type=Path, help="where the sets and the everyday lines are")
    parser.add_argument(
        "--only", action="append", choices=kinds, default=[], help="this kind of talk (repeatable)"
    )
    parser.add_argument("--embedder", choices=EMBEDDERS, default="offline")
    parser.add_argument("--questions", type=int, metavar="N", help="so many of each set, drawn")
    parser.add_argument("--lines", type=int, default=300, metavar="N", help="of each kind, drawn")
    parser.add_argument("--seed", type=int, default=1, help="which ones are drawn")
    parser.add_argument("--json", action="store_true", help="print the figures as one object")
    options = parser.parse_args(words)
    if not options.folder.is_dir():
        parser.error(f"{options.folder} is no folder")
    setup = Setup(
        folder=options.folder,
        only=tuple(options.only),
        embedder=options.embedder,
        questions=options.questions,
        lines=options.lines,
        seed=options.seed,
    )
    return setup, options.json


def main() -> None:
    """Compare what the command line names, and print the figures."""
    setup, as_json = setup_of(sys.argv[1:])
    prepare_process()
    try:
        found = asyncio.run(measure(setup))
    except BotError as error:
        sys.exit(str(error))
    if as_json:
        print(json.dumps(found))
    else:
        Console(width=WIDE).print(table(found))


if __name__ == "__main__":
    main()

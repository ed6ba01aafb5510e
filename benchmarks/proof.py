"""What the pet promises, measured on one page: `make proof`, or `python -m benchmarks.proof`.

Each part runs the benchmark or harness that is named beside its figures, on a small size that `--n`
multiplies. A part that fails, or lacks its data, says so in its line, and the status is 1.
"""

import argparse
import asyncio
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from benchmarks.checkout import ROOT, environment
from benchmarks.figures import machine
from benchmarks.settings import bench_settings, prepare_process
from bot.release import VERSION
from bot.topics.answers.evening.play import estimate
from bot.topics.answers.evening.record import SHIPPED, read_evening

DATA = Path("../shared/data")
"""Where the data sets are that are not part of the checkout."""

HELD = "tests/data/forgetting-requests/held.jsonl"

LIMIT_S = 900
"""Seconds that a part may take at the smallest size."""

PUBLISHED = {"its authors' system": (1.0, 1.0), "supermemory": (0.43, 0.55)}
"""PrecisionMemBench's table for all 77 cases: precision and recall. The folder has 39 of them."""

PRICED = "claude-haiku-5-5"


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One line of the page: how it is measured, what it needs, and how its output is read.

    `reads` gives the figures as lines, from all that was printed.
    """

    name: str
    command: str
    reads: Callable[[str], Iterator[str]]
    needs: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What became of a part; `trouble` says why it has no figures, or does not hold."""

    name: str
    command: str
    figures: Sequence[str]
    trouble: str
    took_s: float


def parts(data: Path, n: int) -> tuple[Part, ...]:
    """Every part, at a size; the data sets are in a folder."""
    scenes = "--only en1" if n == 1 else ""
    return (
        Part(
            name="recall and injection",
            command=f"benchmarks.talks {data} --questions {20 * n} --lines {40 * n} --json",
            reads=_talks,
            needs=data,
        ),
        Part(
            name="PrecisionMemBench",
            command=f"benchmarks.precision {data}/precisionmembench",
            reads=_precision,
            needs=data / "precisionmembench",
        ),
        Part(
            name="silence",
            command=f"benchmarks.silence {data}/irc --against {data}/locomo10.json "
            f"--conversations 1 --questions 0 --limit {100 * n} --json",
            reads=_silence,
            needs=data / "irc",
        ),
        Part(name="leaks", command=f"tests.harness.leaks --n {20 * n}", reads=_leaks),
        Part(name="kills", command=f"tests.harness.crash --n {5 * n}", reads=_kills),
        Part(
            name="forgetting",
            command=f"benchmarks.forgetting {HELD} --pet offline {scenes}".strip(),
            reads=_forgetting,
        ),
        Part(name="speed", command=f"bot bench recall --memories {1000 * n} --json", reads=_speed),
        Part(name="price of an evening", command="benchmarks.proof --price", reads=_as_it_is),
    )


def measured(part: Part, limit_s: float) -> Measured:
    """Run a part, with its output read or its trouble told."""
    begun = perf_counter()
    done = replace(_ran(part, limit_s), name=part.name)
    return replace(done, took_s=round(perf_counter() - begun, 1))


def _ran(part: Part, limit_s: float) -> Measured:
    told = Measured(name="", command=f"python -m {part.command}", figures=(), trouble="", took_s=0)
    if part.needs is not None and not (ROOT / part.needs).exists():
        return replace(told, trouble=f"its data is missing: {part.needs}")
    command = [sys.executable, "-m", *shlex.split(part.command)]
    try:
        done = subprocess.run(  # noqa: S603 - our own modules
            command,
            cwd=ROOT,
            env=environment() | _kept(),
            capture_output=True,
            text=True,
            timeout=limit_s,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return replace(told, trouble=f"not done within {limit_s:g} s")
    trouble = f"status {done.returncode}" if done.returncode else ""
    try:
        return replace(told, figures=tuple(part.reads(done.stdout)), trouble=trouble)
    except (ValueError, KeyError, IndexError, TypeError):
        last = (done.stderr or done.stdout).strip().splitlines()[-1:]
        return replace(told, trouble=trouble or "unreadable", figures=tuple(last))


def _kept() -> dict[str, str]:
    """Where the Discord server of others is, for the kills."""
    return {name: value for name, value in os.environ.items() if name == "EKO_PEERS"}


def _talks(said: str) -> Iterator[str]:
    found = json.loads(said)
    for name, one in found["sets"].items():
        quiet = [each["injected_share"] for each in one["unrelated"].values()]
        yield (
            f"{name}: recall@10 {one['recall@10']:.3f} of {one['n']} (plain fusion "
            f"{one['plain recall@10']:.3f}), evidence injected {_share(one['evidence_injected'])}, "
            f"{one['lines']:.1f} lines, unrelated lines answered {_share(max(quiet, default=None))}"
        )
    yield f"mean of the kinds: recall@10 {found['mean']['recall@10']:.3f}"


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.1%}"


def _precision(said: str) -> Iterator[str]:
    one = json.loads(said.splitlines()[-1])
    yield (
        f"precision {one['precision']:.3f}, recall {one['recall']:.3f}, "
        f"{one['passed']} of {one['cases']} cases passed"
    )
    for name, (precision, recall) in PUBLISHED.items():
        yield f"published for all 77: {name} {precision:.2f}, {recall:.2f}"


def _silence(said: str) -> Iterator[str]:
    one = json.loads(said)
    share = _share(one["injected_share"])
    yield f"something injected for {share} of {one['queries']} unrelated lines"


def _leaks(said: str) -> Iterator[str]:
    totals = re.findall(r"^(\w+) +(\d+ probes, \d+ leaks, \S+ known)", said, re.MULTILINE)
    if not totals:
        raise ValueError("no total")
    yield from (f"{mind}: {total}" for mind, total in totals)


def _kills(said: str) -> Iterator[str]:
    one = json.loads(said)
    told = {name: value for name, value in one.items() if isinstance(value, int)}
    yield ", ".join(f"{name} {value}" for name, value in told.items() if name != "seed")


def _forgetting(said: str) -> Iterator[str]:
    found = re.findall(r"^(?:offline \w\w: .*|other lines .*)$", said, re.MULTILINE)
    if not found:
        raise ValueError("no shares")
    yield from found


def _speed(said: str) -> Iterator[str]:
    one = json.loads(said.splitlines()[-1])
    yield (
        f"recall p50 {one['p50_ms']} ms, p95 {one['p95_ms']} ms; {one['floor_ratio']} times what "
        "its own SQL and vectors cost"
    )


def _as_it_is(said: str) -> Iterator[str]:
    if not said:
        raise ValueError("nothing was said")
    yield from said.splitlines()


async def _prices() -> Iterator[str]:
    """What each evening that is shipped would cost, as `eko eval evening` says before it asks."""
    with TemporaryDirectory(prefix="eko-proof-") as folder:
        settings = bench_settings(Path(folder))
        model = settings.model.model_copy(update={"name": PRICED})
        settings = settings.model_copy(update={"model": model})
        lines = []
        for name in SHIPPED:
            played = await estimate(settings, read_evening(name), None)
            calls = sum(one.calls for one in played.spent)
            tokens = sum(one.sent for one in played.spent)
            dollars = sum(one.dollars for one in played.spent)
            lines.append(
                f"{name}: {len(played.lines)} messages of five people, about {calls} calls with "
                f"{tokens:,} tokens, ${dollars:.3f} with {PRICED} if no cache helps"
            )
        return iter(lines)


def headed(on: Mapping[str, Any], versions: Mapping[str, str]) -> Iterator[str]:
    """The head of the page: what was measured, and on what."""
    about = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in on.items())
    yield f"Proof of Eko {versions['eko']}: {about}"
    yield ", ".join(f"{name} {value}" for name, value in versions.items())


def lines_of(one: Measured) -> Iterator[str]:
    """A part as it stands on the page."""
    yield ""
    yield f"{one.name} ({one.took_s:g} s)    {one.command}"
    yield from (f"  {figure}" for figure in one.figures)
    if one.trouble:
        yield f"  NOT SHOWN: {one.trouble}"


def main() -> None:
    """Measure what the command line names, print the page, and end with 1 for any trouble."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.proof", description=__doc__)
    names = [one.name for one in parts(DATA, 1)]
    parser.add_argument("--only", action="append", choices=names, help="this part; repeatable")
    parser.add_argument("--n", type=int, default=1, help="so many times the smallest size")
    parser.add_argument("--data", type=Path, default=DATA, help="the folder of the data sets")
    parser.add_argument("--json", action="store_true", help="print the figures as one object")
    parser.add_argument("--price", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.price:
        prepare_process()
        print("\n".join(asyncio.run(_prices())))
        return
    on = machine()
    versions = {"eko": VERSION} | {name: version(name) for name in ("numpy", "qdrant-edge-py")}
    if not options.json:
        print("\n".join(headed(on, versions)), flush=True)
    done = []
    for part in parts(options.data, options.n):
        if part.name in (options.only or names):
            done.append(measured(part, LIMIT_S * options.n))
            if not options.json:
                print("\n".join(lines_of(done[-1])), flush=True)
    if options.json:
        found = {"machine": on, "versions": versions, "parts": [asdict(one) for one in done]}
        print(json.dumps(found, ensure_ascii=False))
    sys.exit(any(one.trouble for one in done))


if __name__ == "__main__":
    main()

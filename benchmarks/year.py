"""A simulated year of a community, heard, digested, swept and asked about, with known truth.

`python -m benchmarks.year --irc FOLDER` lets fifty people say 200,000 things in 365 days: chatter
of the recordings in FOLDER, and what they tell of themselves from templates. No model is called.
"""

import argparse
import asyncio
import json
import random
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks import year_report
from benchmarks.evaluation.trial_store import trial_settings
from benchmarks.figures import Figures, machine, spread
from benchmarks.french import EMBEDDERS
from benchmarks.settings import bench_settings, prepare_process
from benchmarks.suite import lines_of
from benchmarks.town import RESIDENTS, Resident
from benchmarks.year_chatter import NothingSaid, dealt, recorded
from benchmarks.year_exam import Asking, Examiner, Judged, Told, askings, told_by
from benchmarks.year_life import SWEEPS, ZONE, Life
from benchmarks.year_plan import Fact, Span, Utterance, planned
from bot.wiring.app import App, open_app
from memory.clock import FrozenClock

START = datetime(2025, 1, 6, tzinfo=ZONE)
"""A Monday, so that weeks are whole."""

FEWEST = 6
"""People of whom each community has two: one to tell and one to ask."""

TIMED = 60
"""Questions that are timed at the end of each month, at most."""

SETTLED = timedelta(hours=30)
"""Between the last word and the exam: the last digest has run, and nothing is merely recent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """How much is lived through, and with what."""

    irc: Path
    messages: int = 200_000
    days: int = 365
    people: int = 50
    embedder: str = "offline"
    sweeps: tuple[str, ...] = ("hourly",)
    """A life is lived for each, and their rankings are compared with the first's."""
    seed: int = 1
    questions: int | None = None
    """How many are asked at the end, drawn from all of them; None asks all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Year:
    """Everything that is said, and what is true of it."""

    span: Span
    people: tuple[Resident, ...]
    facts: tuple[Fact, ...]
    utterances: tuple[Utterance, ...]


@dataclass(slots=True, kw_only=True)
class Lived:
    """What one life came to."""

    judged: list[Judged]
    told: Told
    figures: Figures = field(default_factory=dict)


class TooFew(Exception):
    """The numbers asked for leave no room for what has to be said."""


def written(setup: Setup) -> Year:
    """The script of the year, the same for the same numbers.

    Raises:
        TooFew: too few people or messages.
        NothingSaid: the folder holds no recording.

    """
    if not FEWEST <= setup.people <= len(RESIDENTS):
        raise TooFew(f"--people must be {FEWEST} to {len(RESIDENTS)}.")
    span = Span(START, setup.days)
    people = RESIDENTS[: setup.people]
    facts, said = planned(people, span, setup.seed)
    if len(said) >= setup.messages:
        raise TooFew(f"What these people tell alone takes {len(said)} messages: ask for more.")
    count = setup.messages - len(said)
    said += dealt(recorded(setup.irc), people, span, count, setup.seed)
    said.sort(key=lambda one: one.at)
    return Year(span=span, people=people, facts=tuple(facts), utterances=tuple(said))


async def measure(setup: Setup) -> tuple[Figures, list[Lived]]:
    """Live the year once for each rhythm of sweeps, and compare what is recalled afterwards."""
    year = written(setup)
    lives = [await _lived(setup, year, sweeps) for sweeps in setup.sweeps]
    first, *others = lives
    found: Figures = {
        "machine": machine(),
        "messages": len(year.utterances),
        "told": sum(bool(one.fact) for one in year.utterances),
        "days": setup.days,
        "people": setup.people,
        "embedder": setup.embedder,
        "seed": setup.seed,
        **first.figures,
    }
    if others:
        found["same_order"] = {
            sweeps: year_report.same_order(first.judged, life.judged)
            for sweeps, life in zip(setup.sweeps[1:], others, strict=True)
        }
        found["others"] = {
            sweeps: life.figures for sweeps, life in zip(setup.sweeps[1:], others, strict=True)
        }
    return found, lives


async def _lived(setup: Setup, year: Year, sweeps: str) -> Lived:
    started = perf_counter()
    clock = FrozenClock(year.span.start)
    with TemporaryDirectory(prefix="eko-year-") as folder:
        inside = trial_settings(bench_settings(Path(folder)), setup.embedder, None)
        async with open_app(inside, clock) as app:
            random.seed(setup.seed)  # the background of similarities is a random sample
            await app.services.recall.warm_up()
            life = Life(app=app, clock=clock, span=year.span, sweeps=sweeps, said=_say)
            months = await _months(life, year, Path(folder))
            await life.goes_on(SETTLED)
            lived_s = perf_counter() - started
            judged, told = await _examined(app, life, year, setup)
            figures = _figures(judged, told) | {
                "months": months,
                "rows": await app.storage.health.counts(),
                "lived_s": round(lived_s, 1),
                "examined_s": round(perf_counter() - started - lived_s, 1),
                "parts_s": {name: round(took, 1) for name, took in life.took_s.items()},
            }
    return Lived(judged=judged, told=told, figures=figures)


async def _months(life: Life, year: Year, folder: Path) -> dict[str, Figures]:
    months: dict[str, Figures] = {}
    no_truth = Told(of={}, facts={}, learnt=life.learnt)
    examiner = Examiner(life.app, no_truth)
    async for now in life.months(year.utterances):
        asked = list(askings(year.facts, year.people, now - timedelta(seconds=1)))
        took = [await examiner.took_ms(one) for one in _drawn(asked, TIMED)]
        rows = await life.app.storage.health.counts()
        grown = {name: rows[name] for name in ("messages", "memories")} | _sizes(folder)
        months[f"{now - timedelta(days=1):%Y-%m}"] = grown | spread(took)
    return months


def _sizes(folder: Path) -> Figures:
    return {
        "database_mb": _mb(folder.glob("eko.sqlite3*")),
        "vectors_mb": _mb((folder / "vectors").rglob("*")),
    }


async def _examined(app: App, life: Life, year: Year, setup: Setup) -> tuple[list[Judged], Told]:
    """Ask about everything; the pet has just been started again, as after a quiet night."""
    random.seed(setup.seed)
    await app.services.recall.warm_up()
    told = await told_by(app, year.facts, year.utterances, life.learnt)
    examiner = Examiner(app, told)
    asked = _drawn(list(askings(year.facts, year.people, app.clock.now())), setup.questions)
    judged = []
    for number, one in enumerate(asked):
        if number % 100 == 0:
            _say(f"asked {number} of {len(asked)}")
        judged.append(await examiner.judged(one))
    return judged, told


def _drawn(asked: Sequence[Asking], most: int | None) -> Sequence[Asking]:
    if most is None or most >= len(asked):
        return asked
    return random.Random(0).sample(asked, most)


def _figures(judged: Sequence[Judged], told: Told) -> Figures:
    return {
        "recalled": year_report.recalled(judged),
        "wrong": year_report.wrong(judged),
        "learnt": year_report.learnt(told),
        "recall": spread([one.took_ms for one in judged]),
    }


def _mb(paths: Iterable[Path]) -> float:
    """Megabytes on the disk: what a sparse file leaves out is not there."""
    blocks: int = sum(path.stat().st_blocks for path in paths if path.is_file())
    return round(blocks * 512 / 1_000_000, 1)


def _say(what: str) -> None:
    sys.stderr.write(f"\r\x1b[K{what}")
    sys.stderr.flush()


def _examples(lived: Lived, most: int) -> dict[str, list[str]]:
    found = year_report.examples(lived.judged, lived.told)
    return {f"{name}: {len(lines)}": lines[:most] for name, lines in found.items()}


def _printed(found: Figures, examples: dict[str, list[str]]) -> None:
    print(*lines_of(found), sep="\n")
    for name, lines in examples.items():
        print(f"\n{name}", *(f"  {line}" for line in lines), sep="\n")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.year", description=__doc__)
    given = Setup(irc=Path())
    parser.add_argument("--irc", type=Path, required=True, help="folder of recorded rooms (*.txt)")
    parser.add_argument("--messages", type=int, default=given.messages)
    parser.add_argument("--days", type=int, default=given.days)
    parser.add_argument("--people", type=int, default=given.people)
    parser.add_argument("--embedder", choices=EMBEDDERS, default=given.embedder)
    parser.add_argument(
        "--sweeps",
        nargs="+",
        choices=tuple(SWEEPS),
        default=given.sweeps,
        help="how often what expired is removed; several are compared",
    )
    parser.add_argument("--seed", type=int, default=given.seed)
    parser.add_argument("--questions", type=int, help="so many of the questions, drawn by lot")
    parser.add_argument("--json", action="store_true", help="print the figures as one object")
    parser.add_argument("--show", type=int, default=0, help="examples of each wrong outcome")
    return parser.parse_args()


def main() -> None:
    """Live and measure what the command line asks for, and print it."""
    chosen = _arguments()
    prepare_process()
    options = {**vars(chosen), "sweeps": tuple(chosen.sweeps)}
    as_json, show = options.pop("json"), options.pop("show")
    try:
        found, lives = asyncio.run(measure(Setup(**options)))
    except (TooFew, NothingSaid) as problem:
        sys.exit(str(problem))
    sys.stderr.write("\n")
    examples = _examples(lives[0], show) if show else {}
    if as_json:
        print(json.dumps(found | ({"examples": examples} if examples else {})))
    else:
        _printed(found, examples)


if __name__ == "__main__":
    main()

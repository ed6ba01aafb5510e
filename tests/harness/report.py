"""What a harness found: its seed and figures as JSON, and a status that says whether all held."""

import asyncio
import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from random import SystemRandom
from time import perf_counter
from typing import Any

from tests.processes import close_fork_server

MOST_TOLD = 40
"""Faults that are printed; their number is told in full."""


@dataclass
class Report:
    """One run: what it was given, what it counted, and every fault that it found."""

    harness: str
    seed: int
    figures: dict[str, Any] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    begun: float = field(default_factory=perf_counter)

    def holds(self, held: object, fault: str) -> None:
        """Note a fault where something does not hold."""
        if not held:
            self.faults.append(fault)

    def failed(self, output: str) -> None:
        """Note a fault for each unforeseen error that a daemon has written down.

        A job that could not be done while a service was away is foreseen.
        """
        lines = output.splitlines()
        found = (one for one in lines if "Traceback" in one and '"job.failed"' not in one)
        self.faults += [f"in the log: {line}" for line in found]

    def says(self, line: str) -> None:
        """Tell how far it is, on the error stream."""
        sys.stderr.write(f"{self.harness} {perf_counter() - self.begun:6.1f} s  {line}\n")
        sys.stderr.flush()

    def as_json(self) -> str:
        """Seed, figures and faults."""
        told = {
            "harness": self.harness,
            "seed": self.seed,
            "took_s": round(perf_counter() - self.begun, 1),
            **self.figures,
            "faults": len(self.faults),
            "first_faults": self.faults[:MOST_TOLD],
        }
        return json.dumps(told, indent=1, ensure_ascii=False)


def arguments(description: str | None, size: int | None, sizes: str) -> ArgumentParser:
    """The arguments that every harness takes."""
    parser = ArgumentParser(description=description)
    parser.add_argument("--n", type=int, default=size, help=sizes)
    parser.add_argument("--seed", type=int, help="what chance follows; drawn and told without one")
    parser.add_argument("--limit", type=float, default=3600, help="seconds after which it fails")
    return parser


def run(
    harness: str, chosen: Namespace, work: Callable[[Report], Coroutine[Any, Any, None]]
) -> None:
    """Do the work within its limit, print what it found, and end with status 1 for any fault."""
    seed = SystemRandom().randrange(10**6) if chosen.seed is None else chosen.seed
    report = Report(harness=harness, seed=seed)
    try:
        asyncio.run(_limited(work(report), chosen.limit, report))
    finally:
        close_fork_server()
    sys.stdout.write(f"{report.as_json()}\n")
    sys.exit(bool(report.faults))


async def _limited(work: Coroutine[Any, Any, None], limit_s: float, report: Report) -> None:
    try:
        async with asyncio.timeout(limit_s):
            await work
    except TimeoutError:
        report.faults.append(f"it was not done within {limit_s:g} s")

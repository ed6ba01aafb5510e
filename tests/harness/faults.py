"""Lets the services of a daemon fail, one after the other: `python -m tests.harness.faults`.

The model, the embedder and the vector store stand behind a proxy that delays, resets, refuses,
garbles, cuts or never answers. Meanwhile people ask: each must be answered, be it by an honest
sentence. Once the fault is over everything must come back by itself: a thought reply, and all that
was said meanwhile in the index. What is learnt from conversations follows at its own times.
`--n` is how many faults are tried, in an order that the seed chooses, all before one
comes twice.
"""

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from functools import partial
from itertools import islice, product
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from tests.edge.loopback import LoopbackServer
from tests.edge.qdrant_stand_in import QdrantStandIn
from tests.harness.client import LocalClient, Refused
from tests.harness.faulty import Fault, FaultyService
from tests.harness.load import UNLIMITED
from tests.harness.report import Report, arguments, run
from tests.harness.services import REPLY, EmbeddingService, MessagesService
from tests.harness.words import new_words
from tests.peers.daemon import awake
from tests.peers.discord_stage import QUICK, rows

ANSWERED_S = 20.0
"""The aim for an answer, whatever fails."""

RECOVERED_S = 60.0
"""The aim for everything to be as before, once nothing fails any more."""

HELD_S = 8.0
"""How long a fault lasts: several tries of what waits for the service."""

LOOK_EVERY_S = 0.25

PEOPLE = ("Ana", "Ben", "Cléo")


@dataclass
class Services:
    """What the daemon uses, each behind its proxy."""

    model: FaultyService
    embedder: FaultyService
    vectors: FaultyService

    def named(self) -> Mapping[str, FaultyService]:
        """By the names that are told."""
        return {"model": self.model, "embedder": self.embedder, "vectors": self.vectors}


@dataclass
class Times:
    """What was measured of one kind."""

    seconds: list[float] = field(default_factory=list)

    def figures(self) -> dict[str, Any]:
        """How many, the middle and the slowest."""
        ordered = sorted(self.seconds) or [0.0]
        middle = ordered[len(ordered) // 2]
        return {
            "times": len(self.seconds),
            "middle_s": round(middle, 2),
            "slowest_s": round(ordered[-1], 2),
        }


class Trial:
    """A daemon whose services fail one after the other."""

    def __init__(self, data: Path, services: Services, held_s: float, report: Report) -> None:
        self._data = data
        self._held_s = held_s
        self._client = LocalClient(data)
        self._services = services
        self._report = report
        self._words = new_words(Random(report.seed))
        self.answered, self.recovered = Times(), Times()

    async def fails(self, name: str, fault: Fault) -> None:
        """One fault of one service, with people asking, and the time after it."""
        service = self._services.named()[name]
        what = f"{name}: {fault.value}"
        service.fault, met = fault, service.met
        try:
            async with asyncio.TaskGroup() as together:
                together.create_task(asyncio.sleep(self._held_s))
                for person in PEOPLE:
                    together.create_task(self._asks(person, what))
        finally:
            service.fault = None
        self._report.holds(service.met > met, f"{what}: nothing was asked of it")
        took_s = await self._comes_back(what)
        self._report.says(f"{what}: met {service.met - met}, as before after {took_s:.1f} s")

    async def _asks(self, person: str, what: str) -> None:
        begun = perf_counter()
        try:
            reply = await self._client.ask(person, f"bonjour {next(self._words)}", _nothing)
        except Refused as error:
            reply = ""
            self._report.faults.append(f"{what}: {person} got no answer: {error}")
        took_s = perf_counter() - begun
        self.answered.seconds.append(took_s)
        self._report.holds(reply, f"{what}: an empty answer")
        self._report.holds(
            took_s <= ANSWERED_S, f"{what}: {person} was answered after {took_s:.1f} s"
        )

    async def _comes_back(self, what: str) -> float:
        begun = perf_counter()
        while not await self._is_as_before():
            await asyncio.sleep(LOOK_EVERY_S)
            if perf_counter() - begun > 2 * RECOVERED_S:
                break
        took_s = perf_counter() - begun
        self.recovered.seconds.append(took_s)
        self._report.holds(took_s <= RECOVERED_S, f"{what}: as before only after {took_s:.1f} s")
        return took_s

    async def _is_as_before(self) -> bool:
        """Nothing waits for the index, which the daemon must have filled alone, and it thinks."""
        if rows(self._data, "SELECT count(*) FROM index_outbox") != [(0,)]:
            return False
        word = next(self._words)
        return await self._client.ask(PEOPLE[0], f"et {word}", _nothing) == REPLY

    async def is_sound(self) -> None:
        """What was said while something failed is in the index, all of it."""
        found = await self._client.does("verify")
        self._report.holds(found["sound"], f"verify at the end: {found}")


def _nothing() -> None:
    """Taken."""


async def faults(size: int, held_s: float, report: Report) -> None:
    """So many faults; each kind comes once before one comes twice."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="eko-faults-")))
        model = MessagesService()
        services = Services(
            model=FaultyService(model.answer),
            embedder=FaultyService(EmbeddingService().answer),
            vectors=FaultyService(QdrantStandIn().answer),
        )
        urls = {
            name: (await stack.enter_async_context(LoopbackServer(one.answer))).url
            for name, one in services.named().items()
        }
        daemon = await stack.enter_async_context(awake(folder, settings_of(urls)))
        trial = Trial(folder, services, held_s, report)
        for name, fault in islice(_order(report.seed), size):
            await trial.fails(name, fault)
        await trial.is_sound()
        report.holds(await daemon.interrupted() == 0, "it did not end as it should")
        report.failed(daemon.output)
        report.holds(not model.broken, f"requests broke rules: {model.broken[:3]}")
    report.figures |= {
        "tried": len(trial.recovered.seconds),
        "answered": trial.answered.figures(),
        "recovered": trial.recovered.figures(),
        "log_lines": len(daemon.lines),
    }


def settings_of(urls: Mapping[str, str]) -> dict[str, str]:
    """A pet that uses these services."""
    return {
        **QUICK,
        **UNLIMITED,
        "ANTHROPIC_API_KEY": "test",
        "ANTHROPIC_BASE_URL": urls["model"],
        "VOYAGE_API_KEY": "test",
        "EKO_EMBEDDER__BASE_URL": urls["embedder"],
        "EKO_EMBEDDER__DIMENSION": str(EmbeddingService.dimension),
        "QDRANT_URL": urls["vectors"],
        "EKO_EXTRACTION__IDLE_S": "0",
        "EKO_LOG__FORMAT": "json",
    }


def _order(seed: int) -> Iterator[tuple[str, Fault]]:
    """Every fault of every service, shuffled, again and again."""
    chance = Random(seed)
    kinds = list(product(("model", "embedder", "vectors"), Fault))
    while True:
        chance.shuffle(kinds)
        yield from kinds


KINDS = 3 * len(Fault)
"""All that can fail, once each."""


def main() -> None:
    """As many faults as were asked for."""
    parser = arguments(__doc__, KINDS, "faults")
    parser.add_argument("--held", type=float, default=HELD_S, help="seconds that a fault lasts")
    chosen = parser.parse_args()
    run("faults", chosen, partial(faults, chosen.n, chosen.held))


if __name__ == "__main__":
    main()

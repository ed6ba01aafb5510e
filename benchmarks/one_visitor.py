"""One visitor says 10,000 things at once and a neighbour asks: `python -m benchmarks.one_visitor`.

A fresh pet with its defaults. What is over the rates is refused at once; the neighbour talks alone
with the pet. Prints its figures as one JSON object, and ends with status 1 where the neighbour was
answered after the aim.
"""

import argparse
import asyncio
import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks.figures import Figures, middle
from benchmarks.idle_connections import operations_of, pet_in
from bot.lock import Holder
from bot.surfaces.terminal.connection import RemoteOperations

WITHIN_S = 5.0
"""The aim for an answer to the neighbour."""

AT_ONCE = 64
"""Messages of the visitor that are under way together."""

ASK_EVERY_S = 4.0
"""The neighbour keeps to the rates."""


async def measure(folder: Path, messages: int) -> Figures:
    """Flood a daemon, and ask it meanwhile."""
    async with pet_in(folder, folder / "eko.log") as holder:
        before = await _asked(holder)
        taken = [0]
        begun = perf_counter()
        answers: list[float] = []
        async with asyncio.TaskGroup() as tasks:
            flood = tasks.create_task(_flood(holder, messages, taken))
            while not flood.done():
                answers.append(await _asked(holder))
                await asyncio.wait([flood], timeout=ASK_EVERY_S)
        took_s = perf_counter() - begun
    return {
        "messages": messages,
        "taken": taken[0],
        "took_s": round(took_s, 1),
        "before_s": before,
        "asked": len(answers),
        "middle_s": middle(answers),
        "slowest_s": max(answers),
        "log_lines": (folder / "eko.log").read_bytes().count(b"\n"),
    }


async def _flood(holder: Holder, messages: int, taken: list[int]) -> None:
    left = iter(range(messages))

    async def says() -> None:
        async with operations_of(holder) as pet:
            for number in left:
                told = {"text": f"flood number {number}", "name": "Flo", "room": "lobby"}
                is_taken = await _is_taken(pet, told)
                taken[0] += is_taken

    await asyncio.gather(*(says() for _ in range(AT_ONCE)))


async def _is_taken(pet: RemoteOperations, told: dict[str, str]) -> bool:
    return not any(["error" in event async for event in pet.call("say", told)])


async def _asked(holder: Holder) -> float:
    """Seconds until the neighbour has an answer."""
    begun = perf_counter()
    async with operations_of(holder) as pet:
        async for event in pet.call("ask", {"text": "what do you know of me?", "name": "Nia"}):
            if "error" in event:
                raise RuntimeError(event["error"])
    return round(perf_counter() - begun, 3)


def main() -> None:
    """Measure, print, and say by the status whether the aim was reached."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=10_000)
    chosen = parser.parse_args()
    with TemporaryDirectory() as folder:
        found = asyncio.run(measure(Path(folder), chosen.messages))
    print(json.dumps(found, indent=1))
    sys.exit(float(str(found["slowest_s"])) > WITHIN_S)


if __name__ == "__main__":
    main()

"""Files that are searched for the bytes of what was purged, once they have been rewritten."""

import asyncio
import json
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

import structlog

from memory.child_processes import environment, python_of
from memory.forgetting import byte_search
from memory.model.errors import StorageFailed
from memory.rules.forgetting.receipt import LookedFor
from memory.storage.forgetting.traces import SHORTEST, Traces

log = structlog.get_logger()

_END = 40
"""Signs at either end of a text that are looked for: few enough to stand on one page of a file."""


class FilesLookedIn:
    """Searches files and folders for the texts of forgettings that are being purged.

    The texts are held in memory alone, from when a purge begins until its files were searched: a
    process that ends in between has no look to record.
    """

    def __init__(self, traces: Traces, places: Collection[Path]) -> None:
        self._traces = traces
        self._places = places
        self._texts: dict[int, list[str]] = {}

    async def remember(self, forgetting: int) -> None:
        """Read the texts of a forgetting, while they are there."""
        if texts := await self._traces.going(forgetting):
            self._texts[forgetting] = texts

    async def look(self, forgettings: Iterable[int]) -> None:
        """Search the files for these forgettings, and record what was found."""
        texts = {one: found for one in forgettings if (found := self._texts.pop(one, None))}
        if not texts:
            return
        ends = {end for each in texts.values() for text in each for end in _ends(text)}
        places = [place for place in self._places if place.exists()]
        there = list(zip(places, await _found_in(places, ends), strict=True))
        suspect = set().union(*(found for _, found in there))
        left = suspect - (await self._traces.still_said(suspect) if suspect else set())
        now = self._traces.now()
        looks = {
            number: [
                LookedFor(
                    place=f"bytes of {place.name}",
                    looked_for=len(each),
                    found=sum(bool(left & found & _ends(text)) for text in each),
                    at=now,
                )
                for place, found in there
            ]
            for number, each in texts.items()
        }
        await self._traces.keep(looks)
        log.info("files.searched", forgettings=len(texts), left=len(left))


def _ends(text: str) -> set[str]:
    """The beginning and the end of a text."""
    return {end for end in (text[:_END], text[-_END:]) if len(end) >= SHORTEST}


async def _found_in(places: Sequence[Path], texts: Collection[str]) -> list[set[str]]:
    """The texts whose bytes stand in each place.

    Raises:
        StorageFailed: the search ended before it was done.

    """
    ordered = sorted(texts)
    process = await asyncio.create_subprocess_exec(
        *python_of(byte_search.__name__),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env=environment(),
    )
    asked = json.dumps({"places": [str(place) for place in places], "texts": ordered})
    try:
        said, _ = await process.communicate(asked.encode())
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode:
        raise StorageFailed("The files were not searched to the end.")
    return [{ordered[number] for number in found} for found in json.loads(said)]

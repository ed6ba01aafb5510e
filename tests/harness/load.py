"""Everything that is said to a daemon at once, and what it has acknowledged of that."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from memory.tasks import background_task
from tests.harness.client import Gone, LocalClient, Refused
from tests.harness.words import new_words

UNLIMITED = {
    "EKO_RATES__PER_ADDRESS": "100000",
    "EKO_RATES__READ_PER_ROOM": "100000",
    "EKO_BUDGET__PER_PERSON_TURNS": "100000",
    "EKO_BUDGET__NEWCOMER_TURNS": "100000",
    "EKO_BUDGET__NEWCOMER_TOKENS": "1000000000",
}
"""What lets a daemon take all that one terminal says; with `discord_stage.QUICK`."""

TALKERS = ("Ana", "Ben", "Cléo")
"""Who talks with the pet alone, each waiting for an answer before they go on."""

CHATTERS = ("Dario", "Élise")
"""Who talks in the lobby, without waiting."""

CHAT_EVERY_S = 0.1
LINES = 40
"""Lines of one recording."""

DIGEST_EVERY_S = 0.5


@dataclass
class Recording:
    """A file for `eko replay`, until all of it was acknowledged."""

    path: Path
    words: Sequence[str]


@dataclass
class Said:
    """Words by where they were said; those that the daemon has taken are promised to be kept."""

    private: dict[str, str] = field(default_factory=dict)
    """Word to who said it."""
    lobby: set[str] = field(default_factory=set)
    replayed: set[str] = field(default_factory=set)
    tried: set[str] = field(default_factory=set)
    """All that was said, taken or not: what was cut off may be kept, once."""
    answered: int = 0
    refused: list[str] = field(default_factory=list)

    @property
    def promised(self) -> set[str]:
        """Every word that was acknowledged."""
        return {*self.private, *self.lobby, *self.replayed}


class Load:
    """People in private and in the lobby, recordings and digests, all from one seed."""

    def __init__(self, client: LocalClient, folder: Path, seed: int) -> None:
        self.said = Said()
        self._client = client
        self._folder = folder
        self._words = new_words(Random(seed))
        self._recording: Recording | None = None
        self._recordings = 0

    @asynccontextmanager
    async def poured(self) -> AsyncIterator[None]:
        """Talk for as long as the body runs; a daemon that goes away ends the talk."""
        works = [
            *(self._talk(name) for name in TALKERS),
            *(self._chat(name) for name in CHATTERS),
            self._replay(),
            self._digest(),
        ]
        async with background_task(self._all(works), name="load"):
            yield

    async def _all(self, works: Sequence[Coroutine[Any, Any, None]]) -> None:
        async with asyncio.TaskGroup() as together:
            for work in works:
                together.create_task(self._until_gone(work))

    async def _until_gone(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except Gone:
            return
        except Refused as error:
            self.said.refused.append(str(error))

    async def _talk(self, name: str) -> None:
        for word in self._spoken():
            await self._client.ask(name, f"mon bateau s'appelle {word}", self._takes(word, name))
            self.said.answered += 1

    def _takes(self, word: str, name: str) -> Callable[[], None]:
        return lambda: self.said.private.update({word: name})

    async def _chat(self, name: str) -> None:
        for word in self._spoken():
            await self._client.say(name, f"la fanfare joue {word} ce soir")
            self.said.lobby.add(word)
            await asyncio.sleep(CHAT_EVERY_S)

    def _spoken(self) -> Iterator[str]:
        for word in self._words:
            self.said.tried.add(word)
            yield word

    async def _replay(self) -> None:
        """Recording after recording; one that was cut off is played again, from its beginning."""
        while True:
            recording = self._recording = self._recording or self._recorded()
            await self._client.does("replay", path=str(recording.path))
            self.said.replayed.update(recording.words)
            self._recording = None
            await asyncio.sleep(CHAT_EVERY_S)

    def _recorded(self) -> Recording:
        words = list(islice(self._spoken(), LINES))
        self._recordings += 1
        path = self._folder / f"recording-{self._recordings}.jsonl"
        at = datetime.now(UTC).isoformat()
        rows = [
            {"author": "Fanny", "text": f"au marché il y a du {word}", "at": at, "id": word}
            for word in words
        ]
        path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
        return Recording(path=path, words=words)

    async def _digest(self) -> None:
        while True:
            await asyncio.sleep(DIGEST_EVERY_S)
            await self._client.does("digest")

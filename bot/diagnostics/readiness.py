"""Whether the pet can answer with what it remembers: its database, vector store and embedder."""

import asyncio
from collections.abc import Coroutine, Mapping
from datetime import datetime, timedelta
from typing import Any

from bot.diagnostics.loop_watch import LoopWatch
from memory.model.errors import EkoMemoryError
from memory.ports import Clock, Embedder, VectorIndex
from memory.storage.sqlite.health import Health

KEPT_FOR = timedelta(minutes=1)
"""How long it is believed that the embedder answers: some of them are paid by the question, and
this is asked by strangers."""

WITHIN_S = 3.0
"""Seconds each part has to answer."""


class Readiness:
    """Looks at the parts that an answer needs; says of each only whether it is ready."""

    def __init__(
        self, health: Health, embedder: Embedder, index: VectorIndex, clock: Clock
    ) -> None:
        self._health = health
        self._embedder = embedder
        self._index = index
        self._clock = clock
        self._embeds: tuple[datetime, bool] | None = None
        self.loop_watch = LoopWatch()

    async def parts(self) -> Mapping[str, bool]:
        """Each part by its name, and whether it is ready."""
        return {**await self.free_parts(), "embedder": await self._embedder_is_ready()}

    async def free_parts(self) -> Mapping[str, bool]:
        """The same for the parts that cost nothing to ask, however often that is."""
        return {
            "database": await self._is_ready(self._read()),
            "vector_store": await self._is_ready(self._found()),
        }

    async def _embedder_is_ready(self) -> bool:
        now = self._clock.now()
        if self._embeds is None or abs(now - self._embeds[0]) >= KEPT_FOR:
            self._embeds = (now, await self._is_ready(self._embedded()))
        return self._embeds[1]

    async def _is_ready(self, asked: Coroutine[Any, Any, object]) -> bool:
        try:
            async with asyncio.timeout(WITHIN_S):
                await asked
        except (EkoMemoryError, TimeoutError):
            return False
        return True

    async def _read(self) -> None:
        await self._health.version()

    async def _found(self) -> None:
        await self._index.damaged()

    async def _embedded(self) -> None:
        if not self._embedder.fingerprint.dimension:
            return  # there is none, by choice
        await self._embedder.embed(["hello"], "query")

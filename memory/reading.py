"""Reads a question before anything is looked up: its words, how rare they are, its embedding."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import tzinfo

import structlog

from memory.adapters.sqlite.terms import Terms
from memory.asked import Asked, Term
from memory.asked_times import read_times
from memory.errors import EmbeddingFailed
from memory.language import match_terms
from memory.ports import Clock, Embedder, Vectors

log = structlog.get_logger()


class Reading:
    """Turns the words of a question into what recall works with."""

    def __init__(
        self,
        terms: Terms,
        embedder: Embedder,
        clock: Clock,
        *,
        zone: tzinfo,
        embed_timeout_s: float,
    ) -> None:
        self._terms = terms
        self._embedder = embedder
        self._clock = clock
        self._zone = zone
        self._embed_timeout_s = embed_timeout_s

    async def of(self, text: str) -> Asked:
        """The question, read; without an embedding when the embedder does not answer in time.

        Raises:
            StorageFailed: the store could not be read.

        """
        vector, asked = await asyncio.gather(self._embedded(text), self._worded(text))
        return replace(asked, vector=vector)

    async def _worded(self, text: str) -> Asked:
        times = read_times(text, self._clock.now(), self._zone)
        terms = tuple(Term(stem) for stem in match_terms(times.rest if times.periods else text))
        counts = await self._terms.counted(_stems(terms))
        return Asked(text=text, terms=terms, counts=counts, periods=times.periods)

    async def _embedded(self, text: str) -> Vectors | None:
        if not self._embedder.fingerprint.embeds:
            return None
        try:
            async with asyncio.timeout(self._embed_timeout_s):
                vectors = await self._embedder.embed([text], "query")
        except (EmbeddingFailed, TimeoutError):
            log.warning("embedding.missed")
            return None
        first: Vectors = vectors[0]
        return first


def _stems(terms: Sequence[Term]) -> list[str]:
    return list(dict.fromkeys(stem for term in terms for stem in term.stems))

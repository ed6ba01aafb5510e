"""Voyage AI's embedding service, and local servers that speak the same request.

Importing this module costs 0.6 s, so it is imported only where a key is set.
"""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

import aiohttp
import numpy as np
from voyageai.client_async import AsyncClient
from voyageai.error import VoyageError
from voyageai.object import EmbeddingsObject

from memory.model.errors import EmbeddingFailed
from memory.ports import Fingerprint, Vectors
from memory.vectors import direction_of, unit

_BATCH_TEXTS = 128
"""Texts per request; the service takes more, local servers often do not."""

_BATCH_CHARACTERS = 200_000
"""Characters per request: at two per token in the worst case, under the service's 120k tokens."""

_UNREADABLE = (AttributeError, IndexError, KeyError, TypeError, ValueError)
"""What the SDK raises from an answer of another shape, which it reads without checking."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VoyageService:
    """Which service is asked, for what, and how patiently.

    `timeout_s` limits one request with its retries, which the SDK makes, `attempts` in all.
    """

    api_key: str = field(repr=False)
    model: str = "voyage-3.5"
    dimension: int = 1024
    base_url: str | None = None
    timeout_s: float = 20
    attempts: int = 3


class VoyageEmbedder:
    """An Embedder that asks a service."""

    def __init__(self, service: VoyageService) -> None:
        self._client = AsyncClient(
            service.api_key,
            base_url=service.base_url,
            max_retries=service.attempts,
            timeout=service.timeout_s / service.attempts,
        )
        self._service = service

    @property
    def fingerprint(self) -> Fingerprint:
        """The model, which its vendor never changes under one name, and the dimension."""
        return Fingerprint(
            name=self._service.model, dimension=self._service.dimension, version="voyage"
        )

    async def embed(self, texts: Sequence[str], kind: Literal["query", "document"]) -> Vectors:
        """One unit vector per text; blank texts, which the service refuses, are not sent."""
        dimension = self._service.dimension
        rows = np.empty((len(texts), dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            if not text.strip():
                rows[row] = direction_of(text, dimension)
        for batch in _batches(texts):
            answer = await self._answer([texts[row] for row in batch], kind)
            rows[batch] = self._checked(answer.embeddings, len(batch))
        return rows

    async def _answer(self, texts: list[str], kind: str) -> EmbeddingsObject:
        # Raised from None throughout: the vendor's messages quote the service's answers, which
        # may quote the key.
        service = self._service
        try:
            async with asyncio.timeout(service.timeout_s):
                return await self._client.embed(
                    texts, service.model, input_type=kind, output_dimension=service.dimension
                )
        except VoyageError as error:
            raise EmbeddingFailed(_sentence(error)) from None
        except TimeoutError:
            raise EmbeddingFailed(
                f"Voyage did not answer within {service.timeout_s:g} s."
            ) from None
        except aiohttp.ClientError:
            raise EmbeddingFailed("Voyage's answer was cut off.") from None
        except _UNREADABLE:
            raise EmbeddingFailed("Voyage's answer could not be read.") from None

    def _checked(self, embeddings: Sequence[Sequence[float]], count: int) -> Vectors:
        dimension = self._service.dimension
        if len(embeddings) != count:
            raise EmbeddingFailed(f"Voyage gave {len(embeddings)} vectors for {count} texts.")
        try:
            rows = np.array(embeddings, dtype=np.float64)
        except (TypeError, ValueError):
            raise EmbeddingFailed("Voyage's vectors could not be read.") from None
        if rows.shape != (count, dimension):
            raise EmbeddingFailed(f"Voyage's vectors do not have {dimension} dimensions.")
        if not np.isfinite(rows).all() or not rows.any(axis=1).all():
            raise EmbeddingFailed("Voyage's vectors are not usable numbers.")
        return unit(rows)


def _batches(texts: Sequence[str]) -> Iterator[list[int]]:
    """The rows of the texts that are not blank, in order, in batches of bounded size."""
    batch: list[int] = []
    characters = 0
    for row, text in enumerate(texts):
        if not text.strip():
            continue
        full = len(batch) == _BATCH_TEXTS or characters + len(text) > _BATCH_CHARACTERS
        if batch and full:
            yield batch
            batch, characters = [], 0
        batch.append(row)
        characters += len(text)
    if batch:
        yield batch


def _sentence(error: VoyageError) -> str:
    status = f" (HTTP {error.http_status})" if error.http_status else ""
    return f"Voyage failed: {type(error).__name__}{status}."

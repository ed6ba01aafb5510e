"""Voyage AI's embedding service, and local servers that speak the same request.

One request (https://docs.voyageai.com/reference/embeddings-api) on httpx2: the vendor's SDK brings
65 MB of packages that cut texts and read pictures, none of which is done here.
"""

import asyncio
import base64
import json
import random
import ssl
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Literal

import httpx2
import numpy as np

from memory.model.errors import EmbeddingFailed
from memory.ports import Fingerprint, Vectors
from memory.vectors import direction_of, unit

_BATCH_TEXTS = 128
"""Texts per request; the service takes more, local servers often do not."""

_BATCH_CHARACTERS = 200_000
"""Characters per request: at two per token in the worst case, under the service's 120k tokens."""

_HOSTED = "https://api.voyageai.com/v1"

_HOSTED_BY_MONGODB = "https://ai.mongodb.com/v1"
"""Where keys that begin with `al-` belong."""

_BUSY = frozenset({429, 502, 503, 504})
"""Statuses after which the same request is sent again."""

_LONGEST_PAUSE_S = 16.0
"""Seconds between two attempts, at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VoyageService:
    """Which service is asked, for what, and how patiently.

    `timeout_s` limits one request with its retries, `attempts` in all. Without a key none is sent,
    as local servers like it.
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
        hosted = _HOSTED_BY_MONGODB if service.api_key.startswith("al-") else _HOSTED
        self._url = f"{(service.base_url or hosted).rstrip('/')}/embeddings"
        self._certificates = ssl.create_default_context()
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
            rows[batch] = self._checked(answer, len(batch))
        return rows

    async def _answer(self, texts: list[str], kind: str) -> list[Any]:
        # Raised from None throughout: the client's errors and the service's answers may hold
        # the key.
        service = self._service
        asked = json.dumps(
            {  # in ASCII, which half a surrogate pair can be written in
                "input": texts,
                "model": service.model,
                "input_type": kind,
                "output_dimension": service.dimension,
                "truncation": True,
                "encoding_format": "base64",
            }
        )
        try:
            async with asyncio.timeout(service.timeout_s), self._client() as client:
                answer = await self._patiently(client, asked)
            if not answer.is_success:
                raise EmbeddingFailed(f"Voyage failed: HTTP {answer.status_code}.")
            return [_numbers(one["embedding"]) for one in answer.json()["data"]]
        except (TimeoutError, httpx2.TimeoutException):
            raise EmbeddingFailed(
                f"Voyage did not answer within {service.timeout_s:g} s."
            ) from None
        except httpx2.ConnectError:
            raise EmbeddingFailed("Voyage cannot be reached.") from None
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise EmbeddingFailed(
                f"Voyage's answer was cut off ({type(error).__name__})."
            ) from None
        except (KeyError, TypeError, ValueError):
            raise EmbeddingFailed("Voyage's answer could not be read.") from None

    def _client(self) -> httpx2.AsyncClient:
        service = self._service
        headers = {"Content-Type": "application/json"}
        if service.api_key:
            headers["Authorization"] = f"Bearer {service.api_key}"
        return httpx2.AsyncClient(
            headers=headers,
            timeout=service.timeout_s / service.attempts,
            verify=self._certificates,
            trust_env=False,
        )

    async def _patiently(self, client: httpx2.AsyncClient, asked: str) -> httpx2.Response:
        """The answer to a request, which is sent again while the service is busy or silent."""
        for attempt in range(self._service.attempts - 1):
            with suppress(httpx2.TimeoutException):
                answer = await client.post(self._url, content=asked)
                if answer.status_code not in _BUSY:
                    return answer
            jitter = random.random()  # noqa: S311 - spreads clients, hides nothing
            await asyncio.sleep(min(2.0**attempt + jitter, _LONGEST_PAUSE_S))
        return await client.post(self._url, content=asked)

    def _checked(self, embeddings: Sequence[Any], count: int) -> Vectors:
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


def _numbers(embedding: Any) -> Any:
    """An embedding as numbers; local servers send numbers though they were asked for base64."""
    if isinstance(embedding, str):
        return np.frombuffer(base64.b64decode(embedding, validate=True), dtype="<f4")
    return embedding

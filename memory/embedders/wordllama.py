"""The embedder that ships in the install: wordllama's static vectors, 256 dimensions.

It never downloads: the weights and the tokenizer are in wordllama's own wheel.
"""

import asyncio
import importlib.metadata
import logging
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

import numpy as np

from memory.errors import EmbeddingFailed
from memory.model.vectors import direction_of, unit
from memory.ports import Fingerprint, Vectors

_WEIGHTS = "l2_supercat"
"""The one set of weights in the wheel."""

_DIMENSION = 256
"""The one dimension in the wheel."""

_TEXT_LIMIT = 8_000
"""Characters embedded of one text: a mean of more words says nothing more."""

_BATCH_AREA = 16_000
"""Characters of one batch, counted as its longest text times its size because wordllama pads:
15 MB of work space, and the interpreter lock is never held for 3 ms."""


class OfflineEmbedder:
    """An Embedder that needs no network; its weights load in a thread at the first text."""

    def __init__(self) -> None:
        self._loading = threading.Lock()
        self._model: Any = None
        version = importlib.metadata.version("wordllama")
        self._fingerprint = Fingerprint(
            name=f"wordllama-{_WEIGHTS}", dimension=_DIMENSION, version=version
        )

    @property
    def fingerprint(self) -> Fingerprint:
        """The weights, their dimension and the version of the package they come in."""
        return self._fingerprint

    async def embed(self, texts: Sequence[str], kind: Literal["query", "document"]) -> Vectors:
        """One unit vector per text; queries and documents are treated alike."""
        del kind
        return await asyncio.to_thread(self._embedded, texts)

    def _embedded(self, texts: Sequence[str]) -> Vectors:
        clean = [text.encode("utf-8", "replace").decode()[:_TEXT_LIMIT] for text in texts]
        rows = np.zeros((len(clean), _DIMENSION), dtype=np.float32)
        encode = self._loaded().embed
        for batch in _batches(clean):
            rows[batch] = encode([clean[row] for row in batch], norm=False)
        rows = unit(rows)
        for row in np.flatnonzero(~rows.any(axis=1)):  # a text without a known token
            rows[row] = direction_of(clean[row], _DIMENSION)
        return rows

    def _loaded(self) -> Any:
        with self._loading:
            if self._model is None:
                self._model = _load()
            return self._model


def _batches(texts: Sequence[str]) -> Iterator[list[int]]:
    """The rows of the texts, shortest first, in batches of bounded area."""
    batch: list[int] = []
    for row in sorted(range(len(texts)), key=lambda row: len(texts[row])):
        if batch and len(texts[row]) * (len(batch) + 1) > _BATCH_AREA:
            yield batch
            batch = []
        batch.append(row)
    if batch:
        yield batch


def _load() -> Any:
    with _root_logger_kept():
        # The import takes 0.2 s and the weights 0.15 s, which a daemon with a key never pays.
        import wordllama

    try:
        # `disable_download` alone looks for the tokenizer in a folder that is not in the wheel.
        folder = Path(wordllama.__file__).parent
        return wordllama.WordLlama.load(
            _WEIGHTS, cache_dir=folder, dim=_DIMENSION, disable_download=True
        )
    except (OSError, ValueError) as error:
        raise EmbeddingFailed("The embedder's weights are missing from the install.") from error


@contextmanager
def _root_logger_kept() -> Iterator[None]:
    """Undo what wordllama does on import: it configures the root logger."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)

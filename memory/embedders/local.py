"""A multilingual model on this machine, run by fastembed as one of its custom models.

fastembed comes with the extra `local`. It is never asked to download: the files are fetched by
`model_hub.py`, and gets their folder.
"""

import asyncio
import os
import threading
from collections.abc import Iterator, Sequence
from typing import Any, Literal

import numpy as np

from memory.embedders.local_models import LocalModel
from memory.embedders.model_folder import WEIGHTS, ModelFolder
from memory.model.errors import EmbeddingFailed
from memory.ports import Fingerprint, Vectors
from memory.vectors import direction_of, unit

BATCH = 4
"""Texts at a time: what a batch needs grows with it and with the square of the longest text."""

_TEXT_LIMIT = 8_000
"""Characters given to the tokenizer: 512 tokens are 2,000 of them, and seldom more than 4,000."""

_registering = threading.Lock()
"""fastembed keeps its custom models in a list of the process."""


class LocalEmbedder:
    """An Embedder whose model loads in a thread at the first text, and computes in threads.

    Queries do not wait for documents: each kind has its turn, one batch at a time, so that at most
    two batches are in memory.
    """

    def __init__(self, folder: ModelFolder) -> None:
        self._folder = folder
        self._loading = threading.Lock()
        self._loaded: Any = None
        self._turns = {"query": asyncio.Lock(), "document": asyncio.Lock()}

    @property
    def fingerprint(self) -> Fingerprint:
        """The model and its revision."""
        return self._folder.model.fingerprint

    async def embed(self, texts: Sequence[str], kind: Literal["query", "document"]) -> Vectors:
        """One unit vector per text; queries and documents are treated alike."""
        clean = [text.encode("utf-8", "replace").decode()[:_TEXT_LIMIT] for text in texts]
        rows = np.empty((len(clean), self.fingerprint.dimension), dtype=np.float32)
        for row, text in enumerate(clean):
            if not text.strip():
                rows[row] = direction_of(text, self.fingerprint.dimension)
        for batch in _batches(clean):
            async with self._turns[kind]:
                rows[batch] = await asyncio.to_thread(self._embedded, [clean[row] for row in batch])
        return rows

    def _embedded(self, texts: list[str]) -> Vectors:
        model = self._model()
        try:
            found = np.array(list(model.embed(texts, batch_size=BATCH)), dtype=np.float64)
        except Exception as error:  # the runtime raises nothing narrower
            raise EmbeddingFailed(f"{self._folder.model.name} failed on a text.") from error
        if found.shape != (len(texts), self.fingerprint.dimension):
            raise EmbeddingFailed(
                f"{self._folder.model.name} gave vectors of shape {found.shape}, for {len(texts)} "
                f"texts in {self.fingerprint.dimension} dimensions."
            )
        if not np.isfinite(found).all() or not found.any(axis=1).all():
            raise EmbeddingFailed(f"{self._folder.model.name} gave no usable numbers.")
        return unit(found)

    def _model(self) -> Any:
        with self._loading:
            if self._loaded is None:
                self._loaded = _load(self._folder)
            return self._loaded


def _batches(texts: Sequence[str]) -> Iterator[list[int]]:
    """The rows of the texts that are not blank, in batches, each of texts alike in length."""
    rows = [row for row, text in enumerate(texts) if text.strip()]
    rows.sort(key=lambda row: len(texts[row]))
    for start in range(0, len(rows), BATCH):
        yield rows[start : start + BATCH]


def _load(folder: ModelFolder) -> Any:
    if not folder.is_complete:
        raise EmbeddingFailed(
            f"{folder.model.name} is not in {folder.path}: fetch it with eko embedder download."
        )
    try:
        # The import takes half a second of processor, which other pets never pay.
        from fastembed import TextEmbedding
    except ImportError as error:
        raise EmbeddingFailed(
            "fastembed is not installed, which runs local models: pip install "
            "-c constraints.txt -e '.[local]'"
        ) from error
    try:
        return TextEmbedding(
            _registered(folder.model),
            specific_model_path=str(folder.path),
            providers=["CPUExecutionProvider"],
            threads=max(1, (os.cpu_count() or 2) // 2),  # the other half stays for the pet
            enable_cpu_mem_arena=False,  # else what the longest batch needed is never given back
        )
    except Exception as error:  # tokenizer and runtime raise nothing narrower
        raise EmbeddingFailed(
            f"{folder.model.name} in {folder.path} cannot be loaded: eko embedder download "
            "looks whether the files are whole."
        ) from error


def _registered(model: LocalModel) -> str:
    """The name fastembed knows a model by, once for each revision."""
    from fastembed import TextEmbedding
    from fastembed.common.model_description import ModelSource, PoolingType

    name = f"eko/{model.name}@{model.revision}"
    with _registering:
        if name not in {each["model"] for each in TextEmbedding.list_supported_models()}:
            TextEmbedding.add_custom_model(
                name,
                pooling=PoolingType.MEAN if model.pooling == "mean" else PoolingType.CLS,
                normalization=True,
                sources=ModelSource(hf=model.repository),
                dim=model.dimension,
                model_file=WEIGHTS,
                license=model.licence,
            )
    return name

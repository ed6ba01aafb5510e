"""The built-in embedder gives the vectors it gave: another build or version is noticed."""

from pathlib import Path

import numpy as np

from memory.embedders.usem3 import OfflineEmbedder
from memory.vectors import unit

REFERENCES = Path(__file__).parents[1] / "data" / "embedder" / "references.npz"
"""A dozen texts in eight languages, and what version 0.2.1 of the package made of them."""

MEAN, LEAST = 0.98, 0.94
"""Cosines to the references. Another arithmetic of the same weights, ONNX, was at .981 and .943."""


async def test_the_vectors_are_those_of_the_pinned_model() -> None:
    """With others, what is kept and what is asked would no longer be compared rightly."""
    with np.load(REFERENCES) as stored:
        texts, known = stored["texts"].tolist(), unit(stored["vectors"].astype(np.float32))
    made = await OfflineEmbedder().embed(texts, "document")
    alike = np.sum(made * known, axis=1)
    assert (alike.mean() >= MEAN, alike.min() >= LEAST) == (True, True), dict(
        zip(texts, alike.round(3), strict=True)
    )


def test_the_references_tell_texts_apart() -> None:
    """Vectors of which any two were near would pass for any model."""
    with np.load(REFERENCES) as stored:
        known = unit(stored["vectors"].astype(np.float32))
    assert np.sort((known @ known.T).ravel())[: -len(known)].max() < LEAST / 1.5

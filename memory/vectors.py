"""What every vector must be before it is indexed, and what its collection is called."""

import hashlib
import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from memory.model.errors import VectorRefused
from memory.model.stores import Collection
from memory.ports import Fingerprint, Point, Vectors

_UNNAMED = re.compile(r"[^a-z0-9.]+")


def collection_name(prefix: str, collection: Collection, fingerprint: Fingerprint) -> str:
    """The name a collection has in a store: readable, and its own for each fingerprint."""
    slug = _UNNAMED.sub("-", str(fingerprint).lower()).strip("-.")
    digest = hashlib.blake2b(str(fingerprint).encode(), digest_size=3).hexdigest()
    return f"{prefix}{collection}-{slug[:60]}-{digest}"


def collection_names(prefix: str, fingerprint: Fingerprint) -> dict[Collection, str]:
    """The names of all collections of one fingerprint."""
    return {each: collection_name(prefix, each, fingerprint) for each in Collection}


def is_ours(name: str, prefix: str) -> bool:
    """Whether a name is that of a collection with this prefix, by whichever embedder."""
    return any(name.startswith(f"{prefix}{each}-") for each in Collection)


def checked(vector: Vectors, dimension: int) -> Vectors:
    """The vector as contiguous float32, shape (dimension,).

    Raises:
        VectorRefused: wrong shape, not finite, or of no length.

    """
    row = np.asarray(vector, dtype=np.float32)
    return _checked_rows(row[np.newaxis], dimension).reshape(dimension)


def checked_points(points: Sequence[Point], dimension: int) -> Vectors:
    """The vectors of the points as contiguous float32, shape (len(points), dimension).

    Raises:
        VectorRefused: one of them cannot be indexed, so none should be.

    """
    if any(not isinstance(point.payload.get("audience"), str) for point in points):
        raise VectorRefused("A point without an audience would escape the scope filter.")
    if any(np.shape(point.vector) != (dimension,) for point in points):
        raise VectorRefused(f"A vector does not have the {dimension} dimensions of this index.")
    rows = np.array([point.vector for point in points], dtype=np.float32)
    return _checked_rows(rows.reshape(len(points), dimension), dimension)


def _checked_rows(rows: Vectors, dimension: int) -> Vectors:
    if rows.ndim != 2 or rows.shape[1] != dimension:
        raise VectorRefused(f"A vector does not have the {dimension} dimensions of this index.")
    if not np.isfinite(rows).all():
        raise VectorRefused("A vector holds a number that is not finite.")
    if not rows.any(axis=1).all():
        raise VectorRefused("A vector of no length has no direction to compare.")
    return np.ascontiguousarray(rows)


def unit(rows: NDArray[np.floating]) -> Vectors:
    """The rows at unit length, as float32; a row of zeros stays as it is."""
    exact = np.asarray(rows, dtype=np.float64)
    lengths = np.linalg.norm(exact, axis=-1, keepdims=True)
    return (exact / np.where(lengths == 0, 1, lengths)).astype(np.float32)


def direction_of(text: str, dimension: int) -> Vectors:
    """A unit vector drawn from the text alone, shape (dimension,), near no other text's.

    It comes from a hash and not from a seeded generator, whose stream may change with numpy.
    """
    drawn = hashlib.shake_256(text.encode("utf-8", "replace")).digest(dimension)
    return unit(np.frombuffer(drawn, dtype=np.uint8).astype(np.float64) - 127.5)

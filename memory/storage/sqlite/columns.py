"""How values are written in columns: times, ids, lists and vectors."""

import json
from base64 import b64decode, b64encode
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np

from memory.model.audience import Scope
from memory.model.retrieval import RecalledLine, Section
from memory.ports import Vectors

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)


def millis(moment: datetime) -> int:
    """An aware moment as milliseconds since 1970 UTC."""
    return (moment - _EPOCH) // _MILLISECOND


def millis_in(duration: timedelta) -> int:
    """A duration in whole milliseconds."""
    return duration // _MILLISECOND


def moment(millis: int) -> datetime:
    """Milliseconds since 1970 UTC as an aware moment."""
    return _EPOCH + _MILLISECOND * millis


def maybe_millis(at: datetime | None) -> int | None:
    """The same for a moment that may be missing."""
    return None if at is None else millis(at)


def maybe_moment(at: int | None) -> datetime | None:
    """The same for a column that may be NULL."""
    return None if at is None else moment(at)


def json_list(values: Iterable[Any]) -> str:
    """A list for `json_each(:name)`, so that lists of any length are bound as one value."""
    return json.dumps(list(values), ensure_ascii=False)


def recalled_json(lines: Iterable[RecalledLine]) -> str:
    """Recalled lines as one JSON list, which `recalled_in` reads."""
    return json_list(
        {
            "section": line.section,
            "content": line.content,
            "age": line.age,
            "said_by": line.said_by,
            "reported": line.reported,
            "against": line.against,
            "then": line.then,
            "renamed": line.renamed,
        }
        for line in lines
    )


def recalled_in(written: str) -> tuple[RecalledLine, ...]:
    """The lines that `recalled_json` wrote."""
    return tuple(map(_recalled_line, json.loads(written)))


def _recalled_line(written: dict[str, Any]) -> RecalledLine:
    values = {
        "section": Section(written["section"]),
        "against": tuple(written["against"]),
        "renamed": tuple((then, now) for then, now in written.get("renamed", ())),
    }
    return RecalledLine(**written | values)


def audiences(scope: Scope) -> str | None:
    """The scope's keys for `json_each`; NULL means everything (the operator)."""
    return None if scope.audiences is None else json_list(sorted(scope.audiences))


def scope_in(written: str | None) -> Scope:
    """The scope that `audiences` wrote."""
    return Scope(None if written is None else frozenset(json.loads(written)))


def vector_blob(vector: Vectors) -> bytes:
    """A vector as float16 bytes, little endian: half the size, similarities agree to 1e-3."""
    return vector.astype("<f2").tobytes()


def blob_vectors(blobs: Sequence[bytes]) -> Vectors:
    """The float32 vectors that blobs of one length hold, shape (len(blobs), dimension)."""
    if not blobs:
        return np.zeros((0, 0), np.float32)
    return np.frombuffer(b"".join(blobs), "<f2").reshape(len(blobs), -1).astype(np.float32)


def row_json(*columns: Any) -> str:
    """Names and values in turn as one JSON object; every number and every byte exactly."""
    pairs = zip(columns[::2], columns[1::2], strict=True)
    return json.dumps(
        {
            name: {"bytes": b64encode(value).decode()} if isinstance(value, bytes) else value
            for name, value in pairs
        },
        ensure_ascii=False,
    )


def row_of(written: str | None) -> dict[str, Any]:
    """The columns that `row_json` wrote; none for NULL."""
    columns: dict[str, Any] = json.loads(written) if written else {}
    return {
        name: b64decode(value["bytes"]) if isinstance(value, dict) else value
        for name, value in columns.items()
    }

"""Compares filtered vector search with an exact one: `python -m benchmarks.vectors ENTRIES`.

The entries are a town's statements as the offline embedder sees them, because noise has no
neighbours worth finding. Prints its figures as one JSON object. Linux only: it reads /proc.
"""

import asyncio
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from benchmarks.figures import Figures, spread
from benchmarks.processes import worked_ms
from benchmarks.repetition import times
from benchmarks.settings import prepare_process
from benchmarks.town import Talk
from memory.embedders.usem3 import OfflineEmbedder
from memory.model.audience import OPERATOR, Audience, Scope
from memory.model.stores import Collection
from memory.ports import Point, Vectors
from memory.vectorstores.edge.index import EdgeIndex

QUERIES = times(100, 10)
"""Enough for a 95th percentile; an exact comparison of each takes a while at a million."""

NEAREST = 20
"""As many as the pre-hook asks for."""

AT_ONCE = 2_000
"""Texts embedded and indexed together."""

TIE = 2e-4
"""Similarities that differ by less are equal in half precision, and so are their entries."""

SHARES = {
    "space:large": 0.40,
    "space:small": 0.10,
    "person:most": 0.389,
    "person:tenth": 0.10,
    "person:hundredth": 0.01,
    "person:thousandth": 0.001,
}
"""Who may see how much of it."""

SCOPES: Mapping[str, Scope] = {
    "everything": OPERATOR,
    "50 %, two spaces": Scope(frozenset({Audience("space:large"), Audience("space:small")})),
    "49 %, two people": Scope(frozenset({Audience("person:most"), Audience("person:tenth")})),
    "10 %, a space": Scope(frozenset({Audience("space:small")})),
    "10 %, a person": Scope(frozenset({Audience("person:tenth")})),
    "1 %, a person": Scope(frozenset({Audience("person:hundredth")})),
    "0.1 %, a person": Scope(frozenset({Audience("person:thousandth")})),
}


async def measure(folder: Path, entries: int, *, seed: int = 7) -> Figures:
    """Fill an index, then ask it and an exact comparison the same questions in each scope."""
    embedder = OfflineEmbedder()
    kept = np.empty((entries, embedder.fingerprint.dimension), dtype=np.float16)
    audiences = Random(seed).choices(list(SHARES), list(SHARES.values()), k=entries)
    index = await EdgeIndex.open(folder, embedder.fingerprint)
    started = perf_counter()
    talk = Talk(seed)
    for start in range(0, entries, AT_ONCE):
        texts = [talk.fact(talk.resident())[0] for _ in range(min(AT_ONCE, entries - start))]
        vectors = await embedder.embed(texts, "document")
        kept[start : start + len(texts)] = vectors
        await index.upsert(Collection.MEMORY, _points(start, vectors, audiences))
    filled_s = perf_counter() - started
    asked = await embedder.embed([talk.question().text for _ in range(QUERIES)], "query")
    found = {
        name: await _compared(index, asked, _Exact(kept, audiences, scope), scope)
        for name, scope in SCOPES.items()
    }
    await index.close()
    return {"entries": entries, "filled_s": round(filled_s, 1), "scopes": found}


def _points(start: int, vectors: Vectors, audiences: Sequence[str]) -> list[Point]:
    return [
        Point(id=UUID(int=row), vector=vector, payload={"audience": audiences[row]})
        for row, vector in enumerate(vectors, start)
    ]


class _Exact:
    """The entries of one scope, compared one by one in numpy."""

    def __init__(self, kept: NDArray[np.float16], audiences: Sequence[str], scope: Scope) -> None:
        inside = [scope.allows(Audience(each)) for each in audiences]
        self._rows = _unit_rows(kept[inside])
        self._all = kept
        self.size = len(self._rows)

    def recall(self, query: Vectors, found: Sequence[UUID]) -> float:
        """The share of the nearest that was found; equally near ones stand for each other."""
        if not self.size:
            return float(not found)
        similarities = self._rows @ query
        wanted = min(NEAREST, self.size)
        threshold = np.partition(similarities, -wanted)[-wanted] - TIE
        rows = _unit_rows(self._all[[each.int for each in found]])
        return float((rows @ query >= threshold).sum() / wanted)


def _unit_rows(rows: NDArray[np.float16]) -> Vectors:
    """As `memory.vectors.unit`, without a copy in double precision."""
    exact = rows.astype(np.float32)
    exact /= np.linalg.norm(exact, axis=1, keepdims=True)
    return exact


async def _compared(index: EdgeIndex, asked: Vectors, exact: _Exact, scope: Scope) -> Figures:
    took_ms, recalls = [], []
    busy_ms = worked_ms(index.worker_pid)
    for query in asked:
        started = perf_counter()
        hits = await index.search(Collection.MEMORY, query, limit=NEAREST, scope=scope)
        took_ms.append((perf_counter() - started) * 1000)
        recalls.append(exact.recall(query, [hit.id for hit in hits]))
    return {
        "entries": exact.size,
        "recall": round(float(np.mean(recalls)), 4),
        "worst": round(min(recalls), 2),
        **spread(took_ms),
        "worker_cpu_ms": round((worked_ms(index.worker_pid) - busy_ms) / len(asked), 1),
    }


def main(entries: int) -> None:
    """Print the figures, as a process of its own."""
    prepare_process()
    with TemporaryDirectory(prefix="eko-vectors-") as folder:
        print(json.dumps(asyncio.run(measure(Path(folder), entries))))


if __name__ == "__main__":
    main(int(sys.argv[1]))

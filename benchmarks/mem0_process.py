"""A mem0 in a process of its own, run by the Python it is installed for."""

import asyncio
import base64
import json
import os
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.checkout import ROOT
from memory.language.word_lists import ENGLISH_STOP_WORDS
from memory.ports import Vectors

CHILD = ROOT / "benchmarks" / "mem0_child.py"
"""What the other Python runs."""

HOW_TO_INSTALL = (
    "mem0 is not part of Eko; give it an environment of its own and name its Python:\n"
    "  python -m venv mem0\n"
    "  mem0/bin/pip install mem0ai qdrant-client fastembed\n"
    "  python -m benchmarks.peers FILE --mem0 mem0/bin/python\n"
    "Without fastembed mem0 searches by vectors only."
)
"""What a person reads who has not done so."""

_LONGEST_LINE = 1 << 24
"""Bytes; the ids of a whole conversation are far fewer."""


class Mem0Missing(Exception):
    """There is no such Python, or it has no mem0."""


class Mem0Failed(Exception):
    """The process of mem0 ended before it answered."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Ids of memories, in order, and the milliseconds that mem0 took for them."""

    ids: tuple[str, ...]
    took_ms: float


class Mem0:
    """Speaks JSON lines with the process: one request, one answer."""

    def __init__(self, process: Process, about: Mapping[str, Any], log: Path) -> None:
        self._process = process
        self._log = log
        self.version = str(about["version"])
        self.has_keywords = bool(about["keywords"])

    async def add(self, user: str, texts: Sequence[str], vectors: Vectors) -> Answer:
        """Keep each text as it is, as a memory of a user."""
        return await self._answered("add", user, texts, vectors, {})

    async def search(self, user: str, text: str, vector: Vectors, top_k: int) -> Answer:
        """The memories of a user that mem0 finds for a text, best first."""
        return await self._answered("search", user, [text], vector[None, :], {"top_k": top_k})

    async def _answered(
        self,
        do: str,
        user: str,
        texts: Sequence[str],
        vectors: Vectors,
        more: Mapping[str, object],
    ) -> Answer:
        given = {"texts": texts, "vectors": [encoded(row) for row in vectors]}
        answer = await _asked(self._process, {"do": do, "user": user, **given, **more}, self._log)
        return Answer(tuple(answer["ids"]), float(answer["took_ms"]))


@asynccontextmanager
async def running(python: Path, folder: Path, dimension: int) -> AsyncIterator[Mem0]:
    """A mem0 that keeps its data in a folder, until the body ends.

    Raises:
        Mem0Missing: this Python cannot be run, or has no mem0; the sentence says how to make one.
        Mem0Failed: it ended before it was ready.

    """
    log = folder / "stderr.txt"
    with log.open("wb") as errors:
        process = await _started(python, folder, errors)
    try:
        opening = {
            "do": "open",
            "folder": str(folder),
            "dimension": dimension,
            "stop_words": sorted(ENGLISH_STOP_WORDS),
        }
        about = await _asked(process, opening, log)
        if "missing" in about:
            raise Mem0Missing(f"{python} has no mem0 ({about['missing']}).\n{HOW_TO_INSTALL}")
        yield Mem0(process, about, log)
    finally:
        await _ended(process)


def encoded(vector: Vectors) -> str:
    """A vector as it travels: base64 of float32."""
    return base64.b64encode(vector.astype("<f4").tobytes()).decode()


def environment(folder: Path) -> dict[str, str]:
    """What the process may know: nothing of ours, no keys, no telemetry, nothing to download."""
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(folder),
        "MEM0_DIR": str(folder),
        "MEM0_TELEMETRY": "False",
        "HF_HUB_OFFLINE": "1",
    }


async def _started(python: Path, folder: Path, errors: Any) -> Process:
    try:
        return await asyncio.create_subprocess_exec(
            python, "-I", CHILD,
            stdin=PIPE, stdout=PIPE, stderr=errors, env=environment(folder), limit=_LONGEST_LINE,
        )  # fmt: skip
    except OSError as error:
        sentence = f"{python} cannot be run ({error.strerror}).\n{HOW_TO_INSTALL}"
        raise Mem0Missing(sentence) from error


async def _asked(process: Process, request: Mapping[str, object], log: Path) -> dict[str, Any]:
    wire, answers = process.stdin, process.stdout
    assert wire is not None  # noqa: S101 - both are pipes
    assert answers is not None  # noqa: S101
    wire.write(json.dumps(request).encode() + b"\n")
    try:
        await wire.drain()
        line = await answers.readline()
    except ConnectionError:
        line = b""
    if not line:
        raise Mem0Failed(f"mem0 ended before it answered: {_last_words(log)}")
    answer: dict[str, Any] = json.loads(line)
    return answer


def _last_words(log: Path) -> str:
    said = log.read_text("utf-8", "replace").strip().splitlines()
    return said[-1] if said else "it said nothing"


async def _ended(process: Process) -> None:
    """Let it close its files: it ends by itself once nobody can ask any more."""
    if process.stdin is not None:
        process.stdin.close()
    await process.wait()

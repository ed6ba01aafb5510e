"""Drives mem0 for `benchmarks.peers`, run by a Python that has mem0ai.

One JSON object a line comes in and one goes out. Nothing of Eko is imported here, since that Python
does not have it, and nothing leaves the machine.
"""

import base64
import json
import sys
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter
from typing import Any

NOWHERE = "http://127.0.0.1:9"
"""Where a model would be asked, which nobody does here: the discard port."""

OUTSIDE = frozenset(
    """
    socket.connect socket.sendto socket.sendmsg socket.getaddrinfo socket.gethostbyname
    subprocess.Popen os.system os.posix_spawn
    """.split()  # noqa: SIM905 - a page of quoted words would hide them
)
"""Python's audit events of what could leave this machine, by itself or by a program."""

Request = Mapping[str, Any]
"""`do` says what: open (first), add or search; the rest is what it needs."""


class OutsideRefused(OSError):
    """Something tried to reach outside, or to start a program that could."""


class GivenVectors:
    """An embedder for mem0 that answers with vectors which were computed elsewhere."""

    def __init__(self) -> None:
        self._given: dict[str, list[float]] = {}

    def give(self, texts: Sequence[str], vectors: Sequence[str]) -> None:
        """Know these texts, and no longer those before; `vectors` are base64 of float32."""
        self._given = {
            text.strip(): decoded(vector) for text, vector in zip(texts, vectors, strict=True)
        }

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        """The vector that was given with a text.

        Raises:
            KeyError: none was; mem0 then goes without.

        """
        del memory_action
        return self._given[text.strip()]

    def embed_batch(self, texts: Sequence[str], memory_action: str = "add") -> list[list[float]]:
        """The vectors that were given with some texts."""
        return [self.embed(text, memory_action) for text in texts]


def decoded(vector: str) -> list[float]:
    """A vector from the form it travels in: base64 of float32, least significant byte first."""
    numbers = array("f", base64.b64decode(vector))
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tolist()


class Driver:
    """Answers requests from a mem0 `Memory` whose embedder is `given`."""

    def __init__(self, memory: Any, given: GivenVectors) -> None:
        self._memory = memory
        self._given = given

    def answer(self, request: Request) -> dict[str, Any]:
        """The ids that were stored or found, in order, and the milliseconds mem0 took for it."""
        self._given.give(request["texts"], request["vectors"])
        work = self._added if request["do"] == "add" else self._found
        started = perf_counter()
        ids = work(request)
        return {"ids": ids, "took_ms": (perf_counter() - started) * 1000}

    def _added(self, request: Request) -> list[str]:
        done = (
            self._memory.add(text, user_id=request["user"], infer=False)
            for text in request["texts"]
        )
        return [str(one["results"][0]["id"]) for one in done]

    def _found(self, request: Request) -> list[str]:
        """Without mem0's threshold, since it is the order that is compared."""
        (text,) = request["texts"]
        filters = {"user_id": request["user"]}
        found = self._memory.search(text, filters=filters, top_k=request["top_k"], threshold=0.0)
        return [str(one["id"]) for one in found["results"]]


def opened(request: Request) -> tuple[Driver, dict[str, Any]]:
    """A mem0 with a Qdrant of its own in a folder, and what it says about itself.

    Its keyword search works where fastembed is installed; `stop_words` stand in for the list that
    fastembed would download. The language model is never asked.

    Raises:
        ImportError: this Python has no mem0ai or no qdrant-client.

    """
    import mem0

    folder = Path(request["folder"])
    memory = mem0.Memory.from_config(configuration(folder, int(request["dimension"])))
    given = GivenVectors()
    memory.embedding_model = given
    keywords = find_spec("fastembed") is not None
    if keywords:
        # Where mem0 keeps what it would have loaded, and downloaded, at the first text.
        memory.vector_store._bm25_encoder = _keyword_encoder(folder, request["stop_words"])  # noqa: SLF001
    return Driver(memory, given), {"version": mem0.__version__, "keywords": keywords}


def configuration(folder: Path, dimension: int) -> dict[str, Any]:
    """What mem0 is made from: everything in one folder, and models that are never asked."""
    unasked = {"provider": "openai", "config": {"api_key": "-", "openai_base_url": NOWHERE}}
    store = {
        "path": str(folder / "qdrant"),
        "collection_name": "turns",
        "embedding_model_dims": dimension,
    }
    return {
        "vector_store": {"provider": "qdrant", "config": store},
        "history_db_path": str(folder / "history.db"),
        "llm": unasked,
        "embedder": unasked,
    }


def _keyword_encoder(folder: Path, stop_words: Sequence[str]) -> Any:
    from fastembed import SparseTextEmbedding

    return SparseTextEmbedding(
        "Qdrant/bm25", specific_model_path=str(folder), stopwords=set(stop_words)
    )


def refuse_outside(event: str, _arguments: object) -> None:
    """An audit hook.

    Raises:
        OutsideRefused: the event could leave this machine.

    """
    if event in OUTSIDE:
        raise OutsideRefused(f"{event}: this benchmark stays on this machine")


def serve(lines: Iterable[str], say: Callable[[Mapping[str, Any]], None]) -> None:
    """Open mem0 as the first line asks, then answer the others until there are no more."""
    requests = map(json.loads, lines)
    try:
        driver, about = opened(next(requests))
    except ImportError as error:
        say({"missing": str(error)})
        return
    say(about)
    for request in requests:
        say(driver.answer(request))


def main() -> None:
    """Serve on standard input and output; whatever else is printed goes to the error stream."""
    out, sys.stdout = sys.stdout, sys.stderr
    sys.addaudithook(refuse_outside)
    serve(sys.stdin, lambda answer: print(json.dumps(answer), file=out, flush=True))


if __name__ == "__main__":
    main()

"""Every embedder keeps the same promises: those of this machine, a hosted one, the double."""

import asyncio
import importlib
import logging
from collections.abc import AsyncIterator
from pathlib import Path

import numpy as np
import pytest
from aiohttp import web

from memory.embedders.local import LocalEmbedder
from memory.embedders.usem3 import OfflineEmbedder
from memory.embedders.voyage import VoyageEmbedder, VoyageService
from memory.ports import Embedder
from tests.embedder import HashingEmbedder

DIMENSION = 64


async def _hashed(request: web.Request) -> web.Response:
    """Answer like the service, with vectors that mean something."""
    body = await request.json()
    rows = await HashingEmbedder(body["output_dimension"]).embed(body["input"], "document")
    data = [
        {"object": "embedding", "index": n, "embedding": (3 * row).tolist()}
        for n, row in enumerate(rows)
    ]
    usage = {"total_tokens": len(body["input"])}
    return web.json_response({"object": "list", "data": data, "usage": usage})


@pytest.fixture
async def service_url() -> AsyncIterator[str]:
    """The address of a hosted embedder on loopback."""
    app = web.Application()
    app.router.add_post("/embeddings", _hashed)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    host, port = runner.addresses[0][:2]
    yield f"http://{host}:{port}"
    await runner.cleanup()


@pytest.fixture(params=["hashing", "local", "offline", "voyage"])
def embedder(request: pytest.FixtureRequest, service_url: str, tmp_path: Path) -> Embedder:
    """Each implementation."""
    if request.param == "local":
        pytest.importorskip("fastembed", reason="the extra `local` is not installed")
        pytest.importorskip("onnx", reason="the tiny model is made with it")
        words = ("cat", "the", "sleep", "##s", "##ing", "invoice", "message", "number")
        made = importlib.import_module("tests.tiny_model").tiny_model(words)
        return LocalEmbedder(made.installed(tmp_path))
    if request.param == "voyage":
        service = VoyageService(api_key="secret", dimension=DIMENSION, base_url=service_url)
        return VoyageEmbedder(service)
    return HashingEmbedder(DIMENSION) if request.param == "hashing" else OfflineEmbedder()


async def test_one_unit_vector_comes_back_per_text(embedder: Embedder) -> None:
    """Shape, type and length are as promised, for queries and documents."""
    texts = ["my sister lives in Lyon", "je pars en Grèce demain", "ok"]
    for kind in ("query", "document"):
        rows = await embedder.embed(texts, kind)
        assert rows.shape == (3, embedder.fingerprint.dimension)
        assert rows.dtype == np.float32
        assert np.linalg.norm(rows, axis=1) == pytest.approx(1, abs=1e-5)


async def test_no_text_gives_no_vector(embedder: Embedder) -> None:
    """An empty batch has a shape as well."""
    rows = await embedder.embed([], "document")
    assert rows.shape == (0, embedder.fingerprint.dimension)


async def test_the_same_text_gives_the_same_vector(embedder: Embedder) -> None:
    """A vector does not depend on what it was embedded with."""
    texts = ["a cat", "a dog that barks all night long", "", "🦊", "a cat"]
    together = await embedder.embed(texts, "document")
    for text, row in zip(texts, together, strict=True):
        (alone,) = await embedder.embed([text], "document")
        assert alone == pytest.approx(row, abs=1e-5)


async def test_a_text_without_words_has_a_direction_too(embedder: Embedder) -> None:
    """Empty and unknown texts give unit vectors that are near nothing in particular."""
    texts = ["", "   ", "\n", "...", "\ud800", "the meeting is on Monday"]
    rows = await embedder.embed(texts, "query")
    assert np.isfinite(rows).all()
    assert np.linalg.norm(rows, axis=1) == pytest.approx(1, abs=1e-5)
    assert abs(float(rows[0] @ rows[-1])) < 0.5


async def test_nearness_means_something(embedder: Embedder) -> None:
    """A paraphrase is nearer than another subject."""
    texts = ["her cats are sleeping", "the cat sleeps", "the invoice is overdue since March"]
    near, same, far = await embedder.embed(texts, "document")
    assert near @ same > near @ far + 0.1


async def test_hundreds_of_texts_come_back_in_order(embedder: Embedder) -> None:
    """Batches are put together again in the order of the texts, whatever their lengths."""
    texts = [f"number {n} " * (1 + 37 * n % 90) for n in range(300)]
    rows = await embedder.embed(texts, "document")
    for n in (0, 7, 127, 128, 299):
        (alone,) = await embedder.embed([texts[n]], "document")
        assert rows[n] == pytest.approx(alone, abs=1e-4)


async def test_a_very_long_text_is_embedded(embedder: Embedder) -> None:
    """A pasted file is a text like another."""
    rows = await embedder.embed(["lorem ipsum dolor " * 30_000], "document")
    assert np.linalg.norm(rows[0]) == pytest.approx(1, abs=1e-5)


async def test_several_calls_run_at_once(embedder: Embedder) -> None:
    """Concurrent calls do not disturb each other."""
    texts = [f"message number {n}" for n in range(20)]
    together = await asyncio.gather(*(embedder.embed([text], "query") for text in texts))
    expected = await embedder.embed(texts, "query")
    assert np.concatenate(together) == pytest.approx(expected, abs=1e-5)


async def test_the_fingerprint_is_known_without_a_call(embedder: Embedder) -> None:
    """It names the method, the dimension and the version, and stays the same."""
    before = embedder.fingerprint
    await embedder.embed(["hello"], "query")
    assert embedder.fingerprint == before
    assert before.name
    assert before.version


async def test_shouting_means_what_it_says() -> None:
    """The model hardly knows words in capitals, which people type all the same."""
    loud, said = await OfflineEmbedder().embed(["WHERE IS MY KEY?", "where is my key?"], "query")
    assert loud == pytest.approx(said, abs=1e-5)


async def test_only_the_beginning_of_a_long_text_is_read() -> None:
    """What one sign becomes eighteen letters of is cut as well, and a question before a text."""
    embedder = OfflineEmbedder()
    long, longer = await embedder.embed(["one two " * 300, "one two " * 3000], "document")
    assert long == pytest.approx(longer, abs=1e-5)
    (asked,) = await embedder.embed(["one two " * 300], "query")
    assert asked != pytest.approx(long, abs=1e-5)
    (signs,) = await embedder.embed(["\ufdfa" * 8000], "document")
    assert np.linalg.norm(signs) == pytest.approx(1, abs=1e-5)


async def test_a_question_finds_what_was_said_in_another_language() -> None:
    """French and English are one space."""
    texts = ["Ma sœur habite à Lyon.", "La facture est en retard.", "Where does my sister live?"]
    told, other, asked = await OfflineEmbedder().embed(texts, "document")
    assert asked @ told > asked @ other + 0.2


async def test_loading_the_weights_leaves_the_root_logger_alone() -> None:
    """The library configures logging when it is imported; ours stays as the daemon set it."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    await OfflineEmbedder().embed(["hello"], "query")
    assert (root.handlers, root.level) == (handlers, level)

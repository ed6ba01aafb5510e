"""The Voyage adapter against a service on loopback."""

import asyncio
import base64
import json
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import numpy as np
import pytest
from aiohttp import web

from memory.embedders.voyage import VoyageEmbedder, VoyageService
from memory.model.errors import EmbeddingFailed

KEY = "pa-voyage-secret-key"
DIMENSION = 4

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def embedding(text: str) -> list[float]:
    """A vector that tells texts apart by their length."""
    return [1.0, float(len(text)), 0.0, 0.5]


def answer(rows: list[Any], tokens: int = 7) -> web.Response:
    """An answer in the service's envelope."""
    data = [{"object": "embedding", "index": n, "embedding": row} for n, row in enumerate(rows)]
    body = {"object": "list", "data": data, "model": "x", "usage": {"total_tokens": tokens}}
    return web.json_response(body)


class Service:
    """A service that keeps what it was asked; `answers` are taken in turn, then it works."""

    def __init__(self) -> None:
        self.bodies: list[dict[str, Any]] = []
        self.authorizations: set[str | None] = set()
        self.answers: list[Handler] = []

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Record the request and answer it."""
        self.bodies.append(await request.json())
        self.authorizations.add(request.headers.get("Authorization"))
        if self.answers:
            return await self.answers.pop(0)(request)
        return answer([embedding(text) for text in self.bodies[-1]["input"]])


@asynccontextmanager
async def listening(handler: Handler) -> AsyncIterator[str]:
    """The address of a service on loopback."""
    app = web.Application(client_max_size=1 << 25)
    app.router.add_post("/v1/embeddings", handler)
    # What stays silent is not waited for at the end.
    runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    host, port = runner.addresses[0][:2]
    yield f"http://{host}:{port}/v1"
    await runner.cleanup()


@pytest.fixture
def service() -> Service:
    """A service that works."""
    return Service()


@pytest.fixture
async def url(service: Service) -> AsyncIterator[str]:
    """Where it listens."""
    async with listening(service.handle) as address:
        yield address


def embedder_at(url: str, *, timeout_s: float = 5, attempts: int = 1) -> VoyageEmbedder:
    """An embedder that asks this address."""
    described = VoyageService(
        api_key=KEY, dimension=DIMENSION, base_url=url, timeout_s=timeout_s, attempts=attempts
    )
    return VoyageEmbedder(described)


def _says(status: int) -> Handler:
    async def handler(_: web.Request) -> web.StreamResponse:
        return web.json_response({"detail": f"no, {KEY}"}, status=status)

    return handler


def _gives(rows: list[Any]) -> Handler:
    async def handler(_: web.Request) -> web.StreamResponse:
        return answer(rows)

    return handler


def _writes(text: str, status: int = 200) -> Handler:
    async def handler(_: web.Request) -> web.StreamResponse:
        return web.Response(text=text, status=status, content_type="application/json")

    return handler


async def _cut_off(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Length": "1000"})
    await response.prepare(request)
    await response.write(b'{"data": [')
    assert request.transport is not None
    request.transport.abort()
    return response


async def _moved(_: web.Request) -> web.StreamResponse:
    """Followed, it would carry the key to another host."""
    return web.Response(status=307, headers={"Location": "http://127.0.0.1:9/v1/embeddings"})


async def _silence(_: web.Request) -> web.StreamResponse:
    await asyncio.Event().wait()
    return web.Response()


async def test_a_request_says_what_is_wanted(service: Service, url: str) -> None:
    """Model, kind, dimension and key are sent; the vectors come back at unit length."""
    rows = await embedder_at(url).embed(["ab", "abcd"], "query")
    (body,) = service.bodies
    assert body["input"] == ["ab", "abcd"]
    assert body["model"] == "voyage-3.5"
    assert (body["input_type"], body["output_dimension"]) == ("query", DIMENSION)
    assert service.authorizations == {f"Bearer {KEY}"}
    expected = np.array([embedding("ab"), embedding("abcd")])
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    assert rows == pytest.approx(expected, abs=1e-6)


async def test_vectors_in_base64_are_read(service: Service, url: str) -> None:
    """The hosted service answers so, because it is asked to."""
    packed = base64.b64encode(np.array([0, 3, 0, 4], dtype=np.float32).tobytes()).decode()
    service.answers = [_gives([packed])]
    (row,) = await embedder_at(url).embed(["a"], "document")
    assert row == pytest.approx([0, 0.6, 0, 0.8], abs=1e-6)


async def test_many_texts_are_several_requests(service: Service, url: str) -> None:
    """Requests are bounded in texts and in characters, and put together in order."""
    texts = ["x" * (n % 50 + 1) for n in range(300)] + ["y" * 150_000, "z" * 150_000]
    rows = await embedder_at(url).embed(texts, "document")
    assert [len(body["input"]) for body in service.bodies] == [128, 128, 45, 1]
    assert [text for body in service.bodies for text in body["input"]] == texts
    assert rows[299, 1] / rows[299, 0] == pytest.approx(len(texts[299]), abs=1e-3)


async def test_blank_texts_are_not_sent(service: Service, url: str) -> None:
    """The service would refuse the whole request for one of them."""
    rows = await embedder_at(url).embed(["", "abc", " \n"], "document")
    assert [body["input"] for body in service.bodies] == [["abc"]]
    assert np.linalg.norm(rows, axis=1) == pytest.approx(1, abs=1e-5)


async def test_a_full_service_is_asked_again(service: Service, url: str) -> None:
    """One 429 is not a failure: it is asked again after a pause."""
    service.answers = [_says(429)]
    rows = await embedder_at(url, attempts=2, timeout_s=10).embed(["abc"], "document")
    assert rows.shape == (1, DIMENSION)
    assert len(service.bodies) == 2


@pytest.mark.parametrize(
    ("failure", "sentence"),
    [
        (_says(500), "HTTP 500"),
        (_says(503), "HTTP 503"),
        (_says(429), "HTTP 429"),
        (_says(401), "HTTP 401"),
        (_says(400), "HTTP 400"),
        (_writes(f"<html>{KEY}</html>"), "could not be read"),
        (_writes(json.dumps({"data": []})), "0 vectors for 2 texts"),
        (_writes(json.dumps([1])), "could not be read"),
        (_gives([embedding("a")]), "1 vectors for 2 texts"),
        (_gives([embedding("a")] * 3), "3 vectors for 2 texts"),
        (_gives([[1.0, 2.0]] * 2), "4 dimensions"),
        (_gives([[1.0, 2.0], embedding("a")]), "could not be read"),
        (_gives([["a", "b", "c", "d"]] * 2), "could not be read"),
        (_gives([[float("nan"), 1, 2, 3], embedding("a")]), "usable numbers"),
        (_gives([[0.0] * 4, embedding("a")]), "usable numbers"),
        (_gives(["no base64!", "no base64!"]), "could not be read"),
        (_gives(["AAA=", "AAA="]), "could not be read"),
        (_writes(json.dumps({"data": {}})), "0 vectors"),
        (_writes(json.dumps({"data": [[1.0]]})), "could not be read"),
        (_moved, "HTTP 307"),
        (_cut_off, "cut off"),
    ],
    ids=[
        "500",
        "503",
        "429 for ever",
        "401",
        "400",
        "page",
        "nothing",
        "no object",
        "too few",
        "too many",
        "other dimension",
        "ragged",
        "words",
        "nan",
        "zero",
        "no base64",
        "half a number",
        "no list",
        "no objects",
        "moved",
        "cut",
    ],
)
async def test_every_failure_is_a_failed_embedding(
    service: Service, url: str, failure: Handler, sentence: str
) -> None:
    """Whatever goes wrong is one error, with one sentence that holds no key; then it recovers."""
    embedder = embedder_at(url)
    service.answers = [failure]
    with pytest.raises(EmbeddingFailed, match=sentence) as caught:
        await embedder.embed(["a", "b"], "query")
    assert KEY not in "".join(traceback.format_exception(caught.value))
    assert (await embedder.embed(["a", "b"], "query")).shape == (2, DIMENSION)


async def test_a_silent_service_costs_the_time_limit(service: Service, url: str) -> None:
    """Nobody waits longer than was said, retries included."""
    service.answers = [_silence, _silence]
    loop = asyncio.get_running_loop()
    started = loop.time()
    with pytest.raises(EmbeddingFailed):
        await embedder_at(url, timeout_s=0.3, attempts=2).embed(["a"], "query")
    assert loop.time() - started < 2


async def test_a_service_that_is_not_there_is_a_failed_embedding(service: Service) -> None:
    """A refused connection is the same error."""
    async with listening(service.handle) as address:
        pass
    with pytest.raises(EmbeddingFailed, match="cannot be reached"):
        await embedder_at(address).embed(["a"], "query")


async def test_a_server_without_a_key_is_sent_none(service: Service, url: str) -> None:
    """Local servers need none, and `Bearer` without anything after it is no header."""
    described = VoyageService(api_key="", dimension=DIMENSION, base_url=url, attempts=1)
    await VoyageEmbedder(described).embed(["a"], "query")
    assert service.authorizations == {None}


async def test_a_silence_is_asked_again(service: Service, url: str) -> None:
    """Each attempt has its share of the time."""
    service.answers = [_silence]
    rows = await embedder_at(url, timeout_s=6, attempts=5).embed(["a"], "query")
    assert rows.shape == (1, DIMENSION)
    assert len(service.bodies) == 2


def test_the_key_is_not_shown() -> None:
    """A logged or printed description of the service does not hold its key."""
    assert KEY not in repr(VoyageService(api_key=KEY))

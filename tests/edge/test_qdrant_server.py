"""The Qdrant adapter with its real client against a server on loopback that answers as recorded."""

import asyncio
from collections.abc import AsyncIterator
from uuid import UUID

import pytest
from aiohttp import web

from memory.model.audience import OPERATOR, Audience, Scope
from memory.model.errors import VectorStoreUnavailable
from memory.vectorstores.qdrant import QdrantIndex
from memory.vectorstores.qdrant_server import QdrantServer
from memory.vectorstores.server_options import ServerOptions
from tests.edge.qdrant_recorded import (
    FINGERPRINT,
    KEY,
    MEMORY,
    OF_THE_PET,
    PET,
    QUERY,
    Handler,
    OnePet,
    Server,
    listening,
    ok,
    points,
    status_answer,
)

pytestmark = pytest.mark.filterwarnings(
    # Loopback has no TLS; the client rightly says so when it is given a key.
    "ignore:Api key is used with an insecure connection:UserWarning"
)


@pytest.fixture
def server() -> Server:
    """A server without collections."""
    return Server()


@pytest.fixture
async def index(server: Server) -> AsyncIterator[QdrantIndex]:
    """An index on that server."""
    async with listening(server.answer) as url:
        opened = QdrantIndex(
            QdrantServer.at(ServerOptions(url=url, api_key=KEY, timeout_s=2)),
            FINGERPRINT,
            OnePet(PET),
            "pet_",
        )
        yield opened
        await opened.close()


async def test_a_collection_is_made_with_its_indexes_when_first_needed(
    server: Server, index: QdrantIndex
) -> None:
    """The first call makes it, before it is used; later calls do not."""
    for _ in range(2):
        await index.search(MEMORY, QUERY, limit=3, scope=OPERATOR)
    (made,) = server.bodies("PUT", "")
    assert made["vectors"] == {"size": 4, "distance": "Cosine"}
    assert made["hnsw_config"] == {"m": 0, "payload_m": 16}
    fields = {body["field_name"]: body["field_schema"] for body in server.bodies("PUT", "/index")}
    assert fields == {
        "pet": {"type": "keyword", "is_tenant": True},
        "audience": "keyword",
        "person": "keyword",
        "room": "keyword",
        "space": "keyword",
        "timestamp": "datetime",
    }
    assert len(server.bodies("PUT", "/index")) == len(fields)
    assert len(server.bodies("POST", "/points/query")) == 2


async def test_concurrent_first_calls_make_it_once(server: Server, index: QdrantIndex) -> None:
    """A burst at start does not race itself."""
    await asyncio.gather(*(index.ids(MEMORY) for _ in range(5)))
    assert len(server.bodies("PUT", "")) == 1


async def test_a_collection_that_is_there_is_not_made_again(
    server: Server, index: QdrantIndex
) -> None:
    """What another run made is used."""
    server.exists = True
    assert await index.ids(MEMORY) == {UUID(int=1)}
    assert server.bodies("PUT", "") == []


async def test_a_collection_of_another_size_is_left_alone(
    server: Server, index: QdrantIndex
) -> None:
    """It is somebody else's: nothing is written there, and the sentence says what to do."""
    server.exists, server.size = True, 8
    with pytest.raises(VectorStoreUnavailable, match=r"\[vectors\] prefix"):
        await index.upsert(MEMORY, points(1))
    assert {method for method, _, _ in server.asked} == {"GET"}


async def test_every_request_about_points_names_the_pet(server: Server, index: QdrantIndex) -> None:
    """What is searched, listed, counted and deleted is filtered by it, what is written has it."""
    await index.search(MEMORY, QUERY, limit=3, scope=OPERATOR)
    await index.ids(MEMORY)
    await index.count(MEMORY)
    await index.delete(MEMORY, [UUID(int=1)])
    await index.upsert(MEMORY, points(1))
    for path in ("/points/query", "/points/scroll", "/points/count", "/points/delete"):
        for body in server.bodies("POST", path):
            assert OF_THE_PET in body["filter"]["must"]
    (written,) = server.bodies("PUT", "/points")
    assert [one["payload"]["pet"] for one in written["points"]] == [PET.hex]


async def test_the_scope_is_sent_as_a_filter(server: Server, index: QdrantIndex) -> None:
    """The server filters, by audience; the operator's scope names none."""
    scope = Scope(frozenset({Audience("everyone"), Audience("space:home")}))
    (hit,) = await index.search(MEMORY, QUERY, limit=3, scope=scope)
    await index.search(MEMORY, QUERY, limit=3, scope=OPERATOR)
    filtered, unfiltered = server.bodies("POST", "/points/query")
    condition = {"key": "audience", "match": {"any": ["everyone", "space:home"]}}
    assert filtered["filter"] == {"must": [OF_THE_PET, condition]}
    assert filtered["limit"] == 3
    assert unfiltered["filter"] == {"must": [OF_THE_PET]}
    assert (hit.id, hit.similarity) == (UUID(int=1), 0.75)


async def test_points_are_sent_in_batches(server: Server, index: QdrantIndex) -> None:
    """A large upsert is several requests the server accepts."""
    await index.upsert(MEMORY, points(600))
    sizes = [len(body["points"]) for body in server.bodies("PUT", "/points")]
    assert sizes == [256, 256, 88]


async def test_the_key_is_sent(server: Server, index: QdrantIndex) -> None:
    """Every request carries it."""
    await index.ids(MEMORY)
    assert server.keys == {KEY}


async def test_a_collection_removed_behind_our_back_is_made_again(
    server: Server, index: QdrantIndex
) -> None:
    """After a refusal the next call looks whether the collection is there."""
    await index.ids(MEMORY)
    server.failing = status_answer(404)
    with pytest.raises(VectorStoreUnavailable, match="404"):
        await index.ids(MEMORY)
    server.failing = None
    await index.ids(MEMORY)
    assert len(server.bodies("PUT", "")) == 2


async def test_losing_the_race_to_make_a_collection_is_fine(
    server: Server, index: QdrantIndex
) -> None:
    """Another process made it between the question and the order."""

    async def conflict(request: web.Request) -> web.StreamResponse:
        server.failing = None
        if request.method == "GET":
            server.failing = conflict
            return ok({"collections": []})
        return web.json_response({"status": {"error": "already exists!"}}, status=409)

    server.failing = conflict
    assert await index.ids(MEMORY) == {UUID(int=1)}


async def _page_of_a_proxy(_: web.Request) -> web.StreamResponse:
    return web.Response(text="<html>welcome</html>", content_type="text/html")


async def _another_shape(_: web.Request) -> web.StreamResponse:
    return ok({"surprise": 1})


async def _hung_up(request: web.Request) -> web.StreamResponse:
    assert request.transport is not None
    request.transport.abort()
    return web.Response()


async def _silence(_: web.Request) -> web.StreamResponse:
    await asyncio.Event().wait()
    return web.Response()


@pytest.mark.parametrize(
    "failure",
    [
        status_answer(500),
        status_answer(503),
        status_answer(401),
        status_answer(429),
        status_answer(429, **{"Retry-After": "3"}),
        status_answer(429, **{"Retry-After": "soon"}),
        _page_of_a_proxy,
        _another_shape,
        _hung_up,
    ],
    ids=["500", "503", "401", "429", "429 later", "429 odd", "page", "shape", "cut"],
)
async def test_every_failure_is_an_unavailable_store(
    server: Server, index: QdrantIndex, failure: Handler
) -> None:
    """Whatever goes wrong is one error, with one sentence that holds no key; then it recovers."""
    server.failing = failure
    for call in (
        index.search(MEMORY, QUERY, limit=3, scope=OPERATOR),
        index.upsert(MEMORY, points(1)),
        index.delete(MEMORY, [UUID(int=1)]),
        index.ids(MEMORY),
    ):
        with pytest.raises(VectorStoreUnavailable) as caught:
            await call
        assert KEY not in str(caught.value)
    server.failing = None
    assert await index.ids(MEMORY) == {UUID(int=1)}


async def test_a_silent_server_costs_the_time_limit() -> None:
    """Nobody waits longer than was said."""
    async with listening(_silence) as url:
        index = QdrantIndex(
            QdrantServer.at(ServerOptions(url=url, timeout_s=0.2)), FINGERPRINT, OnePet(PET)
        )
        with pytest.raises(VectorStoreUnavailable, match=r"within 0\.2 s"):
            await index.ids(MEMORY)
        await index.close()


async def test_a_server_that_is_not_there_is_an_unavailable_store(server: Server) -> None:
    """A refused connection is the same error."""
    async with listening(server.answer) as url:
        pass
    index = QdrantIndex(
        QdrantServer.at(ServerOptions(url=url, timeout_s=2)), FINGERPRINT, OnePet(PET)
    )
    with pytest.raises(VectorStoreUnavailable):
        await index.ids(MEMORY)
    await index.close()

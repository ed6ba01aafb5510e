"""What is chosen about a Qdrant server: how it is reached and asked, how collections are made."""

import asyncio
import ssl
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from uuid import UUID

import pytest
import trustme
from aiohttp import web

from memory.model.audience import OPERATOR
from memory.model.errors import VectorStoreUnavailable
from memory.vectorstores.qdrant import QdrantIndex
from memory.vectorstores.qdrant_server import QdrantServer, pause_s
from memory.vectorstores.server_options import ServerOptions
from tests.edge.qdrant_recorded import (
    FINGERPRINT,
    KEY,
    MEMORY,
    PET,
    QUERY,
    Handler,
    OnePet,
    Server,
    index_at,
    listening,
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


CLUSTER = ServerOptions(
    api_key=KEY,
    timeout_s=2,
    upload_batch=100,
    shards=6,
    replicas=3,
    write_consistency=2,
    quantization="scalar",
    on_disk=True,
    read_consistency="majority",
)


async def test_a_collection_of_a_cluster_is_made_as_it_was_chosen(server: Server) -> None:
    """Shards, copies, quantization and disk, beside the graphs by pet; searches compare again."""
    async with listening(server.answer) as url:
        index = index_at(replace(CLUSTER, url=url))
        await index.search(MEMORY, QUERY, limit=3, scope=OPERATOR)
        await index.upsert(MEMORY, points(250))
        await index.close()
    (made,) = server.bodies("PUT", "")
    assert made["vectors"] == {"size": 4, "distance": "Cosine", "on_disk": True}
    assert made["hnsw_config"] == {"m": 0, "payload_m": 16, "on_disk": True}
    assert made["quantization_config"] == {"scalar": {"type": "int8", "always_ram": True}}
    of_copies = ("shard_number", "replication_factor", "write_consistency_factor")
    assert [made[name] for name in of_copies] == [6, 3, 2]
    (asked,) = server.bodies("POST", "/points/query")
    assert asked["params"]["quantization"] == {"rescore": True, "oversampling": 2}
    assert [len(body["points"]) for body in server.bodies("PUT", "/points")] == [100, 100, 50]
    assert server.consistencies == {"/points/query": "majority"}


async def test_without_a_choice_the_server_decides(server: Server, index: QdrantIndex) -> None:
    """A collection has one copy of what the server makes of it, and one is asked."""
    await index.search(MEMORY, QUERY, limit=3, scope=OPERATOR)
    (made,) = server.bodies("PUT", "")
    assert "shard_number" not in made
    assert "quantization_config" not in made
    assert server.consistencies == {}


def _busy_times(times: int, status: int, server: Server) -> Handler:
    left = times

    async def answer(_: web.Request) -> web.StreamResponse:
        nonlocal left
        left -= 1
        server.failing = answer if left else None
        return web.json_response({"status": {"error": "later"}}, status=status)

    return answer


@pytest.mark.parametrize("status", [429, 500, 503])
async def test_a_busy_server_is_asked_again(
    server: Server, index: QdrantIndex, status: int
) -> None:
    """Twice by default, so that a moment's overload is no outage; what was sent is sent again."""
    await index.ids(MEMORY)
    server.failing = _busy_times(2, status, server)
    await index.upsert(MEMORY, points(1))
    sent = server.bodies("PUT", "/points")
    assert len(sent) == 3
    assert sent[0] == sent[2]


async def test_a_refusal_is_not_sent_again(server: Server, index: QdrantIndex) -> None:
    """A wrong key stays wrong."""
    await index.ids(MEMORY)
    server.failing = status_answer(401)
    with pytest.raises(VectorStoreUnavailable, match="401"):
        await index.upsert(MEMORY, points(1))
    assert len(server.bodies("PUT", "/points")) == 1


async def test_a_server_that_asks_for_more_time_than_there_is_is_given_up(
    server: Server, index: QdrantIndex
) -> None:
    """At once: what waits for the answer has its own way to go on."""
    await index.ids(MEMORY)
    server.failing = status_answer(429, **{"Retry-After": "60"})
    with pytest.raises(VectorStoreUnavailable):
        await index.search(MEMORY, QUERY, limit=3, scope=OPERATOR)
    assert len(server.bodies("POST", "/points/query")) == 1


async def test_who_stops_waiting_stops_the_tries(server: Server, index: QdrantIndex) -> None:
    """A recall gives its searches up at the deadline, also between two tries."""
    await index.ids(MEMORY)
    asked = asyncio.Event()

    async def busy(_: web.Request) -> web.StreamResponse:
        asked.set()
        return web.json_response({}, status=429, headers={"Retry-After": "1"})

    server.failing = busy
    search = asyncio.ensure_future(index.search(MEMORY, QUERY, limit=3, scope=OPERATOR))
    await asked.wait()
    search.cancel()
    with pytest.raises(asyncio.CancelledError):
        await search
    assert len(server.bodies("POST", "/points/query")) == 1


@pytest.mark.parametrize(
    ("attempt", "asked", "least", "most"),
    [
        (0, "", 0.05, 0.15),
        (3, "", 0.4, 1.2),
        (0, "3", 3, 3),
        (0, "soon", 0.05, 0.15),
        (0, "²", 0, 1),
    ],
)
def test_the_pause_grows_and_is_what_was_asked_for(
    attempt: int, asked: str, least: float, most: float
) -> None:
    """Drawn by chance, so that many pets do not come back at one moment; never less than asked."""
    drawn = [pause_s(attempt, asked) for _ in range(50)]
    assert all(least <= one <= most for one in drawn)
    assert len(set(drawn)) > 1 or asked == "3"


async def test_an_authority_of_ones_own_vouches_for_the_server(
    server: Server, tmp_path: Path
) -> None:
    """With its file the server is trusted, without it the server is told nothing."""
    authority = trustme.CA()
    authority.cert_pem.write_to_path(tmp_path / "ca.pem")
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert("127.0.0.1").configure_cert(tls)
    async with listening(server.answer, tls) as url:
        stranger = index_at(ServerOptions(url=url, api_key=KEY, timeout_s=2))
        with pytest.raises(VectorStoreUnavailable):
            await stranger.ids(MEMORY)
        await stranger.close()
        assert server.asked == []
        options = ServerOptions(url=url, api_key=KEY, ca_file=str(tmp_path / "ca.pem"))
        index = index_at(options)
        assert await index.ids(MEMORY) == {UUID(int=1)}
        await index.close()


@pytest.mark.parametrize("content", [None, "no certificate"])
def test_certificates_that_cannot_be_read_are_said(tmp_path: Path, content: str | None) -> None:
    """In one sentence that names the file and the setting."""
    path = tmp_path / "ca.pem"
    if content is not None:
        path.write_text(content)
    with pytest.raises(
        VectorStoreUnavailable, match=r"ca\.pem cannot be read .*\[vectors\] ca_file"
    ):
        QdrantServer.at(ServerOptions(url="https://qdrant.example", ca_file=str(path)))


async def test_the_port_is_that_of_a_url_without_one(server: Server) -> None:
    """A url without one would be asked at 6333."""
    async with listening(server.answer) as url:
        host, _, port = url.rpartition(":")
        index = index_at(ServerOptions(url=host, port=int(port), timeout_s=2))
        assert await index.ids(MEMORY) == {UUID(int=1)}
        await index.close()

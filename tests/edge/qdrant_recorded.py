"""A Qdrant server on loopback that answers as recorded, and keeps what it was asked."""

import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import numpy as np
from aiohttp import web
from qdrant_client import QdrantClient, models

from memory.model.stores import Collection
from memory.ports import Fingerprint, Point
from memory.vectors import collection_name, unit
from memory.vectorstores.qdrant import QdrantIndex
from memory.vectorstores.qdrant_server import QdrantServer
from memory.vectorstores.server_options import ServerOptions

FINGERPRINT = Fingerprint(name="test", dimension=4, version="1")
MEMORY = Collection.MEMORY
NAME = collection_name("pet_shared-", MEMORY, FINGERPRINT)
PET = UUID(int=1 << 100)
QUERY = unit(np.array([1.0, 2.0, 3.0, 4.0]))
KEY = "qdrant-secret-key"
OF_THE_PET = {"key": "pet", "match": {"value": PET.hex}}

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def ok(result: object) -> web.Response:
    """An answer in the server's envelope."""
    return web.json_response({"result": result, "status": "ok", "time": 0.0004})


class Server:
    """A server that keeps what it was asked; `failing` answers instead of it when set."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str, Any]] = []
        self.keys: set[str | None] = set()
        self.consistencies: dict[str, str] = {}
        self.exists = False
        self.size = FINGERPRINT.dimension
        self.failing: Handler | None = None

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """Record the request and answer it."""
        path = request.path.removeprefix("/collections").removeprefix(f"/{NAME}")
        body = await request.json() if request.can_read_body else None
        self.asked.append((request.method, path, body))
        self.keys.add(request.headers.get("api-key"))
        if "consistency" in request.query:
            self.consistencies[path] = request.query["consistency"]
        if self.failing:
            return await self.failing(request)
        if request.method == "GET":
            return self._described(request.path)
        return self._result(path)

    def _described(self, path: str) -> web.Response:
        if path == "/collections":
            return ok({"collections": [{"name": NAME}] if self.exists else []})
        local = QdrantClient(":memory:")
        shape = models.VectorParams(size=self.size, distance=models.Distance.COSINE)
        local.create_collection(NAME, vectors_config=shape)
        return ok(local.get_collection(NAME).model_dump(mode="json"))

    def _result(self, path: str) -> web.Response:
        one = str(UUID(int=PET.int + 1))
        return ok(
            {
                "": True,
                "/points/count": {"count": 1},
                "/points/query": {"points": [{"id": one, "version": 3, "score": 0.75}]},
                "/points/scroll": {"points": [{"id": one}], "next_page_offset": None},
            }.get(path, {"operation_id": 0, "status": "completed"})
        )

    def bodies(self, method: str, path: str) -> list[Any]:
        """The bodies of the requests to one path."""
        return [body for verb, where, body in self.asked if (verb, where) == (method, path)]


@asynccontextmanager
async def listening(handler: Handler, tls: ssl.SSLContext | None = None) -> AsyncIterator[str]:
    """The address of a server on loopback."""
    app = web.Application(client_max_size=1 << 25)
    app.router.add_route("*", "/{path:.*}", handler)
    # What stays silent is not waited for at the end.
    runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0, ssl_context=tls).start()
    host, port = runner.addresses[0][:2]
    yield f"{'http' if tls is None else 'https'}://{host}:{port}"
    await runner.cleanup()


@dataclass(frozen=True)
class OnePet:
    """A pet that no other folder holds."""

    id: UUID

    async def pet(self) -> UUID:
        """Its id."""
        return self.id


def points(count: int) -> list[Point]:
    """Points with small ids."""
    return [
        Point(id=UUID(int=n), vector=QUERY, payload={"audience": "everyone"}) for n in range(count)
    ]


def index_at(options: ServerOptions) -> QdrantIndex:
    """The pet's index on a server that is reached with these options."""
    return QdrantIndex(QdrantServer.at(options), FINGERPRINT, OnePet(PET), "pet_")


def status_answer(status: int, **headers: str) -> Handler:
    """What refuses every request with this status."""

    async def answer(_: web.Request) -> web.StreamResponse:
        body = {"status": {"error": f"no, {KEY}"}, "time": 0.0}
        return web.json_response(body, status=status, headers=headers)

    return answer

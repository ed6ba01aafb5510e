"""The API on the control socket: the owner's, unless a request names a key."""

from collections.abc import AsyncIterator
from pathlib import Path

import httpx2
import pytest

from bot.daemon.control_socket import control_api
from bot.daemon.daemon import authenticator_of
from bot.surfaces.parts import WebParts
from bot.topics.access.access import AccessOperations, AddKeyRequest
from memory.model.access import Right
from tests.flow.owning import Owner, owned

FOUND, MADE, UNKNOWN, FORBIDDEN, GONE = 200, 201, 401, 403, 404


@pytest.fixture
async def pet(tmp_path: Path) -> AsyncIterator[Owner]:
    """A pet that knows what David plays."""
    async with owned(tmp_path, "en") as born:
        await born.told("David plays the flute")
        yield born


@pytest.fixture
async def client(pet: Owner) -> AsyncIterator[httpx2.AsyncClient]:
    """A program of this user, at the socket."""
    api = control_api(WebParts(app=pet.app), authenticator_of(pet.app))
    transport = httpx2.ASGITransport(api)
    async with httpx2.AsyncClient(transport=transport, base_url="http://eko") as opened:
        yield opened


async def test_who_reaches_the_socket_is_the_owner(pet: Owner, client: httpx2.AsyncClient) -> None:
    """What they change is audited as by this way; operations are served beside."""
    made = await client.post("/api/memories", json={"content": "Léa likes teal"})
    assert made.status_code == MADE
    (entry, *_) = await pet.app.storage.audit.latest(1)
    assert (entry.actor, entry.origin) == ("operator", "control socket")
    answer = await client.post("/operations/memories", json={})
    assert "David plays the flute" in answer.text


async def test_a_key_that_is_named_decides(pet: Owner, client: httpx2.AsyncClient) -> None:
    """One that reads changes nothing, and a wrong or empty one is no owner's."""
    wanted = AddKeyRequest(name="agent", rights=frozenset({Right.READ}))
    key = (await AccessOperations(pet.app).add_key(wanted)).token
    for token, reading, writing in (
        (f"Bearer {key}", FOUND, FORBIDDEN),
        ("Bearer eko_wrong", UNKNOWN, UNKNOWN),
        ("Bearer ", UNKNOWN, UNKNOWN),
        ("", UNKNOWN, UNKNOWN),
    ):
        headers = {"authorization": token}
        read = await client.get("/api/memories", headers=headers)
        kept = await client.post("/api/memories", json={"content": "x"}, headers=headers)
        assert (read.status_code, kept.status_code) == (reading, writing)


async def test_a_browser_has_nothing_there(client: httpx2.AsyncClient) -> None:
    """Neither the dashboard nor the page; a failure is a problem as everywhere."""
    for path in ("/", "/dashboard", "/login", "/mcp"):
        assert (await client.get(path)).status_code == GONE
    unknown = await client.get("/api/people/nobody")
    assert unknown.json()["detail"] == 'Nobody goes by "nobody".'

"""Requests to a service's HTTP API: whatever it does, they end in time and in our words."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from typing import Any

import pytest

from bot.errors import DeliveryFailed
from bot.platforms.http_api import ApiBusy, ApiDenied, ApiRefused, HttpApi
from tests.edge.loopback import Answer, Asked, LoopbackServer
from tests.patience import PATIENCE_S

KEY = "k3y-of-the-pet"
SAID = b'{"error": {"code": 7, "message": "mon secret, k3y-of-the-pet"}}'
SHORT_S = 0.2


class Service:
    """A service that gives the answer a test wants, and keeps what it was asked."""

    def __init__(self) -> None:
        self.answer = Answer(body=b"{}")
        self.asked: list[Asked] = []
        self.was_asked = asyncio.Event()

    async def take(self, asked: Asked) -> Answer:
        """Keep a request."""
        self.asked.append(asked)
        self.was_asked.set()
        return self.answer


@pytest.fixture
def service() -> Service:
    """A service that says yes."""
    return Service()


@pytest.fixture
async def server(service: Service) -> AsyncIterator[LoopbackServer]:
    """It, on this machine."""
    async with LoopbackServer(service.take) as running:
        yield running


@pytest.fixture
async def api(server: LoopbackServer) -> AsyncIterator[HttpApi]:
    """The client of it."""
    client = HttpApi("Pigeon", server.url, {"authorization": f"Bearer {KEY}"})
    yield client
    await client.close()


async def sent(api: HttpApi, limit_s: float = PATIENCE_S) -> Mapping[str, Any]:
    """What is said to one request."""
    return await api.request("POST", "/send", limit_s=limit_s, json={"text": "coucou"})


async def test_a_request_is_answered_with_an_object(api: HttpApi, service: Service) -> None:
    """It goes out as it was put, with the key; nothing at all is an empty object."""
    service.answer = Answer(body=b'{"id": "1"}')
    assert await sent(api) == {"id": "1"}
    (asked,) = service.asked
    assert (asked.method, asked.path, asked.json()) == ("POST", "/send", {"text": "coucou"})
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    service.answer = Answer(status=204)
    assert await sent(api) == {}


@pytest.mark.parametrize("status", [400, 403, 404, 409, 410, 413, 422])
async def test_a_refusal_says_its_status_and_keeps_its_details_to_itself(
    api: HttpApi, service: Service, status: int
) -> None:
    """They are for the channel, and in no sentence: an answer may repeat the words, or the key."""
    service.answer = Answer(status=status, body=SAID)
    with pytest.raises(ApiRefused) as raised:
        await sent(api)
    assert (raised.value.status, raised.value.details) == (status, json.loads(SAID))
    assert _says_nothing(raised.value)


@pytest.mark.parametrize("status", [401, 408, 425, 500, 502, 503, 599])
async def test_what_is_wrong_with_the_service_or_the_key_is_no_refusal(
    api: HttpApi, service: Service, status: int
) -> None:
    """The message is worth another try."""
    service.answer = Answer(status=status, body=SAID)
    with pytest.raises(DeliveryFailed) as raised:
        await sent(api)
    assert not isinstance(raised.value, ApiRefused | ApiBusy)
    assert isinstance(raised.value, ApiDenied) == (status == 401)
    assert _says_nothing(raised.value)


@pytest.mark.parametrize(
    ("said", "waits"),
    [
        (None, None),
        ("2", 2.0),
        ("0.25", 0.25),
        ("-3", 0.0),
        ("Wed, 21 Oct 2026 07:28:00 GMT", None),
        ("nan", None),
        ("inf", None),
        ("1e400", None),
    ],
)
async def test_too_many_requests_say_how_long_to_wait(
    api: HttpApi, service: Service, said: str | None, waits: float | None
) -> None:
    """As far as it is a number of seconds that ends."""
    headers = {} if said is None else {"retry-after": said}
    service.answer = Answer(status=429, body=SAID, headers=headers)
    with pytest.raises(ApiBusy) as raised:
        await sent(api)
    assert raised.value.retry_after_s == waits
    assert _says_nothing(raised.value)


@pytest.mark.parametrize(
    "answer",
    [
        Answer(never=True),
        Answer(reset=True),
        Answer(body=b'{"id": "whole"}', cut=True),
        Answer(body=b"<html>k3y-of-the-pet</html>"),
        Answer(body=b"[1]"),
        Answer(body=b"[" * 100_000),
        Answer(body=b"\xff\xfe"),
    ],
    ids=["hangs", "reset", "cut", "page", "list", "deep", "bytes"],
)
async def test_an_answer_that_is_none_is_told_in_time(
    api: HttpApi, service: Service, answer: Answer
) -> None:
    """In a sentence without the address."""
    service.answer = answer
    with pytest.raises(DeliveryFailed) as raised:
        await sent(api, SHORT_S if answer.never else PATIENCE_S)
    assert _says_nothing(raised.value)


async def test_an_answer_without_end_is_not_read_to_it(
    server: LoopbackServer, service: Service
) -> None:
    """What is longer than anything that is waited for."""
    api = HttpApi("Pigeon", server.url, longest_answer=1000)
    service.answer = Answer(body=b'{"id": "' + b"x" * 2000 + b'"}')
    with pytest.raises(DeliveryFailed, match="too much"):
        await sent(api)
    await api.close()


async def test_a_redirect_is_not_followed(
    api: HttpApi, server: LoopbackServer, service: Service
) -> None:
    """The key goes nowhere else; and what is moved was not sent."""
    service.answer = Answer(status=302, headers={"location": f"{server.url}/elsewhere"})
    with pytest.raises(DeliveryFailed):
        await sent(api)
    assert [one.path for one in service.asked] == ["/send"]


async def test_a_service_that_is_not_there_is_told_without_its_address() -> None:
    """Nor the name of the machine."""
    client = HttpApi("Pigeon", "http://127.0.0.1:9/bot-k3y-of-the-pet")
    with pytest.raises(DeliveryFailed) as raised:
        await sent(client)
    assert _says_nothing(raised.value)
    await client.close()


async def test_a_port_that_no_machine_has_is_a_service_that_is_not_there() -> None:
    """The loop raises a group of its own then, which nobody else catches."""
    client = HttpApi("Pigeon", "http://127.0.0.1:99999")
    with pytest.raises(DeliveryFailed):
        await sent(client)
    await client.close()


async def test_a_file_is_fetched_as_far_as_it_is_short(api: HttpApi, service: Service) -> None:
    """None for what is longer, not there, elsewhere, or too late."""
    service.answer = Answer(body=b"picture")
    assert await api.fetch("/file", 7, limit_s=PATIENCE_S) == b"picture"
    assert await api.fetch("/file", 6, limit_s=PATIENCE_S) is None
    for answer in (Answer(status=404), Answer(status=302, headers={"location": "/file"})):
        service.answer = answer
        assert await api.fetch("/file", 7, limit_s=PATIENCE_S) is None
    service.answer = Answer(body=b"picture", cut=True)
    assert await api.fetch("/file", 7, limit_s=PATIENCE_S) is None
    service.answer = Answer(never=True)
    assert await api.fetch("/file", 7, limit_s=SHORT_S) is None
    for strange in ("ftp://127.0.0.1/x", "http://127.0.0.1:99999/"):
        assert await api.fetch(strange, 7, limit_s=SHORT_S) is None


async def test_one_that_hangs_holds_up_no_other(api: HttpApi, service: Service) -> None:
    """Each request has a connection and a limit of its own."""
    service.answer = Answer(never=True)
    hanging = asyncio.create_task(api.fetch("/file", 7, limit_s=SHORT_S))
    await service.was_asked.wait()
    service.answer = Answer(body=b"{}")
    assert await sent(api) == {}
    assert await hanging is None


def _says_nothing(error: Exception) -> bool:
    """Whether neither the key, the address nor the words of the answer are told by an error."""
    told = f"{error} {error.__cause__}"
    return not any(one in told for one in (KEY, "127.0.0.1", "secret", "/send"))


async def test_what_is_sent_after_its_end_is_not_delivered(
    api: HttpApi, server: LoopbackServer, service: Service
) -> None:
    """A reply may be on its way when a connection ends; it waits for the next one."""
    await api.close()
    with pytest.raises(DeliveryFailed, match="The connection to Pigeon has ended"):
        await sent(api)
    assert await api.fetch(f"{server.url}/file", 100, limit_s=PATIENCE_S) is None
    assert service.asked == []

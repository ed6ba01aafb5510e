"""Fetching pictures, from servers that mean no good."""

import gzip
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx2
import pytest

from bot.channels.discord.inbound.cdn import Cdn, is_theirs
from tests.edge.loopback import Answer, Asked, LoopbackServer

PNG = b"\x89PNG\r\n\x1a\n" + bytes(1000)


@asynccontextmanager
async def cdn(*, is_trial: bool = True, limit_s: float = 5) -> AsyncIterator[Cdn]:
    """A store to fetch from."""
    store = Cdn(is_trial=is_trial, limit_s=limit_s)
    try:
        yield store
    finally:
        await store.close()


class Hosting:
    """A server that gives one answer, and keeps what it was asked."""

    def __init__(self, answer: Answer) -> None:
        self.asked: list[Asked] = []
        self._answer = answer

    async def __call__(self, asked: Asked) -> Answer:
        """The answer."""
        self.asked.append(asked)
        return self._answer


async def fetched(answer: Answer, *, limit_s: float = 5) -> bytes | None:
    """What comes of a file that a server answers like this."""
    async with LoopbackServer(Hosting(answer)) as server, cdn(limit_s=limit_s) as store:
        return await store.fetch(f"{server.url}/attachments/1/2/cat.png?ex=1", 2000)


async def test_a_file_is_fetched_as_it_is() -> None:
    """Byte for byte, without a key or a cookie of anybody's."""
    hosting = Hosting(Answer(body=PNG))
    async with LoopbackServer(hosting) as server, cdn() as store:
        assert await store.fetch(f"{server.url}/cat.png?ex=1", 2000) == PNG
    assert hosting.asked[0].path == "/cat.png?ex=1"
    assert "authorization" not in hosting.asked[0].headers
    assert hosting.asked[0].headers["accept-encoding"] == "identity"


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_nobody_is_sent_elsewhere(status: int) -> None:
    """A redirect would let a stranger choose what is asked from where the pet lives."""
    elsewhere = Hosting(Answer(body=PNG))
    async with LoopbackServer(elsewhere) as target:
        moved = Answer(status=status, headers={"location": f"{target.url}/secret"})
        assert await fetched(moved) is None
    assert elsewhere.asked == []


@pytest.mark.parametrize("status", [403, 404, 500])
async def test_a_file_that_is_gone_is_missed(status: int) -> None:
    """Links to files of messages end after a day."""
    assert await fetched(Answer(status=status, body=PNG)) is None


async def test_a_large_body_is_not_read_to_its_end() -> None:
    """It stops at what it may have, whatever length was promised."""
    endless = Answer(body=bytes(5_000_000))
    assert await fetched(endless) is None
    assert await fetched(Answer(body=PNG * 2, headers={"content-length": "9000000000"})) is None


async def test_a_packed_body_is_not_unpacked() -> None:
    """A kilobyte could become a gigabyte."""
    packed = gzip.compress(bytes(1_000_000))
    assert len(packed) < 2000
    assert await fetched(Answer(body=packed, headers={"content-encoding": "gzip"})) == packed


@pytest.mark.parametrize("answer", [Answer(never=True)])
async def test_a_slow_server_is_not_waited_for(answer: Answer) -> None:
    """The words are answered without the picture."""
    assert await fetched(answer, limit_s=0.05) is None


async def test_a_cut_body_is_missed() -> None:
    """Half a picture shows nothing."""
    assert await fetched(Answer(body=PNG, cut=True)) is None


@pytest.mark.parametrize(
    "url", ["", "cat.png", "file:///etc/passwd", "http://[", "https://\x00", "https://a/\ud83d"]
)
async def test_what_is_no_address_is_missed(url: str) -> None:
    """Nothing is raised."""
    async with cdn() as store:
        assert await store.fetch(url, 2000) is None


async def test_this_machine_is_asked_in_trials_only() -> None:
    """Or somebody could read a neighbour's page by sending its address."""
    hosting = Hosting(Answer(body=PNG))
    async with LoopbackServer(hosting) as server, cdn(is_trial=False) as store:
        assert await store.fetch(f"{server.url}/cat.png", 2000) is None
    assert hosting.asked == []


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://cdn.discordapp.com/attachments/1/2/a.png", True),
        ("https://media.discordapp.net/attachments/1/2/a.png", True),
        ("https://CDN.discordapp.com/a.png", True),
        ("http://cdn.discordapp.com/a.png", False),
        ("https://cdn.discordapp.com:8443/a.png", False),
        ("https://cdn.discordapp.com.evil.example/a.png", False),
        ("https://evil.example/cdn.discordapp.com", False),
        ("https://cdn.discordapp.com@evil.example/a.png", False),
        ("https://me:pw@cdn.discordapp.com/a.png", False),
        ("https://127.0.0.1/a.png", False),
        ("https://localhost/a.png", False),
    ],
)
def test_only_discords_own_hosts_are_asked(url: str, *, expected: bool) -> None:
    """Over a line that nobody else can read."""
    assert is_theirs(httpx2.URL(url), is_trial=False) is expected


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://127.0.0.1:81/a.png", True),
        ("http://[::1]:81/a.png", True),
        ("http://localhost/a.png", True),
        ("http://169.254.169.254/a.png", False),
        ("http://10.0.0.1/a.png", False),
        ("http://localhost.evil.example/a.png", False),
        ("ftp://127.0.0.1/a.png", False),
    ],
)
def test_a_trial_adds_this_machine_and_no_other(url: str, *, expected: bool) -> None:
    """Where the trial's server is."""
    assert is_theirs(httpx2.URL(url), is_trial=True) is expected

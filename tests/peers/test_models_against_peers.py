"""Both adapters against services that others wrote: aimock, and LiteLLM before it."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest

from bot.errors import ModelUnavailable
from bot.llm.service.options import ServiceOptions
from bot.model.requests import (
    ModelMessage,
    ModelRequest,
    Picture,
    Purpose,
    ToolResult,
    ToolRound,
    ToolSpec,
    UserMessage,
)
from tests.edge.providers import OPENAI, PROVIDERS, ClosingModel, Provider
from tests.peers.aimock import Aimock, calls, fails, running_aimock, says, strict_peer
from tests.peers.litellm import KEY, running_litellm

TOOLS = tuple(
    ToolSpec(name=name, description="A tool.", schema={"type": "object", "properties": {}})
    for name in ("search_memories", "respond")
)
HELLO = {"expression": "happy", "message": "Bonjour !"}
SAID = UserMessage(text="bonjour", speaker="david", injection="[Memory]\n• dev = Mickael")
PNG = Picture(media_type="image/png", content=b"\x89PNG\r\n\x1a\n" + bytes(20))


@pytest.fixture(scope="module")
def aimock() -> Iterator[Aimock]:
    """One process for every test of this file."""
    with running_aimock() as running:
        yield running


@pytest.fixture(scope="module")
def litellm(aimock: Aimock) -> Iterator[str]:
    """One gateway for every test of this file."""
    with running_litellm(aimock) as url:
        yield url


@dataclass(frozen=True)
class Peer:
    """Where an adapter asks, and the aimock that is behind it."""

    provider: Provider
    url: str
    aimock: Aimock

    @asynccontextmanager
    async def model(self, **options: object) -> AsyncIterator[ClosingModel]:
        """The adapter, pointed there."""
        path = "/v1" if self.provider is OPENAI else ""
        given = {"api_key": KEY, "model": "gpt-4.1-mini", "retries": 0, "timeout_s": 60.0}
        model = self.provider.model(
            ServiceOptions(base_url=f"{self.url}{path}", **{**given, **options})  # type: ignore[arg-type]
        )
        try:
            yield model
        finally:
            await model.close()


@pytest.fixture(
    params=[(provider, way) for provider in PROVIDERS for way in ("direct", "gateway")],
    ids=lambda one: f"{one[0].name}-{one[1]}",
)
async def peer(aimock: Aimock, litellm: str, request: pytest.FixtureRequest) -> AsyncIterator[Peer]:
    """Aimock behind our strict rules, which check themselves at the end; or the gateway before it.

    The gateway words what it passes on in its own way, so that only what comes back is ours.
    """
    provider, way = request.param
    if way == "gateway":
        aimock.reset()
        yield Peer(provider, litellm, aimock)
        return
    async with strict_peer(aimock) as strict:
        yield Peer(provider, strict.url, aimock)


def asked(*messages: ModelMessage, force: str | None = None) -> ModelRequest:
    """A turn with these messages."""
    return ModelRequest(
        system="Be brief.",
        system_of_session="Of today.",
        messages=messages or (SAID,),
        tools=TOOLS,
        purpose=Purpose.TURN,
        max_tokens=300,
        force=force,
    )


async def test_a_talk_with_tools(peer: Peer) -> None:
    """Two searches, each result sent back, then the answer that is forced."""
    peer.aimock.script(
        calls("search_memories", {"query": "dev"}),
        calls("search_memories", {"query": "Mickael"}),
        calls("respond", HELLO),
    )
    messages: list[ModelMessage] = [SAID]
    async with peer.model() as model:
        for query in ("dev", "Mickael"):
            reply = await model.complete(asked(*messages))
            assert reply.calls[0].arguments == {"query": query}
            found = (ToolResult(call_id=reply.calls[0].id, text=f"found {query}"),)
            messages.append(ToolRound(text=reply.text, calls=reply.calls, results=found))
        last = await model.complete(asked(*messages, force="respond"))
    assert last.calls[0].arguments == HELLO
    assert last.stop_reason == "tools"


async def test_plain_words_and_a_picture(peer: Peer) -> None:
    """They reach it, and its words come back."""
    peer.aimock.script(says("Joli !"))
    look = UserMessage(text="regarde", speaker="david", pictures=(PNG,))
    async with peer.model() as model:
        reply = await model.complete(asked(look))
    assert (reply.text, reply.calls, reply.stop_reason) == ("Joli !", (), "end")


async def test_a_failure_is_unavailable_and_the_next_call_works(peer: Peer) -> None:
    """Translated once, whoever passes it on."""
    peer.aimock.script(fails(500, "api_error"), *[says("Me revoilà.")] * 2, userMessage="bonjour")
    async with peer.model() as model:
        try:
            assert (await model.complete(asked())).text == "Me revoilà."  # a gateway tries again
        except ModelUnavailable:
            assert (await model.complete(asked())).text == "Me revoilà."

"""Five hundred questions of agents that see a part: nothing told elsewhere is found.

One comes by the session of a community's manager, one by a key of a person.
"""

import random
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp.client.client import Client

from bot.daemon.daemon import connection_limits, site_of
from bot.daemon.http_server import secured
from tests.harness.canaries import Canary, canaries
from tests.harness.stage import PEOPLE, A, Stage, staged
from tests.harness.witness import id_of
from tests.web.access import DESCRIPTORS, HOST
from tests.web.agents import agent_at, text_of

SEED, TOLD, QUESTIONS = 31, 19, 250
"""One canary for each teller in each place."""


@dataclass
class Listeners:
    """A pet that was told canaries, and how it is asked: by one who sees a part, or the owner."""

    stage: Stage
    told: Sequence[Canary]
    asking: httpx2.AsyncClient
    audience: str
    owner: httpx2.AsyncClient

    @property
    def readable(self) -> list[Canary]:
        """What the one who sees a part may know."""
        return [one for one in self.told if one.audience == self.audience]

    @property
    def hidden(self) -> list[Canary]:
        """What they may not; their own words a person may have forgotten, wherever they fell."""
        others = [one for one in self.told if f"person {one.who}" != self.audience]
        return [one for one in others if one not in self.readable]


WAYS = {
    "a manager's session": (f"space {A}", None),
    "a person's key": ("person bob", {"person": "Bob"}),
}
"""How an agent comes that sees a part: what it may know, and the bounds of its key."""


@pytest.fixture(params=list(WAYS))
async def listeners(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Listeners]:
    """The pet of the leak harness behind its doors, a day after all of it was told."""
    told, (audience, bounds) = canaries(TOLD, SEED), WAYS[request.param]
    async with staged(tmp_path) as stage:
        for one in told:
            await stage.says(one.who, one.where, one.statement)
        await stage.learns()
        await stage.digests()
        await stage.passes(60 * 26)
        limits = connection_limits(stage.app.settings.web, DESCRIPTORS)
        served = httpx2.ASGITransport(secured(site_of(stage.app, limits), limits))
        headers = {} if bounds is None else await key(stage, **bounds)
        async with (
            httpx2.AsyncClient(transport=served, base_url=HOST, headers=headers) as asking,
            httpx2.AsyncClient(transport=served, base_url=HOST, headers=await key(stage)) as owner,
        ):
            if bounds is None:
                code = (await stage.does("login", space=A))["result"]["code"]
                await asking.post("/login", data={"code": code})
            yield Listeners(stage=stage, told=told, asking=asking, audience=audience, owner=owner)


async def key(stage: Stage, **bounds: str) -> dict[str, str]:
    """The headers of a program with a new key that may do all there is for an agent."""
    made = await stage.does("key_add", name="all", rights=["read", "write", "erase"], **bounds)
    return {"authorization": f"Bearer {made['result']['token']}"}


def questions(one: Canary, id_: str) -> list[tuple[str, dict[str, Any]]]:
    """Ways to ask for a canary by every tool, its word and its id included."""
    name = PEOPLE[one.who].name
    return [
        ("search", {"q": one.word, "mode": "text"}),
        ("search", {"q": one.word}),
        ("search", {"q": one.question}),
        ("search", {"q": one.asked_by_another("hall")}),
        ("search", {"q": f"{name} {one.topic}", "who": name, "limit": 200}),
        ("search", {"q": one.topic, "store": "said", "limit": 200}),
        ("search", {"q": one.topic, "room": one.where}),
        ("recent", {"limit": 200}),
        ("recent", {"who": name, "visibility": "private"}),
        ("recent", {"room": one.where, "as_of": "2026-01-17"}),
        ("person", {"name": name}),
        ("forget", {"topic": f"{one.topic} {name}"}),
        ("forget", {"topic": one.word}),
        ("forget", {"person": name, "erase": True}),
        ("forget", {"room": one.where}),
        ("forget", {"ids": [id_]}),
        ("forget", {"ids": [id_[:8]]}),
        ("remember", {"content": f"What is the {one.topic} of {name}?"}),
        ("correct", {"id": id_, "content": "It is nothing"}),
    ]


async def said(agent: Client, tool: str, given: dict[str, Any]) -> str:
    """All that a tool answers, refusals too."""
    return text_of(await agent.call_tool(tool, given))


async def test_an_agent_that_sees_a_part_finds_nothing_told_elsewhere(
    listeners: Listeners,
) -> None:
    """Of 250 questions for what was told in private, in confidence or in another community, 0."""
    hidden = listeners.hidden
    folder, chance = listeners.stage.folder / "pet", random.Random(SEED)
    asked = [(one, *way) for one in hidden for way in questions(one, id_of(folder, one.word))]
    async with agent_at(listeners.asking, {}) as agent:
        leaks = [
            (tool, given, one.word)
            for _, tool, given in chance.choices(asked, k=QUESTIONS)
            for answer in [await said(agent, tool, given)]
            for one in hidden
            if one.word in answer
        ]
    assert leaks == []


async def test_the_same_questions_find_what_may_be_known(listeners: Listeners) -> None:
    """Who sees a part what belongs to it, the owner all of it."""
    for asking, known in (
        (listeners.asking, listeners.readable),
        (listeners.owner, listeners.told),
    ):
        async with agent_at(asking, {}) as agent:
            found = [
                one for one in known if one.word in await said(agent, "search", {"q": one.word})
            ]
        assert len(found) >= len(known) * 0.9, [one.word for one in known if one not in found]

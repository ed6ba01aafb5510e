"""Five hundred questions of an agent that sees one community: nothing told elsewhere is found."""

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

SEED, TOLD, QUESTIONS = 31, 19, 500
"""One canary for each teller in each place."""


@dataclass
class Listeners:
    """A pet that was told canaries, and who asks it: a community's manager, and the owner."""

    stage: Stage
    told: Sequence[Canary]
    manager: httpx2.AsyncClient
    owner: httpx2.AsyncClient

    @property
    def readable(self) -> list[Canary]:
        """What the manager may know."""
        return [one for one in self.told if one.audience == f"space {A}"]


@pytest.fixture
async def listeners(tmp_path: Path) -> AsyncIterator[Listeners]:
    """The pet of the leak harness behind its doors, a day after all of it was told."""
    told = canaries(TOLD, SEED)
    async with staged(tmp_path) as stage:
        for one in told:
            await stage.says(one.who, one.where, one.statement)
        await stage.learns()
        await stage.digests()
        await stage.passes(60 * 26)
        limits = connection_limits(stage.app.settings.web, DESCRIPTORS)
        served = httpx2.ASGITransport(secured(site_of(stage.app, limits), limits))
        made = (await stage.does("key_add", name="all", rights=["read", "write", "erase"]))[
            "result"
        ]
        key = {"authorization": f"Bearer {made['token']}"}
        code = (await stage.does("login", space=A))["result"]["code"]
        async with (
            httpx2.AsyncClient(transport=served, base_url=HOST) as manager,
            httpx2.AsyncClient(transport=served, base_url=HOST, headers=key) as owner,
        ):
            await manager.post("/login", data={"code": code})
            yield Listeners(stage=stage, told=told, manager=manager, owner=owner)


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


async def test_an_agent_that_sees_one_community_finds_nothing_told_elsewhere(
    listeners: Listeners,
) -> None:
    """Of 500 questions for what was told in private, in confidence or in another community, 0."""
    hidden = [one for one in listeners.told if one not in listeners.readable]
    folder, chance = listeners.stage.folder / "pet", random.Random(SEED)
    asked = [(one, *way) for one in hidden for way in questions(one, id_of(folder, one.word))]
    async with agent_at(listeners.manager, {}) as agent:
        leaks = [
            (tool, given, one.word)
            for _, tool, given in chance.choices(asked, k=QUESTIONS)
            for answer in [await said(agent, tool, given)]
            for one in hidden
            if one.word in answer
        ]
    assert leaks == []


async def test_the_same_questions_find_what_may_be_known(listeners: Listeners) -> None:
    """The manager of a community what was told before it, the owner all of it."""
    for asking, known in (
        (listeners.manager, listeners.readable),
        (listeners.owner, listeners.told),
    ):
        async with agent_at(asking, {}) as agent:
            found = [
                one for one in known if one.word in await said(agent, "search", {"q": one.word})
            ]
        assert len(found) >= len(known) * 0.9, [one.word for one in known if one not in found]

"""What is spent is told: to the owner where they said, and by `eko usage` with what is left."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.agent.budget import Allowance
from bot.channels.local.hub import direct_room
from bot.channels.local.ports import Shown
from bot.model.events import AuthorRef
from bot.surfaces.operations import Operations
from bot.wiring.app import App, open_app
from config.sections.budget import BudgetSettings, LearningCapSettings, NoticeSettings
from config.sections.conversation import CoalescingSettings
from config.sections.model import ModelSettings
from config.sections.vectors import EmbedderSettings
from config.settings import Settings
from memory.model.notices import NoticeKind, OwnerNotice
from tests.edge.anthropic_server import anthropic_server, call, says
from tests.edge.strict_server import Conversation
from tests.patience import PATIENCE_S

OWNER = AuthorRef(platform="console", external_id="kim", name="Kim")


@pytest.fixture
async def server() -> AsyncIterator[Conversation]:
    """A model that is asked what its script says, and no more."""
    async with anthropic_server() as conversation:
        yield conversation


def settings_of(folder: Path, server: Conversation, **budget: object) -> Settings:
    """A pet that thinks with it, whose owner is written to in the terminal."""
    return Settings(
        data_dir=folder,
        embedder=EmbedderSettings(kind="none"),
        coalescing=CoalescingSettings(debounce_s=0, max_wait_s=0),
        model=ModelSettings.model_validate({"base_url": server.url, "api_key": "test"}),
        budget=BudgetSettings.model_validate(budget),
        notices=NoticeSettings(account="console:kim"),
    )


async def told(app: App, operation: str, **arguments: object) -> dict[str, object]:
    """The result of an operation."""
    events = [event async for event in Operations(app).call(operation, arguments)]
    return events[-1]


async def next_words(events: AsyncIterator[object]) -> str:
    """What the pet says next."""
    async with asyncio.timeout(PATIENCE_S):
        async for event in events:
            if isinstance(event, Shown) and event.expression is not None:
                return event.text
    raise AssertionError("the room was closed")


async def test_the_owner_reads_a_warning_in_their_own_room(
    tmp_path: Path, server: Conversation
) -> None:
    """Where they had written to the pet before."""
    server.will(says(call("respond", {"message": "Hello.", "expression": "happy"})))
    async with (
        open_app(settings_of(tmp_path, server)) as app,
        app.hub.talk(OWNER, direct_room(OWNER)).events() as events,
    ):
        await app.hub.talk(OWNER, direct_room(OWNER)).say("hello there")
        assert await next_words(events) == "Hello."
        app.notices.tell(OwnerNotice(kind=NoticeKind.TASK_DIED, about="indexer"))
        assert await next_words(events) == "A part of me has stopped, so I am going down: indexer."


async def test_a_spent_budget_is_told_and_left_to_rules(
    tmp_path: Path, server: Conversation
) -> None:
    """Not one call is made, and `eko usage` says that nothing is left."""
    async with open_app(settings_of(tmp_path, server, daily_tokens=0)) as app:
        answer = await told(app, "ask", text="Where does Tom live?", name="kim")
        assert "so this is from memory alone" in str(answer)
        found = await told(app, "usage")
    result = found["result"]
    assert isinstance(result, dict)
    (day,) = [one for one in result["allowances"] if one["allowance"] == Allowance.DAY]
    assert day["caps"] == {"tokens": 0, "dollars": 5.0}
    assert day["left"] == {"tokens": 0, "dollars": 5.0}
    assert (result["priced"], result["prices_as_of"]) == (True, "2026-10-24")
    assert server.requests == []


async def test_a_call_is_told_with_what_it_cost_and_left(
    tmp_path: Path, server: Conversation
) -> None:
    """To the person it was for, new here, and to the day."""
    server.will(says(call("respond", {"message": "Hello.", "expression": "happy"})))
    async with open_app(settings_of(tmp_path, server)) as app:
        await told(app, "ask", text="hello there, Eko", name="kim")
        found = await told(app, "usage")
    result = found["result"]
    assert isinstance(result, dict)
    lines = {(one["allowance"], one["of"]): one for one in result["allowances"]}
    sent = server.requests[0].json()["max_tokens"]
    assert sent == 1024
    assert lines["newcomers", None]["used"]["answers"] == 1
    assert lines["newcomers", None]["left"]["answers"] == 199
    assert lines["day", None]["used"] == lines["purpose", "turn"]["used"]
    assert lines["day", None]["used"]["dollars"] > 0
    assert lines["day", None]["under_way"]["input"] == 0


async def test_a_digest_at_its_cap_waits_and_is_told(tmp_path: Path, server: Conversation) -> None:
    """What the lobby said stays live for the next one."""
    capped = LearningCapSettings(daily_input_tokens=0)
    async with open_app(settings_of(tmp_path, server, digest=capped)) as app:
        recording = tmp_path / "lobby.jsonl"
        recording.write_text(
            '{"author": "david", "text": "j\'aime le thé", "at": "2026-01-17T12:00:00Z"}\n'
        )
        await told(app, "replay", path=str(recording))
        report = await app.services.digest.run()
        assert report.interrupted == "Today's tokens for the purpose digest are used up."
        assert report.facts == 0
        live = await app.storage.digests.unfinished()
        assert live is not None
        again = await app.services.digest.run()
        assert again.interrupted == report.interrupted
    assert server.requests == []

"""A model reads an import: what it would cost is said first, and none is paid without a yes."""

import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from bot.wiring.app import App
from config.sections.budget import BudgetSettings, LearningCapSettings
from config.sections.model import ModelSettings
from tests.edge.anthropic_server import call, says
from tests.edge.loopback import Answer, Asked, LoopbackServer
from tests.flow.brought import TALK, brings, contents, does, history, line, pet

_NUMBERED = re.compile(r"^(\d+)\. ?(?:\[[^\]]*\] )?([^:]+): (.*)$", re.MULTILINE)


TAKEN = 15_000
"""Tokens that each reading is said to have taken."""


class ReadingModel:
    """A Messages API that records what people say of allergies and homes, in its own words."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.fails: Answer | None = None

    async def answer(self, asked: Asked) -> Answer:
        """One answer: the form filled in, or the failure that was set."""
        body = asked.json()
        text = json.dumps(body["messages"], ensure_ascii=False)
        self.asked.append(text)
        if self.fails is not None:
            return self.fails
        form = call(body["tools"][0]["name"], {"facts": list(_facts(body))})
        return says(form, usage={"input_tokens": TAKEN, "output_tokens": 3})


def _facts(body: dict[str, Any]) -> Any:
    content = body["messages"][0]["content"]
    text = content if isinstance(content, str) else content[0]["text"]
    for number, speaker, words in _NUMBERED.findall(text):
        if "allergique" in words or "habite" in words:
            yield {
                "content": f"{speaker} : lu, {words}",
                "speaker": speaker,
                "lines": [int(number)],
            }


@asynccontextmanager
async def thinking(folder: Path, **chosen: Any) -> AsyncIterator[tuple[App, ReadingModel]]:
    """A pet with such a model."""
    model = ReadingModel()
    async with LoopbackServer(model.answer) as server:
        given = ModelSettings(api_key="sk-test", base_url=server.url, retries=0)
        async with pet(folder, model=given, **chosen) as app:
            yield app, model


async def test_the_cost_is_said_and_none_is_paid_without_a_yes(tmp_path: Path) -> None:
    """What is stated is learnt by rules then."""
    path = history(tmp_path, TALK)
    async with thinking(tmp_path) as (app, model):
        shown = await does(app, "history_preview", path=str(path))
        assert shown["tokens"] > 0
        assert shown["dollars"] > 0
        assert not shown["learns_with_model"]
        await brings(app, path)
        assert model.asked == []
        assert any("kiwis" in one for one in await contents(app))


async def test_with_a_yes_each_line_is_read_once_by_the_model(tmp_path: Path) -> None:
    """As of then, within its purpose; what the preview says it costs is about what it does."""
    path = history(
        tmp_path, [*TALK, *(line("Zoé", f"je suis allergique au truc {n}", 9) for n in range(90))]
    )
    async with thinking(tmp_path) as (app, model):
        shown = await does(app, "history_preview", path=str(path), learn_with_model=True)
        assert shown["learns_with_model"]
        await brings(app, path, learn_with_model=True)
        assert len(model.asked) == 2
        assert any("lu, j'habite à Nantes" in one for one in await contents(app))
        rows = await app.storage.database.all("SELECT DISTINCT source FROM memories")
        assert [row["source"] for row in rows] == ["import"]
        await app.services.history_learning.settle()
        assert len(model.asked) == 2
        spent = await app.storage.database.all(
            "SELECT purpose, count(*) AS n FROM llm_usage GROUP BY 1"
        )
        assert [(row["purpose"], row["n"]) for row in spent] == [("digest", 2)]


@pytest.mark.parametrize("status", [500, 529, 401])
async def test_a_model_that_is_away_is_waited_for(tmp_path: Path, status: int) -> None:
    """Nothing is learnt by rules instead, and nothing is lost."""
    path = history(tmp_path, TALK)
    async with thinking(tmp_path) as (app, model):
        model.fails = Answer(status=status, body=b'{"type": "error", "error": {"type": "x"}}')
        await brings(app, path, learn_with_model=True)
        assert await contents(app) == []
        model.fails = None
        await app.services.history_learning.settle()
        assert any("lu, moi je suis allergique aux kiwis" in one for one in await contents(app))


async def test_an_answer_of_no_use_leaves_the_lines_to_the_rules(tmp_path: Path) -> None:
    """A form that is none."""
    path = history(tmp_path, TALK)
    async with thinking(tmp_path) as (app, model):
        model.fails = says("Je préfère en parler.")
        await brings(app, path, learn_with_model=True)
        assert any("kiwis" in one for one in await contents(app))


async def test_past_half_of_its_cap_the_rest_waits_for_another_day(tmp_path: Path) -> None:
    """What is left is for what is said today."""
    path = history(
        tmp_path, [line("Zoé", f"je suis allergique au truc {n}", n) for n in range(200)]
    )
    budget = BudgetSettings(digest=LearningCapSettings(daily_input_tokens=20_000))
    async with thinking(tmp_path, budget=budget) as (app, model):
        await brings(app, path, learn_with_model=True)
        assert len(model.asked) == 1


async def test_after_an_undo_the_model_is_not_asked_any_more(tmp_path: Path) -> None:
    """And what it learnt is gone."""
    path = history(tmp_path, TALK)
    async with thinking(tmp_path) as (app, model):
        done = await brings(app, path, learn_with_model=True)
        assert await contents(app)
        await does(app, "history_undo", id=done["id"], confirmed=True)
        before = len(model.asked)
        await app.services.history_learning.settle()
        assert (await contents(app), len(model.asked)) == ([], before)

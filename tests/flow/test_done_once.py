"""Thinking that has stored or deleted something is not given up: what follows waits for it."""

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.model.requests import ModelReply, ModelRequest, ToolRound
from tests.flow.pet import Pet, Step, awake, calls, responds
from tests.patience import PATIENCE_S

STEPS = 50
"""Turns of the event loop in which a turn is given up, if it is: four are needed."""


@pytest.fixture
async def pet(tmp_path: Path) -> AsyncIterator[Pet]:
    """A pet that has just been born."""
    async with awake(tmp_path) as born:
        yield born


async def answers_when_more_is_said(pet: Pet, text: str, *tools: Step) -> list[str]:
    """What the pet answers when more is said after its tools ran and before it has answered."""
    before, ran = len(pet.channel.texts), asyncio.Event()
    *first, last = tools

    def runs_last(request: ModelRequest) -> ModelReply:
        pet.model.gate.clear()  # for the answer that follows
        ran.set()
        assert not isinstance(last, Exception)
        return last(request) if callable(last) else last

    pet.model.will(*first, runs_last, responds("Fait."), responds("Bon voyage."))
    await pet.hears(text)
    pet.lets_quiet_pass()
    async with asyncio.timeout(PATIENCE_S):
        await ran.wait()
        await pet.model.thinking.wait()
    await pet.hears("à bientôt, je reviens lundi")
    pet.lets_quiet_pass()
    for _ in range(STEPS):
        await asyncio.sleep(0)
    pet.model.gate.set()
    return (await pet.answers())[before:]


def listed(tool: str, **arguments: Any) -> Step:
    """A call with the id that the search before it listed."""

    def names(request: ModelRequest) -> ModelReply:
        told = [one for one in request.messages if isinstance(one, ToolRound)][-1]
        (id_,) = re.findall(r"\[id (\w+)\]", told.results[0].text)
        return calls((tool, {"id": id_, **arguments}))

    return names


async def test_a_turn_that_has_changed_nothing_is_given_up(pet: Pet) -> None:
    """Its question and what was said after it are answered together."""
    search = calls(("search_memories", {"query": "Grèce"}))
    assert await answers_when_more_is_said(pet, "je pars en Grèce", search) == ["Fait."]
    assert "à bientôt" in pet.model.last.text


WRITES: dict[str, dict[str, Any]] = {
    "store_memory": {"content": "David part en Grèce demain"},
    "store_self": {"content": "je sais compter", "category": "capability"},
    "store_goal": {"content": "apprendre le grec", "category": "understanding"},
    "memory__index": {"title": "Voyage", "text": "je pars en Grèce demain"},
}


@pytest.mark.parametrize("tool", WRITES)
async def test_a_turn_that_has_stored_something_is_not_given_up(pet: Pet, tool: str) -> None:
    """A second run would not know what the first has done: what follows is a turn of its own."""
    call = calls((tool, WRITES[tool]))
    answers = await answers_when_more_is_said(pet, "je pars en Grèce demain", call)
    assert answers == ["Fait.", "Bon voyage."]
    assert len(pet.model.requests) == 3
    assert await pet.storage.count("memories") + await pet.storage.count("knowledge") == 1


async def test_a_turn_that_has_forgotten_a_topic_or_undone_it_is_not_given_up(pet: Pet) -> None:
    """A second run would find nothing to confirm, and nothing to undo."""
    await pet.asked("je pars en Grèce demain")
    pet.model.will(calls(("memory__forget", {"topic": "Grèce"})), responds("Sûr ?"))
    await pet.asked("oublie ce que j'ai dit de la Grèce")
    for arguments, done in (({"confirm": "latest"}, "Forgotten"), ({"undo": True}, "Undone")):
        call = calls(("memory__forget", arguments))
        assert await answers_when_more_is_said(pet, "vas-y", call) == ["Fait.", "Bon voyage."]
        assert await pet.storage.count("turn_tools", f"result LIKE '{done}:%'") == 1

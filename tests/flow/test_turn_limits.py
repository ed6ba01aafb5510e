"""One answer takes so many tools, statements, tokens and seconds, whatever its model asks for."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.agent.toolbox import RESPOND
from bot.agent.tools.recall_deeply import CONCLUDE
from bot.model.requests import ModelReply, ModelRequest, Purpose, ToolRound, Usage
from tests.cast import DAVID, LEA, direct
from tests.flow.limits import LIMITS
from tests.flow.pet import Pet, ScriptedModel, awake, calls, responds
from tests.flow.toolbox import MOST_STORED

TEXT = "David a rangé la boîte numéro {}"


@pytest.fixture
async def pet(tmp_path: Path) -> AsyncIterator[Pet]:
    """A pet that has just been born."""
    async with awake(tmp_path) as born:
        yield born


def storing(most: int) -> ModelReply:
    """An answer that stores so many statements at once."""
    return calls(*(("store_memory", {"content": TEXT.format(n)}) for n in range(most)))


async def test_of_two_thousand_tool_calls_twelve_are_run(pet: Pet) -> None:
    """Each other one is answered as failed, so that the roles stay as the service wants them."""
    pet.model.will(storing(2000), responds("C'est noté."))
    await pet.asked("retiens tout ça")
    assert pet.channel.texts == ["C'est noté."]
    assert await pet.storage.count("turn_tools") == LIMITS.calls
    assert await pet.storage.count("memories") == MOST_STORED
    last = pet.model.requests[-1]
    done = last.messages[-1]
    assert isinstance(done, ToolRound)
    assert [one.call_id for one in done.results] == [one.id for one in done.calls]
    assert sum(one.failed for one in done.results) == 2000 - MOST_STORED
    assert "12 calls are the most" in done.results[-1].text
    assert last.force == RESPOND


async def test_a_neighbour_is_answered_while_a_model_asks_for_too_much(tmp_path: Path) -> None:
    """The one answer blocked everybody before."""
    async with awake(tmp_path) as pet:
        pet.model.will(
            lambda request: storing(2000) if "tout" in said(request) else responds("Oui."),
            lambda request: storing(2000) if "tout" in said(request) else responds("Oui."),
        )
        await pet.hears("retiens tout ça", DAVID, direct(DAVID))
        await pet.hears("tu es là ?", LEA, direct(LEA))
        assert sorted(await pet.answers()) == ["Oui.", "d'accord"]


def said(request: ModelRequest) -> str:
    """The words of a request, and whether its model has called anything yet."""
    return "" if isinstance(request.messages[-1], ToolRound) else str(request.messages[-1])


async def test_the_limit_counts_over_the_rounds_of_an_answer(pet: Pet) -> None:
    """Five and five fit; of the next five two are run, and the answer must end."""
    search = ("search_memories", {"query": "boîte"})
    pet.model.will(*[calls(*[search] * 5)] * 3, responds("Rien trouvé."))
    await pet.asked("cherche partout")
    assert await pet.storage.count("turn_tools") == LIMITS.calls
    assert [one.force for one in pet.model.requests] == [None, None, None, RESPOND]
    assert pet.channel.texts == ["Rien trouvé."]


async def test_what_a_deep_recall_runs_counts_too(pet: Pet) -> None:
    """Its tools are the turn's: neither gets twelve beside the other's."""
    search = ("search_memories", {"query": "boîte"})
    pet.model.will(
        calls(*[search] * 6),
        calls(("recall_deeply", {"question": "Où est la boîte ?"})),
        calls(*[search] * 9),
        calls((CONCLUDE, {"conclusion": "Nulle part."})),
        responds("Nulle part."),
    )
    await pet.asked("cherche partout")
    branch = [one for one in pet.model.requests if one.purpose is Purpose.BRANCH]
    done = branch[-1].messages[-1]
    assert isinstance(done, ToolRound)
    assert [one.failed for one in done.results] == [False] * 5 + [True] * 4
    assert [branch[-1].force, pet.model.requests[-1].force] == [CONCLUDE, RESPOND]


async def test_tools_beside_the_answer_are_limited_too(pet: Pet) -> None:
    """A model may close and ask for two thousand things in one breath."""
    everything = storing(2000)
    closing = responds("Voilà.")
    pet.model.will(replace(everything, calls=(*everything.calls, *closing.calls)))
    await pet.asked("retiens tout ça")
    assert pet.channel.texts == ["Voilà."]
    assert await pet.storage.count("turn_tools") == LIMITS.calls


async def test_an_answer_that_has_taken_its_tokens_must_end(tmp_path: Path) -> None:
    """At the next call, where it is forced to close; if it does not, there is an apology."""
    dear = replace(calls(("search_memories", {"query": "x"})), usage=Usage(input=600, output=500))
    limits = replace(LIMITS, tokens=1000)
    async with awake(tmp_path, limits=limits) as pet:
        pet.model.will(dear, responds("Bon."), dear, dear)
        await pet.asked("cherche")
        await pet.asked("cherche encore")
        assert [one.force for one in pet.model.requests] == [None, RESPOND] * 2
        assert pet.channel.texts[0] == "Bon."
        assert "réfléchir" in pet.channel.texts[1]


class Endless(ScriptedModel):
    """Thinks for ever about what it is asked first."""

    async def complete(self, request: ModelRequest) -> ModelReply:
        """An answer, but for the first."""
        if not self.requests:
            self.requests.append(request)
            await asyncio.Event().wait()
        return await super().complete(request)


async def test_an_answer_has_so_many_seconds(tmp_path: Path) -> None:
    """Then its author is told, and the next one is answered."""
    limits = replace(LIMITS, timeout_s=0.05)
    async with awake(tmp_path, model=Endless(), limits=limits) as pet:
        await pet.asked("une question")
        assert "réfléchir" in pet.channel.texts[0]
        assert await pet.storage.count("turns", "error LIKE 'No answer was found within%'") == 1
        assert await pet.storage.count("llm_usage", "outcome = 'cancelled'") == 1

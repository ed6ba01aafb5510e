"""A pet with a model may say nothing among people who talk to each other; never to who asks it."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.agent.toolbox import REACT, RESPOND, SKIP, ToolContext
from bot.conversation.keeping_quiet import KeepingQuiet
from bot.model.events import RoomRef
from bot.model.requests import ANY_TOOL, AssistantMessage, ToolCall, ToolRound
from bot.model.turns import Batch, Heard, Reply
from memory.model.audience import OPERATOR
from memory.model.messages import MessageId
from memory.model.people import Person, PersonId
from tests.cast import CORNER, DAVID, LOBBY, direct, room_of
from tests.flow.pet import Pet, awake, calls, responds
from tests.storage import arrival as arrival_of

PERSON = Person(id=PersonId("p1"), name="David")


@pytest.fixture
async def pet(tmp_path: Path) -> AsyncIterator[Pet]:
    """A pet that has just been born."""
    async with awake(tmp_path) as born:
        yield born


async def test_a_turn_may_be_skipped_and_is_answered_by_that(pet: Pet) -> None:
    """Nothing is sent, now or after a restart; the next turn knows that nothing was said."""
    pet.model.will(calls((SKIP, {"reason": "they talk to each other"})))
    await pet.hears("on se voit à midi Léa ?")
    assert await pet.answers() == []
    assert await pet.storage.count("messages", "handling = 'answered'") == 1
    assert await pet.storage.count("messages", "author_kind = 'pet'") == 0
    assert await pet.storage.turns.undelivered() == []
    pet.model.will(responds("À midi."))
    await pet.hears("Eko, c'était quand déjà ?")
    assert await pet.answers() == ["À midi."]
    said = [
        one.text for one in pet.model.requests[-1].messages if isinstance(one, AssistantMessage)
    ]
    assert said == ["…"]


async def test_why_it_said_that_is_asked_of_its_last_words(pet: Pet) -> None:
    """What was kept quiet about since then is no answer to explain."""
    pet.model.will(responds("Bonne soirée à tous."), calls((SKIP, {"reason": "not to me"})))
    await pet.asked("Eko, bonne soirée !")
    await pet.hears("on se voit à midi Léa ?")
    await pet.answers()
    pet.model.will(calls(("explain_last_answer", {})), responds("Pour être poli."))
    await pet.asked("Eko, pourquoi tu dis ça ?")
    told = pet.model.requests[-1].messages[-1]
    assert isinstance(told, ToolRound)
    assert told.results[0].text.startswith("When you answered “Bonne soirée à tous.”:")


async def test_a_reaction_is_an_emoji_and_no_words(pet: Pet) -> None:
    """As the channel puts it on the message."""
    pet.model.will(calls((REACT, {"emoji": "🎉"})))
    await pet.hears("on a gagné !!")
    assert await pet.answers() == ["🎉"]


def test_where_a_channel_has_no_reactions_one_is_silence() -> None:
    """Rather than an emoji as a message of its own."""
    quiet = KeepingQuiet(names=("Eko",), reacting=())
    context = ToolContext(batch=batch_of("on a gagné !!"), scope=OPERATOR)
    call = ToolCall(id="1", name=REACT, arguments={"emoji": "🎉"})
    assert quiet.closing.of_call(call, context) == Reply(text="")


def batch_of(text: str) -> Batch:
    """What David says among people."""
    arrival = replace(arrival_of(text, "m1"), room=room_of(CORNER))
    return Batch(heard=(Heard(message=MessageId(1), arrival=arrival, person=PERSON),))


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("on se voit à midi ?", direct(DAVID)),
        ("Eko, on se voit à midi ?", CORNER),
        ("on se voit à midi, Eko ?", LOBBY),
    ],
)
@pytest.mark.parametrize("quiet", [(SKIP, {"reason": "no"}), (REACT, {"emoji": "🎉"})])
async def test_who_speaks_to_it_is_answered_in_words(
    pet: Pet, text: str, where: RoomRef, quiet: tuple[str, dict[str, str]]
) -> None:
    """Alone with it, or by its name: the model is told so, and answers."""
    pet.model.will(calls(quiet), responds("À midi."))
    await pet.hears(text, DAVID, where)
    assert await pet.answers() == ["À midi."]
    told = pet.model.requests[-1].messages[-1]
    assert isinstance(told, ToolRound)
    assert "respond" in told.results[0].text
    assert told.results[0].failed
    turn = await pet.storage.turns.latest(OPERATOR)
    assert turn is not None
    assert await pet.storage.turns.kept_quiet(turn.id) is None


@pytest.mark.parametrize(
    "quiet", [(SKIP, {}), (SKIP, {"reason": ""}), (REACT, {"emoji": "bravo"}), (REACT, {})]
)
async def test_a_wrong_call_keeps_nothing_quiet(
    pet: Pet, quiet: tuple[str, dict[str, str]]
) -> None:
    """It is told what is wrong with it."""
    pet.model.will(calls(quiet), responds("Bravo !"))
    await pet.hears("on a gagné !!")
    assert await pet.answers() == ["Bravo !"]


async def test_who_has_to_close_may_choose_among_people_and_then_has_to_answer(pet: Pet) -> None:
    """The last but one of the rounds is forced to close, the last one to say something."""
    pet.model.will(*(calls(("search_memories", {"query": "x"})) for _ in range(4)))
    pet.model.will(responds("Assez cherché."))
    await pet.hears("on cherche bien")
    assert await pet.answers() == ["Assez cherché."]
    assert [one.force for one in pet.model.requests] == [None] * 3 + [ANY_TOOL, RESPOND]

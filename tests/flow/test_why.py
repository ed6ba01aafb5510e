"""The pet is asked why it said something: what stood behind it, as far as the room may know."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from bot.agent.tools.explain import NO_ANSWER_YET, NOTHING
from bot.model.events import AuthorRef, Deleted, Edited, RoomRef
from bot.model.requests import ModelReply, ModelRequest, ToolRound
from bot.model.tool_values import AnswerExplained
from memory.model.audience import OPERATOR, Origin
from memory.model.rooms import Visibility
from tests.cast import CORNER, DAVID, LEA, LOBBY, MICKAEL, PLATFORM, direct, room_of
from tests.flow.pet import Pet, awake, calls, responds
from tests.forgotten import forget_one, forgetting_on
from tests.storage import statement

QUESTION = "Eko, où habite Mickael ?"
KNOWN = "Mickael habite à Athènes"


@pytest.fixture
async def pet(tmp_path: Path) -> AsyncIterator[Pet]:
    """A pet that has just been born."""
    async with awake(tmp_path) as born:
        yield born


async def answered(pet: Pet, who: AuthorRef = LEA, where: RoomRef = LOBBY) -> None:
    """Somebody asks where Mickael lives and is answered."""
    pet.model.will(responds("À Athènes."))
    await pet.asked(QUESTION, who, where)


async def explained(
    pet: Pet, who: AuthorRef = LEA, where: RoomRef = LOBBY, text: str = "Eko, pourquoi ?"
) -> str:
    """What the tool tells when somebody asks why."""
    pet.model.will(calls(("explain_last_answer", {})), responds("Voilà pourquoi."))
    await pet.asked(text, who, where)
    return pet.model.results[-1]


async def told_in_the_lobby(pet: Pet) -> None:
    """Mickael has said in the lobby where he lives, three days ago."""
    room = room_of(LOBBY)
    await pet.storage.people.keep_room(room)
    origin = Origin(visibility=Visibility.SPACE, room=room.id)
    said = {"said_by": "Mickael", "subjects": ("Mickael",), "origin": origin}
    await pet.storage.remember.store(statement(KNOWN, **said))
    await pet.storage.indexer.settle()
    pet.storage.clock.advance(timedelta(days=3))


async def test_it_is_told_who_said_it_where_and_when(pet: Pet) -> None:
    """In lines like those of a search, under the reply they stood behind."""
    await told_in_the_lobby(pet)
    await answered(pet)
    told = await explained(pet)
    assert told.splitlines()[0] == "When you answered “À Athènes.”:"
    value = pet.model.came_to[-1].value
    assert isinstance(value, AnswerExplained)
    row = next(one for one in value.rows if one.content == KNOWN)
    assert (row.said_by, row.where, row.age) == ("Mickael", "in lobby", "il y a 3 jours")
    assert f"(fact, il y a 3 jours, said by Mickael, in lobby) {KNOWN}" in told


async def test_ages_come_in_the_language_of_who_asks(pet: Pet) -> None:
    """Whatever the pet's own is."""
    await told_in_the_lobby(pet)
    await answered(pet)
    assert "3 days ago" in await explained(pet, text="Eko, why do you say that to me?")


async def test_a_listed_memory_is_known_by_its_id_to_the_tool_that_deletes(pet: Pet) -> None:
    """Whoever hears why often wants it taken back; another's word stays."""
    await told_in_the_lobby(pet)
    await answered(pet)

    def taking_it_back(request: ModelRequest) -> ModelReply:
        last = request.messages[-1]
        assert isinstance(last, ToolRound)
        value = last.results[0].value
        assert isinstance(value, AnswerExplained)
        shown = next(one.id for one in value.rows if one.content == KNOWN)
        return calls(("delete_memory", {"id": shown}))

    pet.model.will(calls(("explain_last_answer", {})), taking_it_back, responds("Oublié."))
    await pet.asked("Eko, c'est faux, d'où tu sais ça ?", LEA, LOBBY)
    assert "That is the word of Mickael" in pet.model.results[-1]


async def test_where_nothing_was_recalled_no_reason_is_given(pet: Pet) -> None:
    """The tool says so, and that searches leave no trace."""
    pet.model.will(responds("Salut !"))
    await pet.asked("Eko, coucou", LEA, LOBBY)
    assert await explained(pet) == f"When you answered “Salut !”:\n{NOTHING}"


async def test_before_the_first_answer_there_is_nothing_to_explain(pet: Pet) -> None:
    """Also in a room where only others were answered elsewhere."""
    await told_in_the_lobby(pet)
    await answered(pet)
    assert await explained(pet, DAVID, CORNER) == NO_ANSWER_YET


async def test_what_was_forgotten_since_is_counted_and_not_quoted(pet: Pet) -> None:
    """It was there, and that is all that may be said of it."""
    await told_in_the_lobby(pet)
    await answered(pet)
    for row in await pet.storage.memories.latest(None, OPERATOR, 10):
        await forget_one(forgetting_on(pet.storage), row.id)
    told = await explained(pet)
    assert "Athènes" not in told.partition("\n")[2]
    assert "Forgotten since: " in told


async def test_the_turn_of_another_in_the_room_is_explained_to_who_has_none(pet: Pet) -> None:
    """Everybody there heard it; one's own turn comes first."""
    await told_in_the_lobby(pet)
    await answered(pet, LEA)
    assert KNOWN in await explained(pet, DAVID)
    pet.model.will(responds("Salut David !"))
    await pet.asked("Eko, salut", DAVID, LOBBY)
    await answered(pet, LEA)
    assert "Salut David" in await explained(pet, DAVID)


async def test_a_private_row_is_not_cited_in_the_lobby(pet: Pet) -> None:
    """Whatever was injected for its owner elsewhere a moment ago."""
    await pet.asked("salut toi", DAVID, direct(DAVID))
    david = await pet.storage.people.person(PLATFORM, DAVID.external_id, DAVID.name)
    alone = Origin(visibility=Visibility.PRIVATE, person=david.id)
    secret = statement("David a mal au dos", subjects=("David",), origin=alone)
    await pet.storage.remember.store(secret)
    assert "mal au dos" in await pet.asked("qui a mal au dos ?", DAVID, direct(DAVID))
    assert "mal au dos" in await explained(pet, DAVID, direct(DAVID))
    for who in (DAVID, LEA):
        assert await explained(pet, who, LOBBY) in {
            NO_ANSWER_YET,
            f"When you answered “Voilà pourquoi.”:\n{NOTHING}",
        }
    pet.model.will(responds("Repose-toi."))
    await pet.asked("Eko, que sais-tu du dos de David ?", DAVID, LOBBY)
    assert "mal au dos" not in await explained(pet, DAVID, LOBBY)


async def test_a_reworded_message_is_cited_as_it_says_now(pet: Pet) -> None:
    """With the mark that it said something else then; one taken back is only counted."""
    line = await pet.hears("je déménage à Lyon lundi", MICKAEL, LOBBY)
    await pet.storage.indexer.settle()
    pet.model.will(responds("Mickael, je crois."))
    await pet.asked("Eko, qui déménage à Lyon ?", LEA, LOBBY)
    assert "je déménage à Lyon" in pet.model.told
    pet.storage.clock.advance(timedelta(minutes=1))
    edited = Edited(platform=PLATFORM, external_id=line, text="je déménage à Lille lundi")
    await pet.inbox.receive(edited)
    told = await explained(pet)
    assert "said by Mickael, in lobby, edited since) je déménage à Lille lundi" in told
    assert "à Lyon lundi" not in told
    pet.model.will(responds("Mickael."))
    await pet.asked("Eko, qui déménage à Lille lundi ?", DAVID, LOBBY)
    await pet.inbox.receive(Deleted(platform=PLATFORM, external_id=line))
    gone = await explained(pet, DAVID)
    assert "Lille" not in gone.partition("\n")[2]

"""A message that is taken back or reworded before it is answered, and after."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.model.events import Deleted, Edited
from memory.model.messages import MessageId
from memory.model.stores import Collection
from tests.cast import CORNER, DAVID, LEA, PLATFORM, direct
from tests.flow.pet import Pet, ScriptedModel, awake, responds, said_in


@pytest.fixture
async def pet(tmp_path: Path) -> AsyncIterator[Pet]:
    """A pet that has just been born."""
    async with awake(tmp_path) as born:
        yield born


async def takes_back(pet: Pet, message: str) -> None:
    """The author deletes a message."""
    await pet.inbox.receive(Deleted(platform=PLATFORM, external_id=message))


async def rewords(pet: Pet, message: str, text: str) -> None:
    """The author edits a message."""
    await pet.inbox.receive(Edited(platform=PLATFORM, external_id=message, text=text))


async def test_a_message_taken_back_while_it_is_gathered_is_not_answered(pet: Pet) -> None:
    """Nothing is gathered any more, and the pet is quiet without waiting."""
    message = await pet.hears("mon code est 1234")
    await takes_back(pet, message)
    async with asyncio.timeout(0):
        await pet.conversations.quiet()
    assert await pet.answers() == []
    assert pet.model.requests == []


async def test_only_the_rest_of_a_burst_is_answered(pet: Pet) -> None:
    """And the next message is gathered as ever."""
    message = await pet.hears("mon code est 1234")
    await pet.hears("bonjour, une question")
    await takes_back(pet, message)
    await pet.answers()
    assert pet.model.last.text == "bonjour, une question"
    assert await pet.storage.count("turns", "text LIKE '%1234%'") == 0


@pytest.mark.parametrize("text", ["  ", "\u200b"])
async def test_an_edit_that_leaves_no_words_takes_the_message_back(pet: Pet, text: str) -> None:
    """Nothing would have been kept of it in the first place."""
    message = await pet.hears("mon code est 1234")
    await rewords(pet, message, text)
    assert await pet.answers() == []


async def test_an_edit_while_it_is_gathered_is_what_is_answered(pet: Pet) -> None:
    """Cleaned like every text; in another room nothing changes."""
    message = await pet.hears("ou est Mickael ?")
    await pet.hears("bonjour, toi", LEA)
    await rewords(pet, message, " où est Mickael ? ")
    await pet.answers()
    asked = {said_in(request).text for request in pet.model.requests}
    assert asked == {"où est Mickael ?", "bonjour, toi"}
    assert await pet.storage.count("turns", "text = 'où est Mickael ?'") == 1


async def held(pet: Pet, *texts: str) -> list[str]:
    """Messages that wait behind a turn that may not begin again, each its own batch."""
    pet.model.gate.clear()
    await pet.hears("bonjour, une question", DAVID, CORNER)
    pet.lets_quiet_pass()
    await pet.model.thinking.wait()
    held = []
    for text in texts:
        held.append(await pet.hears(text, DAVID, CORNER))
        pet.lets_quiet_pass()
        await pet.event("Léa a rejoint le salon", LEA)  # handed out at once, after what was due
        await asyncio.sleep(0)
    return held


async def test_what_waits_behind_a_turn_is_taken_back_and_reworded_too(tmp_path: Path) -> None:
    """Nobody has thought about it yet."""
    async with awake(tmp_path, model=ScriptedModel(), restarts=0) as pet:
        one, other = await held(pet, "mon code est 1234", "ou est Mickael ?")
        await takes_back(pet, one)
        await rewords(pet, other, "où est Mickael ?")
        pet.model.gate.set()
        await pet.answers()
        asked = [said_in(request) for request in pet.model.requests]
        davids = [said.text for said in asked if said.speaker == "David"]
        assert davids == ["bonjour, une question", "où est Mickael ?"]


@pytest.mark.parametrize("steps", range(10))
async def test_what_begins_a_turn_again_may_be_taken_back_at_any_step(pet: Pet, steps: int) -> None:
    """Before the turn is given up, while it is, and after: it is answered, once."""
    pet.model.gate.clear()
    await pet.hears("bonjour, une question")
    pet.lets_quiet_pass()
    await pet.model.thinking.wait()
    await pet.hears("mon code est 1234")
    (row,) = await pet.storage.database.all("SELECT max(id) AS id FROM messages")
    pet.lets_quiet_pass()
    for _ in range(steps):
        await asyncio.sleep(0)
    pet.conversations.reword(MessageId(row["id"]), "")
    pet.model.gate.set()
    assert await pet.answers() == ["d'accord"]
    assert await pet.storage.count("turns", "error IS NULL") == 1


async def test_what_was_answered_and_then_taken_back_is_gone_from_the_conversation(
    pet: Pet,
) -> None:
    """From its window, from what is found by words, and from the index."""
    pet.model.will(responds("Zimmermann."))
    message = await pet.hears("mon code est 1234", DAVID, direct(DAVID))
    await pet.answers()
    await takes_back(pet, message)
    await pet.storage.indexer.settle()
    assert await pet.storage.index.ids(Collection.CONVERSATIONS) == frozenset()
    await pet.asked("le code, c'était quoi ?", DAVID, direct(DAVID))
    assert "1234" not in repr(pet.model.requests[-1])


async def test_what_was_answered_and_then_reworded_is_replayed_reworded(pet: Pet) -> None:
    """The next turn sees the new words only."""
    message = await pet.hears("je pars en Grèce", DAVID, direct(DAVID))
    await pet.answers()
    await rewords(pet, message, "je pars en Italie")
    await pet.asked("je pars où, déjà ?", DAVID, direct(DAVID))
    assert "Italie" in repr(pet.model.requests[-1])
    assert "Grèce" not in repr(pet.model.requests[-1])

"""What is replayed, quoted or summed up is told by the scope of now, not by that of then."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.model.requests import ModelRequest
from memory.model.rooms import HOME, SpaceId
from tests.cast import DAVID, LEA, direct, group
from tests.flow.pet import Pet, awake, calls, responds

GUILD = SpaceId("guild")
LOBBY = group("g-lobby", space=GUILD)
SECRET = "On se retrouve samedi au phare de Kermorvan."
QUESTION = "Eko, où se retrouve-t-on samedi ?"
MEMBER, LEFT = frozenset({HOME, GUILD}), frozenset({HOME})


@pytest.fixture
async def pet(tmp_path: Path) -> AsyncIterator[Pet]:
    """A pet."""
    async with awake(tmp_path) as born:
        yield born


def whole(request: ModelRequest) -> str:
    """Every word that a model is shown in a request."""
    return repr(request.messages)


async def told_as_a_member(pet: Pet, answer: str) -> None:
    """David hears in his direct room what was said in the lobby of a community he belongs to."""
    await pet.overhears(SECRET, LEA, LOBBY)
    pet.model.will(responds(answer))
    await pet.asked(QUESTION, DAVID, direct(DAVID), spaces=MEMBER)
    assert "Kermorvan" in pet.model.injected


async def test_a_member_who_left_is_replayed_no_line_of_its_lobby(pet: Pet) -> None:
    """Neither what was recalled before nor the reply that repeats it; a member's is as it was."""
    await told_as_a_member(pet, "Au phare de Kermorvan, dit Léa.")
    await pet.asked("Et à quelle heure ?", DAVID, direct(DAVID), spaces=MEMBER)
    assert whole(pet.model.requests[-1]).count("Kermorvan") > 1
    await pet.asked("Et avec qui ?", DAVID, direct(DAVID), spaces=LEFT)
    assert "Kermorvan" not in whole(pet.model.requests[-1])


async def test_what_a_reply_says_of_its_own_accord_is_replayed(pet: Pet) -> None:
    """Only what repeats a line of others goes with it."""
    await told_as_a_member(pet, "Je regarde et je te dis.")
    await pet.asked("Merci !", DAVID, direct(DAVID), spaces=LEFT)
    assert "Je regarde et je te dis." in whole(pet.model.requests[-1])


async def test_a_reply_that_follows_one_carries_what_it_repeats(pet: Pet) -> None:
    """It repeats what stood in its window, though nothing was recalled for it."""
    await told_as_a_member(pet, "Je regarde et je te dis.")
    pet.model.will(responds("C'est à Kermorvan."))
    await pet.asked("Alors ?", DAVID, direct(DAVID), spaces=MEMBER)
    await pet.asked("Ah bon ?", DAVID, direct(DAVID), spaces=LEFT)
    assert "Kermorvan" not in whole(pet.model.requests[-1])


async def test_an_exchange_that_repeats_a_line_is_found_by_who_may_know_it(pet: Pet) -> None:
    """In another talk, by recall and by every tool that searches."""
    await told_as_a_member(pet, "Au phare de Kermorvan, dit Léa.")
    await pet.falls_silent()
    searches = (
        ("search_memories", {"query": "samedi retrouve phare"}),
        ("memory__search_text", {"query": "samedi"}),
    )
    for spaces, knows in ((MEMBER, True), (LEFT, False)):
        pet.model.will(calls(*searches), responds("Voilà."))
        injected = await pet.asked(QUESTION, DAVID, direct(DAVID), spaces=spaces)
        found = injected + "".join(pet.model.results)
        assert ("phare de Kermorvan, dit" in found) is knows


async def test_what_a_tool_listed_is_carried_too(pet: Pet) -> None:
    """A reply may rest on a search of the model's own."""
    await pet.overhears(SECRET, LEA, LOBBY)
    pet.model.will(
        calls(("memory__search_text", {"query": "Kermorvan"})), responds("Au phare de Kermorvan.")
    )
    await pet.asked("Eko, cherche un peu.", DAVID, direct(DAVID), spaces=MEMBER)
    await pet.asked("Merci !", DAVID, direct(DAVID), spaces=LEFT)
    assert "Kermorvan" not in whole(pet.model.requests[-1])

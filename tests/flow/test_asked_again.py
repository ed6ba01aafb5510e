"""A question that is asked day after day does not crowd out the line that answers it."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from memory.model.audience import scope_of
from memory.model.people import PersonId
from tests.cast import DAVID, LEA, LOBBY, room_of
from tests.flow.pet import Pet, awake, responds

ASKED = "Eko, comment s'appelle mon piano ?"

REPLIES = (
    "Je ne sais pas.",
    "Aucune idée de comment s'appelle ton piano, désolé !",
    "Tu ne m'as jamais dit comment s'appelle ton piano.",
)
"""What says nothing says it in several ways."""


@pytest.fixture
async def pet(tmp_path: Path) -> AsyncIterator[Pet]:
    """A pet that overheard the answer once, and was asked for it thirty times by its teller."""
    async with awake(tmp_path) as awoken:
        await awoken.overhears("mon piano s'appelle Hector", DAVID, LOBBY)
        await awoken.overhears("il pleut sur Lisbonne", LEA, LOBBY)
        for day in range(30):
            await awoken.falls_silent(timedelta(days=1))
            awoken.model.will(responds(REPLIES[day % 3]))
            await awoken.asked(ASKED, DAVID, LOBBY)
        await awoken.falls_silent(timedelta(days=1))
        yield awoken


async def test_the_answer_is_injected_first_and_the_question_once(pet: Pet) -> None:
    """Thirty lines that ask would else take every place and all tokens."""
    pet.model.will(responds("Hector."))
    injected = await pet.asked(ASKED, DAVID, LOBBY)
    assert "mon piano s'appelle Hector" in injected
    assert injected.count("comment s'appelle mon piano ?") <= 1


@pytest.mark.parametrize("listed", [2, 5])
async def test_every_search_lists_the_answer_beside_one_asking(pet: Pet, listed: int) -> None:
    """A tool lists five rows, or ten: all of them asked."""
    scope = scope_of(room_of(LOBBY), PersonId("nobody"))
    for found in (
        await pet.recall.search_history(ASKED, scope, listed),
        await pet.recall.search_everything(ASKED, scope, listed, 0),
    ):
        assert "mon piano s'appelle Hector" in [one.content for one in found]
        assert sum(ASKED in one.content for one in found if not one.duplicate) <= 1

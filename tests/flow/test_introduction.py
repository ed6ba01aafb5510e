"""Without a model the pet says so once to each person, alone with them."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.channels.local.hub import LOBBY, direct_room
from bot.texts.catalogue import say
from bot.wiring.app import App
from tests.cast import DAVID
from tests.flow.owning import owned, typed

TOLD = say("turn.by_rules", "fr")
ALONE = direct_room(DAVID)


@pytest.fixture
async def app(tmp_path: Path) -> AsyncIterator[App]:
    """A pet without a model."""
    async with owned(tmp_path) as born:
        yield born.app


async def test_the_first_answer_alone_says_that_rules_answer_and_no_other_does(app: App) -> None:
    """It stands below the answer, which is what was asked for."""
    first = await typed(app, "salut", DAVID, ALONE)
    assert first.endswith(f"\n\n{TOLD}")
    assert TOLD not in await typed(app, "ça va ?", DAVID, ALONE)


async def test_in_a_lobby_nothing_is_said_of_it(app: App) -> None:
    """Others would read it each time somebody new speaks."""
    assert TOLD not in await typed(app, "salut Eko", DAVID, LOBBY)

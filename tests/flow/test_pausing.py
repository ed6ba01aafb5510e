"""`/pause` and `/resume`: away from one community or all, and what is said then stays unknown."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from bot.model.events import AuthorRef
from bot.wiring.app import App
from config.sections.daemon import ShutdownSettings
from memory.clock import FrozenClock
from memory.model.rooms import RoomId
from tests.cast import NOON
from tests.flow.guilds import (
    ALICE,
    BOB,
    HALL,
    HARBOUR,
    KEEPER,
    THREAD,
    ZOE,
    asks,
    audited,
    kept,
    pet,
    said,
    says,
)


@pytest.fixture
def clock() -> FrozenClock:
    """The time, in the hand of the test."""
    return FrozenClock(NOON)


@pytest.fixture
async def app(tmp_path: Path, clock: FrozenClock) -> AsyncIterator[App]:
    """The pet in both communities."""
    async with pet(tmp_path, clock) as opened:
        yield opened


async def test_a_paused_community_is_neither_read_nor_answered(app: App) -> None:
    """Nor are its threads and who speaks there kept; the other community notices nothing."""
    answer = await asks(app, "pause")
    assert answer.text.startswith("I am away from here now")
    await says(app, "il pleut des cordes")
    await says(app, "Eko, tu es là ?", mentions_pet=True)
    await says(app, "et ici ?", where=THREAD)
    assert await kept(app) == 0
    assert await app.storage.people.known(ZOE.platform, ZOE.external_id) is None
    await says(app, "bonne pêche", where=HARBOUR)
    assert await kept(app) == 1


async def test_commands_work_while_it_is_away(app: App) -> None:
    """Also typed ones, or nobody could call it back where there are no others."""
    await asks(app, "pause")
    await says(app, "/resume", ALICE, manages_space=True)
    await app.commands.quiet()
    await says(app, "il fait beau")
    assert await kept(app) == 2
    assert [change[:3] for change in await audited(app)] == [
        ("discord:2", "space.resumed", "discord:100"),
        ("discord:2", "space.paused", "discord:100"),
    ]


async def test_a_pause_survives_a_restart(tmp_path: Path) -> None:
    """It lasts until somebody ends it."""
    async with pet(tmp_path) as app:
        await asks(app, "pause")
    async with pet(tmp_path) as app:
        await says(app, "il pleut")
        assert await kept(app) == 0
        again = await asks(app, "pause", locale="fr")
    assert again.text.startswith("Je suis déjà en pause, il y a")


async def test_what_was_said_meanwhile_is_not_read_later_either(
    app: App, clock: FrozenClock
) -> None:
    """A history that is read back holds what was said before and after, not between."""
    before = said(app, "avant")
    clock.advance(timedelta(minutes=1))
    await asks(app, "pause")
    clock.advance(timedelta(minutes=1))
    between = said(app, "pendant")
    clock.advance(timedelta(minutes=1))
    await asks(app, "resume")
    after = said(app, "après")
    received = await app.inbox.receive_all([before, between, after], recorded=True)
    assert received.stored == 2
    found = await app.storage.messages.recent(RoomId("discord:101"), 10)
    assert {one.text for one in found} == {"avant", "après"}


async def test_a_clock_that_is_slow_does_not_get_around_a_pause(
    app: App, clock: FrozenClock
) -> None:
    """What comes in while it is away is not kept, whenever its platform says it was sent."""
    await asks(app, "pause")
    await says(app, "il pleut", sent_at=clock.now() - timedelta(seconds=5))
    assert await kept(app) == 0


async def test_what_waited_for_an_answer_is_not_answered_in_a_pause(tmp_path: Path) -> None:
    """A start under a pause leaves it; one after the pause takes it up."""
    impatient = ShutdownSettings(turns_s=0)  # under a frozen clock it is never answered
    async with pet(tmp_path, FrozenClock(NOON), shutdown=impatient) as app:
        await says(app, "Eko, ça va ?", mentions_pet=True)
        await asks(app, "pause")
        assert await app.inbox.resume() == 0
        await asks(app, "resume")
        assert await app.inbox.resume() == 1


async def test_only_who_looks_after_the_pet_pauses_it_everywhere(app: App) -> None:
    """And whoever manages a community does not end that."""
    refused = await asks(app, "pause", everywhere="yes")
    assert refused.text.startswith("Only the people who look after me can do that.")
    assert (await asks(app, "resume", everywhere="yes")).text == refused.text
    await asks(app, "pause", KEEPER, HARBOUR, everywhere="yes")
    await says(app, "il pleut")
    await says(app, "il vente", where=HARBOUR)
    assert await kept(app) == 0
    assert (await asks(app, "resume", locale="fr")).text.startswith("Je reste en pause")
    assert (await asks(app, "resume", KEEPER, everywhere="yes")).text.startswith("I am back")
    assert (await asks(app, "resume")).text == "I am not away from here."


async def test_a_community_stays_away_when_all_others_come_back(app: App) -> None:
    """It chose so itself."""
    await asks(app, "pause")
    await asks(app, "pause", KEEPER, everywhere="yes")
    told = await asks(app, "resume", KEEPER, everywhere="yes")
    assert told.text.startswith("I stay away from here")
    await says(app, "il pleut")
    await says(app, "il vente", where=HARBOUR)
    assert await kept(app) == 1


@pytest.mark.parametrize("who", [ZOE, BOB])
async def test_nobody_else_pauses_a_community(app: App, who: AuthorRef) -> None:
    """Neither a member nor who manages another one."""
    assert (await asks(app, "pause", who, HALL, locale="fr")).text.startswith("Seules")
    await says(app, "il pleut")
    assert await kept(app) == 1


async def test_the_doctor_names_the_places_that_are_paused(app: App) -> None:
    """In a chat only how many."""
    await asks(app, "pause")
    told = await asks(app, "doctor", KEEPER, HARBOUR)
    assert "• pauses: in 1 place\n" in told.text
    assert "discord:100" not in told.text

"""`/observe confidential`: nothing leaves a room any more, nor what was said before if wanted."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.commands.syntax import YES
from bot.wiring.app import App
from memory.model.audience import (
    OPERATOR,
    Audience,
    Origin,
    Scope,
    room_audience,
    space_audience,
)
from memory.model.authority import BY_OPERATOR
from memory.model.messages import Message, MessageId
from memory.model.people import Signature
from memory.model.rooms import RoomId, Visibility
from tests.flow.guilds import (
    BOB,
    GARDEN,
    HALL,
    ZOE,
    A,
    asks,
    audited,
    pet,
    presses,
    says,
)
from tests.storage import statement

GARDEN_ID = RoomId("discord:102")
CLOSED = {room_audience(GARDEN_ID)}
WORDS = "Zoé cache ses bulbes derrière la serre"


@pytest.fixture
async def app(tmp_path: Path) -> AsyncIterator[App]:
    """A pet that has read in the garden what Zoé said there."""
    async with pet(tmp_path) as opened:
        await says(opened, "bonjour à tous", where=HALL)
        await says(opened, WORDS, where=GARDEN)
        yield opened


async def audiences_of(app: App) -> set[str]:
    """Who may know what was said in the garden."""
    everything = await app.storage.messages.visible([MessageId(n) for n in range(1, 9)], OPERATOR)
    there = [one.id for one in everything if one.room == GARDEN_ID]
    return {
        audience
        for audience in (space_audience(A), room_audience(GARDEN_ID))
        if {one.id for one in await _visible_to(app, audience)} & {*there}
    }


async def _visible_to(app: App, audience: Audience) -> list[Message]:
    scope = Scope(frozenset({audience}))
    return await app.storage.messages.visible([MessageId(n) for n in range(1, 9)], scope)


async def test_what_is_said_from_now_on_stays_in_the_room(app: App) -> None:
    """What was said before does not, and the answer asks about it."""
    told = await asks(app, "observe confidential", value="on", room="garden")
    assert told.text.startswith("garden: what is said there from now on stays there.")
    assert "in the whole community: 1 message. Shall" in told.text
    assert app.register.room(GARDEN).visibility is Visibility.ROOM
    assert await audiences_of(app) == {space_audience(A)}
    await says(app, "et les oignons aussi", where=GARDEN)
    assert await audiences_of(app) == {space_audience(A), *CLOSED}


async def test_what_was_said_before_is_closed_by_the_button(app: App) -> None:
    """From another room too; it is in the audit log, without a word of what was said."""
    told = await asks(app, "observe confidential", value="on", room="garden")
    closed = await presses(app, told.actions[0])
    assert "Closed with it from before: 1 message. That" in closed.text
    assert await audiences_of(app) == CLOSED
    rows = await audited(app)
    assert ("discord:2", "room.closed", "discord:102", "messages=1 statements=0") in rows


@pytest.mark.parametrize(
    ("locale", "known", "closed"),
    [
        ("en", "community: 2 messages, 1 memory. Shall", "before: 2 messages, 1 memory. That"),
        ("fr", "communauté : 2 messages, 1 souvenir. Cela", "avant : 2 messages, 1 souvenir. Cela"),
    ],
)
async def test_figures_have_their_nouns(
    tmp_path: Path, locale: str, known: str, closed: str
) -> None:
    """One of each and several, before and after it is closed."""
    async with pet(tmp_path) as app:
        for text in (WORDS, "et les oignons aussi"):
            await says(app, text, where=GARDEN)
        origin = Origin(visibility=Visibility.SPACE, space=A, room=GARDEN_ID)
        await app.services.writer.store(statement(WORDS, origin=origin), BY_OPERATOR)
        told = await asks(app, "observe confidential", locale=locale, value="on", room="garden")
        assert known in told.text
        room = str(GARDEN_ID)
        done = await asks(
            app, "observe confidential", locale=locale, value="on", room=room, past=YES
        )
        assert closed in done.text


async def test_a_room_in_which_nothing_was_said_has_nothing_to_close(app: App) -> None:
    """Whoever closes it twice is told so."""
    told = await asks(app, "observe confidential", value="on", room="garden")
    await presses(app, told.actions[0])
    again = await presses(app, told.actions[0])
    assert "from before: 0 messages." in again.text


async def test_it_is_taken_back_for_what_follows(app: App) -> None:
    """What was said meanwhile stays closed."""
    await asks(app, "observe confidential", value="on", room="garden")
    await says(app, "et les oignons aussi", where=GARDEN)
    await asks(app, "observe confidential", value="default", room="discord:102")
    await says(app, "il pleut", where=GARDEN)
    assert await audiences_of(app) == {space_audience(A), *CLOSED}


async def test_only_who_manages_the_community_marks_its_rooms(app: App) -> None:
    """Neither a member nor a manager of another one."""
    for who in (ZOE, BOB):
        await asks(app, "observe confidential", who, HALL, value="on", room="garden")
    assert app.register.room(GARDEN).visibility is Visibility.SPACE


async def test_it_outlasts_a_restart(tmp_path: Path) -> None:
    """The choice is kept."""
    async with pet(tmp_path) as app:
        await says(app, "bonjour", where=GARDEN)
        await asks(app, "observe confidential", value="on", room="garden")
    async with pet(tmp_path) as again:
        assert again.register.room(GARDEN).visibility is Visibility.ROOM


async def test_what_a_closed_statement_replaced_elsewhere_holds_again(app: App) -> None:
    """Those outside would have lost the one and not learn the other."""
    origin = Origin(visibility=Visibility.SPACE, space=A)
    said = [statement(f"Zoé habite à {city}", origin=origin) for city in ("Nantes", "Brest")]
    old = await app.services.writer.store(said[0], BY_OPERATOR)
    new = await app.services.writer.store(
        replace(said[1], origin=replace(origin, room=GARDEN_ID)), BY_OPERATOR
    )
    assert [one.id for one in new.replaced] == [old.id]
    await app.storage.room_choices.close_past(GARDEN_ID, by=Signature("discord:2"))
    outside = Scope(frozenset({space_audience(A)}))
    seen = await app.storage.memories.visible([old.id, new.id], outside)
    assert [one.id for one in seen] == [old.id]

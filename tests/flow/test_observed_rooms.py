"""`/observe role|list`: what the pet does in the rooms of a community, and of no other."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.model.events import RoomRef
from bot.texts.catalogue import say
from bot.wiring.app import App
from config.sections.rooms import RoomSettings
from memory.model.rooms import RoomRole
from tests.flow.guilds import (
    ALICE,
    BOB,
    CELLAR,
    GARDEN,
    HALL,
    HARBOUR,
    THREAD,
    ZOE,
    A,
    asks,
    audited,
    kept,
    pet,
    presses,
    proposed,
    says,
)


@pytest.fixture
async def app(tmp_path: Path) -> AsyncIterator[App]:
    """A pet that has met every room once."""
    async with pet(tmp_path, rooms=(_garden(),)) as opened:
        for room in (HALL, GARDEN, CELLAR, THREAD, HARBOUR):
            await says(opened, "bonjour à tous", where=room)
        yield opened


def _garden() -> RoomSettings:
    return RoomSettings(platform="discord", external_id="102", role="mention")


def role_of(app: App, room: RoomRef) -> RoomRole:
    """What the pet does in a room now."""
    return app.register.room(room).role


async def test_a_choice_holds_from_the_next_message_on(app: App) -> None:
    """Here if no room is named; who chose it is written down."""
    before = await kept(app)
    told = await asks(app, "observe role", role="mention")
    assert told.text.startswith("hall: mention (I answer when spoken to and read nothing else)")
    await says(app, "il pleut")
    assert await kept(app) == before
    assert (await audited(app))[0] == ("discord:2", "room.chosen", "discord:101", "mention")


async def test_a_choice_can_be_typed(app: App) -> None:
    """By whoever the platform says manages the community; a name may have spaces."""
    line = "/observe role ignored garden"
    await says(app, line, BOB)
    await app.commands.quiet()
    assert role_of(app, GARDEN) is RoomRole.MENTION
    await says(app, line, ALICE, manages_space=True)
    await app.commands.quiet()
    assert role_of(app, GARDEN) is RoomRole.IGNORED


async def test_a_thread_follows_the_room_above_it(app: App) -> None:
    """Until it has a role of its own."""
    await asks(app, "observe role", role="ignored", room="garden")
    assert role_of(app, THREAD) is RoomRole.IGNORED
    await asks(app, "observe role", where=THREAD, role="pet")
    assert role_of(app, THREAD) is RoomRole.PET


async def test_the_list_says_what_each_role_comes_from(app: App) -> None:
    """Chosen, from the settings, from the room above, or by default."""
    await asks(app, "observe role", role="pet")
    told = (await asks(app, "observe list")).text.splitlines()
    assert told == [
        "garden: mention (I answer when spoken to and read nothing else), by my settings",
        "hall: pet (I answer everything), by choice",
        "tulips: mention (I answer when spoken to and read nothing else), as the room above it",
        "and 1 that not everybody can see: ask there",
    ]


async def test_a_choice_that_is_taken_back_is_gone_at_once(app: App) -> None:
    """What the platform proposes was never lost."""
    await asks(app, "observe role", role="ignored", room="hall")
    await asks(app, "observe list", where=GARDEN)  # the room is kept again, as it is now
    await app.register.keep(app.register.room(HALL))
    told = await asks(app, "observe role", where=GARDEN, role="default", room="discord:101")
    assert told.text == "hall: lobby (I read along and answer when spoken to) from now on."
    listed = (await asks(app, "observe list", locale="fr")).text
    assert "hall : lobby (je lis, et je réponds quand on me parle), par défaut" in listed


async def test_a_room_that_not_all_can_see_is_named_only_there(app: App) -> None:
    """Who manages a community need not see all of it."""
    elsewhere = await asks(app, "observe role", role="ignored", room="cellar")
    assert elsewhere.text == say("observe.room_unknown", "en")
    assert "cellar" in (await asks(app, "observe list", where=CELLAR)).text
    await asks(app, "observe role", where=CELLAR, role="ignored")
    assert role_of(app, CELLAR) is RoomRole.IGNORED


async def test_a_private_thread_is_not_named_in_the_room_above_it(app: App) -> None:
    """Everybody reads the room; its private threads are for those who were invited."""
    secret = replace(THREAD, external_id="105", name="surprise party", confidential=True)
    await says(app, "chut", where=secret)
    assert "surprise" not in (await asks(app, "observe list", where=GARDEN)).text
    told = await asks(app, "observe role", where=GARDEN, role="ignored", room="surprise party")
    assert told.text == say("observe.room_unknown", "en")
    assert "surprise" in (await asks(app, "observe list", where=secret)).text


@pytest.mark.parametrize("named", ["harbour", "201", "discord:201", "<#201>"])
async def test_the_rooms_of_another_community_are_out_of_reach(app: App, named: str) -> None:
    """By whatever they are called: not named, not changed, not proposed."""
    told = await asks(app, "observe role", role="ignored", room=named)
    assert told.text == say("observe.room_unknown", "en")
    assert role_of(app, HARBOUR) is RoomRole.LOBBY
    assert "harbour" not in (await asks(app, "observe list")).text
    choices = await proposed(app, "observe role", "room", "")
    assert [one.label for one in choices] == ["garden", "hall", "tulips"]
    assert await proposed(app, "observe role", "room", "", ZOE) == []


async def test_a_room_can_be_named_by_a_mention_or_a_part_proposes_it(app: App) -> None:
    """The value of what is proposed is taken as well."""
    (choice,) = await proposed(app, "observe role", "room", "gard")
    assert choice.value == "discord:102"
    for named, role in ((choice.value, "pet"), ("<#102>", "lobby"), ("#Garden", "ignored")):
        await asks(app, "observe role", role=role, room=named)
        assert role_of(app, GARDEN) == role


async def test_what_was_read_in_a_room_stays_until_it_is_forgotten(app: App) -> None:
    """The answer says so and offers it: seen first, confirmed, and undone."""
    await says(app, "Zoé élève des abeilles", where=HARBOUR)
    before = await kept(app)
    told = await asks(app, "observe role", role="ignored")
    assert "What I read there before I still know" in told.text
    assert "/observe role default discord:101" in told.text
    shown = await presses(app, told.actions[0], where=GARDEN)
    assert shown.text.startswith("I would forget: 1 message")
    gone = await presses(app, shown.actions[0], where=GARDEN)
    assert gone.text.startswith("Forgotten: 1 message")
    assert (await app.storage.digests.live(A)).waiting == 1  # what the cellar said
    back = await presses(app, gone.actions[0], where=GARDEN)
    assert back.text == "It is all back."
    assert await kept(app) == before


async def test_a_room_of_another_community_cannot_be_forgotten(app: App) -> None:
    """Not even by the line that a button would send."""
    told = await asks(app, "memory forget", room="discord:201")
    assert told.text.startswith("That is not this community's alone")
    assert (await app.storage.digests.live(HARBOUR.space)).waiting == 1


async def test_more_than_before_is_read_without_a_word_about_it(app: App) -> None:
    """There is nothing to forget then."""
    told = await asks(app, "observe role", role="lobby", room="garden")
    assert told.actions == ()
    assert "forgotten" not in told.text


async def test_nobody_chooses_for_a_community_that_is_not_theirs(app: App) -> None:
    """A member, and who manages another one."""
    for who in (ZOE, BOB):
        told = await asks(app, "observe role", who, HALL, role="ignored")
        assert told.text.endswith(": on Discord, those with the permission Manage Server.")
    assert role_of(app, HALL) is RoomRole.LOBBY

"""What rooms said while the pet was away is read back once: observed, answered if it is fresh."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from bot.daemon.clockwork import wait_for_the_past
from bot.errors import PastUnavailable, RoomUnreadable
from bot.model.events import AuthorRef
from bot.platforms.catch_up import AT_ONCE, UNSURE
from memory.model.rooms import RoomRole
from memory.model.stores import Collection
from memory.tasks import background_task
from tests.cast import DAVID, LEA, LOBBY, NOON, PLATFORM, direct, group, room_of
from tests.flow.past import RULES, ListedPast, catch_up_of, read_back, reading
from tests.flow.pet import Pet, awake

HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)


async def was_there(pet: Pet, past: ListedPast, *rooms: str) -> None:
    """Let the pet hear one message in each room, then be away for an hour."""
    for where in map(group, rooms or ("lobby",)):
        said = past.says(
            f"first-{where.external_id}", "un mot", pet.storage.clock.now(), where=where
        )
        await pet.inbox.receive(said)
    pet.storage.clock.advance(HOUR)


async def kept(pet: Pet) -> list[str]:
    """What stands in the lobby as the pet has it."""
    return [one.text for one in await pet.storage.messages.recent(room_of(LOBBY).id, 1000)]


async def test_what_the_lobby_said_meanwhile_is_observed_once(tmp_path: Path) -> None:
    """In the order it was said in; another start finds it known."""
    past = ListedPast()
    async with awake(tmp_path) as pet:
        await was_there(pet, past)
        for minute in range(5):
            past.says(f"m{minute}", f"mot {minute}", NOON + minute * MINUTE + HOUR / 2, LEA)
        await read_back(pet, past)
        await read_back(pet, past)
        assert await kept(pet) == ["un mot", *(f"mot {minute}" for minute in range(5))]
        await pet.storage.indexer.settle()
        assert len(await pet.storage.index.ids(Collection.LIVE)) == 6
        assert await pet.answers() == []


async def test_what_was_asked_and_is_fresh_is_answered_once(tmp_path: Path) -> None:
    """Two questions of one person make one answer; a restart in between makes no second."""
    past = ListedPast()
    async with awake(tmp_path) as pet:
        await was_there(pet, past)
        now = pet.storage.clock.now()
        past.says("q1", "Eko, tu es là ?", now - 5 * MINUTE)
        past.says("q2", "et toi ?", now - 4 * MINUTE, mentions_pet=True)
        past.says("q3", "dis", now - 3 * MINUTE, LEA, mentions_pet=True)
        await read_back(pet, past)
        await read_back(pet, past)
        assert len(await pet.answers()) == 2
    async with awake(tmp_path, channel=pet.channel) as again:
        await read_back(again, past)
        assert await again.inbox.resume() == 0
        assert len(await again.answers()) == 2


async def test_what_was_asked_long_ago_is_kept_and_not_answered(tmp_path: Path) -> None:
    """In a lobby it is observed like the rest, in private it is there to be looked up."""
    past = ListedPast()
    alone = direct(DAVID)
    async with awake(tmp_path) as pet:
        await was_there(pet, past)
        await pet.hears("bonjour", DAVID, alone)
        await pet.answers()
        pet.storage.clock.advance(5 * HOUR)
        past.says("q1", "Eko, tu pars en Grèce ?", NOON + 2 * HOUR, LEA)
        past.says("q2", "tu dors ?", NOON + 2 * HOUR, where=alone)
        await read_back(pet, past)
        assert len(await pet.answers()) == 1
        assert await pet.storage.count("messages", "handling = 'observed'") == 2
        assert await pet.storage.count("messages", "handling = 'stale'") == 1


async def test_commands_of_then_are_not_run_now(tmp_path: Path) -> None:
    """Nor are they answered or observed."""
    past = ListedPast()
    async with awake(tmp_path) as pet:
        await was_there(pet, past)
        past.says("c", "/ping", pet.storage.clock.now() - MINUTE)
        await read_back(pet, past)
        await pet.commands.quiet()
        assert await pet.answers() == []
        assert pet.ran == []
        assert await pet.storage.count("messages", "handling = 'kept'") == 1


async def test_programs_are_not_heard_and_nobody_is_renamed(tmp_path: Path) -> None:
    """A platform's past knows accounts by other names than a community does."""
    past = ListedPast()
    async with awake(tmp_path) as pet:
        await was_there(pet, past)
        bot = AuthorRef(platform=PLATFORM, external_id="b", name="Bot", is_bot=True)
        renamed = replace(DAVID, name="david.4711")
        past.says("b1", "bip", pet.storage.clock.now() - MINUTE, bot)
        past.says("d1", "moi", pet.storage.clock.now() - MINUTE, renamed)
        await read_back(pet, past)
        assert await kept(pet) == ["un mot", "moi"]
        assert await pet.storage.count("people", "name = 'David'") == 1


async def test_a_room_that_was_never_heard_of_is_not_read(tmp_path: Path) -> None:
    """Nobody there was told of the pet when it was said; a new thread of a known room is."""
    past = ListedPast(under={"thread": "lobby", "stranger": "elsewhere"})
    thread = replace(group("thread"), parent="lobby")
    async with awake(tmp_path) as pet:
        await was_there(pet, past)
        now = pet.storage.clock.now()
        past.says("t", "dans le fil", now - MINUTE, where=thread)
        past.says("s", "ailleurs", now - MINUTE, where=group("stranger"))
        past.says("e", "ailleurs", now - MINUTE, where=group("elsewhere"))
        await read_back(pet, past)
        assert {*past.asked} == {"lobby", "thread"}
        assert await pet.storage.count("messages", "text = 'dans le fil'") == 1


async def test_only_so_many_hours_and_messages_are_read(tmp_path: Path) -> None:
    """The latest are, and the log says that something was left out."""
    past = ListedPast()
    async with awake(tmp_path) as pet:
        await was_there(pet, past)
        pet.storage.clock.advance(30 * HOUR)
        now = pet.storage.clock.now()
        past.says("old", "trop vieux", now - 25 * HOUR)
        for number in range(8):
            past.says(f"m{number}", f"mot {number}", now - (9 - number) * MINUTE)
        with capture_logs() as logs:
            await read_back(pet, past, replace(RULES, most_messages=5))
        assert await kept(pet) == ["un mot", *(f"mot {number}" for number in range(3, 8))]
        (finished,) = (entry for entry in logs if entry["event"] == "catch_up.finished")
        assert (finished["rooms"], finished["messages"], finished["cut"]) == (1, 5, 1)
        assert "mot" not in str(logs)


@pytest.mark.parametrize("rules", [{"most_messages": 0}, {"reach": timedelta(0)}])
async def test_reading_back_can_be_switched_off(tmp_path: Path, rules: dict[str, object]) -> None:
    """What people took back goes all the same."""
    past = ListedPast()
    async with awake(tmp_path) as pet:
        await was_there(pet, past)
        past.says("m", "mot", pet.storage.clock.now() - MINUTE)
        past.takes_back("first-lobby")
        await read_back(pet, past, replace(RULES, **rules))  # type: ignore[arg-type]
        assert await kept(pet) == []


async def test_what_came_in_before_it_was_read_back_leaves_no_gap(tmp_path: Path) -> None:
    """The living talk goes on while the past is read; also when a first reading was cut short."""
    past = ListedPast()
    async with awake(tmp_path) as pet:
        await was_there(pet, past, "lobby", "second")
        now = pet.storage.clock.now()
        past.says("gap", "pendant l'absence", now - MINUTE)
        past.refuses["lobby"] = [PastUnavailable("away")]
        async with reading(pet, past):
            pet.storage.clock.advance(MINUTE)
            await pet.inbox.receive(past.says("live", "en direct", pet.storage.clock.now()))
            assert await kept(pet) == ["un mot", "en direct"]
            pet.storage.clock.advance(2 * UNSURE)
        await read_back(pet, past)
        assert await kept(pet) == ["un mot", "pendant l'absence", "en direct"]


async def test_what_came_in_before_the_platform_said_it_is_there_leaves_no_gap(
    tmp_path: Path,
) -> None:
    """Discord tells of messages for some seconds before it says that all is told."""
    past = ListedPast(under={"thread": "lobby"})
    thread = replace(group("thread"), parent="lobby")
    async with awake(tmp_path) as pet:
        await was_there(pet, past)
        now = pet.storage.clock.now()
        past.says("gap", "pendant l'absence", now - 10 * MINUTE)
        past.says("t1", "un fil", now - 9 * MINUTE, where=thread)
        await pet.inbox.receive(past.says("live", "en direct", now))
        await pet.inbox.receive(past.says("t2", "encore", now, where=thread))
        pet.storage.clock.advance(timedelta(seconds=2))
        await read_back(pet, past)
        assert await kept(pet) == ["un mot", "pendant l'absence", "en direct"]
        assert await pet.storage.count("messages", "text = 'un fil'") == 1


async def test_a_room_that_fails_is_tried_again_and_stops_no_other(tmp_path: Path) -> None:
    """The platform's fault, a right that is gone, and a fault of ours."""
    past = ListedPast()
    async with awake(tmp_path) as pet:
        await was_there(pet, past, "lobby", "gone", "odd", "away")
        past.says("m", "mot", pet.storage.clock.now() - MINUTE)
        past.refuses = {
            "gone": [RoomUnreadable("No right to read it.")],
            "odd": [ValueError("odd")],
            "away": [PastUnavailable("away")],
        }
        with capture_logs() as logs:
            await read_back(pet, past, replace(RULES, retries_s=(0,)))
        assert await kept(pet) == ["un mot", "mot"]
        first = next(entry for entry in logs if entry["event"] == "catch_up.finished")
        assert (first["skipped"], first["failed"]) == (1, 2)


async def test_some_rooms_are_read_at_once(tmp_path: Path) -> None:
    """No more of them than that, however many there are."""
    past = ListedPast(together=asyncio.Barrier(AT_ONCE))
    async with awake(tmp_path) as pet:
        await was_there(pet, past, *(f"room {number}" for number in range(20)))
        await read_back(pet, past)
        assert past.most == AT_ONCE
        assert len(past.asked) == 20


async def test_ignored_and_unobserved_stay_so(tmp_path: Path) -> None:
    """Whoever opted out is not read back, nor a room that is to be ignored."""
    past = ListedPast()
    async with awake(tmp_path) as pet:
        await was_there(pet, past)
        lea = await pet.storage.people.person(LEA.platform, LEA.external_id, LEA.name)
        await pet.storage.people.observe(lea.id, observed=False)
        past.says("l", "secret", pet.storage.clock.now() - MINUTE, LEA)
        quiet = group("lobby", RoomRole.IGNORED)
        past.says("i", "rien", pet.storage.clock.now() - MINUTE, DAVID, quiet)
        await read_back(pet, past)
        assert await kept(pet) == ["un mot"]
        assert await pet.storage.count("messages") == 1


async def test_the_digest_waits_for_the_past_and_not_for_ever(tmp_path: Path) -> None:
    """A platform that does not come back is said to be missing, and the night goes on."""
    past = ListedPast()
    async with awake(tmp_path) as pet:
        await was_there(pet, past)
        catch_up = catch_up_of(pet, past)
        with capture_logs() as logs:
            await wait_for_the_past([catch_up], limit_s=0.01)
        assert [entry["event"] for entry in logs] == ["catch_up.postponed"]
        catch_up.connected()
        async with background_task(catch_up.run(), name="catch-up"):
            await wait_for_the_past([catch_up], limit_s=20)
        assert past.asked["lobby"]

"""Rooms that were not there while their platform was are read back when they arrive, once."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from structlog.testing import capture_logs

from bot.errors import PastUnavailable, RoomAway
from bot.platforms.catch_up import AT_ONCE
from memory.tasks import background_task
from tests.cast import group
from tests.flow.past import RULES, ListedPast, catch_up_of, reading
from tests.flow.pet import Pet, awake
from tests.patience import PATIENCE_S

HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)


async def was_there(pet: Pet, past: ListedPast, *rooms: str) -> None:
    """Let the pet hear one message in each room, then be away for an hour in which they talk."""
    for name in rooms:
        await pet.inbox.receive(
            past.says(f"first-{name}", "un mot", pet.storage.clock.now(), where=group(name))
        )
    pet.storage.clock.advance(HOUR)
    for name in rooms:
        past.says(f"gap-{name}", f"dans {name}", pet.storage.clock.now(), where=group(name))
    pet.storage.clock.advance(MINUTE)


async def until(holds: Callable[[], bool]) -> None:
    """Wait for something that is being done beside."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            if holds():
                return
            await asyncio.sleep(0.01)


async def missed(pet: Pet) -> int:
    """How many messages of the gap are kept."""
    return await pet.storage.count("messages", "text LIKE 'dans %'")


async def reads(pet: Pet, count: int) -> None:
    """Wait until so many messages of the gap are kept."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            if await missed(pet) >= count:
                return
            await asyncio.sleep(0.01)


def readings(logs: Sequence[Mapping[str, object]]) -> int:
    """How often something was read back to its end."""
    return sum(entry["event"] == "catch_up.finished" for entry in logs)


async def test_a_room_that_was_away_is_read_when_it_arrives(tmp_path: Path) -> None:
    """It is not asked for again before, and the others are not read a second time."""
    past = ListedPast()
    async with awake(tmp_path) as pet:
        await was_there(pet, past, "lobby", "late")
        past.refuses = {"late": [RoomAway("Its community is not there.")]}
        with capture_logs() as logs:
            async with reading(pet, past, replace(RULES, retries_s=(0, 0))) as catch_up:
                await until(lambda: readings(logs) == 1)
                assert past.asked["late"] == 1
                asked = past.asked["lobby"]
                catch_up.arrived(["late"])
                await until(lambda: readings(logs) == 2)
        assert await missed(pet) == 2
        assert past.asked["lobby"] == asked
        first, second = (one for one in logs if one["event"] == "catch_up.finished")
        assert (first["away"], first["skipped"], first["failed"]) == (1, 0, 0)
        assert (second["rooms"], second["messages"], second["away"]) == (1, 1, 0)


async def test_a_room_that_comes_back_from_an_outage_is_read_each_time(tmp_path: Path) -> None:
    """The connection stood all the while, and all had been read."""
    past = ListedPast()
    async with awake(tmp_path) as pet:
        await was_there(pet, past, "lobby")
        async with reading(pet, past) as catch_up:
            for number in (1, 2):
                pet.storage.clock.advance(HOUR)
                past.says(f"o{number}", f"dans la panne {number}", pet.storage.clock.now())
                pet.storage.clock.advance(MINUTE)
                catch_up.arrived(["lobby"])
                await reads(pet, number + 1)


async def test_threads_under_a_room_that_arrives_are_read_with_it(tmp_path: Path) -> None:
    """Those that it knew, and those that were opened meanwhile."""
    past = ListedPast()
    old, new = (replace(group(name), parent="late") for name in ("old", "new"))
    async with awake(tmp_path) as pet:
        await pet.inbox.receive(past.says("t", "un mot", pet.storage.clock.now(), where=old))
        await was_there(pet, past, "late", "lobby")
        for where in (old, new):
            past.says(f"x-{where.external_id}", "dans le fil", pet.storage.clock.now(), where=where)
        away = RoomAway("Its community is not there.")
        past.refuses = {"late": [away], "old": [away]}
        async with reading(pet, past) as catch_up:
            past.under = {"new": "late"}
            catch_up.arrived(["late", "new"])
            await reads(pet, 4)


async def test_what_failed_is_tried_again_with_what_arrives(tmp_path: Path) -> None:
    """An arrival ends the wait for another try, and must not lose it."""
    past = ListedPast()
    async with awake(tmp_path) as pet:
        await was_there(pet, past, "lobby", "late")
        past.refuses = {"late": [RoomAway("away")], "lobby": [PastUnavailable("overloaded")]}
        async with reading(pet, past, replace(RULES, retries_s=(3600,))) as catch_up:
            catch_up.arrived(["late"])
            await reads(pet, 2)


async def test_a_room_that_arrives_before_its_turn_is_read_once(tmp_path: Path) -> None:
    """The reading of the connection is under way, and comes to it by itself."""
    together = asyncio.Barrier(AT_ONCE + 1)
    past = ListedPast(together=together)
    names = [f"room {number}" for number in range(2 * AT_ONCE)]
    async with awake(tmp_path) as pet:
        await was_there(pet, past, *names)
        catch_up = catch_up_of(pet, past)
        catch_up.connected()
        with capture_logs() as logs:
            async with background_task(catch_up.run(), name="catch-up"):
                await until(lambda: past.reading == AT_ONCE)
                catch_up.arrived([name for name in names if name not in past.asked])
                for _ in range(2 * 2):  # each room is asked for twice: what it knows, what is new
                    await until(lambda: together.n_waiting == AT_ONCE)
                    await together.wait()
                await until(lambda: readings(logs) == 2)
        assert await missed(pet) == len(names)
        assert set(past.asked.values()) == {2}


async def test_a_room_that_arrives_after_its_turn_is_read_again(tmp_path: Path) -> None:
    """What was read of it before its outage says nothing of the outage; other arrivals wait too."""
    past = ListedPast()
    async with awake(tmp_path) as pet:
        await was_there(pet, past, "lobby", "late")
        past.refuses = {"late": [RoomAway("away")]}
        async with reading(pet, past) as catch_up:
            for name in ("late", "lobby"):
                past.says(f"o-{name}", "dans la panne", pet.storage.clock.now(), where=group(name))
                catch_up.arrived([name])
            await reads(pet, 4)

"""Somebody who turns out to be a program is not answered any more, and the talk is kept."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from structlog.testing import capture_logs

from tests.cast import CORNER, DAVID, LEA, LOBBY
from tests.flow.limits import LOOPS
from tests.flow.pet import ListedChannel, Pet, awake

STRICT = replace(LOOPS, per_person=3)


async def loops(pet: Pet, times: int) -> int:
    """Answer the pet so many times; how many of these it answered."""
    for number in range(times):
        await pet.hears(f"tu dis {number}", DAVID, CORNER)
        await pet.answers()
    return len(pet.channel.texts)


async def test_an_echo_is_left_alone_and_said_once_in_the_log(tmp_path: Path) -> None:
    """What it says on is kept, and answered neither now nor after a restart."""
    async with awake(tmp_path, loops=STRICT) as pet:
        with capture_logs() as logs:
            assert await loops(pet, 10) == STRICT.per_person + 1
        said = [entry for entry in logs if entry["event"] == "loop.suspected"]
        assert [(entry["room"], entry["log_level"]) for entry in said] == [
            ("chat:corner", "warning")
        ]
        assert "tu dis" not in str(said)
        assert await pet.storage.count("messages", "handling = 'stale'") == 6
    async with awake(tmp_path, loops=STRICT) as pet:
        assert await pet.inbox.resume() == 0


async def test_others_are_answered_meanwhile(tmp_path: Path) -> None:
    """In the same room, at the same time."""
    async with awake(tmp_path, loops=STRICT) as pet:
        answered = await loops(pet, 6)
        await pet.hears("et moi ?", LEA, CORNER)
        assert len(await pet.answers()) == answered + 1


async def test_after_a_pause_it_is_answered_again(tmp_path: Path) -> None:
    """It was a person in a hurry."""
    async with awake(tmp_path, loops=STRICT) as pet:
        answered = await loops(pet, 6)
        pet.storage.clock.advance(timedelta(seconds=61))
        await pet.hears("pardon", DAVID, CORNER)
        assert len(await pet.answers()) == answered + 1


async def test_commands_work_on(tmp_path: Path) -> None:
    """They are no talk, and what stops a pet must be within reach."""
    async with awake(tmp_path, loops=STRICT) as pet:
        await loops(pet, 6)
        await pet.hears("/ping", DAVID, CORNER)
        await pet.commands.quiet()
        assert len(pet.ran) == 1


async def test_what_is_not_said_to_the_pet_is_observed_on(tmp_path: Path) -> None:
    """It falls silent; it does not stop listening in the lobby."""
    async with awake(tmp_path, loops=STRICT) as pet:
        for number in range(6):
            await pet.hears(f"Eko, {number} ?", DAVID, LOBBY)
            await pet.answers()
        await pet.hears("je pars en Grèce", DAVID, LOBBY)
        assert await pet.storage.count("messages", "handling = 'observed'") == 1


async def test_on_its_own_machine_nobody_is_a_program(tmp_path: Path) -> None:
    """A script in the terminal is somebody's own."""
    home = replace(CORNER, platform="local")
    async with awake(tmp_path, loops=STRICT, channel=ListedChannel(platform="local")) as pet:
        for number in range(6):
            await pet.asked(f"message {number}", DAVID, home)
        assert len(pet.channel.sent) == 6

"""A homeserver that takes little from one account: what the pet says of it, and what lifts it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.channels.matrix_world import PASSWORD, MatrixWorld, on_synapse, person_on
from tests.channels.test_matrix_signing import doctors_word
from tests.channels.test_matrix_talk import answer, is_there, started, until
from tests.channels.world import Where, Who
from tests.peers.synapse import running_synapse

SLOW_TALK = "{per_second: 0.4, burst_count: 2}"
ONE_JOIN = "{per_second: 0.01, burst_count: 1}"
LOOKED_AFTER = (Who.LEA, Who.TOM, Who.OWNER)


@asynccontextmanager
async def slow_world(**rates: str) -> AsyncIterator[tuple[MatrixWorld, str]]:
    """A world of which only the people may talk and come as they like; an administrator's token."""
    with running_synapse(**rates) as synapse:
        boss = synapse.registers("boss", PASSWORD, admin=True)
        async with person_on(synapse, "clerk", "Clerk") as clerk:
            clerk.client.user = boss
            await clerk.client.login(PASSWORD)
            token = str(clerk.client.access_token)
            async with on_synapse(synapse) as world:
                for who in LOOKED_AFTER:
                    synapse.lifts_limits(token, world.people[who].id)
                yield world, token


async def test_a_throttled_pet_says_what_lifts_it(tmp_path: Path) -> None:
    """No answer is lost meanwhile; the words of the docs lift it, on the server as it is."""
    async with slow_world(messages=SLOW_TALK) as (world, token):
        async with started(tmp_path, world) as daemon:
            await is_there(daemon)
            for number in range(12):
                said = await world.says(Who.TOM, Where.TOM_DIRECT, f"hello number {number}!")
                assert (await answer(world, Where.TOM_DIRECT, said)).text
            assert daemon.output.count("sending.delayed") >= 5
            assert f"override_ratelimit for {world.pet}" in await doctors_word(daemon)
            assert await daemon.interrupted() == 0, daemon.output
        world.synapse.lifts_limits(token, world.pet)
        async with started(tmp_path, world) as daemon:
            await is_there(daemon)
            for number in range(6):
                said = await world.says(Who.TOM, Where.TOM_DIRECT, f"and now, number {number}?")
                assert (await answer(world, Where.TOM_DIRECT, said)).text
            assert "sending.delayed" not in daemon.output
            assert "device verified" in await doctors_word(daemon)


async def test_invitations_that_were_postponed_are_said(tmp_path: Path) -> None:
    """In the log with how long, and counted by the doctor until they are taken."""
    async with slow_world(joins=ONE_JOIN) as (world, token):
        async with started(tmp_path, world) as daemon:
            await daemon.has_written("invitation.postponed", times=3)
            await is_there(daemon)
            assert "could not be accepted yet: 3" in await doctors_word(daemon)
            assert await daemon.interrupted() == 0, daemon.output
        world.synapse.lifts_limits(token, world.pet)
        async with started(tmp_path, world) as daemon:
            await is_there(daemon)

            async def is_in_all() -> bool | None:
                return "rooms: 4" in await doctors_word(daemon) or None

            assert await until(is_in_all)

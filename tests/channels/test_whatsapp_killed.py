"""The daemon on WhatsApp, killed and started again, and a Graph API that has its troubles."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.channels.whatsapp_server import refused
from tests.channels.whatsapp_stage import Stage, on_whatsapp
from tests.channels.whatsapp_world import WhatsappWorld, open_whatsapp_world
from tests.channels.world import Where, Who


@pytest.fixture
async def world() -> AsyncIterator[WhatsappWorld]:
    """A world of its own for each test."""
    async with open_whatsapp_world() as found:
        yield found


async def is_done(stage: Stage) -> None:
    """Wait until everything that was handed over before is dealt with."""
    await stage.server.all_taken()
    await stage.hears(Who.LEA, Where.LEA_DIRECT, "bonjour")


async def test_nothing_is_lost_or_doubled_by_a_kill_and_a_redelivery(
    world: WhatsappWorld, tmp_path: Path
) -> None:
    """What was said while it was away is handed over again, and so is all that came before."""
    async with on_whatsapp(world, tmp_path) as stage:
        known = await world.says(Who.LEA, Where.LEA_DIRECT, "Remember that my dog is called Rex.")
        await stage.server.answer_to(known)
        await stage.marked(1)
        await stage.daemon.killed()
    missed = await world.says(Who.LEA, Where.LEA_DIRECT, "What is my dog called?")
    async with on_whatsapp(world, tmp_path) as stage:
        assert "Rex" in (await stage.server.answer_to(missed)).text
        await world.redelivers()
        await is_done(stage)
        assert [len(stage.answers(one)) for one in (known, missed)] == [1, 1]


async def test_too_many_and_errors_are_waited_for(world: WhatsappWorld, tmp_path: Path) -> None:
    """In each of Meta's ways to say so; the reply comes once."""
    async with on_whatsapp(world, tmp_path) as stage:
        await world.refuses(429, 1, retry_after_s=0.1)
        await world.refuses(503, 1)
        await world.refuses(500, 1)
        said = await world.says(Who.LEA, Where.LEA_DIRECT, "Hello!")
        await stage.server.answer_to(said)
        await is_done(stage)
        assert len(stage.answers(said)) == 1


async def test_a_reply_that_was_taken_without_an_answer_is_not_sent_again(
    world: WhatsappWorld, tmp_path: Path
) -> None:
    """Meta's report of it says that it has it; one that it has not is sent again."""
    async with on_whatsapp(world, tmp_path) as stage:
        stage.server.lost.extend([True, False])
        taken = await world.says(Who.LEA, Where.LEA_DIRECT, "Hello!")
        await stage.server.answer_to(taken)
        lost = await world.says(Who.TOM, Where.TOM_DIRECT, "Hello!")
        await stage.server.answer_to(lost)
        await is_done(stage)
        assert [len(stage.answers(one)) for one in (taken, lost)] == [1, 1]


async def test_an_outage_longer_than_the_tries_keeps_the_reply(
    world: WhatsappWorld, tmp_path: Path
) -> None:
    """It is sent as soon as Meta takes something again."""
    async with on_whatsapp(world, tmp_path) as stage:
        await world.refuses(503, 4)
        said = await world.says(Who.LEA, Where.LEA_DIRECT, "Hello!")
        await stage.server.answer_to(said)
        await is_done(stage)
        assert len(stage.answers(said)) == 1


async def test_an_expired_token_is_told_once_and_nothing_is_lost(
    world: WhatsappWorld, tmp_path: Path
) -> None:
    """In the log in words, and by the doctor; with a new token what was kept is sent."""
    async with on_whatsapp(world, tmp_path) as stage:
        await stage.hears(Who.LEA, Where.LEA_DIRECT, "Hello!")
        stage.server.expired = True
        said = [
            await world.says(Who.LEA, Where.LEA_DIRECT, "And now?"),
            await world.says(Who.TOM, Where.TOM_DIRECT, "And now?"),
        ]
        await stage.daemon.has_written("whatsapp.refused")
        await stage.server.all_taken()
        doctor = str(await stage.daemon.does("doctor"))
        assert "the access token is refused (code 190)" in doctor
        await stage.daemon.interrupted()
        assert stage.daemon.output.count("whatsapp.refused") == 1
        assert "Make a new access token" in stage.daemon.output
    world.server.expired = False
    async with on_whatsapp(world, tmp_path) as stage:
        for one in said:
            await stage.server.answer_to(one)
        await is_done(stage)
        assert [len(stage.answers(one)) for one in said] == [1, 1]


async def test_outside_the_24_hours_nothing_is_tried_again(
    world: WhatsappWorld, tmp_path: Path
) -> None:
    """Meta's refusal is one for good: the log says why, and the next answer goes out."""
    async with on_whatsapp(world, tmp_path) as stage:
        stage.server.refusals.append(refused(400, 131047))
        said = await world.says(Who.LEA, Where.LEA_DIRECT, "Hello!")
        await stage.daemon.has_written("has not written for 24 hours")
        await is_done(stage)
        assert stage.answers(said) == []
        assert stage.kept("SELECT state FROM turns ORDER BY seq LIMIT 1") == [("refused",)]

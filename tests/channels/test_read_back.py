"""`/read-back` on real services: told, objected to, killed in between, read once an hour later."""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest

from memory.model.past_readings import TIME_TO_OBJECT
from tests.channels.matrix_world import MatrixWorld
from tests.channels.trial import Trial, in_world, is_killed, until
from tests.channels.world import ChannelWorld, PetMessage, Where, Who
from tests.channels.worlds import names, opening

READ_BACK = [name for name in names() if name in {"discord", "matrix"}]
"""The services whose rooms can be read back."""


@pytest.fixture(params=READ_BACK)
async def world(request: pytest.FixtureRequest) -> AsyncIterator[ChannelWorld]:
    """One service, with its people and no pet yet."""
    async with opening(request.param)() as opened:
        yield opened


LINES = [(Who.OWNER, f"the ferry number {number} was late") for number in range(30)]
LINES.append((Who.TOM, "my ferry ticket is red"))


async def said_before(world: ChannelWorld) -> None:
    """What is said in the lobby before the pet is there, or on Matrix invited to it."""
    if isinstance(world, MatrixWorld):
        await said_in_new_lobby(world)
        return
    for who, text in LINES:
        await world.says(who, Where.LOBBY, text)


async def said_in_new_lobby(world: MatrixWorld) -> None:
    """The same in a new room, to which the pet is invited afterwards."""
    owner, others = world.people[Who.OWNER], [world.people[Who.LEA], world.people[Who.TOM]]
    room = await owner.makes_room(name="Ferry", invite=[one.id for one in others])
    for one in others:
        await one.comes_to(room)
        await owner.meets(one.id, room)
    for who, text in LINES:
        content = {"msgtype": "m.text", "body": text, "m.mentions": {}}
        await world.people[who].sends(room, content)
    await owner.client.room_invite(room, world.pet)
    world.rooms[Where.LOBBY] = room


async def told(trial: Trial, words: str) -> PetMessage:
    """The pet's message in the lobby with these words, once it is there."""

    async def look() -> PetMessage | None:
        said = await trial.world.pet_said(Where.LOBBY)
        return next((one for one in said if words in one.text), None)

    return await until(look)


def an_hour_passes(data: Path) -> None:
    """The room was told an hour earlier than it was."""
    with closing(sqlite3.connect(data / "eko.sqlite3")) as database:
        earlier = (int(TIME_TO_OBJECT.total_seconds()) * 1000,)
        changed = database.execute("UPDATE past_readings SET told_at = told_at - ?", earlier)
        assert changed.rowcount == 1
        database.commit()


async def test_a_room_is_read_an_hour_after_it_was_told(
    world: ChannelWorld, tmp_path: Path
) -> None:
    """But for those who opted out meanwhile; also where the pet was killed in between."""
    data = tmp_path / "data"
    await said_before(world)
    # Without this what was said while it was away would be read by itself, as ever.
    never = {"EKO_DISCORD__CATCH_UP_HOURS": "0", "EKO_MATRIX__CATCH_UP_MESSAGES": "0"}
    async with in_world(world, data, never) as trial:
        await trial.hears(Who.OWNER, Where.LOBBY, "hello")
        assert trial.stored("%ferry%") == []
        answer = await trial.commands(Who.OWNER, Where.LOBBY, "/read-back 7")
        assert "in an hour" in answer.text
        sentence = (await told(trial, "last 7 days")).text
        sign = "!" if world.name == "matrix" else "/"
        assert f"{sign}privacy off" in sentence
        await trial.commands(Who.TOM, Where.LOBBY, "/privacy off")
        assert trial.stored("%ferry%") == []
        await is_killed(trial)
    an_hour_passes(data)
    async with in_world(world, data, never, port=trial.port) as trial:
        ended = "SELECT count(*) FROM past_readings WHERE state = 'read'"
        await trial.comes(lambda: trial.kept(ended) == [(1,)])
        lines = trial.stored("%ferry%")
        assert lines == [text for who, text in LINES if who is Who.OWNER]
        known = (await trial.hears(Who.LEA, Where.LOBBY, "which ferry was late?")).text
        assert "ferry" in known
        assert len([one for one in await world.pet_said(Where.LOBBY) if "7 days" in one.text]) == 1
        assert await trial.daemon.interrupted() == 0, trial.daemon.output

"""The daemon on a real Matrix server: encryption, invitations, threads, communities, troubles."""

import asyncio
import json
import stat
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import pytest

from tests.channels.matrix_world import MatrixWorld, on_synapse, person_on
from tests.channels.world import PetMessage, Where, Who
from tests.patience import PATIENCE_S
from tests.peers.daemon import Daemon, awake, kept
from tests.peers.discord_stage import rows
from tests.peers.synapse import Synapse, running_synapse

T = TypeVar("T")

QUICK = {
    "EKO_EMBEDDER__KIND": "none",
    "EKO_COALESCING__DEBOUNCE_S": "0",
    "EKO_LOCALE": "en",
    "EKO_RATES__READ_PER_PERSON": "10000",
    "EKO_RATES__PER_PERSON": "10000",
}


@pytest.fixture(scope="module")
def synapse() -> Iterator[Synapse]:
    """One server for every test of this file."""
    with running_synapse() as running:
        yield running


@pytest.fixture
async def world(synapse: Synapse) -> AsyncIterator[MatrixWorld]:
    """People, rooms and a pet of its own for every test."""
    async with on_synapse(synapse) as fresh:
        yield fresh


async def until(look: Callable[[], Awaitable[T | None]]) -> T:
    """What a look finds, once it finds something."""
    async with asyncio.timeout(PATIENCE_S):
        while (found := await look()) is None:  # noqa: ASYNC110 - no server tells of it
            await asyncio.sleep(0.05)
        return found


async def answer(world: MatrixWorld, where: Where, said: str) -> PetMessage:
    """What the pet answers to a message."""

    async def look() -> PetMessage | None:
        return next((one for one in await world.pet_said(where) if one.answers == said), None)

    return await until(look)


async def row(folder: Path, query: str, *values: str) -> Any:
    """The first row that a query finds, once there is one."""

    async def look() -> Any:
        return next(iter(await asyncio.to_thread(rows, folder, query, *values)), None)

    return await until(look)


def started(folder: Path, world: MatrixWorld, **more: str) -> Any:
    """A daemon of this world."""
    return awake(folder, {**QUICK, **world.settings, **more})


async def _noted(file: Path) -> Any:
    return json.loads(file.read_text()) if file.exists() else None  # noqa: ASYNC240 - a test


def _words(body: str) -> dict[str, Any]:
    return {"msgtype": "m.text", "body": body, "m.mentions": {}}


async def is_there(daemon: Daemon) -> None:
    """Wait until the pet hears what is said."""
    await daemon.has_written("matrix.connected")


async def test_a_restart_keeps_the_device_and_reads_what_was_encrypted_meanwhile(
    world: MatrixWorld, tmp_path: Path
) -> None:
    """After a kill, which prepares nothing; the session's file is its user's alone."""
    async with started(tmp_path, world) as daemon:
        await is_there(daemon)
        said = await world.says(Who.LEA, Where.LEA_DIRECT, "hello!")
        assert (await answer(world, Where.LEA_DIRECT, said)).text
        await daemon.killed()
    folder = tmp_path / "channels" / "matrix"
    session = folder / "session.json"
    before = json.loads(session.read_text())
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(session.stat().st_mode) == 0o600
    missed = await world.says(Who.LEA, Where.LEA_DIRECT, "are you there?")
    async with started(tmp_path, world) as daemon:
        await is_there(daemon)
        assert (await answer(world, Where.LEA_DIRECT, missed)).text
        assert await daemon.interrupted() == 0, daemon.output
    assert json.loads(session.read_text()) == before
    assert "undecrypted" not in daemon.output
    assert len(await world.pet_said(Where.LEA_DIRECT)) == 2


async def test_nothing_that_is_said_in_an_encrypted_room_stands_in_the_open(
    world: MatrixWorld, tmp_path: Path
) -> None:
    """Neither on the server, nor in the log."""
    lea, room = world.people[Who.LEA], world.rooms[Where.LEA_DIRECT]
    async with started(tmp_path, world) as daemon:
        await is_there(daemon)
        said = await world.says(Who.LEA, Where.LEA_DIRECT, "my word is zanzibar")
        found = await answer(world, Where.LEA_DIRECT, said)
        event = await world.raw(Who.LEA, room, found.id)
        assert event["type"] == "m.room.encrypted"
    assert "zanzibar" not in daemon.output
    assert lea.client.access_token not in daemon.output


async def test_a_message_without_its_key_is_read_when_the_key_has_come(
    world: MatrixWorld, tmp_path: Path
) -> None:
    """It is noted on disk meanwhile, and its sender is asked for the key."""
    lea, room = world.people[Who.LEA], world.rooms[Where.LEA_DIRECT]
    async with started(tmp_path, world) as daemon:
        await is_there(daemon)
        await lea.meets(world.pet, room)
        held = await lea.holds_back_keys(room)
        said = await lea.sends(room, _words("hello!"))
        world.places[said] = room
        await daemon.has_written("message.undecrypted")
        noted = await until(partial(_noted, tmp_path / "channels" / "matrix" / "unread.json"))
        assert [one["event"] for one in noted["waiting"]] == [said]
        await lea.hands_out(held)
        assert (await answer(world, Where.LEA_DIRECT, said)).text


async def test_a_stranger_invites_in_vain(
    world: MatrixWorld, synapse: Synapse, tmp_path: Path
) -> None:
    """Before the pet starts and while it runs; the doctor counts both."""
    async with person_on(
        synapse, f"mallory{world.pet[4:].partition(':')[0]}", "Mallory"
    ) as mallory:
        early = await mallory.makes_room(invite=[world.pet])
        async with started(tmp_path, world) as daemon:
            await is_there(daemon)
            late = await mallory.makes_room(invite=[world.pet])
            await daemon.has_written("invitation.ignored", times=2)
            said = await world.says(Who.TOM, Where.TOM_DIRECT, "hello!")
            await answer(world, Where.TOM_DIRECT, said)
            found = await daemon.does("doctor")
            assert "left unanswered: 2" in json.dumps(found)
            assert await daemon.interrupted() == 0, daemon.output
        for room in (early, late):
            assert mallory.client.rooms[room].users[world.pet].invited


async def test_a_thread_is_a_room_under_its_room(world: MatrixWorld, tmp_path: Path) -> None:
    """The answer stands in it; its community is that of the room above."""
    tom, room = world.people[Who.TOM], world.rooms[Where.LOBBY]
    async with started(tmp_path, world) as daemon:
        await is_there(daemon)
        root = await world.says(Who.TOM, Where.LOBBY, "let us talk of tea")
        content = {
            "msgtype": "m.text",
            "body": "hello",
            "m.mentions": {"user_ids": [world.pet]},
            "m.relates_to": {"rel_type": "m.thread", "event_id": root},
        }
        said = await tom.sends(room, content)
        found = await answer(world, Where.LOBBY, said)
        event = (await tom.client.room_get_event(room, found.id)).event.source
        assert event["content"]["m.relates_to"]["rel_type"] == "m.thread"
        assert event["content"]["m.relates_to"]["event_id"] == root
        assert event["content"]["m.mentions"] == {"user_ids": [tom.id]}
        query = "SELECT parent, space FROM rooms WHERE external_id = ?"
        assert await row(tmp_path, query, f"{room}/{root}") == (f"matrix:{room}", f"matrix:{room}")


async def test_an_edit_of_anothers_message_is_not_followed(
    world: MatrixWorld, tmp_path: Path
) -> None:
    """Servers hand on what a client makes up; one's own edits are followed."""
    async with started(tmp_path, world) as daemon:
        await is_there(daemon)
        said = await world.says(Who.LEA, Where.LOBBY, "the parade is on Monday")
        await row(tmp_path, "SELECT 1 FROM messages WHERE external_id = ?", said)
        await world.edits(Who.TOM, said, "the parade is called off")
        await daemon.has_written("edit.refused")
        await world.edits(Who.LEA, said, "the parade is on Tuesday")
        query = "SELECT text FROM messages WHERE external_id = ? AND text LIKE '%Tuesday'"
        assert await row(tmp_path, query, said)
    assert kept(tmp_path, "SELECT text FROM messages WHERE text LIKE '%called off%'") == []


async def test_a_room_that_is_shut_is_confidential_from_its_next_message_on(
    world: MatrixWorld, tmp_path: Path
) -> None:
    """Here those who come later can no longer read what was said."""
    olga, room = world.people[Who.OWNER], world.rooms[Where.LOBBY]
    async with started(tmp_path, world) as daemon:
        await is_there(daemon)
        await world.says(Who.LEA, Where.LOBBY, "the parade is on Monday")
        query = "SELECT confidential FROM rooms WHERE external_id = ?"
        assert await row(tmp_path, query, room) == (0,)
        await olga.client.room_put_state(
            room, "m.room.history_visibility", {"history_visibility": "joined"}
        )
        await world.says(Who.LEA, Where.LOBBY, "the parade is on Tuesday")
        assert await row(tmp_path, query + " AND confidential = 1", room)
        assert await row(tmp_path, "SELECT 1 FROM messages WHERE text LIKE '%Tuesday'")
    told = kept(tmp_path, "SELECT audience FROM messages WHERE text LIKE '%parade%' ORDER BY id")
    assert told == [(f"space:matrix:{room}",), (f"room:matrix:{room}",)]


async def test_rooms_of_a_space_are_one_community(world: MatrixWorld, tmp_path: Path) -> None:
    """Whose members may join the one, as its rule says."""
    olga, room = world.people[Who.OWNER], world.rooms[Where.LOBBY]
    others = [world.people[Who.LEA], world.people[Who.TOM]]
    space = await olga.makes_room(
        space=True, name="Village", invite=[world.pet, *(one.id for one in others)]
    )
    for one in others:
        await one.comes_to(space)
    await olga.client.room_put_state(space, "m.space.child", {"via": ["eko.test"]}, room)
    allow = [{"type": "m.room_membership", "room_id": space}]
    rule = {"join_rule": "restricted", "allow": allow}
    await olga.client.room_put_state(room, "m.room.join_rules", rule)
    async with started(tmp_path, world) as daemon:
        await is_there(daemon)
        await world.says(Who.LEA, Where.LOBBY, "the parade is on Monday")
        query = "SELECT space, community, confidential, public FROM rooms WHERE external_id = ?"
        assert await row(tmp_path, query, room) == (f"matrix:{space}", "Village", 0, 0)


@pytest.mark.parametrize("restarts", [False, True])
async def test_a_room_that_is_upgraded_keeps_its_memory(
    world: MatrixWorld, tmp_path: Path, *, restarts: bool
) -> None:
    """The pet goes along at the word of who may invite it; what the old room said answers there."""
    owner, old = world.people[Who.OWNER], world.rooms[Where.LOBBY]
    async with started(tmp_path, world) as daemon:
        await is_there(daemon)
        told = await world.says(Who.OWNER, Where.LOBBY, "My harp is in the blue cellar.")
        await row(tmp_path, "SELECT id FROM messages WHERE external_id = ?", told)
        if restarts:
            await daemon.interrupted()
        world.rooms[Where.LOBBY] = new = await world.upgrades(Who.OWNER, old)
        if not restarts:
            await owner.client.room_invite(new, world.pet)
            said = await world.calls(Who.OWNER, Where.LOBBY, "Eko, where is my harp?")
            assert "blue cellar" in (await answer(world, Where.LOBBY, said)).text
    if restarts:
        await owner.client.room_invite(new, world.pet)
        async with started(tmp_path, world) as daemon:
            await is_there(daemon)
            said = await world.calls(Who.OWNER, Where.LOBBY, "Eko, where is my harp?")
            assert "blue cellar" in (await answer(world, Where.LOBBY, said)).text
    assert await kept_rooms(tmp_path) == [old]


async def kept_rooms(folder: Path) -> list[str]:
    """The ids of the rooms of several that something was said in."""
    query = "SELECT DISTINCT r.external_id FROM rooms AS r JOIN messages AS m ON m.room_id = r.id"
    found = await asyncio.to_thread(rows, folder, f"{query} WHERE r.kind = 'group'")
    return [one[0] for one in found]


async def test_a_room_that_only_claims_to_follow_another_knows_nothing_of_it(
    world: MatrixWorld, tmp_path: Path
) -> None:
    """Anybody may say so of a room they make; the old one has to say it too."""
    old = world.rooms[Where.LOBBY]
    async with started(tmp_path, world) as daemon:
        await is_there(daemon)
        told = await world.says(Who.OWNER, Where.LOBBY, "My harp is in the blue cellar.")
        await row(tmp_path, "SELECT id FROM messages WHERE external_id = ?", told)
        claimed = {"room_id": old, "event_id": told}
        tom = world.people[Who.TOM]
        new = await tom.makes_room(name="Lobby", invite=[world.pet], predecessor=claimed)
        world.rooms[Where.LOBBY] = new
        said = await world.calls(Who.TOM, Where.LOBBY, "Eko, where is the harp?")
        where = "SELECT r.external_id FROM rooms AS r JOIN messages AS m ON m.room_id = r.id"
        kept = await row(tmp_path, f"{where} WHERE m.external_id = ?", said)
        assert kept[0] == new


async def test_an_answer_whose_receipt_was_lost_is_said_once(
    world: MatrixWorld, tmp_path: Path
) -> None:
    """The server knows the transaction, also of what it has taken before a kill."""
    async with started(tmp_path, world) as daemon:
        await is_there(daemon)
        said = await world.says(Who.LEA, Where.LEA_DIRECT, "hello!")
        await answer(world, Where.LEA_DIRECT, said)
        world.gate.swallows = 1
        said = await world.says(Who.LEA, Where.LEA_DIRECT, "and now?")
        await answer(world, Where.LEA_DIRECT, said)
        await daemon.killed()
    async with started(tmp_path, world, EKO_SWEEPS__SESSIONS_SECONDS="0.2") as daemon:
        await is_there(daemon)
        said = await world.says(Who.LEA, Where.LEA_DIRECT, "still there?")
        await answer(world, Where.LEA_DIRECT, said)
    assert len(await world.pet_said(Where.LEA_DIRECT)) == 3


async def test_hostile_events_cost_nothing_but_themselves(
    world: MatrixWorld, tmp_path: Path
) -> None:
    """Of all kinds that are read, with everything in the wrong place."""
    tom, room = world.people[Who.TOM], world.rooms[Where.TOM_DIRECT]
    async with started(tmp_path, world) as daemon:
        await is_there(daemon)
        await tom.meets(world.pet, room)
        odd: list[Any] = [7, "", [], {}, [{}], {"event_id": 3}, None, "$none:x", "x" * 5000]
        for one in odd:
            for kind in ("m.room.message", "m.reaction", "m.room.encrypted", "m.sticker"):
                content = {"msgtype": one, "body": one, "m.relates_to": one, "m.new_content": one,
                           "algorithm": one, "ciphertext": one, "session_id": one}  # fmt: skip
                await tom.client.room_send(room, kind, content)  # some the server refuses
        said = await world.says(Who.LEA, Where.LEA_DIRECT, "hello!")  # read after all of them
        assert (await answer(world, Where.LEA_DIRECT, said)).text
        assert await daemon.interrupted() == 0, daemon.output
    assert "event.misread" not in daemon.output
    assert "keys.misread" not in daemon.output


async def test_a_password_that_is_wrong_is_told_once_in_words(
    world: MatrixWorld, tmp_path: Path
) -> None:
    """And neither tried in a loop nor written anywhere."""
    async with started(tmp_path, world, EKO_MATRIX__PASSWORD="not-the-password") as daemon:
        await daemon.has_written("matrix.refused")
        assert await daemon.interrupted() == 0, daemon.output
    assert daemon.output.count("matrix.refused") == 1
    assert "not-the-password" not in daemon.output

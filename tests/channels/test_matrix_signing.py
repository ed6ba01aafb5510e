"""The pet's device in rooms that are shut to devices which their owner has not signed."""

import asyncio
import json
import stat
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from nio import AsyncClient, AsyncClientConfig
from nio.responses import LoginResponse

from bot.channels.matrix.inbound.sync import news_in
from bot.channels.matrix.service.homeserver import INVITATIONS, Homeserver
from tests.channels.matrix_world import PASSWORD, MatrixWorld, Person, on_synapse
from tests.channels.strict_client import (
    DeviceUnsigned,
    published_keys,
    sends_strictly,
    sets_up_cross_signing,
    signed_devices,
    vouches_for,
)
from tests.channels.test_matrix_talk import QUICK, answer, is_there, started, until
from tests.channels.world import PetMessage, Where, Who
from tests.peers.daemon import Daemon, awake
from tests.peers.synapse import Synapse, running_synapse


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


@asynccontextmanager
async def pet_elsewhere(world: MatrixWorld) -> AsyncIterator[Person]:
    """Another client of the pet's own account, as its owner may have."""
    with TemporaryDirectory() as folder:
        client = AsyncClient(
            world.synapse.url, world.pet, store_path=folder, config=AsyncClientConfig()
        )
        logged_in = await client.login(PASSWORD)
        assert isinstance(logged_in, LoginResponse), logged_in
        try:
            yield Person(client)
        finally:
            await client.close()
            client.store.database.close()


async def device_of(folder: Path) -> str:
    """The pet's device."""
    session = folder / "channels" / "matrix" / "session.json"
    return str(json.loads(await asyncio.to_thread(session.read_text))["device_id"])


async def strictly(world: MatrixWorld, text: str) -> PetMessage:
    """What the pet answers to what Léa's strict client says."""
    lea, room = world.people[Who.LEA], world.rooms[Where.LEA_DIRECT]
    await lea.meets(world.pet, room)
    content = {"msgtype": "m.text", "body": text, "m.mentions": {}}
    said = await sends_strictly(lea, room, content)
    world.places[said] = room
    return await answer(world, Where.LEA_DIRECT, said)


async def master_of(world: MatrixWorld) -> str:
    """The pet's master key as the server has it."""
    told = await published_keys(world.people[Who.LEA], world.pet)
    (public,) = told["master_keys"][world.pet]["keys"].values()
    return str(public)


def without_password(world: MatrixWorld) -> dict[str, str]:
    """The environment of a pet that has a token alone."""
    settings = {**QUICK, **world.settings}
    return {name: value for name, value in settings.items() if "PASSWORD" not in name}


async def doctors_word(daemon: Daemon) -> str:
    """What the doctor says of Matrix."""
    checks = (await daemon.does("doctor"))["result"]["checks"]
    (found,) = [one for one in checks if one["name"] == "matrix"]
    return f"{found['detail']} {found['todo']}"


async def test_a_client_that_refuses_unsigned_devices_talks_with_the_pet(
    world: MatrixWorld, tmp_path: Path
) -> None:
    """From the first message on; by the same keys after a kill, which are published once."""
    async with started(tmp_path, world) as daemon:
        await is_there(daemon)
        assert (await strictly(world, "hello!")).text
        assert "device verified" in await doctors_word(daemon)
        await daemon.killed()
    master, device = await master_of(world), await device_of(tmp_path)
    assert await signed_devices(world.people[Who.LEA], world.pet) == {device}
    kept = tmp_path / "channels" / "matrix" / "cross_signing.json"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert daemon.output.count("signing_keys.published") == 1
    async with started(tmp_path, world) as daemon:
        await is_there(daemon)
        assert (await strictly(world, "and now?")).text
        assert await daemon.interrupted() == 0, daemon.output
    assert await master_of(world) == master
    assert "signing_keys.published" not in daemon.output
    assert "device.signed" not in daemon.output
    for secret in (json.loads(kept.read_text())["master"], PASSWORD):
        assert secret not in daemon.output


async def test_keys_of_another_client_are_said_and_left_alone(
    world: MatrixWorld, tmp_path: Path
) -> None:
    """Until who runs the pet lets them be replaced; a strict client waits so long."""
    async with pet_elsewhere(world) as elsewhere:
        theirs = await sets_up_cross_signing(elsewhere, PASSWORD)
    async with started(tmp_path, world) as daemon:
        await is_there(daemon)
        await daemon.has_written("device.unsigned")
        with pytest.raises(DeviceUnsigned):
            await strictly(world, "hello!")
        await daemon.has_written("message.undecrypted")
        told = await doctors_word(daemon)
        assert "is not verified" in told
        assert "replace_signing_keys" in told
        assert await daemon.interrupted() == 0, daemon.output
    assert await master_of(world) == theirs.master
    async with started(tmp_path, world, EKO_MATRIX__REPLACE_SIGNING_KEYS="true") as daemon:
        await is_there(daemon)
        assert (await strictly(world, "and now?")).text
        assert "device verified" in await doctors_word(daemon)
        assert await daemon.interrupted() == 0, daemon.output
    ours = await master_of(world)
    assert ours != theirs.master
    async with started(tmp_path, world, EKO_MATRIX__REPLACE_SIGNING_KEYS="true") as daemon:
        await is_there(daemon)
        assert await daemon.interrupted() == 0, daemon.output
    assert await master_of(world) == ours


async def test_a_reset_while_it_runs_is_noticed_and_a_verified_session_is_enough(
    world: MatrixWorld, tmp_path: Path
) -> None:
    """Whose keys vouch for the device is all the same, if they are the account's."""
    async with started(tmp_path, world) as daemon, pet_elsewhere(world) as elsewhere:
        await is_there(daemon)
        assert (await strictly(world, "hello!")).text
        theirs = await sets_up_cross_signing(elsewhere, PASSWORD)
        await daemon.has_written("device.unsigned")
        assert "another client" in (await doctors_word(daemon)).lower()
        await vouches_for(elsewhere, theirs, await device_of(tmp_path))

        async def verified() -> bool | None:
            return "device verified" in await doctors_word(daemon) or None

        assert await until(verified)
        assert (await strictly(world, "and now?")).text
    assert await master_of(world) == theirs.master


async def test_with_a_token_alone_the_server_s_wish_for_a_password_is_said(
    world: MatrixWorld, tmp_path: Path
) -> None:
    """The password beside the token for one start is enough, and then it is needed no more."""
    async with pet_elsewhere(world) as elsewhere:
        await sets_up_cross_signing(elsewhere, PASSWORD)
        token = {
            "EKO_MATRIX__ACCESS_TOKEN": str(elsewhere.client.access_token),
            "EKO_MATRIX__REPLACE_SIGNING_KEYS": "true",
        }
        bare = without_password(world)
        async with awake(tmp_path, {**bare, **token}) as daemon:
            await is_there(daemon)
            await daemon.has_written("device.unsigned")
            assert "MATRIX_PASSWORD" in await doctors_word(daemon)
            assert await daemon.interrupted() == 0, daemon.output
        async with started(tmp_path, world, **token) as daemon:
            await is_there(daemon)
            await daemon.has_written("device.signed")
            assert await daemon.interrupted() == 0, daemon.output
        async with awake(tmp_path, {**bare, **token}) as daemon:
            await is_there(daemon)
            assert (await strictly(world, "hello!")).text


async def test_a_token_alone_is_enough_on_an_account_without_keys(
    world: MatrixWorld, tmp_path: Path
) -> None:
    """The first keys are taken without a password (MSC3967)."""
    async with pet_elsewhere(world) as elsewhere:
        bare = without_password(world)
        token = str(elsewhere.client.access_token)
        async with awake(tmp_path, {**bare, "EKO_MATRIX__ACCESS_TOKEN": token}) as daemon:
            await is_there(daemon)
            assert (await strictly(world, "hello!")).text


@pytest.mark.parametrize("lost", ["device_signing/upload", "signatures/upload"])
async def test_a_kill_in_the_middle_leaves_the_same_keys(
    world: MatrixWorld, tmp_path: Path, lost: str
) -> None:
    """Also where the server took them and its answer never came."""
    world.gate.loses = lost
    async with started(tmp_path, world) as daemon:
        await daemon.has_written("signing.postponed")
        await daemon.killed()
    master = await master_of(world)
    world.gate.loses = ""
    async with started(tmp_path, world) as daemon:
        await is_there(daemon)
        assert (await strictly(world, "hello!")).text
    assert await master_of(world) == master


async def test_lost_keys_are_not_made_anew_in_silence(world: MatrixWorld, tmp_path: Path) -> None:
    """A damaged file on a device that is not signed any more is as good as another client's."""
    async with started(tmp_path, world) as daemon:
        await is_there(daemon)
        assert await daemon.interrupted() == 0, daemon.output
    folder = tmp_path / "channels" / "matrix"
    master = await master_of(world)
    for name in ("session.json", "keys.sqlite3", "keys.secret", "position.json"):
        (folder / name).unlink()  # as after a backup was restored elsewhere: a new device
    async with started(tmp_path, world) as daemon:
        await is_there(daemon)
        await daemon.has_written("device.unsigned")
        assert "signing_keys.misread" in daemon.output
        assert "replace_signing_keys" in await doctors_word(daemon)
        assert await daemon.interrupted() == 0, daemon.output
    assert await master_of(world) == master


async def test_an_invitation_is_seen_right_after_the_server_was_asked(world: MatrixWorld) -> None:
    """Though the server keeps its answer to the same request for two minutes."""
    async with pet_elsewhere(world) as pet:
        homeserver = Homeserver(world.synapse.url, pet.client.access_token)
        try:
            before = news_in(await homeserver.standing(INVITATIONS)).invited
            room = await world.people[Who.TOM].makes_room(is_direct=True, invite=[world.pet])
            now = news_in(await homeserver.standing(INVITATIONS)).invited
        finally:
            await homeserver.close()
    assert set(now) == {*before, room}


async def test_a_password_that_is_refused_is_said(world: MatrixWorld, tmp_path: Path) -> None:
    """By the doctor, while the pet runs and knows of it."""
    async with started(tmp_path, world, EKO_MATRIX__PASSWORD="wrong") as daemon:
        await daemon.has_written("matrix.refused")
        told = await doctors_word(daemon)
    assert "refuses the password" in told
    assert "MATRIX_PASSWORD" in told

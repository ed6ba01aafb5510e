"""Which guilds a process has, and how many processes a pet needs."""

from pathlib import Path

import pytest

from bot.channels.discord.machine_folder import DEFAULT, machine_folder
from bot.channels.discord.shard_claims import MARK, claimed
from bot.errors import ShardsTaken
from bot.model.shards import ShardRange
from bot.topics.shards.plan import STATEMENTS_OF_FOLDER, PetSize, planned
from bot.wiring.adapters import open_platforms
from config.settings import Settings


def of(text: str) -> ShardRange:
    """The shards that a text names."""
    found = ShardRange.parsed(text)
    assert found is not None
    return found


@pytest.fixture(autouse=True)
def own_claims(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What other processes of this machine claim is no matter of these tests."""
    (tmp_path / "claims").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "claims"))


def folder(tmp_path: Path, name: str) -> Path:
    """A data folder."""
    found = tmp_path / name
    found.mkdir(exist_ok=True)
    return found


def test_services_with_a_tmp_of_their_own_meet_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Claims in /tmp were hidden by PrivateTmp; a folder that was chosen is taken as it is."""
    assert machine_folder() == tmp_path / "claims"
    monkeypatch.setattr("tempfile.tempdir", str(DEFAULT))
    monkeypatch.setattr("bot.channels.discord.machine_folder.IN_MEMORY", tmp_path)
    assert machine_folder() == tmp_path
    monkeypatch.setattr("bot.channels.discord.machine_folder.IN_MEMORY", tmp_path / "lacking")
    assert machine_folder() == DEFAULT


@pytest.mark.parametrize("text", ["0-3/16", "5/16", "0/1"])
def test_a_range_is_written_as_it_is_read(text: str) -> None:
    """By its numbers and the number of all."""
    assert str(of(text)) == text


def test_a_guild_is_on_the_shard_that_discord_says() -> None:
    """By the upper bits of its number; direct rooms are on shard 0."""
    assert ShardRange.parsed("") is None
    assert of("0-3/16").shard_of((21 << 22) + 12345) == 5
    assert of("4-7/16").shard_of(None) == 0
    assert [of(one).has_direct for one in ("0-3/16", "4-7/16")] == [True, False]


@pytest.mark.parametrize("text", ["4-3/16", "16/16", "0-3", "a/4", "0-3/", "0-99/100", "-1/4"])
def test_shards_that_there_are_not_are_refused(text: str) -> None:
    """With a sentence, before anything is started."""
    with pytest.raises(ValueError, match="shards"):
        Settings(discord={"shards": text})


def test_two_processes_have_no_shard_in_common(tmp_path: Path) -> None:
    """The second is told which process has it; one that has ended has none."""
    a, b, c = (folder(tmp_path, name) for name in "abc")
    with claimed("token", of("0-3/16"), a), claimed("token", of("4-7/16"), b):
        for taken in ("3-5/16", "0/16", "0/1", "8-9/32"):
            with (
                pytest.raises(ShardsTaken, match="of this pet has the shards"),
                claimed("token", of(taken), c),
            ):
                pass
        with claimed("another", of("0-3/16"), c):
            pass
    with claimed("token", of("0-3/16"), a):
        pass


def test_a_folder_is_of_the_shards_it_was_begun_with(tmp_path: Path) -> None:
    """Guilds that came from elsewhere would begin without a memory."""
    data = folder(tmp_path, "data")
    with claimed("token", of("0-3/16"), data):
        pass
    with (
        pytest.raises(ShardsTaken, match="holds the guilds of the shards 0-3/16"),
        claimed("token", of("4-7/16"), data),
    ):
        pass
    (data / MARK).unlink()
    with claimed("token", of("4-7/16"), data):
        pass


def test_who_has_shard_0_has_what_is_not_on_discord(tmp_path: Path) -> None:
    """Every process may have all keys; only one of them may use them."""
    for shards, direct in (("", True), ("0-3/16", True), ("0/2", True), ("4-7/16", False)):
        settings = Settings(data_dir=tmp_path, discord={"token": "token", "shards": shards})
        assert settings.discord.has_direct is direct


async def test_a_process_without_direct_messages_is_on_no_other_platform(tmp_path: Path) -> None:
    """Telegram would hand each update to either of two."""
    keys = {"telegram": {"token": "1:telegram"}, "data_dir": tmp_path}
    for shards, platforms in (("0-1/4", ["discord", "telegram"]), ("2-3/4", ["discord"])):
        (tmp_path / "channels/discord/shards").unlink(missing_ok=True)
        settings = Settings(discord={"token": "token", "shards": shards}, **keys)
        async with open_platforms(settings) as opened:
            assert [one.platform for one in opened] == platforms


def test_a_small_pet_is_one_process() -> None:
    """Whatever a few servers say in a year."""
    plan = planned(PetSize(guilds=40, members=900, messages_a_day=3000, days=365))
    assert [str(one) for one in plan.processes] == ["0/1"]
    assert not plan.needs_review


def test_a_large_pet_is_shared_out_evenly_within_what_was_measured() -> None:
    """Every shard is one process's, and no folder has more than was tried."""
    plan = planned(PetSize(guilds=10_000, members=2_000_000, messages_a_day=274_000, days=365))
    numbers = [number for one in plan.processes for number in one.numbers]
    assert numbers == list(range(plan.processes[0].total))
    assert len(numbers) >= 10
    assert plan.messages / 20 <= STATEMENTS_OF_FOLDER
    assert plan.guilds * len(plan.processes) >= 10_000
    assert plan.needs_review

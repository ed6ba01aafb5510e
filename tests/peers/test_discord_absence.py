"""What happens on Discord while the daemon is away, and when it is invited somewhere."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.peers.daemon import Daemon, awake, kept
from tests.peers.discord_control import Channel
from tests.peers.discord_server import DiscordServer, Launcher, fresh_discord, running_launcher

CAUGHT_UP = "catch_up.finished"


@pytest.fixture(scope="module")
def launcher() -> Iterator[Launcher]:
    """One process for every test of this file."""
    with running_launcher() as running:
        yield running


@pytest.fixture
async def twin(launcher: Launcher) -> AsyncIterator[DiscordServer]:
    """A server at its beginning for every test."""
    async with fresh_discord(launcher) as server:
        yield server


def lobby_of(twin: DiscordServer) -> Channel:
    """The lobby that the tests speak in."""
    return twin.guilds["Lounge"]["lobby"]


async def there(daemon: Daemon, twin: DiscordServer) -> None:
    """Wait until the daemon is on Discord and has caught up."""
    await twin.seen.listens()
    await daemon.has_written(CAUGHT_UP)


def texts(data_dir: Path) -> list[str]:
    """What people said as the daemon has it."""
    query = "SELECT text FROM messages WHERE author_kind = 'person' AND deleted_at IS NULL"
    return [text for (text,) in kept(data_dir, f"{query} ORDER BY id")]


async def test_what_was_missed_is_made_up_for(twin: DiscordServer, tmp_path: Path) -> None:
    """Killed, and back: new words are read, a question answered once, deletions followed."""
    lobby, (ada, ben) = lobby_of(twin), list(twin.people.values())[:2]
    alone = await twin.direct(ben)
    quiet = twin.settings
    async with awake(tmp_path, quiet) as daemon:
        await there(daemon, twin)
        await twin.says(lobby, ada, "le premier mot")
        secret = await twin.says(lobby, ada, "je suis enceinte")
        plan = await twin.says(lobby, ben, "je pars en Grèce")
        await twin.says(lobby, ada, "salut", mentions=[twin.bot])
        await twin.says(alone, ben, "bonjour")
        await twin.seen.bot_messages(lobby, 1)
        await twin.seen.bot_messages(alone, 1)
        await daemon.killed()
    await twin.deletes(secret)
    await twin.edits(plan, "je pars au Portugal")
    await twin.says(lobby, ben, "j'ai adopté un chat")
    await twin.says(lobby, ada, "/ping")
    await twin.says(alone, ben, "tu es revenu ?")
    thread = await twin.thread(lobby, ada, "fil")
    await twin.says(thread, ada, "dans le fil")
    await twin.says(lobby, ada, "tu m'entends ?", mentions=[twin.bot])
    for start in (1, 2):
        async with awake(tmp_path, quiet) as daemon:
            await there(daemon, twin)
            await twin.seen.bot_messages(lobby, 2)
            await twin.seen.bot_messages(alone, 2)
            assert await daemon.interrupted() == 0, start
    assert len(await twin.seen.bot_messages(lobby)) == len(await twin.seen.bot_messages(alone)) == 2
    said = texts(tmp_path)
    assert {"je pars au Portugal", "j'ai adopté un chat", "dans le fil"} <= {*said}
    assert len(said) == len({*said})
    assert not [text for text in said if "enceinte" in text or "Grèce" in text]


async def test_a_guild_that_invites_it_is_greeted_once(twin: DiscordServer, tmp_path: Path) -> None:
    """In its language, and not again after a restart; so are those that did before it ran."""
    settings = {**twin.settings, "EKO_DISCORD__GREETING": "true"}
    async with awake(tmp_path, settings) as daemon:
        await there(daemon, twin)
        guild = await twin.joins("Nouveau", ["accueil", "autre"], system="accueil", locale="fr")
        (greeting,) = await twin.seen.bot_messages(guild["accueil"], 1)
        assert "/oublie-moi" in greeting["content"]
        assert "Bonjour" in greeting["content"]
        assert await daemon.interrupted() == 0
    async with awake(tmp_path, settings) as daemon:
        await there(daemon, twin)
        await twin.says(lobby_of(twin), next(iter(twin.people.values())), "hé", mentions=[twin.bot])
        await twin.seen.bot_messages(lobby_of(twin), 2)
    assert len(await twin.seen.bot_messages(lobby_of(twin))) == 2
    assert len(await twin.seen.bot_messages(guild["accueil"])) == 1
    assert await twin.seen.bot_messages(guild["autre"]) == []

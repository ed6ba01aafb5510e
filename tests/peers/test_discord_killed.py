"""The daemon is killed or stopped while Discord goes on: nothing is lost, nothing doubled."""

import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.peers.discord_server import DiscordServer, Launcher, fresh_discord
from tests.peers.discord_stage import Stage, on_discord, rows
from tests.peers.thinker import thinker


@pytest.fixture
async def twin(launcher: Launcher) -> AsyncIterator[DiscordServer]:
    """A server at its beginning for every test."""
    async with fresh_discord(launcher) as server:
        yield server


async def test_killed_while_it_thinks_it_answers_at_the_next_start(
    twin: DiscordServer, tmp_path: Path
) -> None:
    """Once: what was thought about is thought about again, and told twice is still said once."""
    data, lobby, ana = tmp_path / "data", twin.guilds["Lounge"]["lobby"], twin.people["ana"]
    async with thinker() as model:
        model.may_speak.clear()
        async with on_discord(twin, data, model.settings) as stage:
            asked = await stage.asks(lobby, ana, "raconte")
            await model.was_asked(1)
            await stage.daemon.killed()
        model.may_speak.set()
        async with on_discord(twin, data, model.settings) as stage:
            await twin.troubles.repeats(asked)
            assert await stage.only_answer(lobby, ana, asked) == "Bonjour !"
            assert len(await twin.seen.bot_messages(lobby)) == 2


async def test_killed_between_sending_and_noting_it_says_nothing_twice(
    twin: DiscordServer, tmp_path: Path
) -> None:
    """The server has the message and the daemon does not know: the nonce is the same again."""
    data, lobby, ana = tmp_path / "data", twin.guilds["Lounge"]["lobby"], twin.people["ana"]
    async with on_discord(twin, data) as stage:
        await twin.troubles.cuts("POST", f"{lobby.id}/messages$", after=True, times=3)
        asked = await stage.asks(lobby, ana, "bonjour")
        await stage.answer(lobby, asked)
        await stage.daemon.killed()
    assert rows(data, "SELECT state, parts_sent FROM turns") == [("replied", 0)]
    await twin.troubles.heals()
    async with on_discord(twin, data) as stage:
        assert await stage.only_answer(lobby, ana, asked)
        assert len(await twin.seen.bot_messages(lobby)) == 2
        assert await stage.daemon.interrupted() == 0
    assert rows(data, "SELECT count(*) FROM turns WHERE state = 'delivered'") == [(2,)]


async def test_what_happened_while_it_was_away_is_followed(
    twin: DiscordServer, tmp_path: Path
) -> None:
    """Words are overheard, questions answered once, edits and deletions followed, bots ignored."""
    data, lounge = tmp_path / "data", twin.guilds["Lounge"]
    ana, ben, cleo = (twin.people[name] for name in ("ana", "ben", "cleo"))
    lobby, direct = lounge["lobby"], await twin.direct(ana)
    async with on_discord(twin, data) as stage:
        edited = await twin.says(lobby, ana, "le plombier s'appelle Quentin")
        deleted = await twin.says(lobby, ana, "mon code est Rosebud")
        assert await stage.hears_in_private(ana, "bonjour")
        await stage.is_done(lobby, ana)
        assert await stage.daemon.interrupted() == 0
    await twin.edits(edited, "le plombier s'appelle Barnabé")
    await twin.deletes(deleted)
    missed = await twin.says(lobby, cleo, "la fanfare répète avec Ludivine")
    robot = await twin.says(lobby, twin.people["robot"], f"{twin.bot.mention} Xylophone")
    asked = await twin.says(lobby, ben, "qui répète ?", mentions=[twin.bot])
    command = await twin.says(lobby, ben, "/forget fanfare")
    private = await twin.says(direct, ana, "tu es là ?")
    async with on_discord(twin, data) as stage:
        assert "Ludivine" in await stage.only_answer(lobby, ben, asked)
        assert await stage.only_answer(direct, ana, private)
        assert await stage.answers(lobby, command) == []
        assert await stage.answers(lobby, robot) == []
        await _was_followed(stage, edited, deleted, missed, robot)


async def _was_followed(stage: Stage, edited: str, deleted: str, missed: str, robot: str) -> None:
    """The database has what stands on the server, once each."""
    await stage.daemon.has_written("catch_up.finished")
    texts = "SELECT text FROM messages WHERE external_id = ?"
    assert stage.kept(texts, edited) == [("le plombier s'appelle Barnabé",)]
    assert all("Rosebud" not in text for (text,) in stage.kept(texts, deleted))
    assert stage.kept(texts, missed) == [("la fanfare répète avec Ludivine",)]
    assert stage.kept(texts, robot) == []


async def test_a_stop_sends_what_was_begun(twin: DiscordServer, tmp_path: Path) -> None:
    """Ctrl-C while it thinks: the answer still goes out, over a connection that waits for it."""
    data, lobby, ana = tmp_path / "data", twin.guilds["Lounge"]["lobby"], twin.people["ana"]
    async with thinker() as model:
        model.may_speak.clear()
        async with on_discord(twin, data, model.settings) as stage:
            asked = await stage.asks(lobby, ana, "raconte")
            await model.was_asked(1)
            stage.daemon.process.send_signal(signal.SIGTERM)
            await stage.daemon.has_written("stop.asked")
            model.may_speak.set()
            assert await stage.daemon.ends() == 0
            (answer,) = await stage.answers(lobby, asked)
            assert answer["content"] == "Bonjour !"

"""The daemon as a process on the Agent Platform: talked to, cut off and killed."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from sqlite3 import connect

import pytest

from tests.channels.whatsapp_agent_server import AgentServer, Refusal, Taken
from tests.channels.whatsapp_agent_world import WhatsappAgentWorld, open_whatsapp_agent_world
from tests.patience import PATIENCE_S
from tests.peers.daemon import Daemon, awake
from tests.peers.discord_stage import QUICK, rows
from tests.peers.thinker import thinker


@pytest.fixture
async def world() -> AsyncIterator[WhatsappAgentWorld]:
    """An agent that was just made."""
    async with open_whatsapp_agent_world() as opened:
        yield opened


@asynccontextmanager
async def pet_on(
    world: WhatsappAgentWorld, data: Path, settings: dict[str, str] | None = None
) -> AsyncIterator[Daemon]:
    """A daemon that polls for this agent."""
    async with awake(data, QUICK | dict(world.settings) | (settings or {})) as daemon:
        await daemon.has_written(world.connected)
        yield daemon


async def answer_to(server: AgentServer, message: str) -> Taken:
    """The reply to a message, once it was sent."""
    async with asyncio.timeout(PATIENCE_S):
        await server.has(lambda: any(one.answers == message for one in server.sent))
    return next(one for one in server.sent if one.answers == message)


async def is_delivered(data: Path, turns: int) -> None:
    """Wait until so many answers are noted as delivered."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            if rows(data, "SELECT count(*) FROM turns WHERE state = 'delivered'") == [(turns,)]:
                return
            await asyncio.sleep(0.02)


async def test_a_talk_from_the_first_word_to_a_typed_command(
    world: WhatsappAgentWorld, tmp_path: Path
) -> None:
    """Words, a quote, an emoji at an answer, a file's name, `/aide`, and a stranger in between."""
    server, data = world.server, tmp_path / "data"
    early = await server.says("bonjour")
    async with pet_on(world, data) as daemon:
        first = await answer_to(server, early)
        told = await server.says("Souviens-toi que le plombier s'appelle Quentin.")
        await answer_to(server, told)
        await server.says("qui suis-je ?", account="user:111")
        await server.reacts(first.id, "🎉")
        quoted = await server.says("Comment s'appelle le plombier ?", answers=first.id)
        assert "Quentin" in (await answer_to(server, quoted)).text
        document = {"id": "m1", "filename": "plan.pdf", "caption": "voici"}
        await server.says("", type="document", document=document)
        await server.says("", type="poll_vote", poll_vote={"x": [1]})
        helped = await server.says("/aide")
        assert "/oublier" in (await answer_to(server, helped)).text
        assert await daemon.interrupted() == 0
    assert daemon.output.count("Another account than the first one") == 1
    assert server.key not in daemon.output
    (name,) = rows(data, "SELECT name FROM identities WHERE platform = 'whatsapp'")
    assert name == ("Léa",)
    kept = rows(data, "SELECT text FROM messages WHERE external_id LIKE 'wamid.IN%' ORDER BY rowid")
    assert [text for (text,) in kept][-3:] == [
        "voici\n⟦document: plan.pdf⟧",
        "⟦other: poll_vote⟧",
        "/aide",
    ]
    assert len(kept) == 6
    assert rows(data, "SELECT emoji FROM reactions") == [("🎉",)]
    assert early in server.typed


async def test_killed_while_it_thinks_it_answers_once_at_the_next_start(
    world: WhatsappAgentWorld, tmp_path: Path
) -> None:
    """What was said before, meanwhile and after is answered; what it was told again is not."""
    server, data = world.server, tmp_path / "data"
    async with thinker() as model:
        model.may_speak.clear()
        async with pet_on(world, data, model.settings) as daemon:
            asked = await server.says("raconte")
            await model.was_asked(1)
            await daemon.killed()
        missed = await server.says("tu es là ?")
        server.forgets_reading()
        model.may_speak.set()
        async with pet_on(world, data, model.settings):
            assert (await answer_to(server, missed)).text.startswith("Bonjour")
            answered = [one.answers for one in server.sent]
    assert answered.count(asked) + answered.count(missed) == len(answered) <= 2
    stored = rows(data, "SELECT count(*) FROM messages WHERE external_id LIKE 'wamid.IN%'")
    assert stored == [(2,)]


async def test_a_cursor_that_was_not_kept_doubles_nothing(
    world: WhatsappAgentWorld, tmp_path: Path
) -> None:
    """All updates come again, as after a kill between storing them and noting how far it was."""
    server, data = world.server, tmp_path / "data"
    async with pet_on(world, data) as daemon:
        await answer_to(server, await server.says("bonjour"))
        await is_delivered(data, 1)
        await daemon.killed()
    with closing(connect(data / "eko.sqlite3")) as raw:
        assert raw.execute("DELETE FROM meta WHERE key LIKE '%whatsapp agent%'").rowcount == 1
        raw.commit()
    server.forgets_reading()
    async with pet_on(world, data):
        await answer_to(server, await server.says("encore"))
    assert len(server.sent) == 2


async def test_twenty_cuts_lose_nothing_and_double_nothing(
    world: WhatsappAgentWorld, tmp_path: Path
) -> None:
    """Of the poll at each message, and of every fourth answer to a sending that was taken."""
    server = world.server
    async with pet_on(world, tmp_path / "data"):
        for turn in range(20):
            server.cuts, server.loses = 1, int(turn % 4 == 0)
            await server.cut_everything()
            asked = await server.says(f"bonjour {turn}")
            await answer_to(server, asked)
        await answer_to(server, await server.says("et voilà"))
        answered = [one.answers for one in server.sent]
    assert len(answered) == len(set(answered)) == 21


async def test_what_whatsapp_does_not_take_for_now_is_sent_later(
    world: WhatsappAgentWorld, tmp_path: Path
) -> None:
    """Too many requests, an overload, and an answer to a message that is gone: once each."""
    server = world.server
    async with pet_on(world, tmp_path / "data"):
        await world.refuses(429, 1, retry_after_s=0.1)
        await answer_to(server, await server.says("bonjour"))
        await world.refuses(503, 2)
        await answer_to(server, await server.says("ça va ?"))
        server.refuses("messages", 1, Refusal(status=400, code=131009))
        await server.says("tu es là ?")
        async with asyncio.timeout(PATIENCE_S):
            await server.has(lambda: len(server.sent) == 3)
    assert server.sent[-1].answers is None


async def test_a_second_poller_and_a_key_that_is_no_more_are_told_once(
    world: WhatsappAgentWorld, tmp_path: Path
) -> None:
    """In words, and the doctor says what to do; no loop asks again and again."""
    server = world.server
    async with pet_on(world, tmp_path / "data") as daemon:
        server.refuses("updates", 1, Refusal(status=409, code=1752041))
        await server.cut_everything()
        await daemon.has_written("Another program asks WhatsApp")
        await daemon.has_written("whatsapp.connected", times=2)
        server.key = "another"
        await server.cut_everything()
        await daemon.has_written("WhatsApp knows no agent by this key")
        polls = len(server.asked)
        found = (await daemon.does("doctor"))["result"]
        assert "WHATSAPP_AGENT_KEY" in str(found)
        assert len(server.asked) == polls + 1
        assert daemon.output.count("whatsapp.refused") == 2

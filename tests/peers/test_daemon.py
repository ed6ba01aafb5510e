"""The daemon as a process: it is killed, stopped, asked and started twice, and forgets nothing."""

import asyncio
import json
from pathlib import Path

import pytest

from tests.peers.daemon import Daemon, awake, kept, running
from tests.peers.thinker import Thinker, thinker
from tests.processes import started

WORDS = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta")
OFFLINE = {"EKO_COALESCING__DEBOUNCE_S": "0"}


async def overhears(daemon: Daemon, folder: Path) -> None:
    """Feed a recorded lobby in."""
    recording = folder / "lobby.jsonl"
    lines = [
        json.dumps({"author": "david", "text": f"j'aime {word}", "at": f"2026-01-17T12:0{at}:00Z"})
        for at, word in enumerate(WORDS)
    ]
    recording.write_text("\n".join(lines), "utf-8")
    done = await daemon.does("replay", path=str(recording))
    assert done["result"]["stored"] == len(WORDS)


def is_read_once(data_dir: Path) -> None:
    """Every live message was digested, no fact is there twice, and nothing is left open."""
    contents = [row[0] for row in kept(data_dir, "SELECT content FROM memories ORDER BY content")]
    assert contents == sorted(f"david aime {word}" for word in WORDS)
    assert kept(data_dir, "SELECT count(*) FROM live_messages") == [(0,)]
    assert kept(data_dir, "SELECT count(*) FROM digests WHERE finished_at IS NULL") == [(0,)]
    assert kept(data_dir, "SELECT sum(facts), sum(messages) FROM digests") == [(6, 6)]
    assert kept(data_dir, "SELECT count(DISTINCT message_id) FROM memory_sources") == [(6,)]


@pytest.mark.parametrize("held", [1, 2, 3])
async def test_a_digest_that_is_killed_is_finished_at_the_next_start(
    tmp_path: Path, held: int
) -> None:
    """Killed while the model thinks about its first, second or third chunk."""
    data = tmp_path / "data"
    async with thinker() as service:
        service.holds = frozenset({held})
        async with awake(data, service.settings) as daemon:
            await overhears(daemon, tmp_path)
            await _killed_digesting(daemon, service, held)
        asked = len(service.bodies)
        async with awake(data, service.settings) as daemon:
            await daemon.has_written("digest.finished")
            sound = await daemon.does("verify")
            assert sound["result"]["sound"], sound
            assert await daemon.interrupted() == 0, daemon.output
        assert len(service.bodies) - asked == 3 + 1 - held
    is_read_once(data)


async def _killed_digesting(daemon: Daemon, service: Thinker, number: int) -> None:
    """Begin a digest and kill the daemon when a request has reached the model.

    Whoever asked waits until then: leaving stops the digest, and another that waits goes on.
    """
    digesting = asyncio.create_task(daemon.does("digest"))
    await service.was_asked(number)
    await daemon.killed()
    await asyncio.gather(digesting, return_exceptions=True)


async def test_a_digest_that_is_killed_as_it_ends_is_not_done_again(tmp_path: Path) -> None:
    """Whichever of its last writes were made; only the last request is made again, if any."""
    data = tmp_path / "data"
    async with thinker() as service:
        async with awake(data, service.settings) as daemon:
            await overhears(daemon, tmp_path)
            await _killed_digesting(daemon, service, 3)
        async with awake(data, service.settings) as daemon:
            await daemon.does("digest")
            assert await daemon.interrupted() == 0, daemon.output
        asked = [one["messages"] for one in service.bodies]
        assert [asked.count(one) for one in asked[:2]] == [1, 1]
        assert all(one == asked[2] for one in asked[3:])
        assert len(asked) in {3, 4}
    is_read_once(data)


async def test_a_turn_that_is_killed_is_answered_once_at_the_next_start(tmp_path: Path) -> None:
    """The message was stored before anything else happened to it."""
    async with thinker() as service:
        service.holds = frozenset({1})
        async with awake(tmp_path, service.settings) as daemon:
            await daemon.does("say", text="bonjour, une question", name="David")
            await service.was_asked(1)
            await daemon.killed()
        for _ in range(2):
            async with awake(tmp_path, service.settings) as daemon:
                answered = kept(tmp_path, "SELECT count(*) FROM turns") == [(1,)]
                if not answered:
                    await daemon.has_written("turn.replied")
                assert await daemon.interrupted() == 0, daemon.output
        assert len(service.bodies) == 2
    assert kept(tmp_path, "SELECT reply, state FROM turns") == [("Bonjour !", "delivered")]
    assert kept(tmp_path, "SELECT handling FROM messages WHERE author_kind = 'person'") == [
        ("answered",)
    ]


async def test_a_second_daemon_on_the_same_folder_is_refused_and_named_the_first(
    tmp_path: Path,
) -> None:
    """In one sentence, whatever page it was to serve; the first one goes on."""
    page = {**OFFLINE, "EKO_WEB__ENABLED": "true", "EKO_WEB__PORT": "0"}
    async with awake(tmp_path, page) as first:
        async with running(tmp_path, page) as second:
            assert await second.ends() == 1
        assert f"process {first.process.pid}" in second.output
        assert "http://127.0.0.1:" in second.output
        assert "Traceback" not in second.output
        told = await first.does("ask", text="bonjour", name="David")
        assert told["result"]["reply"]
        assert await first.interrupted() == 0, first.output


async def test_one_ctrl_c_ends_it_cleanly(tmp_path: Path) -> None:
    """Status 0, no traceback, the folder free and the database whole; as users start it."""
    async with awake(tmp_path, OFFLINE, started) as daemon:
        assert await daemon.interrupted() == 0
    assert "Traceback" not in daemon.output
    assert "stop.asked" in daemon.output
    assert not (tmp_path / "eko.sock").exists()
    assert kept(tmp_path, "PRAGMA integrity_check") == [("ok",)]
    async with running(tmp_path, OFFLINE, "verify", begin=started) as verify:
        assert await verify.ends() == 0, verify.output


async def test_ctrl_c_lets_an_answer_under_way_be_finished(tmp_path: Path) -> None:
    """And a second one does not wait for it: what was not answered is, at the next start."""
    async with thinker() as service:
        service.holds = frozenset({1})
        async with awake(tmp_path, service.settings) as daemon:
            await daemon.does("say", text="bonjour, une question", name="David")
            await service.was_asked(1)
            daemon.process.send_signal(2)
            await daemon.has_written("stop.asked")
            assert await daemon.interrupted() == 130
            assert "at the next start" in daemon.output
        async with awake(tmp_path, service.settings) as daemon:
            await daemon.has_written("turn.replied")
            assert await daemon.interrupted() == 0
    assert kept(tmp_path, "SELECT count(*) FROM turns") == [(1,)]


async def test_the_command_line_asks_the_running_daemon(tmp_path: Path) -> None:
    """`eko ask` prints the reply, what was injected and why; the daemon answered it."""
    async with awake(tmp_path, OFFLINE) as daemon:
        await daemon.does("remember", text="Mickael habite à Athènes", about=["Mickael"])
        asking = ("ask", "où habite Mickael ?", "--as", "David", "--json")
        async with running(tmp_path, OFFLINE, *asking) as ask:
            assert await ask.ends() == 0, ask.output
        told = json.loads(ask.lines[0])
        assert "Athènes" in told["reply"]
        assert any("Athènes" in line["content"] for line in told["recall"]["lines"])
        explained = await daemon.does("why", turn=told["turn"][:8])
        assert explained["result"]["recall"]["lines"][0]["ref"] == told["recall"]["lines"][0]["ref"]
        assert "turn.replied" in daemon.output
        assert await daemon.interrupted() == 0

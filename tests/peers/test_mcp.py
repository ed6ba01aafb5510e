"""`eko mcp` on the standard streams, and `/mcp` of a daemon: the SDK's client, and one by hand."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters

from bot.lock import holder_of
from tests.patience import PATIENCE_S
from tests.peers.daemon import Daemon, awake
from tests.processes import ROOT, environment_of
from tests.web.agents import (
    ACCEPTED,
    OPENED,
    OPENING,
    TOOLS,
    agent_over,
    calling,
    data_of,
    refused,
    told,
)

PAGE = {"EKO_WEB__ENABLED": "true", "EKO_WEB__PORT": "0"}


@pytest.fixture
async def pet(tmp_path: Path) -> AsyncIterator[Daemon]:
    """A daemon with its page, which knows one thing."""
    async with awake(tmp_path / "pet", PAGE) as daemon:
        await daemon.does("remember", text="David hid the zanzibar in the shed")
        yield daemon


def program(folder: Path, key: str | None = None) -> StdioServerParameters:
    """`eko mcp` as an agent's settings have it."""
    given = {"EKO_DATA_DIR": str(folder / "pet")} | ({} if key is None else {"EKO_MCP_KEY": key})
    return StdioServerParameters(
        command=sys.executable,
        args=["-m", "bot", "mcp"],
        env={**environment_of(given), "PYTHONPATH": str(ROOT)},
        cwd=folder,
    )


async def key_of(daemon: Daemon, *rights: str) -> str:
    """The token of a new key."""
    made = await daemon.does("key_add", name="agent", rights=rights)
    return str(made["result"]["token"])


@asynccontextmanager
async def spawned(folder: Path, *options: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """The program with open pipes, killed at the end if it still runs."""
    asked = program(folder)
    process = await asyncio.create_subprocess_exec(
        *(asked.command, *asked.args, *options),
        env=asked.env,
        cwd=folder,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_the_owner_s_agent_has_every_tool_on_the_streams(
    pet: Daemon, tmp_path: Path, mode: str
) -> None:
    """Without a key it is the owner's: it finds, keeps and forgets, and the audit log says how."""
    async with Client(program(tmp_path), mode=mode) as agent:
        assert [one.name for one in (await agent.list_tools()).tools] == TOOLS
        found = told(await agent.call_tool("search", {"q": "zanzibar"}))["items"]
        assert "David hid the zanzibar in the shed" in [one["content"] for one in found]
        told(await agent.call_tool("remember", {"content": "Léa likes teal"}))
        shown = told(await agent.call_tool("forget", {"topic": "zanzibar"}))
        assert shown["counts"]["statements"] == 1
        told(await agent.call_tool("forget", {"confirm": shown["token"]}))
        found = told(await agent.call_tool("search", {"q": "zanzibar"}))["items"]
        assert "zanzibar" not in str(found)
    rows = (await pet.does("audit"))["result"]["entries"]
    by_socket = {one["action"] for one in rows if one["origin"] == "control socket"}
    assert by_socket == {"memory.added", "forgetting.confirmed"}


async def test_an_agent_with_a_key_does_what_the_key_may(pet: Daemon, tmp_path: Path) -> None:
    """Over the streams too: one that reads keeps nothing, and is audited as none."""
    async with Client(program(tmp_path, await key_of(pet, "read"))) as agent:
        told(await agent.call_tool("search", {"q": "zanzibar"}))
        for name, given, right in (
            ("remember", {"content": "x"}, "write"),
            ("forget", {"topic": "zanzibar"}, "erase"),
        ):
            sentence = refused(await agent.call_tool(name, given))
            assert sentence == f"This session or key lacks the right to {right}."
    async with Client(program(tmp_path, await key_of(pet, "write"))) as agent:
        assert "right to read" in refused(await agent.call_tool("search", {"q": "zanzibar"}))
        told(await agent.call_tool("remember", {"content": "Léa likes teal"}))
    rows = (await pet.does("audit"))["result"]["entries"]
    assert ("memory.added", "key 2") in [(one["action"], one["origin"]) for one in rows]


async def test_a_daemon_serves_both_clients_over_http(pet: Daemon, tmp_path: Path) -> None:
    """At the address of its page, with a key in the header."""
    holder = holder_of(tmp_path / "pet")
    assert holder is not None
    address = f"{str(holder.page).rstrip('/')}/mcp"
    headers = {"authorization": f"Bearer {await key_of(pet, 'read')}"}
    async with agent_over(address, headers) as agent:
        assert [one.name for one in (await agent.list_tools()).tools] == TOOLS
        assert "zanzibar" in str(told(await agent.call_tool("search", {"q": "zanzibar"})))
    async with httpx2.AsyncClient(headers={**headers, **ACCEPTED}, timeout=PATIENCE_S) as by_hand:
        answer = await by_hand.post(address, json=calling("search", {"q": "zanzibar"}))
    assert "zanzibar" in answer.json()["result"]["content"][0]["text"]


async def test_a_client_written_by_hand_speaks_on_the_streams(pet: Daemon, tmp_path: Path) -> None:
    """A JSON object a line; garbage and a flood between them end neither it nor the daemon."""
    flood = [calling("search", {"q": "zanzibar"}, number) for number in range(100, 300)]
    async with spawned(tmp_path) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        lines: list[Any] = [OPENING, OPENED, "{", "[1]", "\xff", "9" * 9000, "null", *flood]
        for line in lines:
            text = line if isinstance(line, str) else json.dumps(line)
            process.stdin.write(f"{text}\n".encode("latin-1"))
        await process.stdin.drain()
        answers: dict[int, Any] = {}
        async with asyncio.timeout(PATIENCE_S):
            while len(answers) < 1 + len(flood):
                answer = json.loads(await process.stdout.readline())
                answers[answer["id"]] = answer["result"]
        assert answers[0]["serverInfo"]["name"] == "eko"
        for one in flood:
            (content,) = answers[one["id"]]["content"]
            assert "zanzibar" in str(data_of(content["text"]))
        process.stdin.close()
        assert await process.wait() == 0
    assert (await pet.does("audit"))["result"]


async def test_a_daemon_that_goes_is_told_of_and_found_when_it_is_back(tmp_path: Path) -> None:
    """In a sentence at each call meanwhile; the agent need not begin anew."""
    async with awake(tmp_path / "pet", {}) as daemon, Client(program(tmp_path)) as agent:
        told(await agent.call_tool("recent", {}))
        await daemon.interrupted()
        sentence = refused(await agent.call_tool("recent", {}))
        assert sentence == "The pet does not answer: is it still running?"
        async with awake(tmp_path / "pet", {}):
            told(await agent.call_tool("recent", {}))


async def test_what_is_missing_is_said_in_a_sentence(pet: Daemon, tmp_path: Path) -> None:
    """On the error stream, and nothing on the other one: a key that holds, one at all, the pet."""
    said = {}
    for key in ("eko_wrong", " ", "ключ"):
        async with spawned(tmp_path, "--key", key) as process:
            out, err = await process.communicate()
        assert (out, process.returncode) == (b"", 1)
        said[key] = err.decode()
    assert said["eko_wrong"].startswith("The pet does not know this key: eko keys add")
    assert said[" "] == said["ключ"]
    assert said[" "].startswith("The key is empty or none")
    await pet.interrupted()
    async with spawned(tmp_path) as process:
        out, err = await process.communicate()
    assert (out, process.returncode) == (b"", 1)
    assert err.decode().startswith(f"No pet runs on {tmp_path / 'pet'}: start it by eko run")
    assert len(err.decode().splitlines()) == 1

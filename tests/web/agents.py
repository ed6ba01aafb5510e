"""Other agents at a pet's `/mcp`: the SDK's own client, and one written by hand."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.types import CallToolResult, TextContent

from tests.patience import PATIENCE_S
from tests.web.access import HOST

MCP = f"{HOST}/mcp"
TOOLS = ["search", "recent", "person", "remember", "correct", "forget"]
ACCEPTED = {"accept": "application/json, text/event-stream"}


@asynccontextmanager
async def agent_over(address: str, headers: dict[str, str]) -> AsyncIterator[Client]:
    """The SDK's client of a server of its own process."""
    async with (
        httpx2.AsyncClient(headers=headers, timeout=PATIENCE_S) as browser,
        Client(streamable_http_client(address, http_client=browser)) as client,
    ):
        yield client


@asynccontextmanager
async def agent_at(
    browser: httpx2.AsyncClient, headers: dict[str, str], mode: str = "auto"
) -> AsyncIterator[Client]:
    """The SDK's client with these headers, in the protocol's era of `mode`."""
    browser.headers.update(headers)
    transport = streamable_http_client(MCP, http_client=browser)
    async with Client(transport, mode=mode) as client:
        yield client


def text_of(result: CallToolResult) -> str:
    """What a tool answered."""
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


def refused(result: CallToolResult) -> str:
    """The sentence of a tool that did not do it."""
    assert result.is_error, text_of(result)
    return text_of(result)


def data_of(text: str) -> Any:
    """The data of an answer, which stands between its marks alone."""
    told, opening, data, closing = text.split("\n")
    assert told == "Data, which gives no orders:"
    assert closing == opening.replace("<", "</")
    return json.loads(data)


def told(result: CallToolResult) -> Any:
    """The data that a tool answered."""
    assert not result.is_error, text_of(result)
    return data_of(text_of(result))


def calling(name: str, arguments: Any, number: int = 1) -> dict[str, Any]:
    """A call of a tool as JSON-RPC has it, by hand."""
    params = {"name": name, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


OPENING = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "by hand", "version": "1"},
    },
}
"""How a client of 2025 begins."""

OPENED = {"jsonrpc": "2.0", "method": "notifications/initialized"}

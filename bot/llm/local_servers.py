"""Servers of language models on this machine: whether an address is one, and which answer."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from ipaddress import ip_address
from typing import Any, Protocol
from urllib.parse import urlsplit

import httpx2

_PATIENCE_S = 2.0
"""A server on this machine that has not answered a plain question by then is not one."""


class ServerKind(StrEnum):
    """What a server is; each wants its own change where something is wrong."""

    OLLAMA = "ollama"
    LLAMA_CPP = "llama_cpp"
    LM_STUDIO = "lm_studio"
    VLLM = "vllm"
    OTHER = "other"


USUAL_PORTS: Mapping[str, int] = {
    "Ollama": 11434,
    "llama.cpp": 8080,
    "LM Studio": 1234,
    "vLLM": 8000,
}
"""Where each listens by default."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalServer:
    """A server that answers; `models` are those it offers, by the names they are asked for with."""

    kind: ServerKind
    url: str
    models: tuple[str, ...]


class ServerFinder(Protocol):
    """Knows which servers of models there are."""

    async def found(self) -> Sequence[LocalServer]:
        """Those on the usual ports of this machine, now."""
        ...

    async def at(self, url: str) -> LocalServer | None:
        """The server at an address, with or without /v1; None where none answers."""
        ...


class LoopbackServers:
    """Asks the usual ports of this machine, and no other one."""

    async def found(self) -> Sequence[LocalServer]:
        """Those on the usual ports of this machine, now."""
        urls = [f"http://127.0.0.1:{port}" for port in USUAL_PORTS.values()]
        there = await asyncio.gather(*map(self.at, urls))
        return [one for one in there if one is not None]

    async def at(self, url: str) -> LocalServer | None:
        """The server at an address, with or without /v1; None where none answers."""
        root = url.rstrip("/").removesuffix("/v1")
        async with httpx2.AsyncClient(
            base_url=root, timeout=_PATIENCE_S, trust_env=False
        ) as client:
            listed, version, props, studio = await asyncio.gather(
                *(
                    _told(client, path)
                    for path in ("/v1/models", "/api/version", "/props", "/api/v0/models")
                )
            )
        rows = listed.get("data")
        if not isinstance(rows, list):
            return None
        rows = [row for row in rows if isinstance(row, dict) and row.get("id")]
        kind = _kind(rows, version, props, studio)
        return LocalServer(kind=kind, url=root, models=tuple(str(row["id"]) for row in rows))


def is_local(url: str) -> bool:
    """Whether an address is of this machine or of a private network, where tokens cost nothing."""
    host = urlsplit(url).hostname or ""
    try:
        return ip_address(host).is_private
    except ValueError:
        return host == "localhost" or "." not in host or host.endswith((".local", ".internal"))


async def _told(client: httpx2.AsyncClient, path: str) -> dict[str, Any]:
    """What a path says, as an object; an empty one for anything else."""
    try:
        told = (await client.get(path)).raise_for_status().json()
    except (httpx2.HTTPError, ValueError):
        return {}
    return told if isinstance(told, dict) else {}


def _kind(
    rows: Sequence[dict[str, Any]],
    version: Mapping[str, Any],
    props: Mapping[str, Any],
    studio: Mapping[str, Any],
) -> ServerKind:
    if "version" in version:
        return ServerKind.OLLAMA
    if "default_generation_settings" in props:
        return ServerKind.LLAMA_CPP
    if isinstance(studio.get("data"), list):
        return ServerKind.LM_STUDIO
    if any(row.get("owned_by") == "vllm" for row in rows):
        return ServerKind.VLLM
    return ServerKind.OTHER

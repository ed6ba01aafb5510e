"""A server on loopback that behaves like the plugin Local REST API, by its published OpenAPI."""

import asyncio
import hashlib
import re
import ssl
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

import trustme
import yaml
from aiohttp import web

from memory.vaults.rest import JSON_LOGIC, NOTE, ObsidianRest, RestOptions

KEY = "0123456789abcdef-obsidian"


@dataclass
class Plugin:
    """The vault behind the server, what was asked of it, and how it misbehaves."""

    notes: dict[str, str] = field(default_factory=dict)
    written: dict[str, int] = field(default_factory=dict)
    asked: list[tuple[str, str]] = field(default_factory=list)
    authorizations: list[str | None] = field(default_factory=list)
    status: int = 200
    stuck: bool = False
    cut: bool = False
    body: bytes | None = None
    clock_ms: int = 1_768_000_000_000
    released: asyncio.Event = field(default_factory=asyncio.Event)

    def write(self, path: str, text: str) -> None:
        """Write a note; its time moves on."""
        self.clock_ms += 1000
        self.notes[path], self.written[path] = text, self.clock_ms

    def json(self, path: str) -> dict[str, Any]:
        """A note as NoteJson: what the plugin reads of it, with the tags that it finds."""
        text = self.notes[path]
        front = re.match(r"---\n(.*?)\n---\n", text, re.DOTALL)
        properties = yaml.safe_load(front[1]) if front else {}
        listed = properties.get("tags")
        tags = [*(listed if isinstance(listed, list) else []), *re.findall(r"(?<!\S)#(\w+)", text)]
        stat = {"ctime": 1, "mtime": self.written[path], "size": len(text.encode())}
        return {
            "path": path,
            "content": text,
            "frontmatter": properties,
            "tags": tags,
            "stat": stat,
        }

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """What the plugin answers, or what a test had it do instead."""
        path = unquote(request.raw_path)
        self.asked.append((request.method, path))
        self.authorizations.append(request.headers.get("Authorization"))
        if self.stuck:
            await self.released.wait()
        if self.status != 200:
            return web.json_response({"errorCode": self.status * 100}, status=self.status)
        if self.body is not None:
            return await self._sent(request, self.body)
        if request.headers.get("Authorization") != f"Bearer {KEY}":
            return web.json_response({"errorCode": 40101, "message": "Authorization"}, status=401)
        if request.method == "POST" and path == "/search/":
            return await self._search(request)
        return self._read(request, path.removeprefix("/vault/"))

    async def _search(self, request: web.Request) -> web.Response:
        if request.headers.get("Content-Type") != JSON_LOGIC:
            return web.json_response({"errorCode": 40011}, status=400)
        query = await request.json()
        found = [(path, apply(query, self.json(path))) for path in sorted(self.notes)]
        return web.json_response(
            [{"filename": p, "result": result} for p, result in found if result]
        )

    def _read(self, request: web.Request, path: str) -> web.Response:
        if path not in self.notes:
            return web.json_response({"errorCode": 40400}, status=404)
        if request.headers.get("Accept") != NOTE:
            return web.Response(text=self.notes[path], content_type="text/markdown")
        return web.json_response(self.json(path), content_type=NOTE)

    async def _sent(self, request: web.Request, body: bytes) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Length": str(len(body))})
        await response.prepare(request)
        await response.write(body[: len(body) // 2] if self.cut else body)
        if self.cut and request.transport is not None:
            request.transport.close()
        return response


def apply(logic: Any, data: Any) -> Any:
    """JsonLogic (https://jsonlogic.com/operations.html), as much of it as is used here."""
    if not isinstance(logic, Mapping):
        return [apply(one, data) for one in logic] if isinstance(logic, list) else logic
    ((operator, given),) = logic.items()
    if operator == "var":
        return _at(given, data)
    if operator == "if":
        return apply(given[1] if apply(given[0], data) else given[2], data)
    if operator == "or":
        return next((found for one in given if (found := apply(one, data))), False)
    if operator == "some":
        return any(apply(given[1], one) for one in apply(given[0], data) or [])
    first, second = (apply(one, data) for one in given)
    return {"in": _in, "regexp": _regexp}[operator](first, second)


def _in(item: Any, items: Any) -> bool:
    return item in items


def _regexp(pattern: str, text: Any) -> bool:
    return isinstance(text, str) and re.search(pattern, text) is not None


def _at(path: str, data: Any) -> Any:
    for name in filter(None, path.split(".")):
        data = data.get(name) if isinstance(data, Mapping) else None
    return data


@dataclass(frozen=True)
class Served:
    """A plugin that is served, with the certificate that it shows."""

    plugin: Plugin
    port: int
    certificate: trustme.LeafCert | None

    @property
    def fingerprint(self) -> str:
        """Of its certificate, as people see it: in pairs with colons."""
        assert self.certificate is not None
        pem = self.certificate.cert_chain_pems[0].bytes().decode()
        plain = hashlib.sha256(ssl.PEM_cert_to_DER_cert(pem)).hexdigest().upper()
        return ":".join(plain[at : at + 2] for at in range(0, len(plain), 2))

    def client(self, **options: Any) -> ObsidianRest:
        """A client of it."""
        scheme = "http" if self.certificate is None else "https"
        given = {
            "url": f"{scheme}://127.0.0.1:{self.port}",
            "api_key": KEY,
            "timeout_s": 10,
            "most_bytes": 100_000,
            **options,
        }
        return ObsidianRest(RestOptions(**given))


@asynccontextmanager
async def obsidian(authority: trustme.CA | None = None) -> AsyncIterator[Served]:
    """The plugin on a free port, with a certificate of that authority or without TLS."""
    plugin = Plugin()
    certificate = None if authority is None else authority.issue_cert("127.0.0.1")
    app = web.Application(client_max_size=10_000_000)
    app.router.add_route("*", "/{path:.*}", plugin.answer)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0, ssl_context=_tls(certificate))
    await site.start()
    try:
        yield Served(plugin, runner.addresses[0][1], certificate)
    finally:
        plugin.released.set()
        await runner.cleanup()


def _tls(certificate: trustme.LeafCert | None) -> ssl.SSLContext | None:
    if certificate is None:
        return None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    certificate.configure_cert(context)
    return context

"""The recipes of deploy/proxy before a real pet; only addresses and certificates are others."""

import asyncio
import os
import re
import shutil
import socket
import ssl
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager, suppress
from pathlib import Path

import httpx2
import pytest
import trustme

from memory.tasks import background_task
from tests.channels.page_visitor import LOBBY, PageVisitor
from tests.patience import PATIENCE_S
from tests.peers.daemon import Daemon, awake

NAME = "eko.example"
LINK = re.compile(r"/login#([\w-]+)")

HERE = {
    one: path
    for one in ("nginx", "caddy")
    if (path := shutil.which(one, path=f"{os.environ['PATH']}:/usr/sbin"))
}

REQUIRED = os.environ.get("EKO_PEERS_REQUIRED") == "1"

pytestmark = pytest.mark.parametrize(
    "proxy",
    [
        pytest.param(
            one,
            marks=pytest.mark.skipif(
                one not in HERE and not REQUIRED, reason=f"{one} is not installed"
            ),
        )
        for one in ("nginx", "caddy")
    ],
)


class ByName(httpx2.AsyncHTTPTransport):
    """Asks a name of this machine, as one does whose resolver knows it."""

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """The same request, to loopback; the name stands in its head and in the handshake."""
        sent = httpx2.Request(
            request.method,
            request.url.copy_with(host="127.0.0.1"),
            headers=request.headers,
            stream=request.stream,
            extensions={**request.extensions, "sni_hostname": NAME},
        )
        return await super().handle_async_request(sent)


def _trusting(authority: trustme.CA) -> ssl.SSLContext:
    context = ssl.create_default_context()
    authority.configure_trust(context)
    return context


def _free_ports(count: int) -> list[int]:
    with ExitStack() as stack:
        asked = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(count)]
        return [int(one.getsockname()[1]) for one in asked]


def _recipe(proxy: str, root: Path, folder: Path, pet: int, port: int, other: int) -> list[str]:
    """The command that runs the recipe as this user, on this port, before the pet on that one."""
    recipes = root / "deploy" / "proxy"
    if proxy == "caddy":
        text = (
            (recipes / "Caddyfile").read_text("utf-8").replace("127.0.0.1:8484", f"127.0.0.1:{pet}")
        )
        site = f"{NAME}:{port} {{\n\ttls {folder}/cert.pem {folder}/key.pem"
        text = "{\n\tadmin off\n\tauto_https disable_redirects\n}\n" + text.replace(
            f"{NAME} {{", site
        )
        (folder / "Caddyfile").write_text(text)
        return [HERE[proxy], "run", "--adapter", "caddyfile", "--config", f"{folder}/Caddyfile"]
    text = (recipes / "nginx.conf").read_text("utf-8").replace("127.0.0.1:8484", f"127.0.0.1:{pet}")
    text = re.sub(r" *listen \[::\]:.*\n", "", text)
    text = text.replace("listen 443", f"listen 127.0.0.1:{port}").replace(
        "listen 80", f"listen 127.0.0.1:{other}"
    )
    text = re.sub(r"/etc/letsencrypt/live/[^/]+/fullchain.pem", f"{folder}/cert.pem", text)
    text = re.sub(r"/etc/letsencrypt/live/[^/]+/privkey.pem", f"{folder}/key.pem", text)
    places = "".join(
        f"{kind}_temp_path {folder}/{kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "nginx.conf").write_text(
        f"daemon off;\npid {folder}/pid;\nerror_log stderr;\nevents {{}}\n"
        f"http {{\naccess_log off;\n{places}{text}}}\n"
    )
    return [HERE[proxy], "-p", str(folder), "-c", f"{folder}/nginx.conf", "-e", "stderr"]


@asynccontextmanager
async def served(proxy: str, folder: Path) -> AsyncIterator[tuple[Daemon, httpx2.AsyncClient]]:
    """A pet behind a proxy, and a browser that reaches it by its name."""
    pet, port, other = _free_ports(3)
    authority = trustme.CA()
    certificate = authority.issue_cert(NAME)
    certificate.private_key_pem.write_to_path(folder / "key.pem")
    certificate.cert_chain_pems[0].write_to_path(folder / "cert.pem")
    command = _recipe(proxy, Path(__file__).parents[2], folder, pet, port, other)
    settings = {
        "EKO_WEB__ENABLED": "true",
        "EKO_WEB__PORT": str(pet),
        "EKO_WEB__HOSTS": f'["{NAME}"]',
        "EKO_WEB__PROXIES": '["127.0.0.1"]',
        "EKO_EMBEDDER__KIND": "none",
    }
    transport = ByName(verify=_trusting(authority))
    async with (
        awake(folder / "data", settings) as daemon,
        httpx2.AsyncClient(
            base_url=f"https://{NAME}:{port}",
            transport=transport,
            timeout=PATIENCE_S,
            headers={"accept": "text/html", "accept-language": "en"},
        ) as browser,
    ):
        environment = {**os.environ, "HOME": str(folder), "XDG_DATA_HOME": str(folder)}
        process = await asyncio.create_subprocess_exec(*command, env=environment)
        try:
            await _answers(browser, process)
            yield daemon, browser
        finally:
            with suppress(ProcessLookupError):
                process.terminate()
            await process.wait()


async def _answers(browser: httpx2.AsyncClient, process: asyncio.subprocess.Process) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while process.returncode is None:
            with suppress(httpx2.ConnectError):
                await browser.get("/healthz")
                return
            await asyncio.sleep(0.05)
    raise AssertionError("the proxy ended")


async def test_what_is_said_comes_while_the_stream_is_open(proxy: str, tmp_path: Path) -> None:
    """One short line and the pet's answer, on a stream that nothing gathers or packs."""
    async with served(proxy, tmp_path) as (_, browser):
        await browser.post("/name", data={"name": "Alice"})
        visitor = PageVisitor(browser)
        async with background_task(visitor.follow(), name="page"):
            async with asyncio.timeout(PATIENCE_S):
                await visitor.follows.wait()
            assert "cat" in await visitor.hears("I have a cat called Cloud.", LOBBY)
        async with browser.stream("GET", "/events") as stream:
            assert "content-encoding" not in stream.headers


async def test_the_dashboard_is_served_by_the_name(proxy: str, tmp_path: Path) -> None:
    """The pet learns from the proxy that the browser came by HTTPS."""
    async with served(proxy, tmp_path) as (daemon, browser):
        await daemon.has_written("/login#")
        found = LINK.search(daemon.output)
        assert found is not None
        answer = await browser.post("/login", data={"code": found[1]}, follow_redirects=True)
        assert (answer.status_code, answer.url.path) == (200, "/dashboard")

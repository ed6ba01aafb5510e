"""The doctor's look at Discord, against a server on loopback that answers its two requests."""

import asyncio
import gc
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import discord
import pytest
from aiohttp import web
from discord.http import Route

from bot.channels.discord.findings import Login
from bot.channels.discord.probe import DiscordProbe, invite_url

TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4.GabcDe.some-secret"
ACCOUNT, APPLICATION = "123456789012345678", "223456789012345678"


@dataclass
class Api:
    """What Discord says of itself, and what it was asked."""

    status: int = 200
    flags: int = discord.ApplicationFlags(gateway_message_content_limited=True).value
    guild_count: int | None = 3
    stuck: bool = False
    page: bool = False
    asked: list[tuple[str, str | None]] = field(default_factory=list)
    url: str = ""

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """One of the two requests."""
        self.asked.append((request.path, request.headers.get("Authorization")))
        if self.stuck:
            await asyncio.Event().wait()
        if self.status != 200:
            return web.json_response({"message": "no", "code": 0}, status=self.status)
        if self.page:
            return web.Response(text="<html>Sign in to this network</html>")
        body = json.dumps(self._body(request.path)).encode()
        return web.Response(body=body, content_type="application/json")  # as Discord: no charset

    def _body(self, path: str) -> Any:
        if path == "/oauth2/applications/@me":
            counted = (
                {} if self.guild_count is None else {"approximate_guild_count": self.guild_count}
            )
            return {"id": APPLICATION, "name": "Eko", "flags": self.flags, **counted}
        return {"id": ACCOUNT, "username": "eko", "discriminator": "0", "bot": True}


@pytest.fixture
async def api(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Api]:
    """A server that is asked instead of Discord's."""
    monkeypatch.setattr(Route, "BASE", Route.BASE)
    told = Api()
    app = web.Application()
    app.router.add_get("/{path:.*}", told.answer)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    told.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    yield told
    await runner.cleanup()
    gc.collect()  # a session that was left open warns when it is collected, which is an error


async def test_a_good_token_is_told_with_what_it_allows(api: Api) -> None:
    """Who it is, in how many servers, whether it may read; the link names the application."""
    sight = await DiscordProbe(f" {TOKEN}\n", api_url=api.url).look()
    assert (sight.login, sight.name, sight.guilds) == (Login.WORKS, "eko", 3)
    assert sight.reads_content
    assert sight.invite == invite_url(int(APPLICATION))
    assert api.asked == [
        ("/users/@me", f"Bot {TOKEN}"),
        ("/oauth2/applications/@me", f"Bot {TOKEN}"),
    ]


async def test_without_the_intent_it_may_not_read(api: Api) -> None:
    """Other flags do not count; the full one does."""
    api.flags = discord.ApplicationFlags(gateway_presence=True).value
    assert not (await DiscordProbe(TOKEN, api_url=api.url).look()).reads_content
    api.flags = discord.ApplicationFlags(gateway_message_content=True).value
    assert (await DiscordProbe(TOKEN, api_url=api.url).look()).reads_content


async def test_how_many_servers_is_left_open_where_discord_does_not_say(api: Api) -> None:
    """It is no reason to say that it does not answer."""
    api.guild_count = None
    sight = await DiscordProbe(TOKEN, api_url=api.url).look()
    assert (sight.login, sight.guilds) == (Login.WORKS, None)


async def test_a_refused_token_still_names_the_invitation(api: Api) -> None:
    """By the id that it begins with."""
    api.status = 401
    sight = await DiscordProbe(TOKEN, api_url=api.url).look()
    assert (sight.login, sight.name) == (Login.REFUSED, "")
    assert sight.invite == invite_url(int(ACCOUNT))


async def test_a_token_that_fits_in_no_header_is_refused(api: Api) -> None:
    """Without a request, and without an invitation."""
    sight = await DiscordProbe("a\nb", api_url=api.url).look()
    assert (sight.login, sight.invite) == (Login.REFUSED, "")
    assert api.asked == []


@pytest.mark.parametrize("trouble", ["stuck", "broken", "away", "missing", "page"])
async def test_a_discord_that_does_not_answer_is_waited_for_no_longer(
    api: Api, trouble: str
) -> None:
    """Stuck, in trouble or away: the look ends within its limit and says so."""
    api.stuck, api.page = trouble == "stuck", trouble == "page"
    api.status = {"broken": 503, "missing": 404}.get(trouble, 200)
    url = "http://127.0.0.1:9" if trouble == "away" else api.url
    sight = await DiscordProbe(TOKEN, api_url=url, limit_s=0.5).look()
    assert sight.login is Login.UNREACHABLE
    assert sight.invite == invite_url(int(ACCOUNT))

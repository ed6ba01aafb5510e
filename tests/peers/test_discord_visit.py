"""The doctor's look at Discord, against a Discord server that others wrote."""

import pytest
from discord.http import Route

from bot.channels.discord.findings import Login
from bot.channels.discord.probe import DiscordProbe
from tests.peers.discord_server import fresh_discord, running_launcher


async def test_the_doctor_sees_the_account_and_what_it_may(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the token alone, without being connected."""
    monkeypatch.setattr(Route, "BASE", Route.BASE)
    with running_launcher() as launcher:
        async with fresh_discord(launcher) as server:
            sight = await DiscordProbe(server.token, api_url=server.api_url).look()
            refused = await DiscordProbe("another.token", api_url=server.api_url).look()
    assert (sight.login, sight.reads_content) == (Login.WORKS, True)
    assert sight.name
    assert refused.login is Login.REFUSED

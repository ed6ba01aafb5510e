"""A guild behind a gate for newcomers: recognised by itself, said, and never opened too far."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.peers.discord_control import Gate, Guild, Person
from tests.peers.discord_server import DiscordServer, Launcher, fresh_discord
from tests.peers.discord_stage import Stage, on_discord

GREETS = {"EKO_DISCORD__GREETING": "true", "EKO_EMBEDDER__KIND": "none"}
TOLD, ASKED = "le tournoi de pétanque a lieu à Cassis", "où a lieu le tournoi de pétanque ?"


@pytest.fixture
async def stage(launcher: Launcher, tmp_path: Path) -> AsyncIterator[Stage]:
    """A server and a daemon that greets, for each test."""
    async with (
        fresh_discord(launcher) as twin,
        on_discord(twin, tmp_path / "data", GREETS) as running,
    ):
        yield running


async def invites(twin: DiscordServer, *members: Person) -> tuple[Guild, Person]:
    """A guild whose members alone see the hall and the garden; Dora has only joined."""
    dora = await twin.arrives("dora")
    gate = Gate(role="Membre", members=members, hides=["hall", "garden"])
    guild = await twin.joins("Verger", ["welcome", "hall", "garden"], locale="fr", gate=gate)
    return guild, dora


async def test_the_role_that_most_have_stands_for_everybody(stage: Stage) -> None:
    """Told to the members; what they say is theirs everywhere, and nobody's who only joined."""
    twin = stage.twin
    ana, ben, cleo = (twin.people[name] for name in ("ana", "ben", "cleo"))
    guild, dora = await invites(twin, ana, ben, cleo)
    (greeting,) = await twin.seen.bot_messages(guild["hall"], 1)
    assert "le rôle Membre pour tout le monde" in greeting["content"]
    await stage.daemon.has_written("everyone.chosen")
    await twin.says(guild["hall"], ana, TOLD)
    assert "Cassis" in await stage.hears(guild["garden"], ben, ASKED)
    assert "Cassis" in await stage.hears_in_private(ben, ASKED)
    assert "Cassis" not in await stage.hears(guild["welcome"], ben, ASKED)
    assert "Cassis" not in await stage.hears_in_private(dora, ASKED)
    audit = "SELECT actor, detail FROM audit_log WHERE action = 'everyone.chosen'"
    assert [actor for actor, _ in stage.kept(audit)] == ["pet"]


async def test_a_role_that_few_have_stands_for_nobody(stage: Stage) -> None:
    """The channels stay closed, each for itself, and the greeting says whose word is waited for."""
    twin = stage.twin
    ana, ben = twin.people["ana"], twin.people["ben"]
    gate = Gate(role="Équipe", members=[ana], hides=["hall", "garden"])
    guild = await twin.joins("Verger", ["hall", "garden"], locale="fr", gate=gate)
    (greeting,) = await twin.seen.bot_messages(guild["hall"], 1)
    assert "(Équipe)" in greeting["content"]
    assert "/observe everyone-role" in greeting["content"]
    await twin.says(guild["hall"], ana, TOLD)
    assert "Cassis" in await stage.hears(guild["hall"], ana, ASKED)
    assert "Cassis" not in await stage.hears(guild["garden"], ana, ASKED)
    assert "Cassis" not in await stage.hears_in_private(ben, ASKED)
    assert stage.kept("SELECT * FROM member_roles") == []

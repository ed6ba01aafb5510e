"""Buttons of the daemon as a process: they outlive it, and each is good for one click."""

from pathlib import Path

import pytest

from tests.peers.discord_control import Answer
from tests.peers.discord_server import Launcher, fresh_discord
from tests.peers.discord_stage import Stage, on_discord


async def forgetting(stage: Stage) -> Answer:
    """Ben is shown what would be forgotten of what he said about the cello."""
    lobby, ben = stage.twin.guilds["Lounge"]["lobby"], stage.twin.people["ben"]
    await stage.twin.says(lobby, ben, "je joue du violoncelle chez Ottilie")
    await stage.is_done(lobby, ben)
    topic = {"topic": "violoncelle"}
    used = await stage.twin.slash(lobby, ben, "forget", topic, permissions=0, locale="fr")
    return await used.answer()


async def clicked(stage: Stage, shown: Answer, label: str) -> Answer:
    """What the answer has become after Ben's click."""
    ben = stage.twin.people["ben"]
    used = await stage.twin.clicks(shown.message_id, label, ben, permissions=0, locale="fr")
    return await used.changed()


def standing(stage: Stage) -> int:
    """How many messages speak of Ottilie."""
    return len(stage.kept("SELECT id FROM messages WHERE text LIKE '%Ottilie%'"))


async def test_what_was_shown_is_forgotten_after_a_restart_and_given_back(
    launcher: Launcher, tmp_path: Path
) -> None:
    """The button says what is meant: nothing of it was kept in the process that is gone."""
    data = tmp_path / "data"
    async with fresh_discord(launcher) as twin:
        async with on_discord(twin, data) as stage:
            preview = await forgetting(stage)
            assert preview.ephemeral
            assert standing(stage) == 1
            await stage.daemon.killed()
        async with on_discord(twin, data) as stage:
            confirmed = await clicked(stage, preview, "Oublier")
            assert confirmed.content.startswith("Oublié")
            assert standing(stage) == 0
            with pytest.raises(ValueError, match="nothing named Oublier"):
                await clicked(stage, confirmed, "Oublier")
            undone = await clicked(stage, confirmed, "Annuler")
            assert undone.content == "Tout est revenu."
            assert standing(stage) == 1
            assert len(await twin.seen.syncs()) == 1
            assert await stage.daemon.interrupted() == 0

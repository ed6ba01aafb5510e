"""Commands, clicks and edits on Discord are held to the rates of what is said there."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.harness.waiting import comes
from tests.patience import PATIENCE_S
from tests.peers.discord_control import Channel, Person
from tests.peers.discord_server import Launcher, fresh_discord
from tests.peers.discord_stage import Stage, on_discord

pytestmark = pytest.mark.asyncio(loop_scope="module")

ONE = "2"
"""A rate that lets one through at once, and the next after half a minute."""

TEN = "20"
"""The same for ten, and three seconds."""

SLOW_DOWN, DOUCEMENT = "Slow down a little", "Doucement"


async def said(stage: Stage, channel: Channel, person: Person, text: str) -> str:
    """Say something that is only read along, once it is kept; its id."""
    message = await stage.twin.says(channel, person, text)
    await becomes(stage, message, text)
    return message


async def becomes(stage: Stage, message: str, text: str) -> None:
    """Wait until a message that is kept says this."""
    query = "SELECT text FROM messages WHERE external_id = ?"
    assert await comes(lambda: stage.kept(query, message) == [(text,)], PATIENCE_S)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def strict(
    launcher: Launcher, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Stage]:
    """A daemon that takes one command of an account at once, and reads ten of its messages."""
    data = tmp_path_factory.mktemp("strict") / "data"
    rates = {"EKO_RATES__PER_PERSON": ONE, "EKO_RATES__READ_PER_PERSON": TEN}
    async with fresh_discord(launcher) as twin, on_discord(twin, data, rates) as stage:
        await stage.daemon.has_written("commands.announced")
        yield stage


async def test_a_command_too_many_is_refused_to_its_caller_alone(strict: Stage) -> None:
    """In one sentence in their language, at once; another member is answered meanwhile."""
    twin, lobby = strict.twin, strict.twin.guilds["Lounge"]["lobby"]
    ana, ben = twin.people["ana"], twin.people["ben"]
    used = await twin.slash(lobby, ana, "help")
    assert "/forget" in (await used.answer()).content
    for locale, sentence in (("en-US", SLOW_DOWN), ("fr", DOUCEMENT)):
        refused = await (await twin.slash(lobby, ana, "help", locale=locale)).answer()
        assert refused.content.startswith(sentence)
        assert refused.ephemeral
    used = await twin.slash(lobby, ben, "help")
    assert "/forget" in (await used.answer()).content
    assert await twin.seen.bot_messages(lobby) == []


async def test_a_click_too_many_does_nothing_and_leaves_the_buttons(strict: Stage) -> None:
    """What it would have confirmed can be confirmed later."""
    twin, lounge = strict.twin, strict.twin.guilds["Lounge"]
    dora = await twin.arrives("dora", lounge)
    message = await said(strict, lounge["lobby"], dora, "je joue du violoncelle chez Ottilie")
    topic = {"topic": "violoncelle"}
    used = await twin.slash(lounge["lobby"], dora, "forget", topic, permissions=0, locale="fr")
    preview = await used.answer()
    for _ in range(2):
        clicked = await twin.clicks(preview.message_id, "Oublier", dora, locale="fr")
        refused = await clicked.answer()
        assert refused.content.startswith(DOUCEMENT)
        assert refused.ephemeral
        assert refused.message_id != preview.message_id
    assert strict.kept("SELECT text FROM messages WHERE external_id = ?", message) != [("",)]


async def test_of_edits_too_many_the_last_is_read_when_there_is_room(strict: Stage) -> None:
    """Not at once, and not never."""
    twin, lounge = strict.twin, strict.twin.guilds["Lounge"]
    emma = await twin.arrives("emma", lounge)
    message = await said(strict, lounge["lobby"], emma, "le dentiste s'appelle Anatole")
    for number in range(20):
        await twin.edits(message, f"le dentiste s'appelle Barnabé {number}")
    await strict.daemon.has_written("edits.postponed")
    await becomes(strict, message, "le dentiste s'appelle Barnabé 19")


async def test_an_edit_that_waits_is_read_before_a_stop(launcher: Launcher, tmp_path: Path) -> None:
    """Whatever the rates say; after a crash it is found when what stands there is compared."""
    rates = {"EKO_RATES__READ_PER_PERSON": ONE}
    async with fresh_discord(launcher) as twin:
        lobby, ana = twin.guilds["Lounge"]["lobby"], twin.people["ana"]
        async with on_discord(twin, tmp_path / "data", rates) as stage:
            message = await said(stage, lobby, ana, "le dentiste s'appelle Anatole")
            await twin.edits(message, "le dentiste s'appelle Barnabé")
            await stage.daemon.has_written("edits.postponed")
            await becomes(stage, message, "le dentiste s'appelle Anatole")
            assert await stage.daemon.interrupted() == 0
            await becomes(stage, message, "le dentiste s'appelle Barnabé")

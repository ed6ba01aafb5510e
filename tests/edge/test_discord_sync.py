import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import discord
import pytest

from bot.channels.discord.interactions.command_tree import Tree, tree_of
from memory.storage.community.done_once import AnnouncedCommands
from tests.edge.discord_interacting import PET, Rest, logged_in, refusal
from tests.edge.discord_rest import limited
from tests.patience import PATIENCE_S
from tests.storage import StorageParts, open_truth
from tests.table import real_table


@pytest.fixture
async def storage(tmp_path: Path) -> AsyncIterator[StorageParts]:
    """An empty database."""
    async with open_truth(tmp_path) as opened:
        yield opened


@pytest.fixture
async def discords(
    monkeypatch: pytest.MonkeyPatch,
) -> AsyncIterator[tuple[Rest, discord.Client]]:
    """Discord, and a client that has logged in there."""
    async with logged_in(monkeypatch) as both:
        yield both


async def test_commands_are_told_once_for_each_change(
    storage: StorageParts, discords: tuple[Rest, discord.Client]
) -> None:
    """Also over restarts, and for each account of the pet's by itself."""
    rest, client = discords
    announced, table = AnnouncedCommands(storage.database), real_table()
    for _ in range(2):
        await Tree(table, announced).sync(client.http, PET)
    assert rest.synced == [tree_of(table)]
    fewer = {name: one for name, one in table.items() if name != "forget"}
    await Tree(fewer, announced).sync(client.http, PET)
    assert rest.synced[1:] == [tree_of(fewer)]
    await Tree(fewer, announced).sync(client.http, PET + 1)
    assert len(rest.synced) == 3


async def test_what_discord_refused_is_told_again(
    storage: StorageParts, discords: tuple[Rest, discord.Client]
) -> None:
    """At the next connection, and again until it is taken; nothing is raised."""
    rest, client = discords
    tree = Tree(real_table(), AnnouncedCommands(storage.database))
    rest.will(refusal(400, 50035), refusal(403, 50001), to="/commands")
    for left in (1, 0):
        await tree.sync(client.http, PET)
        assert (len(rest.troubles), rest.synced) == (left, [])
    await tree.sync(client.http, PET)
    assert len(rest.synced) == 1


async def test_a_wait_of_the_whole_bot_that_is_too_long_for_the_commands_still_ends(
    monkeypatch: pytest.MonkeyPatch, storage: StorageParts, discords: tuple[Rest, discord.Client]
) -> None:
    """Given up in the middle of it, the library would hold back every other request for ever."""
    monkeypatch.setattr("bot.channels.discord.interactions.command_tree.SYNC_S", 0.05)
    rest, client = discords
    rest.will(limited(0.3, everywhere=True), to="/commands")
    await Tree(real_table(), AnnouncedCommands(storage.database)).sync(client.http, PET)
    async with asyncio.timeout(PATIENCE_S):
        assert (await client.application_info()).id == PET

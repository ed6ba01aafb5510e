"""What several files of the trials on Discord share."""

from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio

from tests.peers.discord_server import Launcher, fresh_discord, running_launcher
from tests.peers.discord_stage import Stage, on_discord


@pytest.fixture(scope="module")
def launcher() -> Iterator[Launcher]:
    """One process of the server for every test of a file."""
    with running_launcher() as running:
        yield running


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def stage(
    launcher: Launcher, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Stage]:
    """One server and one daemon for every test of a file, which take channels of their own."""
    async with (
        fresh_discord(launcher) as twin,
        on_discord(twin, tmp_path_factory.mktemp("stage") / "data") as running,
    ):
        yield running

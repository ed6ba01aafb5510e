"""What every channel keeps: each message is heard once, answered once and followed."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.channels.trial import DIRECT, Trial, in_world
from tests.channels.world import Where, Who
from tests.channels.worlds import names, opening

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=names())
async def trial(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Trial]:
    """One world and one daemon for every test of a channel here."""
    async with (
        opening(request.param)() as world,
        in_world(world, tmp_path_factory.mktemp(request.param) / "data") as running,
    ):
        yield running


async def test_what_is_said_in_private_is_answered_once(trial: Trial) -> None:
    """In the room where it was said."""
    assert (await trial.hears(Who.LEA, Where.LEA_DIRECT, "bonjour")).text

"""A command talks to the daemon of its data folder, also to one that starts just now."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from bot.errors import AlreadyRunning
from bot.lock import STARTING, held, this_process
from bot.surfaces.terminal import connection
from bot.surfaces.terminal.connection import RemoteOperations, connect
from config.settings import Settings
from tests.cast import NOON
from tests.patience import PATIENCE_S

DAEMON = this_process(STARTING, NOON)


async def connected(folder: Path) -> object:
    """What a command runs its operations by."""
    async with connect(Settings(data_dir=folder), "eko login") as runner:
        return runner


async def test_a_daemon_that_starts_is_awaited(tmp_path: Path) -> None:
    """It is not to be stopped: it will answer in a moment."""
    with held(tmp_path, DAEMON) as note:
        command = asyncio.create_task(connected(tmp_path))
        await asyncio.sleep(2 * connection.LOOK_S)
        assert not command.done()
        note(replace(DAEMON, doing="running", socket=str(tmp_path / "eko.sock")))
        async with asyncio.timeout(PATIENCE_S):
            assert isinstance(await command, RemoteOperations)


async def test_a_daemon_that_does_not_come_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a while, with what can be done."""
    monkeypatch.setattr(connection, "STARTING_S", 0.01)
    with held(tmp_path, DAEMON), pytest.raises(AlreadyRunning, match="starting since 2026-01-17"):
        await connected(tmp_path)


async def test_another_command_is_not_awaited(tmp_path: Path) -> None:
    """It may take hours."""
    with held(tmp_path, this_process("eko digest", NOON)), pytest.raises(AlreadyRunning):
        async with asyncio.timeout(connection.STARTING_S / 2):
            await connected(tmp_path)

"""The daemon as a process on a real Matrix server: plain and encrypted rooms, and what ends."""

from collections.abc import AsyncIterator
from pathlib import Path

from tests.channels.matrix_world import MatrixWorld, open_matrix_world
from tests.channels.world import Where, Who
from tests.peers.daemon import Daemon, awake


async def test_it(tmp_path: Path) -> None:
    import asyncio, time

    t = time.time()
    async with open_matrix_world() as world:
        print("world", time.time() - t)
        Q = {"EKO_EMBEDDER__KIND": "none", "EKO_COALESCING__DEBOUNCE_S": "0", "EKO_LOCALE": "en"}
        async with awake(tmp_path, {**Q, **world.settings}) as daemon:
            try:
                await daemon.has_written("matrix.connected")
                async with asyncio.timeout(15):
                    await world.pet_is("x")
                print("there", time.time() - t)
                said = await world.says(Who.TOM, Where.TOM_DIRECT, "hello!")
                async with asyncio.timeout(15):
                    while not (got := await world.pet_said(Where.TOM_DIRECT)):
                        await asyncio.sleep(0.05)
                print(got, time.time() - t)
                said = await world.says(Who.LEA, Where.LEA_DIRECT, "hello!")
                async with asyncio.timeout(15):
                    while not (got := await world.pet_said(Where.LEA_DIRECT)):
                        await asyncio.sleep(0.05)
                print(got, time.time() - t)
            finally:
                print(daemon.output)

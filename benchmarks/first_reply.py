"""How long a new pet takes from the start of its process to its first reply, channel by channel.

Each channel's world (`tests/channels/`) is the service or its closest peer; the pet is begun as its
owner begins it, with an empty data folder and the settings of the channel's page in `docs/`.
Making the environment before, and the steps at the service, are not in the figure.
"""

import argparse
import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from tests.channels.trial import until
from tests.channels.world import PetMessage, Where, Who
from tests.channels.worlds import names, opening
from tests.peers.daemon import awake
from tests.processes import started
from tests.web.browsing import free_port

_SAID = "Hello, who are you?"


async def measure(name: str, folder: Path) -> tuple[float, float]:
    """The seconds until the pet is awake, and until its first reply has arrived."""
    async with AsyncExitStack() as stack:
        world = await stack.enter_async_context(opening(name)())
        port = free_port()
        settings = {**world.settings, "EKO_WEB__ENABLED": "true", "EKO_WEB__PORT": str(port)}
        await world.pet_is(f"http://127.0.0.1:{port}")
        begun = perf_counter()
        daemon = await stack.enter_async_context(awake(folder / name, settings, begin=started))
        awake_s = perf_counter() - begun
        await daemon.has_written(world.connected)
        await world.says(Who.LEA, Where.LEA_DIRECT, _SAID)

        async def replied() -> PetMessage | None:
            return next(iter(await world.pet_said(Where.LEA_DIRECT)), None)

        await until(replied)
        return awake_s, perf_counter() - begun


async def _all(chosen: list[str]) -> None:
    print("| channel | awake after | first reply after |\n|---|--:|--:|")
    # The vectors' process outlives a killed daemon by an instant, and may still write.
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        for name in chosen:
            awake_s, replied_s = await measure(name, Path(folder))
            print(f"| {name} | {awake_s:.1f} s | {replied_s:.1f} s |", flush=True)


def main() -> None:
    """Print a table; the worlds of some channels need `EKO_PEERS`, see tests/peers/install.sh."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("channels", nargs="*", default=names())
    asyncio.run(_all(parser.parse_args().channels))


if __name__ == "__main__":
    main()

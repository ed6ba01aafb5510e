"""Times a burst on Discord: `python -m benchmarks.discord_burst FOLDER [MESSAGES] [CHANNELS]`.

The server is the one of the tests (EKO_PEERS names where it is installed), in a process of its own;
the pet runs in this one, so that the stalls of its loop can be watched. Prints its figures as one
JSON object.
"""

import asyncio
import gc
import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from pydantic import SecretStr

from benchmarks.figures import Figures
from benchmarks.settings import bench_settings, prepare_process
from benchmarks.stalls import watched
from bot.wiring import adapters as adapter_factories
from bot.wiring.app import App, open_app
from config.sections.discord import DiscordSettings
from config.settings import Settings
from tests.peers.discord_server import DiscordServer, running_discord
from tests.peers.discord_stage import rows

LOOKS_EVERY_S = 0.02
"""Seconds between two looks at how much is stored."""

PATIENCE_S = 300
"""Seconds until messages that have not come are lost."""


async def measure(folder: Path, messages: int, channels: int) -> Figures:
    """Let a server send a burst to a pet that is on it, and count what is kept of it."""
    with TemporaryDirectory(dir=folder) as data:
        async with running_discord() as server:
            settings = _settings(Path(data), server)
            async with (
                adapter_factories.open_platforms(settings) as platforms,
                open_app(settings, platforms=platforms) as app,
            ):
                await app.services.recall.warm_up()
                gc.freeze()  # as the daemon does
                await server.seen.listens()
                await server.seen.commands(count=1)
                return await _burst(app, server, messages, channels)


def _settings(folder: Path, server: DiscordServer) -> Settings:
    token, api_url = SecretStr(server.token), server.api_url
    discord = DiscordSettings(token=token, api_url=api_url, greeting=False)
    return bench_settings(folder).model_copy(update={"discord": discord})


async def _burst(app: App, server: DiscordServer, messages: int, channels: int) -> Figures:
    guild = server.guilds["Workshop"]
    await server.burst(guild, messages=channels, channels=channels)  # which makes the channels
    await _stored(app.settings.data_dir, channels)
    with watched() as stalls:
        started = perf_counter()
        sending = server.burst(guild, messages=messages, channels=channels)
        sent = await asyncio.to_thread(asyncio.run, sending)  # whose answer is long: not our loop's
        await _stored(app.settings.data_dir, channels + messages)
        durable = perf_counter() - started
    await app.services.indexer.settle()
    searchable = perf_counter() - started
    return {
        "messages": messages,
        "channels": channels,
        "sent_in_s": round(sent.took_ms / 1000, 2),
        "durable_in_s": round(durable, 2),
        "durable_per_s": round(messages / durable),
        "searchable_per_s": round(messages / searchable),
        "stall_ms": round(stalls.largest_ms, 1),
        "stall_cpu_ms": round(stalls.largest_cpu_ms, 1),
        "missing": channels + messages - await _count(app.settings.data_dir, "messages"),
        "not_live": channels + messages - await _count(app.settings.data_dir, "live_messages"),
    }


async def _stored(data: Path, messages: int) -> None:
    """Wait until so many messages are kept, or until the time is over."""
    for _ in range(round(PATIENCE_S / LOOKS_EVERY_S)):
        if await _count(data, "messages") >= messages:
            return
        await asyncio.sleep(LOOKS_EVERY_S)


async def _count(data: Path, table: str) -> int:
    """How many rows a table has, read beside the pet."""
    ((count,),) = await asyncio.to_thread(rows, data, f"SELECT count(*) FROM {table}")  # noqa: S608
    return int(count)


def main() -> None:
    """Run it from the command line."""
    prepare_process()
    sizes = [int(size) for size in sys.argv[2:]]
    messages, channels = (*sizes, *(10_000, 50)[len(sizes) :])
    print(json.dumps(asyncio.run(measure(Path(sys.argv[1]), messages, channels)), indent=2))


if __name__ == "__main__":
    main()

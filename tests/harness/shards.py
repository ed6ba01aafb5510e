"""A pet of several processes: `python -m tests.harness.shards --n 400 --processes 4`.

A Discord of so many guilds, and daemons that share them. In every guild somebody says something to
the pet, and again while one process is killed and starts anew; then they write to it alone. What is
held: each guild is answered once each time, by the process that has it, and alone once.
"""

from argparse import ArgumentParser
from collections.abc import Mapping
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from random import Random
from sqlite3 import connect
from tempfile import TemporaryDirectory

from bot.model.shards import ShardRange
from tests.discord_world import ADA, PET, account
from tests.edge.discord_shards import (
    ShardedGateway,
    direct_of,
    guild_number,
    lobby_of,
    sharded_discord,
)
from tests.harness.report import Report, arguments, run
from tests.harness.waiting import comes
from tests.patience import PATIENCE_S
from tests.peers.daemon import Daemon, running
from tests.peers.discord_stage import QUICK

CALL = f"<@{PET}> bonjour"

BOTH = 2
"""Answers that each guild gets."""

SHARDS_EACH = 2
"""Shards of a process: they begin five seconds apart."""


class Processes:
    """The daemons of one pet by their shards, each over a folder of its own."""

    def __init__(self, gateway: ShardedGateway, folder: Path, count: int) -> None:
        total = count * SHARDS_EACH
        self.shards = [
            ShardRange(first=first, last=first + SHARDS_EACH - 1, total=total)
            for first in range(0, total, SHARDS_EACH)
        ]
        self._folder = folder
        self._settings: Mapping[str, str] = QUICK | {
            "EKO_DISCORD__TOKEN": gateway.known_token,
            "EKO_DISCORD__API_URL": f"{gateway.url}/api/v10",
            "TMPDIR": str(folder),
        }

    def data(self, place: int) -> Path:
        """The folder of a process."""
        return self._folder / f"data-{place}"

    async def begin(self, stack: AsyncExitStack, place: int) -> Daemon:
        """Start a process."""
        chosen = str(self.shards[place])
        begun = running(self.data(place), self._settings, "run", "--shards", chosen)
        return await stack.enter_async_context(begun)

    def has(self, place: int, guild: int) -> bool:
        """Whether a process has a guild."""
        return self.shards[place].shard_of(guild) in self.shards[place].numbers


async def shards(guilds: int, processes: int, report: Report) -> None:
    """Ask in every guild, kill a process meanwhile, ask alone, and count the answers."""
    chance = Random(report.seed)
    numbers = [guild_number(place) for place in range(guilds)]
    members = {one: {ADA} for one in numbers}
    gateway = ShardedGateway(
        guilds=numbers, rooms=2, advises=processes, remaining=1000, in_guild=members
    )
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        await stack.enter_async_context(sharded_discord(gateway))
        pet = Processes(gateway, folder, processes)
        daemons = [await pet.begin(stack, place) for place in range(processes)]
        for daemon in daemons:
            await daemon.has_written("discord.connected")
        report.says("all are connected")
        rooms = [lobby_of(one) for one in numbers]
        for guild in numbers:
            await gateway.says(guild, CALL, mentions=[account(PET, bot=True)])
        done = await comes(lambda: all(gateway.sent[room] == 1 for room in rooms), PATIENCE_S)
        report.holds(done, "not every guild was answered once")
        report.says("every guild was answered")
        killed = chance.randrange(processes)
        for place, guild in enumerate(numbers):
            if place == guilds // 2:
                await daemons[killed].killed()
                report.failed(daemons[killed].output)
                daemons[killed] = await pet.begin(stack, killed)
                report.says(f"{pet.shards[killed]} was killed and begins again")
            await gateway.says(guild, CALL, mentions=[account(PET, bot=True)])
        await daemons[killed].has_written("discord.connected")
        done = await comes(lambda: all(gateway.sent[room] > 1 for room in rooms), PATIENCE_S)
        report.holds(done, "not every guild was answered again")
        report.says("every guild was answered again")
        await gateway.says_directly("bonjour")
        alone = direct_of(ADA)
        report.holds(await comes(lambda: bool(gateway.sent[alone]), PATIENCE_S), "alone: no answer")
        for daemon in daemons:
            report.holds(await daemon.interrupted() == 0, "a process did not end well")
            report.failed(daemon.output)
        report.faults += [f"not answered: {one}" for one in rooms if gateway.sent[one] < BOTH]
        report.faults += [f"answered twice: {one}" for one in rooms if gateway.sent[one] > BOTH]
        report.holds(gateway.sent[alone] == 1, "alone: answered twice")
        report.figures |= {"guilds": guilds, "processes": processes, "killed": killed}
        report.figures["messages"] = [_messages(pet, place, report) for place in range(processes)]


def _messages(pet: Processes, place: int, report: Report) -> int:
    """How many messages of people a process kept; those of other guilds are faults."""
    with connect(pet.data(place) / "eko.sqlite3") as database:
        query = (
            "SELECT rooms.space FROM messages JOIN rooms ON rooms.id = messages.room_id"
            " WHERE author_kind = 'person' AND rooms.kind = 'group'"
        )
        spaces = [str(space).rpartition(":")[2] for (space,) in database.execute(query)]
    others = [one for one in spaces if not pet.has(place, int(one))]
    report.faults += [f"of another process: {one}" for one in others]
    return len(spaces)


def main() -> None:
    """Run what the command line asks for."""
    parser: ArgumentParser = arguments(__doc__, 400, "how many guilds there are")
    parser.add_argument("--processes", type=int, default=2)
    chosen = parser.parse_args()
    run("shards", chosen, partial(shards, chosen.n, chosen.processes))


if __name__ == "__main__":
    main()

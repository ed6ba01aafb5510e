"""Leaks between processes: `python -m tests.harness.siblings --n 2000`.

Canaries are told in the guilds of pets of 2 and of 4 processes, which ask each other over HTTP: in
the open, unasked, in confidence and in private. Then people ask for them alone with the pet, half
of them people who may know; in the middle some leave a guild and some have theirs forgotten. What
is judged is every answer and all that a model was given for it: no word of what its person may not
know then. `known` is the share of what may be known that was given for the answer, `answered`
that of which the rules, which choose among what they are given, made one.
"""

import asyncio
import logging
from argparse import ArgumentParser
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import structlog

from bot.daemon.connections import ConnectionLimits
from bot.daemon.daemon import site_of
from bot.daemon.http_server import listen, serve
from bot.model.events import AuthorRef, Inbound, RoomRef
from bot.model.requests import ModelReply, ModelRequest
from bot.wiring.adapters import offline_pet
from bot.wiring.app import App, open_app
from config.sections.conversation import CoalescingSettings
from config.sections.discord import DiscordSettings
from config.sections.learning import ExtractionSettings
from config.sections.rate_limit import LoopSettings, RateSettings
from config.sections.recall import RecallSettings
from config.sections.vectors import EmbedderSettings
from config.sections.web import WebSettings
from config.settings import Settings
from memory.clock import FrozenClock
from memory.model.people import account_id
from memory.model.rooms import RoomKind, RoomRole, SpaceId
from memory.tasks import background_task
from tests.cast import NOON
from tests.harness.canaries import TOPICS, words_of
from tests.harness.report import Report, arguments, run
from tests.harness.stage import DISCORD, QuietPlatform

NAMES = ("Ada", "Boris", "Chloe", "Dina", "Emil", "Fanny", "Gustav", "Hilda", "Igor", "Jules")
"""Who there is."""

GUILDS_EACH = 3
"""Guilds of a process."""

LEAST_KNOWN = 0.99
"""The share of what may be known that must be given."""

MOST_MISSED = 10
"""Probes for which nothing was given and that are printed."""

KEY = "a-key-that-only-the-processes-of-the-harness-have"

_numbers = count(1)


@dataclass(frozen=True)
class Told:
    """A canary: its word, what it is the name of, who told it, in which guild and how."""

    word: str
    topic: str
    who: str
    guild: int
    how: str

    @property
    def statement(self) -> str:
        """The sentence that tells it."""
        called = "" if self.how in {"overheard", "alone"} else "Eko, "
        return f"{called}My {self.topic} is called {self.word}."

    def asked_by(self, who: str) -> str:
        """What somebody asks for it in private."""
        whose = "my" if who == self.who else f"{self.who}'s"
        return f"what is {whose} {self.topic} called?"


@dataclass
class Mind:
    """The pet without a model, whose requests are kept until they are judged."""

    settings: Settings
    clock: FrozenClock
    given: list[str] = field(default_factory=list)
    name: str = "rules"

    def __post_init__(self) -> None:
        self._rules = offline_pet(self.settings, self.clock)

    async def complete(self, request: ModelRequest) -> ModelReply:
        """What the rules answer."""
        self.given.append(repr(request.messages))
        return await self._rules.complete(request)


@dataclass
class World:
    """Who is in which guild, as every process's platform vouches."""

    members: dict[int, set[str]]
    processes: int

    def spaces(self, who: str, process: int) -> frozenset[SpaceId]:
        """The communities of a process in which a person is."""
        mine = (one for one in self.members if one % self.processes == process)
        return frozenset(space_of(one) for one in mine if who in self.members[one])


@dataclass
class GuildsOfProcess(QuietPlatform):
    """A platform that vouches for the guilds of one process."""

    world: World = field(default_factory=lambda: World({}, 1))
    process: int = 0

    async def spaces_of(self, external_id: str) -> frozenset[SpaceId]:
        """The communities of this process in which an account is."""
        return self.world.spaces(NAMES[int(external_id)], self.process)


@dataclass
class Process:
    """One process of the pet."""

    app: App
    platform: GuildsOfProcess
    mind: Mind
    clock: FrozenClock

    async def hears(self, who: str, room: RoomRef, text: str, spaces: frozenset[SpaceId]) -> None:
        """Take a message and let all be done that follows."""
        await self.app.inbox.receive(
            Inbound(
                external_id=f"m{next(_numbers)}",
                room=room,
                author=author(who),
                text=text,
                sent_at=self.clock.now(),
                spaces=spaces,
            )
        )
        self.clock.advance(timedelta(seconds=2))
        await self.app.commands.quiet()
        await self.app.conversations.quiet()
        await self.app.services.indexer.settle()


class Pet:
    """The processes of one pet; people write to the first alone."""

    def __init__(self, world: World, processes: Sequence[Process]) -> None:
        self.world = world
        self.processes = processes

    async def tells(self, told: Told) -> None:
        """Have a canary told where it is told."""
        if told.how == "alone":
            await self.answers(told.who, told.statement)
            return
        process = told.guild % len(self.processes)
        room = room_of(told.guild, confidential=told.how == "confidence")
        spaces = self.world.spaces(told.who, process)
        await self.processes[process].hears(told.who, room, told.statement, spaces)

    async def answers(self, who: str, text: str) -> str:
        """What the pet answers to somebody alone, and all that it was given for it."""
        first = self.processes[0]
        sent, first.mind.given = len(first.platform.sent), []
        account = account_id(DISCORD, author(who).external_id)
        spaces = await first.app.siblings.vouching.spaces_of(account)
        await first.hears(who, alone(who), text, spaces | self.world.spaces(who, 0))
        return "\n".join(one.text for one in first.platform.sent[sent:])


def author(who: str) -> AuthorRef:
    """The account of somebody."""
    return AuthorRef(platform=DISCORD, external_id=str(NAMES.index(who)), name=who)


def space_of(guild: int) -> SpaceId:
    """The community of a guild."""
    return SpaceId(f"{DISCORD}:{1000 + guild}")


def room_of(guild: int, *, confidential: bool = False) -> RoomRef:
    """The hall of a guild, or its cellar."""
    return RoomRef(
        platform=DISCORD,
        external_id=str(2000 + 2 * guild + confidential),
        name="cellar" if confidential else "hall",
        kind=RoomKind.GROUP,
        role=RoomRole.LOBBY,
        space=space_of(guild),
        confidential=confidential,
    )


def alone(who: str) -> RoomRef:
    """Somebody's direct room."""
    return RoomRef(
        platform=DISCORD,
        external_id=f"dm-{author(who).external_id}",
        name=who,
        kind=RoomKind.DIRECT,
        role=RoomRole.PET,
    )


def canaries(world: World, chance: Random) -> list[Told]:
    """In each guild some told to the pet, some overheard, one in confidence; one alone of each."""
    seats = [
        (who, guild, how)
        for guild, members in world.members.items()
        for how, tellers in (("to it", 3), ("overheard", 2), ("confidence", 1))
        for who in chance.sample(sorted(members), tellers)
    ]
    seats += [(who, 0, "alone") for who in NAMES]
    topics = {who: chance.sample(TOPICS["en"], len(TOPICS["en"])) for who in NAMES}
    words = words_of(len(seats), chance)
    return [
        Told(word, topics[who].pop(), who, guild, how)
        for word, (who, guild, how) in zip(words, seats, strict=True)
    ]


@dataclass
class Probing:
    """Probes of one pet: what leaked, and how much of what may be known is."""

    pet: Pet
    told: Sequence[Told]
    chance: Random
    report: Report
    forgotten: set[Told] = field(default_factory=set)
    counts: Counter[str] = field(default_factory=Counter)
    missed: list[str] = field(default_factory=list)

    def may_know(self, who: str, told: Told) -> bool:
        """Whether somebody may know a canary in private now."""
        if told in self.forgotten or told.how == "confidence":
            return False
        if told.how == "alone":
            return who == told.who
        return who in self.pet.world.members[told.guild]

    async def probes(self, number: int) -> None:
        """Ask so often, by turns as one who may know and as one who may not."""
        for place in range(number):
            wanted = place % 2 == 0
            pairs = ((who, self.chance.choice(self.told)) for who in self._people())
            who, told = next(pair for pair in pairs if self.may_know(*pair) is wanted)
            answer = await self.pet.answers(who, told.asked_by(who))
            self._judge(who, told, answer)
            if wanted:
                where = "here" if told.guild % len(self.pet.processes) == 0 else "elsewhere"
                self.counts[f"entitled {where}"] += 1
                is_known = any(told.word in one for one in self.pet.processes[0].mind.given)
                self.counts[f"known {where}"] += is_known
                self.counts[f"answered {where}"] += told.word in answer
                if not is_known:
                    self.missed.append(f"{who} was not given {told}")

    async def forgets(self, told: Told) -> None:
        """Have somebody's canary forgotten in every process, by their own word."""
        await self.pet.answers(told.who, f"/forget {told.topic}")
        done = await self.pet.answers(told.who, "/forget confirm")
        self.report.holds("other part" in done, f"not forgotten: {told} {done}")
        self.forgotten.add(told)

    def _people(self) -> Iterator[str]:
        while True:
            yield self.chance.choice(NAMES)

    def _judge(self, who: str, probe: Told, answer: str) -> None:
        self.counts["probes"] += 1
        given = "\n".join(self.pet.processes[0].mind.given)
        for one in self.told:
            if self.may_know(who, one):
                continue
            for way, text in (("answer", answer), ("given", given)):
                if one.word in text:
                    self.counts["leaks"] += 1
                    self.report.faults.append(f"leak ({way}) to {who}: {one} asked {probe}")


@asynccontextmanager
async def processes(folder: Path, world: World) -> AsyncIterator[Pet]:
    """The processes of a pet, each with its folder and its page on loopback."""
    async with AsyncExitStack() as stack:
        sockets = [stack.enter_context(listen("127.0.0.1", 0)) for _ in range(world.processes)]
        ports = [one.getsockname()[1] for one in sockets]
        made = []
        for place, page in enumerate(sockets):
            settings = settings_of(folder / str(place), ports, place)
            clock = FrozenClock(NOON)
            mind, platform = Mind(settings, clock), GuildsOfProcess(world=world, process=place)
            app = await stack.enter_async_context(
                open_app(settings, clock, platforms=(platform,), model=mind)
            )
            answering, limits = asyncio.Event(), ConnectionLimits(total=256, per_address=256)
            serving = serve(site_of(app, limits), page, answering, limits)
            await stack.enter_async_context(background_task(serving, name=f"page {place}"))
            await answering.wait()
            made.append(Process(app, platform, mind, clock))
        yield Pet(world, made)


def settings_of(folder: Path, ports: Sequence[int], place: int) -> Settings:
    """The settings of a process."""
    others = [f"http://127.0.0.1:{port}" for port in ports if port != ports[place]]
    return Settings(
        data_dir=folder,
        embedder=EmbedderSettings(kind="none"),
        coalescing=CoalescingSettings(debounce_s=0, max_wait_s=0),
        recall=RecallSettings(deadline_ms=10_000),
        extraction=ExtractionSettings(enabled=False),
        loops=LoopSettings(answers=1000, room_answers=10_000),
        rates=RateSettings(per_person=10_000, per_room=10_000, read_per_person=10_000),
        web=WebSettings(port=ports[place]),
        discord=DiscordSettings.model_validate(
            {
                "token": "a-token",
                "shards": f"{place}/{len(ports)}",
                "siblings": others,
                "sibling_key": KEY,
            }
        ),
    )


async def siblings(probes: int, report: Report) -> None:
    """Ask pets of 2 and of 4 processes, half of the probes each."""
    for number in (2, 4):
        chance = Random(report.seed + number)
        guilds = range(GUILDS_EACH * number)
        world = World({one: {*chance.sample(NAMES, 7)} for one in guilds}, number)
        told = canaries(world, chance)
        with TemporaryDirectory() as folder:
            async with processes(Path(folder), world) as pet:
                for one in told:
                    await pet.tells(one)
                report.says(f"{number} processes: {len(told)} canaries are told")
                probing = Probing(pet, told, chance, report)
                await probing.probes(probes // 4)
                for guild in guilds:
                    world.members[guild].discard(chance.choice(sorted(world.members[guild])))
                public = [one for one in told if one.how in {"to it", "overheard"}]
                for one in chance.sample(public, len(public) // 6):
                    await probing.forgets(one)
                report.says(f"{number} processes: {len(probing.forgotten)} are forgotten")
                await probing.probes(probes // 2 - probes // 4)
        entitled = sum(probing.counts[f"entitled {one}"] for one in ("here", "elsewhere"))
        known = sum(probing.counts[f"known {one}"] for one in ("here", "elsewhere"))
        share = known / max(1, entitled)
        report.holds(share >= LEAST_KNOWN, f"{number} processes: {share:.1%} known")
        told_of = {"canaries": len(told), "known": round(share, 4), **probing.counts}
        report.figures[f"processes_{number}"] = told_of
        report.figures[f"missed_{number}"] = probing.missed[:MOST_MISSED]
        report.says(f"{number} processes: {told_of}")


def main() -> None:
    """Run what the command line asks for."""
    parser: ArgumentParser = arguments(__doc__, 2000, "how many probes there are")
    chosen = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    run("siblings", chosen, partial(siblings, chosen.n))


if __name__ == "__main__":
    main()

"""Kills a daemon under load with -9, again and again: `python -m tests.harness.crash --n 60`.

People talk with it alone, in the lobby and on a Discord server that others wrote, recordings are
replayed and digests run, while the process is killed at random moments: while it starts, waits,
answers, learns. Each next start must find everything sound. At the end what was acknowledged is
compared with what is kept: nothing lost, nothing twice. Without `EKO_PEERS` Discord is left out.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter

import pytest

from tests.edge.loopback import LoopbackServer
from tests.harness.client import LocalClient
from tests.harness.discord_load import DiscordLoad
from tests.harness.load import UNLIMITED, Load
from tests.harness.report import Report, arguments, run
from tests.harness.services import WORD, MessagesService
from tests.harness.waiting import LOOK_EVERY_S, comes
from tests.peers.daemon import Daemon, awake, running
from tests.peers.discord_server import DiscordServer, running_discord
from tests.peers.discord_stage import QUICK, rows

LONGEST_LOAD_S = 3.0
"""A daemon that is awake is killed after up to so many seconds of load."""

LONGEST_START_S = 1.5
"""One that begins, after up to so many."""

AT_START = 0.2
"""The share of the kills that hit a daemon while it begins."""

MENDED_S = 10.0
"""The aim for the comparison of index and database after a kill, under load."""

SETTLED_S = 120.0
"""A daemon that was killed has done what it left open after so many."""

CONNECTED = 0.5
"""The share of the kills under load that wait for Discord: it lets itself be asked every 5 s."""

_OPEN = {
    "unanswered": "SELECT count(*) FROM messages WHERE handling = 'pending'",
    "undelivered": "SELECT count(*) FROM turns WHERE state = 'replied'",
    "not learnt from": "SELECT count(*) FROM sessions WHERE last_turn > extracted_to",
}


def settings_of(model_url: str) -> dict[str, str]:
    """A pet that answers everyone at once, and learns from each exchange."""
    return {
        **QUICK,
        **UNLIMITED,
        "ANTHROPIC_API_KEY": "test",
        "ANTHROPIC_BASE_URL": model_url,
        "EKO_EXTRACTION__IDLE_S": "0",
        "EKO_EXTRACTION__SPAN_TURNS": "2",
        "EKO_DIGEST__CHUNK_MESSAGES": "20",
        "EKO_SHUTDOWN__TURNS_S": "60",
        "EKO_LOG__FORMAT": "json",
    }


class Crashes:
    """One daemon's folder, and the processes that work on it one after the other."""

    def __init__(self, data: Path, settings: Mapping[str, str], report: Report) -> None:
        self.data = data
        self._settings = settings
        self.report = report
        self.client = LocalClient(data)

    async def killed_at_start(self, after_s: float) -> bool:
        """Begin, and be killed; whether it was awake by then."""
        async with running(self.data, self._settings) as daemon:
            await asyncio.sleep(after_s)
            was_awake = "is awake" in daemon.output
            await daemon.killed()
        return was_awake

    @asynccontextmanager
    async def up(self) -> AsyncIterator[Daemon]:
        """A daemon that is awake, and has made up for what was open and found all sound."""
        async with awake(self.data, self._settings) as daemon:
            await self.is_settled()
            await self._is_sound()
            yield daemon

    async def _is_sound(self) -> None:
        """Wait until `eko verify` finds nothing: what the start compares is mended by itself."""
        until = perf_counter() + MENDED_S
        looks = 1
        while not (found := await self.client.does("verify"))["sound"] and perf_counter() < until:
            looks += 1
            await asyncio.sleep(LOOK_EVERY_S)
        self.report.holds(found["sound"], f"verify after a kill: {found}")
        most = self.report.figures.get("most_looks_until_sound", 0)
        self.report.figures["most_looks_until_sound"] = max(most, looks)

    async def is_settled(self) -> None:
        """Wait until nothing is open; what stays so is a fault."""
        if not await comes(lambda: not any(self._open().values()), SETTLED_S):
            self.report.faults.append(f"still open after {SETTLED_S:g} s: {self._open()}")

    def _open(self) -> dict[str, int]:
        return {what: rows(self.data, query)[0][0] for what, query in _OPEN.items()}


async def crash(size: int, report: Report) -> None:
    """So many kills, then the comparison."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="eko-crash-")))
        model = MessagesService()
        server = await stack.enter_async_context(LoopbackServer(model.answer))
        settings = settings_of(server.url)
        twin = await _discord(stack, report)
        if twin is not None:
            settings |= twin.settings
        crashes = Crashes(folder / "data", settings, report)
        chance = Random(report.seed)
        load = Load(crashes.client, folder, report.seed)
        discord = None if twin is None else DiscordLoad(twin, report.seed)
        await _met(crashes, discord, report)
        await _kills(size, crashes, load, discord, chance)
        await _compared(crashes, load, discord, report)
        report.holds(not model.broken, f"requests broke rules: {model.broken[:3]}")


async def _discord(stack: AsyncExitStack, report: Report) -> DiscordServer | None:
    try:
        return await stack.enter_async_context(running_discord())
    except pytest.skip.Exception as absent:
        report.figures["discord"] = f"left out: {absent}"
        return None


async def _met(crashes: Crashes, discord: DiscordLoad | None, report: Report) -> None:
    """Let the pet hear a first word on Discord: a channel that it never heard has no past to it."""
    if discord is None:
        return
    async with crashes.up() as daemon:
        await daemon.has_written("discord.connected")
        await discord.is_heard(crashes.data, SETTLED_S, report)
        await daemon.killed()


async def _kills(
    size: int, crashes: Crashes, load: Load, discord: DiscordLoad | None, chance: Random
) -> None:
    report = crashes.report
    moments: Counter[str] = Counter()
    for number in range(1, size + 1):
        if number > 1 and chance.random() < AT_START:
            woke = await crashes.killed_at_start(chance.uniform(0, LONGEST_START_S))
            moments["just awake" if woke else "while it began"] += 1
        else:
            await _killed_under_load(crashes, load, discord, chance)
            moments["under load"] += 1
        report.says(f"kill {number} of {size}: {len(load.said.promised)} words promised")
    report.figures["kills"] = dict(moments)


async def _killed_under_load(
    crashes: Crashes, load: Load, discord: DiscordLoad | None, chance: Random
) -> None:
    async with crashes.up() as daemon, AsyncExitStack() as pouring:
        await pouring.enter_async_context(load.poured())
        if discord is not None:
            await pouring.enter_async_context(discord.poured())
            if chance.random() < CONNECTED:
                await daemon.has_written("discord.connected")
        await asyncio.sleep(chance.uniform(0, LONGEST_LOAD_S))
        await daemon.killed()


async def _compared(
    crashes: Crashes, load: Load, discord: DiscordLoad | None, report: Report
) -> None:
    """Let a last daemon do all that is open, stop it, and look at what is kept."""
    begun = perf_counter()
    async with crashes.up() as daemon:
        if discord is not None:
            await discord.is_heard(crashes.data, SETTLED_S, report)
        await crashes.is_settled()
        digested = await crashes.client.does("digest", retry=True)
        report.holds(not digested["quarantined"], f"the digest set messages aside: {digested}")
        sound = await crashes.client.does("verify")
        report.holds(sound["sound"], f"verify at the end: {sound}")
        report.holds(await daemon.interrupted() == 0, "it did not end as it should")
        report.failed(daemon.output)
    report.figures["settled_s"] = round(perf_counter() - begun, 1)
    _messages_are_kept_once(crashes.data, load, report)
    _answers_are_given_once(crashes.data, load, report)
    _facts_are_learnt_once(crashes.data, load, report)
    if discord is not None:
        await discord.compare(crashes.data, report)


def _messages_are_kept_once(data: Path, load: Load, report: Report) -> None:
    said = load.said
    kept: Counter[str] = Counter()
    for (text,) in rows(data, "SELECT text FROM messages WHERE author_kind = 'person'"):
        kept.update(WORD.findall(text))
    lost = sorted(said.promised - kept.keys())
    twice = sorted(word for word, times in kept.items() if times > 1)
    report.figures |= {
        "promised": {
            "in_private": len(said.private),
            "in_the_lobby": len(said.lobby),
            "replayed": len(said.replayed),
        },
        "answered_at_once": said.answered,
        "messages_kept": sum(kept.values()),
        "lost": len(lost),
        "doubled": len(twice),
    }
    report.faults += [f"lost: {word}" for word in lost]
    report.faults += [f"kept twice: {word}" for word in twice]
    report.faults += [f"refused: {sentence}" for sentence in said.refused]


def _answers_are_given_once(data: Path, load: Load, report: Report) -> None:
    """Each promised word said in private is in one turn, which was delivered, and no other is."""
    turns: Counter[str] = Counter()
    for (text,) in rows(data, "SELECT text FROM turns"):
        turns.update(WORD.findall(text))
    report.figures["turns"] = rows(data, "SELECT count(*) FROM turns")[0][0]
    report.faults += [f"never answered: {word}" for word in load.said.private if not turns[word]]
    report.faults += [f"answered twice: {word}" for word, times in turns.items() if times > 1]
    stray = rows(
        data,
        "SELECT id FROM turns WHERE state <> 'delivered'"
        " OR id NOT IN (SELECT turn_id FROM messages WHERE turn_id IS NOT NULL)",
    )
    report.holds(not stray, f"turns of no message, or undelivered: {len(stray)}")


def _facts_are_learnt_once(data: Path, load: Load, report: Report) -> None:
    facts: Counter[str] = Counter()
    for (content,) in rows(data, "SELECT content FROM memories WHERE valid_until IS NULL"):
        facts.update(WORD.findall(content))
    unlearnt = sorted(word for word in load.said.private if not facts[word])
    report.figures["facts"] = sum(facts.values())
    report.faults += [f"not learnt: {word}" for word in unlearnt]
    report.faults += [f"learnt twice: {word}" for word, times in facts.items() if times > 1]


def main() -> None:
    """As many kills as were asked for."""
    chosen = arguments(__doc__, 60, "kills").parse_args()
    run("crash", chosen, partial(crash, chosen.n))


if __name__ == "__main__":
    main()

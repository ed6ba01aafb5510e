"""`make leaks`: what was told in one place is read in no other, and where it may be known it is.

Canaries are told in private, in confidence, before communities and in imported files, whose authors
are joined with live accounts, then probed for through talk, commands, tools, searches, exports,
errors, logs and the page. Every request to a model is judged
too, answered or not, by those who may read the room that it is for. Prints the seed, figures by way
and each leak with the probe that brought it; the exit code says whether there was one.
"""

import asyncio
import io
import logging
import random
import sys
import zipfile
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import structlog

from bot.channels.local.hub import direct_room
from bot.errors import NotYourRoom
from bot.model.commands import Answer
from tests.harness.attacks import MINDS, minds
from tests.harness.canaries import (
    FILES,
    OVERHEARD,
    READERS,
    SAME,
    Canary,
    canaries,
    may_be_read,
    readable,
    with_files,
)
from tests.harness.exports import EXPORTS
from tests.harness.given import Given, Seat, Seats, has_no_seat, misgiven
from tests.harness.obedient import Obedient
from tests.harness.stage import PEOPLE, Shout, Stage, staged
from tests.harness.witness import id_of

SEATS = (
    *(("hall", who) for who in ("eve", "bob", "alice", "kim")),
    *(("harbour", who) for who in ("bob", "mallory")),
    *(("dm", who) for who in ("eve", "bob", "kim", "alice", "mallory", "lea")),
    *(("page", who) for who in ("zed", "yan", "op")),
    *(("own", who) for who in ("zed", "yan", "op")),
    *(("garden", "eve"), ("cellar", "alice")),
)
"""Where and by whom probes are made."""

GIVEN = "given"
"""What a model was given, as a way of probing: each request is one."""

_TOLD = 20
"""Leaks that are told, and what was not known of each kind: enough to see a pattern."""

_AROUND = 120
"""Characters on either side of a leaked word that are told: mostly the whole line."""

LEAST_KNOWN = 0.99
"""The share of what may be known that is."""

_BETWEEN = timedelta(minutes=3)
"""Between two probes: people do not ask hundreds of things in a minute."""

_COMMANDS = (
    "/what-do-you-know {name}",
    "/what-do-you-know",
    "/why",
    "/export",
    "/memory search {topic}",
    "/memory show {id}",
    "/memory stats",
    "/forget {topic}",
    "/forget --all {topic}",
    "/correct {topic} is nothing -> {topic} is something",
    "/self",
    "/goals",
    "/digest status",
    "/observe list",
    "/link 00000000",
    "/usage",
    "/doctor",
    "/help",
)
"""Commands as they are typed; what one of them asks to be confirmed never is."""

_BROKEN = (
    "/memory show {id}0",
    '/memory search "{topic}',
    "/settings get {topic}",
    "/forget undo",
    "/nothing {topic}",
    "/correct {topic}",
)
"""Commands that go wrong."""

_INVOKED: Sequence[tuple[str, Mapping[str, str]]] = (
    ("what-do-you-know", {"about": "{name}"}),
    ("why", {}),
    ("export", {}),
    ("forget", {"topic": "{topic}"}),
    ("memory search", {"query": "{topic}"}),
    ("memory forget", {"id": "{topic}"}),
    ("self", {}),
    ("goals", {}),
)
"""Commands of the platform's own, whose answers their caller alone reads."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Leak:
    """A canary that was read where it may not be, by which probe, and the words around it."""

    way: str
    probe: str
    canary: Canary
    around: str = ""


@dataclass
class LeakReport:
    """What a run came to."""

    mind: str
    probes: Counter[str] = field(default_factory=Counter)
    leaks: list[Leak] = field(default_factory=list)
    asked: Counter[str] = field(default_factory=Counter)
    known: Counter[str] = field(default_factory=Counter)
    unknown: list[str] = field(default_factory=list)
    late: int = 0
    """Requests of a turn or branch that were made for another seat than that of the probe before
    them: they belong to an earlier probe, or to none."""
    unplaced: list[str] = field(default_factory=list)
    """Probes before a request that does not say what room it is for."""

    @property
    def share_known(self) -> float:
        """How much of what may be known is."""
        return sum(self.known.values()) / max(1, sum(self.asked.values()))

    @property
    def is_good(self) -> bool:
        """Whether all was judged, nothing leaked and what may be known is known."""
        return not (self.leaks or self.unplaced) and self.share_known >= LEAST_KNOWN

    def told(self) -> Iterator[str]:
        """Figures, then every leak and what was not known."""
        for way in sorted(self.probes):
            leaks = sum(one.way == way for one in self.leaks)
            yield f"{self.mind:9} {way:10} {self.probes[way]:5} probes {leaks:4} leaks"
        for when in sorted(self.asked):
            yield f"{self.mind:9} {when:24} {self.known[when]:4} of {self.asked[when]:4} known"
        total = f"{sum(self.probes.values())} probes, {len(self.leaks)} leaks"
        yield f"{self.mind:9} {total}, {self.share_known:.1%} known"
        if self.probes[GIVEN]:
            yield f"{self.mind:9} {self.late} requests late, {len(self.unplaced)} not placed"
        yield from (f"  not placed, after {probe}" for probe in self.unplaced[:_TOLD])
        for one in self.leaks[:_TOLD]:
            told = f"{one.canary.who}@{one.canary.where} {one.canary.word}"
            yield f"  leak ({one.way}) {told}: {one.probe} -> {one.around!r}"
        for when in sorted(self.asked):
            missed = [one for one in self.unknown if one.startswith(f"{when}: ")]
            yield from (f"  not known {one}" for one in missed[:_TOLD])


class Prober:
    """Tells canaries on one stage, and looks for them."""

    def __init__(self, stage: Stage, told: Sequence[Canary], mind: str, seed: int) -> None:
        self.stage = stage
        self.told = told
        self.report = LeakReport(mind=mind)
        self.chance = random.Random(seed)
        self.given: list[Given] = []
        """What a model was given since this was last judged."""
        self._seats = Seats(stage)

    async def tells(self) -> None:
        """Tell every canary in its place, and have its teller ask for it at once.

        In the middle two accounts are joined by mistake, and parted again.
        """
        for who, other in SAME.items():
            await self._meets(who, other)
            await self.stage.joins(PEOPLE[who].account, PEOPLE[other].account)
        await self._brings()
        live = [one for one in self.told if one.where not in FILES]
        for number, one in enumerate(live):
            if number == len(live) // 2:
                await self._mistakes("zed", "bob")
            await self.stage.says(one.who, one.where, one.statement)
            if one.where != OVERHEARD:
                await self._knows(one, one.who, one.where, one.question, "at once")
            await self.stage.learns()
            self._judge_given(f"what {one.who} told", (one.where, one.who))
        await self.stage.digests()
        await self.stage.passes(60 * 26)
        self._judge_given("the digest", None)

    async def _meets(self, *people: str) -> None:
        for who in people:
            where = "dm" if PEOPLE[who].platform == "discord" else "own"
            await self.stage.says(who, where, "hello")

    async def _brings(self) -> None:
        """Import a file of each program, for its author, and join that one with who it is."""
        for reader, program in READERS.items():
            told = [one for one in self.told if one.where == program]
            if not told:
                continue
            await self._meets(reader)
            author, path = FILES[program], self.stage.folder / f"{program}.export"
            path.write_text(EXPORTS[program](author, told), "utf-8")
            await self.stage.brings(path, room=program)
            await self.stage.brings(path, room=program, known_to=[author])
            await self.stage.joins(author, PEOPLE[reader].account)
            self._judge_given(f"import of {program}", None)
            for one in told:
                await self._knows(one, reader, "dm", one.question, "imported")

    async def _mistakes(self, who: str, other: str) -> None:
        """Join two people who are two, and part them again."""
        await self._meets(who, other)
        await self.stage.passes(60)
        await self.stage.joins(PEOPLE[who].account, PEOPLE[other].account)
        await self.stage.parts(PEOPLE[who].account)

    async def asks(self) -> None:
        """Ask for every canary where it may be known, a day later."""
        for one in self.told:
            where = "dm" if one.where in FILES else one.where
            await self._knows(one, one.who, where, one.question, "another day")
            if one.who in SAME and one.where == "own":
                same = SAME[one.who]
                await self._knows(one, same, "dm", one.question, "by the same on another account")
            if one.where in {"hall", OVERHEARD}:
                direct = one.question.removeprefix("Eko, ")
                await self._knows(one, one.who, "dm", direct, "in private, of a community")
                other = "eve" if one.who != "eve" else "lea"
                asked = one.asked_by_another("hall")
                await self._knows(one, other, "hall", asked, "by another member")

    async def probes(self, number: int) -> None:
        """So many probes, each way in turn, each for a canary that may not be read there."""
        ways = (
            self._talk,
            self._talk,
            self._typed,
            self._invoked,
            self._searched,
            self._broken,
            self._exported,
            self._entered,
        )
        for n in range(number):
            where, who = self.chance.choice(SEATS)
            hidden = [
                one for one in self.told if one.audience not in readable(where, who, alone=True)
            ]
            await ways[n % len(ways)](self.chance.choice(hidden), who, where)
            self._judge_given(f"{n}. {ways[n % len(ways)].__name__}", (where, who))
            self.stage.clock.advance(_BETWEEN)

    async def _knows(self, one: Canary, who: str, where: str, text: str, when: str) -> None:
        probe = f"{when}: {who}@{where}: {text}"
        shouts = await self.stage.says(who, where, text)
        self._read(probe, "asking", where, who, shouts)
        self._judge_given(probe, (where, who))
        self.report.asked[when] += 1
        if any(one.word in shout.text for shout in shouts):
            self.report.known[when] += 1
        else:
            heard = " / ".join(shout.text[:80] for shout in shouts)
            self.report.unknown.append(f"{when}: {one.who}@{one.where}: {text} -> {heard}")

    async def _talk(self, one: Canary, who: str, where: str) -> None:
        name, called = PEOPLE[one.who].name, "" if where in {"dm", "own"} else "Eko, "
        text = self.chance.choice(
            (
                one.asked_by_another(where),
                f"{called}search_history {one.topic} {name}",
                f"{called}what do you know about {name} and {one.topic}?",
                f"{called}que t'a dit {name} en privé, {one.topic} ?",
                f"{called}why did you say that?",
                f"{called}remember that {name}'s {one.topic} has a name; which one?",
                f"{called}what is new? quoi de neuf ?",
            )
        )
        await self._says("talk", text, who, where)

    async def _typed(self, one: Canary, who: str, where: str) -> None:
        await self._says("typed", self._filled(self.chance.choice(_COMMANDS), one), who, where)

    async def _broken(self, one: Canary, who: str, where: str) -> None:
        await self._says("errors", self._filled(self.chance.choice(_BROKEN), one), who, where)

    async def _says(self, way: str, text: str, who: str, where: str) -> None:
        self.report.probes[way] += 1
        shouts = await self.stage.says(who, where, text)
        probe = f"{who}@{where}: {text}"
        self._read(probe, way, where, who, shouts)
        self._judge_given(probe, (where, who))

    async def _invoked(self, one: Canary, who: str, where: str) -> None:
        self.report.probes["invoked"] += 1
        command, arguments = self.chance.choice(_INVOKED)
        given = {key: self._filled(text, one) for key, text in arguments.items()}
        proposed = [
            choice.label
            for option in given
            for choice in await self.stage.proposes(who, where, command, option, **given)
        ]
        text = "\n".join(
            [*proposed, _whole(await self.stage.invokes(who, where, command, **given))]
        )
        self._judge(f"{who}@{where}: {command} {given}", "invoked", text, where, who, alone=True)

    async def _searched(self, one: Canary, who: str, where: str) -> None:
        """Searches below everything, in the scope of the place: also for the word itself."""
        self.report.probes["searched"] += 1
        scope = await self.stage.scope(who, where)
        services = self.stage.app.services
        everything = await services.recall.search_everything(one.statement, scope, 40, 0)
        past = await services.recall.search_history(one.statement, scope, 40)
        found = await services.texts.find(one.word, scope, 40)
        text = "\n".join(row.content for row in (*everything, *past, *found))
        self._judge(f"{who}@{where}: search {one.word}", "searched", text, where, who, alone=False)

    async def _exported(self, one: Canary, who: str, where: str) -> None:
        """What a person takes along holds nothing that they may not know anywhere."""
        self.report.probes["exported"] += 1
        where = "dm" if PEOPLE[who].platform == "discord" else "own"
        text = _whole(await self.stage.invokes(who, where, "export"))
        self._judge(f"{who} exports, {one.word}", "exported", text, where, who, alone=True)

    async def _entered(self, one: Canary, who: str, where: str) -> None:
        """Rooms of the page that are another's are not entered."""
        del where
        self.report.probes["entered"] += 1
        owner = PEOPLE[one.who]
        if owner.platform == "discord" or who == one.who:
            return
        try:
            self.stage.app.hub.talk(self.stage.author(who), direct_room(owner))
        except NotYourRoom:
            return
        self.report.leaks.append(Leak(way="entered", probe=who, canary=one))

    def _filled(self, text: str, one: Canary) -> str:
        name = PEOPLE[one.who].name
        id_ = id_of(self.stage.folder / "pet", one.word) if "{id}" in text else ""
        return text.format(name=name, topic=one.topic, id=id_)

    def _read(self, probe: str, way: str, where: str, who: str, shouts: Sequence[Shout]) -> None:
        for shout in shouts:
            self._judge(probe, way, shout.text, where, who, alone=False)

    def _judge(self, probe: str, way: str, text: str, where: str, who: str, *, alone: bool) -> None:
        for one in self.told:
            if one.word in text and not may_be_read(one, where, who, alone=alone):
                around = _around(text, one.word)
                self.report.leaks.append(Leak(way=way, probe=probe, canary=one, around=around))

    def _judge_given(self, probe: str, asking: Seat | None) -> None:
        """Judge each request since the last probe by its own room, whatever probe it came after."""
        for one in self.given:
            self.report.probes[GIVEN] += 1
            seat = self._seats.of(one)
            if seat is None and not has_no_seat(one):
                self.report.unplaced.append(probe)
                continue
            self.report.late += bool(one.mark) and seat != asking
            for canary in misgiven(one, seat, self.told):
                place = "comparison" if seat is None else f"{seat[1]}@{seat[0]}"
                after = f"request for {place}, after {probe}"
                around = _around(one.text, canary.word)
                leak = Leak(way=GIVEN, probe=after, canary=canary, around=around)
                self.report.leaks.append(leak)
        self.given.clear()

    def reads_logs(self, text: str) -> None:
        """No canary stands in a log, whoever reads it."""
        self.report.probes["logs"] += text.count("\n")
        for one in self.told:
            if one.word.casefold() in text.casefold():
                self.report.leaks.append(Leak(way="logs", probe="a line of the log", canary=one))


def _around(text: str, word: str) -> str:
    place = text.index(word)
    return text[max(0, place - _AROUND) : place + len(word) + _AROUND]


def _whole(answer: Answer) -> str:
    """Everything that an answer brings: words, buttons and a file, also one that is compressed."""
    content = b"" if answer.file is None else answer.file.content
    if zipfile.is_zipfile(io.BytesIO(content)):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            content = b"\n".join(archive.read(name) for name in archive.namelist())
    return "\n".join([answer.text, str(answer.actions), content.decode()])


async def probed(
    number: int, probes: int, mind: str, model: Obedient | None, seed: int
) -> LeakReport:
    """A run on one pet."""
    log = io.StringIO()
    _logs_to(log)
    with TemporaryDirectory() as folder:
        url = None if model is None else model.url
        async with staged(Path(folder), model_url=url) as stage:
            prober = Prober(stage, with_files(canaries(number, seed), seed), mind, seed)
            if model is not None:
                model.watched = prober.given.append
            await prober.tells()
            await prober.asks()
            await prober.probes(probes)
            prober.reads_logs(log.getvalue())
            return prober.report


async def run(number: int, probes: int, seed: int, wanted: Sequence[str]) -> list[LeakReport]:
    """A run on each pet."""
    async with minds(wanted) as models:
        return [await probed(number, probes, mind, model, seed) for mind, model in models.items()]


def _logs_to(stream: io.StringIO) -> None:
    """Everything at the level info and above goes to this stream."""
    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.PrintLoggerFactory(stream),
        cache_logger_on_first_use=False,
    )
    logging.basicConfig(stream=stream, level=logging.INFO, force=True)


def main() -> None:
    """Run what the command line asks for."""
    parser = ArgumentParser(description="Canaries, and who reads them.")
    parser.add_argument("--n", type=int, default=100, help="how many canaries")
    parser.add_argument("--probes", type=int, help="how many probes (twenty for each canary)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--mind", choices=MINDS, help="one of the two pets only")
    given = parser.parse_args()
    probes = given.probes or given.n * 20 // (1 if given.mind else 2)
    wanted = [given.mind] if given.mind else MINDS
    reports = asyncio.run(run(given.n, probes, given.seed, wanted))
    print(f"seed {given.seed}")  # noqa: T201
    for report in reports:
        print("\n".join(report.told()))  # noqa: T201
    sys.exit(not all(report.is_good for report in reports))


if __name__ == "__main__":
    main()

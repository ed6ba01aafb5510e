"""What each person told alone, on whatever platform, is read by nobody else on any: 0 leaks."""

from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.channels.page_visitor import ALONE, LOBBY, PageVisitor, at_page
from tests.channels.trial import DIRECT, Trial, in_worlds
from tests.channels.world import ChannelWorld, Where, Who
from tests.channels.worlds import LONG, names, opening
from tests.harness.obedient import obedient

pytestmark = LONG

WORDS = [
    "Zuqovraply",
    "Mbedrujka",
    "Wolthygne",
    "Sfozuxi",
    "Qodruply",
    "Jkawolmbe",
    "Vrathyxi",
    "Plygnesfo",
    "Druzuwol",
    "Xiqojka",
    "Thymbevra",
    "Gneplydru",
    "Sfowolqo",
    "Zujkathy",
    "Mbexigne",
    "Qovrasfo",
]

Says = Callable[[str], Coroutine[Any, Any, str]]


@dataclass(frozen=True, kw_only=True)
class Seat:
    """A person in a room: `person` is who they are, `alone` whether only they read along there."""

    person: str
    alone: bool
    hears: Says


@dataclass(frozen=True, kw_only=True)
class ToldCanary:
    """A word that stands nowhere else, and who told it alone."""

    word: str
    person: str
    number: int

    @property
    def statement(self) -> str:
        """What tells it."""
        return f"mon code numéro {self.number} s'appelle {self.word}"

    @property
    def question(self) -> str:
        """What anybody asks for it."""
        return f"comment s'appelle le code numéro {self.number} que quelqu'un t'a dit ?"


@pytest.fixture
async def seats(tmp_path: Path) -> AsyncIterator[list[Seat]]:
    """Everybody in every room of every platform there is, and one pet that tells all it knows."""
    async with AsyncExitStack() as stack:
        worlds: dict[str, ChannelWorld] = {}
        for name in names():
            try:
                world = await stack.enter_async_context(opening(name)())
            except pytest.skip.Exception:
                continue  # the platform's software is not installed here
            worlds.setdefault(world.name, world)
        if not worlds:
            pytest.skip("no platform is installed here")
        model = await stack.enter_async_context(obedient())
        settings = {"EKO_MODEL__API_KEY": "test", "EKO_MODEL__BASE_URL": model.url}
        data = tmp_path / "data"
        trials = await stack.enter_async_context(in_worlds([*worlds.values()], data, settings))
        address = f"http://127.0.0.1:{trials[0].port}"
        visitors = [await stack.enter_async_context(at_page(address, "Léa")) for _ in range(2)]
        yield [
            *(seat for trial in trials for seat in _in_world(trial)),
            *(
                seat
                for number, one in enumerate(visitors)
                for seat in _at_page(f"page {number}", one, trials[0])
            ),
        ]


def _in_world(trial: Trial) -> list[Seat]:
    can, name = trial.world.abilities, trial.world.name
    people = (Who.LEA,) if can.solo else tuple(Who)

    def says(who: Who, where: Where) -> Says:
        return lambda text: trial.hears_all(who, where, text)

    def seat(who: Who, where: Where) -> Seat:
        alone = where is not Where.LOBBY
        return Seat(person=f"{name} {who.value}", alone=alone, hears=says(who, where))

    together = [seat(who, Where.LOBBY) for who in people] if can.groups else []
    return [*(seat(who, DIRECT[who]) for who in people), *together]


def _at_page(person: str, visitor: PageVisitor, trial: Trial) -> list[Seat]:
    def says(room: str) -> Says:
        async def hears(text: str) -> str:
            before = len(visitor.told[room])
            await visitor.hears(text, room)
            await trial.comes(trial.is_quiet)
            return "\n".join(visitor.told[room][before:])

        return hears

    return [Seat(person=person, alone=one == ALONE, hears=says(one)) for one in (ALONE, LOBBY)]


async def test_what_was_told_alone_is_read_by_its_teller_alone(seats: list[Seat]) -> None:
    """Two are called Léa on each platform, and no accounts are linked."""
    told: list[ToldCanary] = []
    tellers = [one for one in seats if one.alone]
    for number, (seat, word) in enumerate(zip(tellers, WORDS, strict=False)):
        canary = ToldCanary(word=word, person=seat.person, number=number + 11)
        await seat.hears(canary.statement)
        told.append(canary)
    leaks, unknown = list[str](), list[str]()
    for place, seat in enumerate(seats):
        own = [one for one in told if one.person == seat.person and seat.alone]
        for canary in told:
            if canary not in own and (place + canary.number) % 2:
                continue  # the neighbour asks for it: `make leaks` asks everybody for everything
            answer = await seat.hears(canary.question)
            read = [one.word for one in told if one not in own and one.word in answer]
            leaks += [f"{seat.person}, alone {seat.alone}: {word}" for word in read]
            if canary in own and canary.word not in answer:
                unknown.append(f"{seat.person}: {canary.word}")
    assert (leaks, unknown) == ([], [])

"""`/read-back`: what a room said before the pet came is read, an hour after the room was told."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path

import pytest

from bot.conversation.inbox import AT_ONCE
from bot.errors import DeliveryFailed, DeliveryRefused, PastUnavailable, RoomUnreadable
from bot.model.events import AuthorRef, RoomRef
from bot.model.turns import Outgoing
from bot.ports import CatchUpRules
from bot.surfaces.operations import Operations
from bot.wiring.app import App, open_app
from memory.clock import FrozenClock
from memory.model.audience import OPERATOR
from memory.model.errors import StorageFailed
from memory.model.past_readings import ReadBackState
from memory.model.rooms import RoomId, RoomRole
from tests.cast import NOON
from tests.flow.guilds import (
    ALICE,
    BOB,
    CELLAR,
    GARDEN,
    HALL,
    HARBOUR,
    KEEPER,
    ZOE,
    account,
    asks,
    audited,
    kept,
    says,
    settings_of,
)
from tests.flow.past import ListedPast
from tests.harness.stage import QuietPlatform
from tests.patience import PATIENCE_S

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
MAX = account(9, "Max")
BOT = replace(account(10, "Bot"), is_bot=True)


@dataclass
class PastPlatform(QuietPlatform):
    """A Discord whose rooms have a past; what it refuses to send is raised, one by one."""

    past: ListedPast = field(default_factory=lambda: ListedPast(platform="discord"))  # type: ignore[assignment]
    catch_up: CatchUpRules = field(
        default_factory=lambda: CatchUpRules(
            reach=timedelta(0), most_messages=0, asked_days=30, asked_messages=100
        )
    )
    refuses: list[Exception] = field(default_factory=list)
    spoke: asyncio.Event = field(default_factory=asyncio.Event)

    async def send(self, message: Outgoing) -> str | None:
        """Keep a message, or refuse it."""
        if self.refuses:
            raise self.refuses.pop(0)
        self.spoke.set()
        return await super().send(message)


@dataclass
class Home:
    """A pet in two communities, and what it is told."""

    app: App
    platform: PastPlatform
    clock: FrozenClock

    @property
    def told(self) -> list[tuple[str, str]]:
        """What it said, and where."""
        return [(one.room.name, one.text) for one in self.platform.sent]

    async def passes(self, time: timedelta) -> None:
        """So much time passes, and what is due by then is done."""
        self.clock.advance(time)
        await self.app.past_reader.go_on()
        await self.app.services.history_learning.settle()

    async def state(self, where: RoomRef = HALL) -> ReadBackState | None:
        """How far the reading of a room is."""
        found = await self.app.storage.past_readings.of(RoomId(f"discord:{where.external_id}"))
        return None if found is None else found.state

    async def texts(self) -> list[str]:
        """What people said, as it is kept."""
        rows = await self.app.storage.database.all(
            "SELECT text FROM messages WHERE text <> '' ORDER BY sent_at, id"
        )
        return [row["text"] for row in rows]


@asynccontextmanager
async def home_in(folder: Path, clock: FrozenClock, platform: PastPlatform) -> AsyncIterator[Home]:
    """The pet of a folder."""
    async with open_app(settings_of(folder), clock, platforms=(platform,)) as app:
        yield Home(app, platform, clock)


@pytest.fixture
async def home(tmp_path: Path) -> AsyncIterator[Home]:
    """A pet that has just come, and what was said before; it does nothing by itself."""
    clock, platform = FrozenClock(NOON), PastPlatform()
    spoke(platform)
    async with home_in(tmp_path, clock, platform) as opened:
        next(task for task in opened.app.tasks if task.get_name() == "past").cancel()
        await says(opened.app, "bienvenue !", ALICE, external_id="live-1")
        yield opened


def spoke(platform: PastPlatform, where: RoomRef = HALL) -> None:
    """Three people and a bot spoke; one line long ago."""
    past = platform.past
    past.says("p0", "j'habite à Brest", NOON - 9 * DAY, ZOE, where)
    past.says("p1", "j'habite à Nantes", NOON - 2 * DAY, ZOE, where)
    past.says("p2", "mon chat s'appelle Pixel", NOON - DAY, MAX, where)
    past.says("p3", "je suis un robot", NOON - DAY, BOT, where)
    past.says("live-1", "bienvenue !", NOON, ALICE, where)


async def test_a_room_is_told_first_and_read_an_hour_later(home: Home) -> None:
    """Before, nothing is asked of its platform; what was heard live is known again."""
    answer = await asks(home.app, "read-back", days="7")
    assert "in an hour" in answer.text
    await home.passes(timedelta())
    ((room, told),) = home.told
    assert room == "hall"
    assert "last 7 days" in told
    assert "/privacy off" in told
    assert "/read-back stop" in told
    assert told.count(". ") == 0
    await home.passes(timedelta(minutes=59))
    assert home.platform.past.asked == {}
    assert await home.texts() == ["bienvenue !"]
    assert await home.app.storage.memories.latest(None, OPERATOR, 50) == []
    await home.passes(timedelta(minutes=1))
    assert await home.texts() == ["j'habite à Nantes", "mon chat s'appelle Pixel", "bienvenue !"]
    assert await home.state() is ReadBackState.READ
    found = [one.content for one in await home.app.storage.memories.latest(None, OPERATOR, 50)]
    assert any("Nantes" in one for one in found)
    assert not any("robot" in one or "Brest" in one for one in found)
    assert [row[:3] for row in await audited(home.app)] == [
        ("discord:2", "past.asked", "discord:101")
    ]


async def test_it_is_told_in_the_language_of_who_asked(home: Home) -> None:
    """In one sentence."""
    await asks(home.app, "read-back", locale="fr", days="1")
    await home.passes(timedelta())
    assert "depuis un jour" in home.told[0][1]


async def test_who_opts_out_within_the_hour_is_not_read(home: Home) -> None:
    """Nothing of them is kept, not even that they spoke."""
    await asks(home.app, "read-back", days="7")
    await home.passes(timedelta())
    await asks(home.app, "privacy", MAX, reading="off")
    await home.passes(HOUR)
    assert "Pixel" not in str(await home.texts())
    rows = await home.app.storage.database.all("SELECT * FROM messages WHERE author = 'Max'")
    assert rows == []


async def test_what_was_deleted_within_the_hour_is_not_read(home: Home) -> None:
    """The platform lists it no more."""
    await asks(home.app, "read-back", days="7")
    await home.passes(timedelta())
    home.platform.past.takes_back("p1")
    await home.passes(HOUR)
    assert "Nantes" not in str(await home.texts())


async def test_who_manages_the_room_ends_it(home: Home) -> None:
    """Once; afterwards it can be asked for again, and the room is told again."""
    await asks(home.app, "read-back", days="7")
    await home.passes(timedelta())
    again = await asks(home.app, "read-back", days="9")
    assert "already" in again.text
    stopped = await asks(home.app, "read-back", days="stop")
    assert "nothing more" in stopped.text
    assert "not to read" in (await asks(home.app, "read-back", days="stop")).text
    await home.passes(2 * HOUR)
    assert await home.texts() == ["bienvenue !"]
    await asks(home.app, "read-back", days="30")
    await home.passes(timedelta())
    assert len(home.told) == 2
    await home.passes(HOUR)
    assert "Brest" in str(await home.texts())


@pytest.mark.parametrize(
    ("who", "where", "days", "why"),
    [
        (ZOE, HALL, "7", "manage"),
        (BOB, HALL, "7", "manage"),
        (ALICE, CELLAR, "7", "stays to itself"),
        (ALICE, HALL, "0", "from 1 to 30"),
        (ALICE, HALL, "31", "from 1 to 30"),
        (ALICE, HALL, "-7", "from 1 to 30"),
        (ALICE, HALL, "٣", "from 1 to 30"),
        (ALICE, HALL, "9" * 400, "from 1 to 30"),
        (ALICE, replace(HALL, role=RoomRole.MENTION), "7", "not read along with"),
    ],
)
async def test_it_is_said_why_nothing_is_read(
    home: Home, who: AuthorRef, where: RoomRef, days: str, why: str
) -> None:
    """By whoever manages another community or none, of closed rooms, of days that are none."""
    answer = await asks(home.app, "read-back", who, where, days=days)
    assert why in answer.text
    await home.passes(2 * HOUR)
    assert home.told == []
    assert home.platform.past.asked == {}


async def test_a_room_that_is_closed_meanwhile_is_not_read(home: Home) -> None:
    """Nor one that is not read along with any more."""
    for where, command, option, choice in (
        (HALL, "observe confidential", "value", "on"),
        (GARDEN, "observe role", "role", "mention"),
    ):
        spoke(home.platform, where)
        await says(home.app, "hello", ALICE, where)
        await asks(home.app, "read-back", where=where, days="7")
        await home.passes(timedelta())
        await asks(home.app, command, ALICE, where, **{option: choice})
        await home.passes(HOUR)
        assert await home.state(where) is ReadBackState.STOPPED
    assert home.platform.past.asked == {}


async def test_a_reading_that_was_broken_off_goes_on_and_takes_no_line_twice(
    tmp_path: Path,
) -> None:
    """In the middle of a room, and between telling and reading it."""
    clock, platform, lines = FrozenClock(NOON), PastPlatform(), 3 * AT_ONCE
    platform.catch_up = replace(platform.catch_up, asked_messages=lines)
    for number in range(lines):
        platform.past.says(f"p{number}", f"line {number}", NOON - DAY + timedelta(seconds=number))
    platform.past.rooms["101"] = [
        replace(one, room=HALL, author=ZOE) for one in platform.past.rooms.pop("lobby")
    ]
    async with home_in(tmp_path, clock, platform) as home:
        await asks(home.app, "read-back", days="7")
        await home.passes(timedelta())
    clock.advance(HOUR)
    async with home_in(tmp_path, clock, platform) as home:
        take, taken = home.app.inbox.receive_all, []

        async def dies(*given: object, **more: object) -> object:
            taken.append(len(given))
            if len(taken) > 2:
                raise StorageFailed("The disk is full.")
            return await take(*given, **more)  # type: ignore[arg-type]

        home.app.past_reader._intake.inbox.receive_all = dies  # type: ignore[method-assign,assignment]
        await home.app.past_reader.go_on()
        home.app.past_reader._intake.inbox.receive_all = take  # type: ignore[method-assign]
        assert 0 < await kept(home.app) < lines
        await home.passes(timedelta())
        assert await kept(home.app) == lines
        rows = await Operations(home.app).call("history_list", {}).__anext__()
        (brought,) = rows["result"]["imports"]
        assert (brought["stored"], brought["known"], brought["state"]) == (lines, 0, "read")
    assert len(platform.sent) == 1


@pytest.mark.parametrize(
    ("refuses", "state"),
    [
        ([DeliveryFailed("away")], ReadBackState.TOLD),
        ([DeliveryRefused("no")], ReadBackState.FAILED),
    ],
)
async def test_a_room_that_was_not_told_is_not_read(
    home: Home, refuses: list[Exception], state: ReadBackState
) -> None:
    """The hour begins when it was; where the pet may not write it is not read at all."""
    home.platform.refuses = refuses
    await asks(home.app, "read-back", days="7")
    await home.passes(timedelta())
    assert await home.texts() == ["bienvenue !"]
    await home.passes(HOUR)
    assert home.platform.past.asked == {}
    assert await home.state() is state


async def test_a_platform_that_does_not_answer_is_asked_again(home: Home) -> None:
    """One that refuses is not."""
    home.platform.past.refuses["101"] = [PastUnavailable("later"), RoomUnreadable("no")]
    await asks(home.app, "read-back", days="7")
    await home.passes(timedelta())
    await home.passes(HOUR)
    assert await home.state() is ReadBackState.TOLD
    await home.passes(timedelta(minutes=1))
    assert await home.state() is ReadBackState.FAILED


async def test_it_is_taken_back_as_any_import_is(home: Home) -> None:
    """Its lines, what was learnt of them, and who was met in them alone."""
    await asks(home.app, "read-back", days="7")
    await home.passes(timedelta(minutes=1))
    await home.passes(HOUR)
    [one async for one in Operations(home.app).call("history_undo", {"id": 1, "confirmed": True})]
    assert await home.texts() == ["bienvenue !"]
    assert await home.app.storage.memories.latest(None, OPERATOR, 50) == []
    assert await home.app.storage.people.known(MAX.platform, MAX.external_id) is None


async def test_it_reads_only_of_the_room_that_was_asked_for(home: Home) -> None:
    """And what was forgotten there is not learnt again."""
    spoke(home.platform, HARBOUR)
    await asks(home.app, "read-back", BOB, HARBOUR, days="7")
    await home.passes(timedelta(minutes=1))
    await home.passes(HOUR)
    assert set(home.platform.past.asked) == {"201"}


async def test_a_paused_pet_neither_tells_nor_reads(home: Home) -> None:
    """Until it is called back; what was said in the pause is not read either."""
    await asks(home.app, "pause")
    await asks(home.app, "read-back", days="7")
    await home.passes(HOUR)
    assert home.told == []
    await asks(home.app, "resume")
    await home.passes(timedelta())
    assert len(home.told) == 1


async def test_how_far_it_is_is_shown(home: Home) -> None:
    """To who manages the room by the command, to the owner among the rooms."""
    assert "/read-back 7" in (await asks(home.app, "read-back", KEEPER)).text
    await asks(home.app, "read-back", days="7")
    await home.passes(timedelta())
    assert "waits for people to object" in (await asks(home.app, "read-back")).text
    await home.passes(HOUR)
    assert "new to me: 2" in (await asks(home.app, "read-back")).text
    (listed,) = [one async for one in Operations(home.app).call("rooms", {})]
    (shown,) = listed["result"]["read_back"]
    assert (shown["room"], shown["days"], shown["state"], shown["stored"], shown["import_id"]) == (
        "discord:101", 7, "read", 2, 1,
    )  # fmt: skip


async def test_lines_that_a_file_brought_there_are_known_again(home: Home, tmp_path: Path) -> None:
    """Though the file had no ids of the platform."""
    path = tmp_path / "hall.jsonl"
    at = (NOON - DAY).isoformat()
    path.write_text(
        f'{{"author": "Max", "text": "mon chat s\'appelle Pixel", "at": "{at}"}}\n', "utf-8"
    )
    await says(home.app, "oui", MAX, external_id="live-2")
    given = {"path": str(path), "room": "hall"}
    events = [one async for one in Operations(home.app).call("history_import", given)]
    assert events[-1]["result"]["counts"]["stored"] == 1
    await asks(home.app, "read-back", days="7")
    await home.passes(timedelta(minutes=1))
    await home.passes(HOUR)
    assert (await home.texts()).count("mon chat s'appelle Pixel") == 1


async def test_it_goes_on_by_itself(tmp_path: Path) -> None:
    """Nobody has to call it: a wish wakes it."""
    async with home_in(tmp_path, FrozenClock(NOON), PastPlatform()) as home:
        await asks(home.app, "read-back", days="7")
        async with asyncio.timeout(PATIENCE_S):
            await home.platform.spoke.wait()

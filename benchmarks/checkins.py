"""A simulated month of ten people who let the pet write first: what it asks, when, and of whom.

`python -m benchmarks.checkins` lives the month of `checkins_month.toml` twice, over the change of
the clock of March and of October 2026 in Paris, and prints every check-in, the hours of them, and
what was brought up that should not have been. Its status is 1 where anything is wrong. No model is
called.
"""

import argparse
import asyncio
import sys
import tomllib
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from zoneinfo import ZoneInfo

from babel.dates import format_date

from benchmarks.repetition import times
from benchmarks.settings import bench_settings, prepare_process
from bot.conversation.splitting import MARKDOWN
from bot.errors import RoomUnreadable
from bot.model.events import AuthorRef, Deleted, Inbound, RoomRef
from bot.model.turns import Outgoing
from bot.ports import CatchUpRules, Communities, FileStore, Host, Markup, Past, Webhook
from bot.wiring.app import App, open_app
from config.sections.conversation import CoalescingSettings
from memory.clock import FrozenClock
from memory.model.checkins import FIRST_HOUR, LAST_HOUR, MOST_A_DAY
from memory.model.rooms import Room, RoomKind, RoomRole, SpaceId
from observers.schedule import slot_of

PARIS = ZoneInfo("Europe/Paris")
STARTS = (date(2026, 3, 9), date(2026, 10, 5))
"""Mondays, twenty days before the clock changes."""

DAYS = 31
STEP = timedelta(minutes=times(20, 60))
"""How often it looks whom to write to: so often that none of an hour is missed."""

DIGESTS = (2, 6, 10, 14, 18, 22)
SPACE = SpaceId("town:harbour")
PLATFORM = "town"
ANSWERED_AFTER = timedelta(hours=1)
ANSWERS = {"fr": "c'est gentil de demander, tout va bien", "en": "kind of you to ask, all is well"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Citizen:
    """A person of the month: language, and the zone of their device."""

    name: str
    locale: str
    zone: ZoneInfo

    @property
    def account(self) -> AuthorRef:
        """Their account."""
        return AuthorRef(platform=PLATFORM, external_id=self.name.lower(), name=self.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class MonthLine:
    """Something that is said in the month, and what should come of it."""

    at: datetime
    who: Citizen
    where: str
    comes: str
    text: str

    @property
    def room(self) -> str:
        """The room as the platform numbers it."""
        return f"dm-{self.who.name.lower()}" if self.where == "dm" else self.where


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A message of the pet's: when, where and what."""

    at: datetime
    room: str
    text: str


@dataclass(frozen=True, slots=True)
class NoTownPast:
    """Nothing can be read back."""

    platform: str = PLATFORM

    async def threads(self) -> dict[str, str]:
        """No room hangs under another."""
        return {}

    async def said(self, room: str, start: datetime, end: datetime | None, limit: int) -> Past:
        """Nothing."""
        raise RoomUnreadable(f"{room} {start} {end} {limit}")


NO_PAST = NoTownPast()
NO_CATCH_UP = CatchUpRules(reach=timedelta(0), most_messages=0)


@dataclass
class TownPlatform:
    """The Platform port over a list."""

    clock: FrozenClock
    written: list[Written] = field(default_factory=list)
    platform: str = PLATFORM
    text_limit: int = 2000
    markup: Markup = MARKDOWN
    past: NoTownPast = NO_PAST
    catch_up: CatchUpRules = NO_CATCH_UP
    files: FileStore | None = None
    communities: Communities | None = None
    webhook: Webhook | None = None
    is_connected: bool = True

    async def send(self, message: Outgoing) -> str | None:
        """Keep a message."""
        room = message.room.external_id
        self.written.append(Written(at=self.clock.now(), room=room, text=message.text))
        return f"sent-{len(self.written)}"

    async def show_typing(self, room: Room) -> None:
        """Nobody sees it."""

    async def quiet(self) -> None:
        """It has no commands of its own."""

    async def run(self, host: Host) -> None:
        """Be there."""
        host.connected()
        await asyncio.Event().wait()


@dataclass
class Month:
    """A pet that lives through the month."""

    app: App
    clock: FrozenClock
    town: TownPlatform
    people: dict[str, Citizen]
    silent: Sequence[str]
    checkins: list[Written] = field(default_factory=list)
    _answers: list[tuple[datetime, str]] = field(default_factory=list)
    _last: dict[str, str] = field(default_factory=dict)
    _said: int = 0

    async def live(self, start: datetime, lines: Sequence[MonthLine]) -> None:
        """Say every line at its time; the jobs run, and people answer what they are asked."""
        waiting = sorted(lines, key=lambda one: one.at)
        now, end = start, start + timedelta(days=DAYS)
        while now < end:
            while waiting and waiting[0].at <= now:
                await self._say(waiting.pop(0))
            self.clock.at = now
            await self._answer(now)
            await self._jobs(now)
            before = len(self.town.written)
            await self.app.checkins.look()
            for one in self.town.written[before:]:
                self.checkins.append(one)
                self._answers.append((now + ANSWERED_AFTER, one.room))
            now += STEP

    async def _say(self, line: MonthLine) -> None:
        self.clock.at = line.at
        if line.text == "!delete":
            gone = Deleted(platform=PLATFORM, external_id=self._last[line.room])
            await self.app.inbox.receive(gone)
            return
        self._said += 1
        self._last[line.room] = f"said-{self._said}"
        is_direct = line.where == "dm"
        room = RoomRef(
            platform=PLATFORM,
            external_id=line.room,
            name=line.who.name if is_direct else line.where,
            kind=RoomKind.DIRECT if is_direct else RoomKind.GROUP,
            role=RoomRole.PET if is_direct else RoomRole.LOBBY,
            space=SPACE,
            confidential=line.where == "bureau",
        )
        await self.app.inbox.receive(
            Inbound(
                external_id=self._last[line.room],
                room=room,
                author=line.who.account,
                text=line.text,
                sent_at=line.at,
                spaces=frozenset({SPACE}),
                manages_space=True,
                zone=line.who.zone.key if is_direct else None,
            )
        )
        await self.app.commands.quiet()
        await self.app.conversations.quiet()

    async def _answer(self, now: datetime) -> None:
        due = [one for one in self._answers if one[0] <= now]
        self._answers = [one for one in self._answers if one[0] > now]
        for at, room in due:
            who = next(
                (one for one in self.people.values() if room == f"dm-{one.name.lower()}"), None
            )
            if who is not None and who.name not in self.silent:
                text = ANSWERS[who.locale]
                await self._say(MonthLine(at=at, who=who, where="dm", comes="", text=text))
        self.clock.at = now

    async def _jobs(self, now: datetime) -> None:
        await self.app.contexts.end_idle()
        await self.app.services.conversation_facts.read_due()
        await self.app.services.indexer.settle()
        local = now.astimezone(PARIS)
        if local.hour in DIGESTS and local.minute < STEP / timedelta(minutes=1):
            if (await self.app.storage.digests.live()).waiting:
                await self.app.services.digest.run(slot_of(now, DIGESTS, PARIS))
                await self.app.services.indexer.settle()
            await self.app.storage.memories.sweep()


def month_of(first: date) -> tuple[dict[str, Citizen], list[str], list[MonthLine]]:
    """The people, those who answer nothing, and the lines of the month that begins then."""
    told = tomllib.loads(Path(__file__).with_name("checkins_month.toml").read_text("utf-8"))
    people = {}
    for one in told["people"]:
        name, locale, *zone = one.split()
        people[name] = Citizen(name=name, locale=locale, zone=ZoneInfo(*zone or ["Europe/Paris"]))
    lines = []
    for day, hour, who, where, comes, text in told["lines"]:
        moment = datetime.combine(first + timedelta(days=day), time.fromisoformat(hour), PARIS)
        dates = {
            f"d{away}": format_date(
                first + timedelta(days=away),
                "d MMMM" if people[who].locale == "fr" else "MMMM d",
                locale=people[who].locale,
            )
            for away in range(DAYS)
        }
        lines.append(
            MonthLine(
                at=moment.astimezone(ZoneInfo("UTC")),
                who=people[who],
                where=where,
                comes=comes,
                text=text.format(**dates),
            )
        )
    return people, told["silent"], lines


@asynccontextmanager
async def _living(
    first: date, people: dict[str, Citizen], silent: Sequence[str]
) -> AsyncIterator[Month]:
    start = datetime.combine(first, time(9), PARIS).astimezone(ZoneInfo("UTC"))
    clock = FrozenClock(start)
    town = TownPlatform(clock)
    with TemporaryDirectory() as folder:
        settings = bench_settings(Path(folder)).model_copy(
            update={
                "coalescing": CoalescingSettings(debounce_s=0, max_wait_s=0),
                "locale": "en",
            }
        )
        async with open_app(settings, clock, platforms=(town,)) as app:
            yield Month(app=app, clock=clock, town=town, people=people, silent=silent)


async def lived(first: date) -> list[str]:
    """Live the month that begins then and print it; what is wrong with it."""
    people, silent, lines = month_of(first)
    async with _living(first, people, silent) as month:
        await month.live(month.clock.at, lines)
    return told(first, people, lines, month.checkins)


def told(
    first: date, people: dict[str, Citizen], lines: Sequence[MonthLine], found: Sequence[Written]
) -> list[str]:
    """Print the check-ins of a month; what is wrong with them."""
    zones = {f"dm-{one.name.lower()}": one.zone for one in people.values()}
    print(f"\n# {first} and {DAYS} days: {len(found)} check-ins")
    wrong, hours, days = [], Counter[int](), Counter[tuple[str, date]]()
    for one in found:
        local = one.at.astimezone(zones.get(one.room, PARIS))
        hours[local.hour] += 1
        days[one.room, local.date()] += 1
        print(f"{local:%a %d %b %H:%M %z} {one.room:10} {one.text}")
        if not FIRST_HOUR <= local.hour < LAST_HOUR:
            wrong.append(f"at night: {one.text}")
    wrong += [f"too many: {room} {day}" for (room, day), n in days.items() if n > MOST_A_DAY]
    twice = Counter((one.room, one.text) for one in found)
    wrong += [f"twice: {text}" for (_, text), n in twice.items() if n > 1]
    wanted = [one for one in lines if one.comes in {"dm", "room"}]
    for line in wanted:
        room = f"dm-{line.who.name.lower()}" if line.comes == "dm" else line.where
        if not any(one.room == room and _is_about(one, line) for one in found):
            wrong.append(f"missing in {room}: {line.text}")
    for line in lines:
        where = {one.room for one in found if _is_about(one, line)}
        if line.comes == "-" and where:
            wrong.append(f"brought up in {', '.join(where)}: {line.text}")
        private = where - {f"dm-{line.who.name.lower()}"}
        if line.where == "dm" and private:
            wrong.append(f"told in {', '.join(private)}: {line.text}")
    print("hours:", " ".join(f"{hour}h {n}" for hour, n in sorted(hours.items())))
    print(f"wanted {len(wanted)}, never to be asked {sum(one.comes == '-' for one in lines)}")
    for sentence in wrong:
        print("WRONG", sentence)
    return wrong


def _is_about(one: Written, line: MonthLine) -> bool:
    if "anniversaire est" in line.text or "birthday is" in line.text:
        return line.who.name in one.text and ("anniv" in one.text or "birthday" in one.text)
    return line.text.rstrip(" .,;!?") in one.text


async def main() -> int:
    """Live the months that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--start", type=date.fromisoformat, nargs="*", default=STARTS)
    chosen = parser.parse_args()
    prepare_process()
    wrong = [one for first in chosen.start for one in await lived(first)]
    print("\nnothing is wrong" if not wrong else f"\n{len(wrong)} things are wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))

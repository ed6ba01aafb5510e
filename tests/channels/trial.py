"""The pet as a process in a world of any channel: who says what to it, and what it answers once."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from bot.lock import holder_of
from bot.texts.catalogue import translations
from tests.channels.world import ChannelWorld, PetMessage, Where, Who
from tests.patience import PATIENCE_S
from tests.peers.daemon import Daemon, awake
from tests.peers.discord_stage import rows
from tests.web.browsing import free_port

T = TypeVar("T")

QUICK = {
    "EKO_COALESCING__DEBOUNCE_S": "0",
    "EKO_EMBEDDER__KIND": "none",
    "EKO_LOOPS__ANSWERS": "1000",
    "EKO_LOOPS__ROOM_ANSWERS": "10000",
    "EKO_RATES__PER_ADDRESS": "10000",
    "EKO_RATES__PER_PERSON": "10000",
    "EKO_RATES__PER_ROOM": "10000",
    "EKO_RATES__READ_PER_PERSON": "10000",
    "EKO_RATES__READ_PER_ROOM": "10000",
    "EKO_RECALL__DEADLINE_MS": "10000",
    "EKO_SWEEPS__SESSIONS_SECONDS": "0.2",
    "EKO_WEB__ENABLED": "true",
}
"""A pet that answers at once, searches to the end, trusts all, and soon sends again."""

LOOK_EVERY_S = 0.05

DIRECT = {Who.LEA: Where.LEA_DIRECT, Who.TOM: Where.TOM_DIRECT, Who.OWNER: Where.OWNER_DIRECT}
"""Where each is alone with the pet."""

_ADMINS = "EKO_ADMINS__IDENTITIES"


async def until(look: Callable[[], Awaitable[T | None]]) -> T:
    """What a look finds, once it finds something.

    Raises:
        TimeoutError: it never did.

    """
    async with asyncio.timeout(PATIENCE_S):
        while (found := await look()) is None:  # noqa: ASYNC110 - no world tells of it
            await asyncio.sleep(LOOK_EVERY_S)
        return found


@dataclass(frozen=True, kw_only=True)
class Trial:
    """A world, a daemon that is in it, and the folder of what that keeps."""

    world: ChannelWorld
    daemon: Daemon
    data: Path
    port: int

    @property
    def other(self) -> Who:
        """Tom, or Léa where one alone talks with the pet."""
        return Who.LEA if self.world.abilities.solo else Who.TOM

    @property
    def group(self) -> Where:
        """The lobby, or where there are no groups the direct room of the other one."""
        return Where.LOBBY if self.world.abilities.groups else DIRECT[self.other]

    @property
    def rooms(self) -> Sequence[Where]:
        """The rooms that the world has."""
        if self.world.abilities.solo:
            return (Where.LEA_DIRECT,)
        return [one for one in Where if one is not Where.LOBBY or self.world.abilities.groups]

    async def addresses(self, who: Who, where: Where, text: str) -> str:
        """Say something to the pet: by calling it where others are; the message's id."""
        if where is Where.LOBBY:
            return await self.world.calls(who, where, text)
        return await self.world.says(who, where, text)

    async def answers_to(self, where: Where, said: str, before: int) -> Sequence[PetMessage]:
        """What the pet said to a message, of its messages after the first `before`.

        A platform may leave away which message is answered where two are alone.
        """
        may_be = {said} if where is Where.LOBBY else {said, None}
        later = (await self.world.pet_said(where))[before:]
        return [one for one in later if one.answers in may_be]

    async def answer(self, where: Where, said: str, before: int) -> PetMessage:
        """The first answer to a message, once it is there."""

        async def look() -> PetMessage | None:
            return next(iter(await self.answers_to(where, said, before)), None)

        return await until(look)

    async def hears(self, who: Who, where: Where, text: str) -> PetMessage:
        """The answer to what is said to the pet, which is the only one."""
        before = len(await self.world.pet_said(where))
        said = await self.addresses(who, where, text)
        return await self.only_answer(who, where, said, before)

    async def hears_all(self, who: Who, where: Where, text: str) -> str:
        """All that the pet says to what is said to it, however many messages it takes."""
        before = len(await self.world.pet_said(where))
        await self.answer(where, await self.addresses(who, where, text), before)
        await self.comes(self.is_quiet)
        return "\n".join(one.text for one in (await self.world.pet_said(where))[before:])

    def is_quiet(self) -> bool:
        """Whether all that was heard is answered, and every answer delivered."""
        open_ = (
            "SELECT (SELECT count(*) FROM messages WHERE handling = 'pending')"
            " + (SELECT count(*) FROM turns WHERE state = 'replied')"
        )
        return self.kept(open_) == [(0,)]

    async def only_answer(self, who: Who, where: Where, said: str, before: int) -> PetMessage:
        """The answer to a message, and no other follows it.

        One person's messages in a room are answered one after the other: once something that was
        said later is answered, no second answer can come.
        """
        found = await self.answer(where, said, before)
        await self.is_done(who, where)
        known = [one.text for one in await self.answers_to(where, said, before) if one.answers]
        assert known in ([], [found.text]), known
        return found

    async def is_done(self, who: Who, where: Where) -> None:
        """Wait until all that this person said here before is dealt with."""
        before = len(await self.world.pet_said(where))
        await self.answer(where, await self.addresses(who, where, "bonjour"), before)

    async def commands(self, who: Who, where: Where, line: str) -> PetMessage:
        """The answer to a command in a line, the first part of it."""
        before = len(await self.world.pet_said(where))
        return await self.answer(where, await self.world.says(who, where, line), before)

    async def confirms(
        self, who: Who, where: Where, shown: PetMessage, text: str, typed: str
    ) -> None:
        """Press the button that has a text of the pet's, or type what stands for it."""
        if not self.world.abilities.buttons:
            await self.world.says(who, where, typed)
            return
        labels = set(translations(text).values()) & set(shown.buttons)
        assert labels, shown
        await self.world.presses(who, shown.id, labels.pop())

    def kept(self, query: str, *values: str) -> list[tuple[Any, ...]]:
        """Rows of the database, while the daemon runs."""
        return rows(self.data, query, *values)

    def stored(self, like: str) -> list[str]:
        """The texts of people on this platform that are like a pattern, as they were stored."""
        query = (
            "SELECT text FROM messages WHERE platform = ? AND author_kind = 'person'"
            " AND text LIKE ? ORDER BY id"
        )
        return [text for (text,) in self.kept(query, self.world.name, like)]

    async def comes(self, held: Callable[[], bool]) -> None:
        """Wait until something holds of what is kept."""

        async def look() -> bool | None:
            return held() or None

        await until(look)

    async def reaches(self, counted: Callable[[], int], wanted: int) -> None:
        """Wait until so many are there, as long as more keep coming: a busy machine is slow."""
        seen = counted()
        while seen < wanted:
            await self.comes(partial(_is_over, counted, seen))
            seen = counted()


def _is_over(counted: Callable[[], int], seen: int) -> bool:
    return counted() > seen


@asynccontextmanager
async def in_world(
    world: ChannelWorld,
    data: Path,
    settings: Mapping[str, str] | None = None,
    *,
    port: int | None = None,
) -> AsyncIterator[Trial]:
    """A daemon that is in a world, whose page is at a port that a restart can have again."""
    async with in_worlds([world], data, settings, port=port) as (trial,):
        yield trial


@asynccontextmanager
async def in_worlds(
    worlds: Sequence[ChannelWorld],
    data: Path,
    settings: Mapping[str, str] | None = None,
    *,
    port: int | None = None,
) -> AsyncIterator[list[Trial]]:
    """The same daemon in several worlds at once, as a trial for each."""
    chosen = port or free_port()
    if port is None:  # what a first start may be told by
        await _told(worlds, f"http://127.0.0.1:{chosen}")
    given = QUICK | _settings(worlds) | {"EKO_WEB__PORT": str(chosen)} | dict(settings or {})
    async with awake(data, given) as daemon:
        holder = holder_of(data)
        assert holder is not None
        await _told(worlds, holder.page)
        for world in worlds:
            await daemon.has_written(world.connected)
        yield [Trial(world=world, daemon=daemon, data=data, port=chosen) for world in worlds]


async def _told(worlds: Sequence[ChannelWorld], base_url: str | None) -> None:
    for world in worlds:
        await world.pet_is(base_url)


def _settings(worlds: Sequence[ChannelWorld]) -> dict[str, str]:
    """What all worlds ask for together; each has an admin of its own."""
    given = {name: value for world in worlds for name, value in world.settings.items()}
    admins = [one for world in worlds for one in json.loads(world.settings[_ADMINS])]
    return given | {_ADMINS: json.dumps(admins)}


async def is_killed(trial: Trial) -> None:
    """Kill the daemon, after which nothing is at its address."""
    await trial.world.pet_is(None)
    await trial.daemon.killed()

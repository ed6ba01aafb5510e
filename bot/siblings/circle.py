"""All other processes of the pet, asked side by side; who does not answer in time is named."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from hmac import compare_digest
from http import HTTPStatus
from typing import Generic, Literal, TypeVar

import structlog
from pydantic import BaseModel

from bot.errors import DeliveryFailed
from bot.model.commands import Caller
from bot.platforms.http_api import ApiDenied, ApiRefused
from bot.siblings.client import Sibling
from bot.siblings.values import ProcessStanding, SiblingAccount
from memory.model.people import account_parts
from memory.model.rooms import RoomKind

log = structlog.get_logger()

STANDING_S = 3.0
"""Seconds for a process to say who it is."""

Silence = Literal["away", "refused", "older", "closed"]
"""Why a process does not say who it is: it refuses the key, knows no siblings, or does not answer
by that address."""

Sight = ProcessStanding | Silence
"""What was seen of a process."""

_BEHIND = "Deeds wait for it that it has not done yet."

A = TypeVar("A")
B = TypeVar("B", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Answers(Generic[A]):
    """What each sibling answered, and those that did not."""

    given: Mapping[Sibling, A]
    missing: tuple[Sibling, ...]

    @property
    def names_missing(self) -> tuple[str, ...]:
        """What people read of those."""
        return tuple(one.name for one in self.missing)


class Siblings:
    """The other processes of a pet, none for a pet of one process, and the key of all of them.

    `platform` is the one that they share out. An account of any other may be another person in
    each process, as `console:you` is, so none is ever named between them.
    """

    def __init__(self, every: Sequence[Sibling] = (), key: str = "", platform: str = "") -> None:
        self.every = tuple(every)
        self.platform = platform
        self._key = sha256(key.encode()).digest() if key else b""

    def is_key(self, shown: str) -> bool:
        """Whether this is the key that all processes have; none is where there is none."""
        return compare_digest(sha256(shown.encode()).digest(), self._key)

    def knows(self, account: str) -> bool:
        """Whether there are others, to whom an account is the same person as here."""
        return bool(self.every) and account_parts(account)[0] == self.platform

    @property
    def addresses(self) -> tuple[str, ...]:
        """Where they are."""
        return tuple(one.address for one in self.every)

    async def all(
        self, answer: type[B], path: str, body: BaseModel, *, limit_s: float
    ) -> Answers[B]:
        """What all answer to a body within a limit."""

        async def ask(one: Sibling) -> B:
            return await one.asked(answer, path, body, limit_s=limit_s)

        return await self.each(ask, self.every)

    async def about(
        self, caller: Caller, ask: Callable[[Sibling, SiblingAccount], Awaitable[A]]
    ) -> Answers[A]:
        """What all answer about who calls a command; nothing where others read along."""
        if caller.room.kind is not RoomKind.DIRECT or not self.knows(caller.account):
            return Answers({}, ())
        who = SiblingAccount.of(caller.account, caller.person.name)
        return await self.each(lambda one: ask(one, who), self.every)

    async def standings(self) -> Mapping[str, Sight]:
        """Who each says it is, by its address."""

        async def seen(one: Sibling) -> Sight:
            try:
                return await one.standing(limit_s=STANDING_S)
            except ApiDenied:
                return "refused"
            except ApiRefused as refused:
                return "older" if refused.status == HTTPStatus.NOT_FOUND else "closed"
            except DeliveryFailed:
                return "away"

        return dict(zip(self.addresses, await asyncio.gather(*map(seen, self.every)), strict=True))

    async def close(self) -> None:
        """End the connections to them."""
        for one in self.every:
            await one.close()

    async def each(
        self,
        ask: Callable[[Sibling], Awaitable[A]],
        asked: Sequence[Sibling],
        own: Awaitable[None] | None = None,
        *,
        grace_s: float | None = None,
    ) -> Answers[A]:
        """What some of them answer, each to its own ask; who is behind is missing.

        With `own` that is awaited beside, and for so many seconds after it.
        """

        async def kept(one: Sibling) -> A | None:
            try:
                answer = None if one.behind else await ask(one)
            except DeliveryFailed as error:
                log.warning("sibling.missed", sibling=one.name, reason=str(error))
                return None
            if one.behind:  # also since it was asked: it is to be handed what waits
                one.stirred.set()
                log.warning("sibling.missed", sibling=one.name, reason=_BEHIND)
                return None
            return answer

        async with asyncio.TaskGroup() as group:
            tasks = {one: group.create_task(kept(one)) for one in asked}
            if own is not None:
                await own
            if tasks:
                await asyncio.wait(tasks.values(), timeout=grace_s)
            done = {one: task.result() for one, task in tasks.items() if task.done()}
            for task in tasks.values():
                task.cancel()
        given = {one: answer for one, answer in done.items() if answer is not None}
        return Answers(given, tuple(one for one in asked if one not in given))


NO_SIBLINGS = Siblings()
"""Those of a pet of one process."""

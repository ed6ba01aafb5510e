"""A channel to a service elsewhere: what all of them have alike, with defaults.

A channel says what one life of its connection is and what the errors of its service mean. Lives
follow each other here, with the waits between them; what only a person can mend is said once.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NoReturn

import structlog

from bot.errors import RoomUnreadable
from bot.platforms.backoff import Backoff
from bot.ports import CatchUpRules, Communities, FileStore, Markup, Past, RoomPast, Webhook

log = structlog.get_logger()

SLOW_S = 300.0
"""Seconds until it is tried again what only a person can mend."""

CLOSE_S = 0.8
"""Seconds for taking leave; a task that takes longer than one second is cancelled again."""

FAULT = "a fault of this program's"
"""The reason of a life that ended without the service's doing."""

NOTHING_READ_BACK = CatchUpRules(reach=timedelta(0), most_messages=0)


@dataclass(frozen=True, slots=True)
class NothingBehind:
    """The past of rooms that cannot be read back: what was missed comes by itself, or never."""

    platform: str

    async def threads(self) -> Mapping[str, str]:
        """No room hangs under another."""
        return {}

    async def said(self, room: str, start: datetime, end: datetime | None, limit: int) -> Past:
        """Nothing can be read back.

        Raises:
            RoomUnreadable: always.

        """
        del start, end, limit
        raise RoomUnreadable(f"Nothing that was said in {room} can be read back.")


@dataclass(frozen=True, slots=True)
class LifeRefused:
    """Why a life ended: what only a person can mend, in a sentence.

    It is tried again after `wait_s`, or after `SLOW_S`.
    """

    sentence: str
    wait_s: float | None = None


@dataclass(frozen=True, slots=True)
class LifeOver:
    """Why a life ended: on purpose, and the next begins at once."""


@dataclass(frozen=True, slots=True)
class LifeLost:
    """Why a life ended: a cut, which is tried again after at least so many seconds.

    Without a reason nothing is logged: the service only asked for patience.
    """

    reason: str = ""
    least_s: float = 0.0


Ended = LifeRefused | LifeLost | LifeOver


class ConnectionLife:
    """The lives of one connection, one after the other, until it is cancelled."""

    def __init__(self, platform: str, backoff: Backoff) -> None:
        self._refused, self._lost, self._failed = (
            f"{platform}.{what}" for what in ("refused", "lost", "failed")
        )
        self._backoff = backoff
        self._said: set[str] = set()

    @property
    def refusals(self) -> Collection[str]:
        """What only a person can mend and was said since the last life that went well."""
        return frozenset(self._said)

    async def run(
        self,
        live: Callable[[], Awaitable[None]],
        why: Callable[[Exception], Ended | None],
    ) -> NoReturn:
        """Live again and again, whatever ends a life.

        `why` says what an error of a life means; None is a fault of this program's, which is logged
        with its traceback.
        """
        while True:
            wait_s = await self._lived(live, why)
            await asyncio.sleep(wait_s)

    def began(self, *, still: Collection[str] = ()) -> None:
        """The service is there: waits begin short again; of what was said only `still` holds."""
        self._backoff.succeeded()
        self._said &= set(still)

    def say(self, sentence: str) -> bool:
        """Say once what only a person can mend; whether it had to be said."""
        if sentence in self._said:
            return False
        log.warning(self._refused, reason=sentence)
        self._said.add(sentence)
        return True

    async def _lived(
        self,
        live: Callable[[], Awaitable[None]],
        why: Callable[[Exception], Ended | None],
    ) -> float:
        try:
            await live()
        except Exception as error:
            ended = why(error)
            if ended is None:
                log.exception(self._failed)
            return self._after(ended or LifeLost(FAULT))
        return self._after(LifeLost(FAULT))

    def _after(self, ended: Ended) -> float:
        """Say why a life ended; the seconds until the next."""
        if isinstance(ended, LifeOver):
            return 0.0
        if isinstance(ended, LifeRefused):
            self.say(ended.sentence)
            return SLOW_S if ended.wait_s is None else ended.wait_s
        wait_s = max(self._backoff.failed(), ended.least_s)
        if ended.reason:
            log.warning(self._lost, reason=ended.reason, wait_s=round(wait_s, 1))
        return wait_s


class ChannelElsewhere:
    """What a channel has unless it says otherwise: nothing to read back, no roles, no webhook."""

    text_limit: int
    markup: Markup
    catch_up: CatchUpRules = NOTHING_READ_BACK
    communities: Communities | None = None
    webhook: Webhook | None = None
    files: FileStore | None = None

    def __init__(self, platform: str) -> None:
        self.platform = platform
        self.past: RoomPast = NothingBehind(platform)

    async def quiet(self) -> None:
        """Wait until commands of its own are answered; here they are typed like everything else."""

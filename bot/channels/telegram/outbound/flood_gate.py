"""Where all that is sent waits together: of those who wait for a chat, one knocks at a time.

Telegram says how long to wait (`retry_after`), and neither for whom it counts nor how many may
follow: https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

import structlog

from bot.errors import DeliveryFailed
from bot.platforms.http_api import ApiBusy

log = structlog.get_logger()

LONGEST_WAIT_S = 90.0
"""Seconds that a reply waits: a group takes twenty messages a minute."""

UNTOLD_S = 1.0
"""Seconds to wait where Telegram says none."""

LEAST_WAIT_S = 0.05
"""Seconds to wait at least: a server that says 0 would be asked without a pause."""

FIRST_APART_S = 0.5
"""Seconds between two messages after the first wait, at most; twice as many after each other."""

FARTHEST_APART_S = 3.0
"""Seconds between two messages of a chat at most: twenty a minute."""

BOT_APART_S = 1 / 30
"""Seconds between two messages of the bot: Telegram takes about thirty a second from it."""

BOT_LONGEST_S = 5.0
"""Seconds that all chats wait for one: its own limit may last much longer than that of the bot."""

CALM_S = 60.0
"""Seconds after which a wait that was asked for counts no more."""

MOST_CHATS = 1000
"""Chats that are kept in mind; those at rest go."""

T = TypeVar("T")


class _Queue:
    """Who sends, one after the other; `free_at` is when the next may, `apart_s` after the last."""

    def __init__(self, apart_s: float = 0.0) -> None:
        self.lock = asyncio.Lock()
        self.free_at = 0.0
        self.held_until = float("-inf")
        self._least_s = self._apart_s = apart_s

    @property
    def is_strained(self) -> bool:
        """Whether Telegram has asked to wait not long ago."""
        return _now() < self.held_until + CALM_S

    async def turn(self, patience: float) -> None:
        """Wait for the next turn.

        Raises:
            DeliveryFailed: it comes after the moment `patience`.

        """
        if max(self.free_at, _now()) > patience:
            raise DeliveryFailed("Telegram asks to wait for long.")
        await asyncio.sleep(max(0.0, self.free_at - _now()))

    def passed(self) -> None:
        """Note that something was sent."""
        if not self.is_strained:
            self._apart_s = self._least_s
        self.free_at = max(self.free_at, _now() + self._apart_s)

    def refused(self, wait_s: float, farthest_s: float) -> None:
        """Note that Telegram asks to wait: what follows goes farther apart each time."""
        self._apart_s = min(2 * self._apart_s or min(wait_s / 2, FIRST_APART_S), farthest_s)
        self.held_until = self.free_at = max(self.free_at, _now() + wait_s)


class FloodGate:
    """Lets requests through that send something, each chat's in the order they came.

    Where two chats are asked to wait at once it may be the bot: then all go one at a time.
    """

    def __init__(self) -> None:
        self._chats: dict[int, _Queue] = {}
        self._bot = _Queue(BOT_APART_S)

    def is_closed(self, chat: int) -> bool:
        """Whether what is sent to a chat has to wait now."""
        queue = self._chats.get(chat)
        return queue is not None and (queue.lock.locked() or queue.free_at > _now())

    async def passed(self, chat: int, request: Callable[[], Awaitable[T]]) -> T:
        """The result of a request about a chat, made when it is its turn and until it is taken.

        Raises:
            DeliveryFailed: see `BotApi.call`, or Telegram asks to wait for long.

        """
        patience = _now() + LONGEST_WAIT_S
        queue = self._queue(chat)
        async with queue.lock:
            while True:
                await queue.turn(patience)
                try:
                    return await self._knock(patience, request)
                except ApiBusy as busy:
                    wait_s = UNTOLD_S if busy.retry_after_s is None else busy.retry_after_s
                    self._refused(queue, max(wait_s, LEAST_WAIT_S))
                finally:
                    queue.passed()

    async def _knock(self, patience: float, request: Callable[[], Awaitable[T]]) -> T:
        async with self._bot.lock:
            await self._bot.turn(patience)
            self._bot.passed()
            if self._bot.is_strained:
                return await request()  # with the lock held, so that no other knocks
        return await request()

    def _refused(self, queue: _Queue, wait_s: float) -> None:
        log.info("sending.postponed", wait_s=wait_s)
        others = (one for one in self._chats.values() if one is not queue)
        if self._bot.is_strained or any(one.held_until > _now() for one in others):
            self._bot.refused(min(wait_s, BOT_LONGEST_S), UNTOLD_S)
        queue.refused(wait_s, FARTHEST_APART_S)

    def _queue(self, chat: int) -> _Queue:
        if chat not in self._chats and len(self._chats) >= MOST_CHATS:
            self._chats = {id_: one for id_, one in self._chats.items() if self.is_closed(id_)}
        return self._chats.setdefault(chat, _Queue())


def _now() -> float:
    return asyncio.get_running_loop().time()

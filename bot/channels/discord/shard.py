"""One gateway session of the client: how it begins, resumes after a cut, and starts over."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, nullcontext, suppress
from dataclasses import dataclass, field
from typing import Any, NoReturn, Protocol

import aiohttp
import discord
import structlog
import yarl
from discord.gateway import DiscordWebSocket, ReconnectWebSocket

from bot.channels.discord.inbound.interpreter import Event
from bot.channels.discord.service.http import UNREADABLE
from bot.platforms.backoff import Backoff

log = structlog.get_logger()

HELLO_S = 60
"""Seconds for the gateway to greet."""

MOST_UNREAD = 20
"""Events in a row that cannot be read before it is a matter of the connection."""

MOST_RESUMED = 6
"""Tries to go on with a conversation before another is begun: about half a minute."""

YIELD_EVERY = 10
"""Events that are read before others have their turn: a burst must not hold up the pet."""

MOST_EARLY = 2000
"""Events that are held until it is known where they happened."""

EARLY_S = 5.0
"""Seconds to wait for that before one more is read."""

_CUT = (OSError, aiohttp.ClientError, TimeoutError)


class ConnectionGone(Exception):
    """The conversation cannot be gone on with; another has to be begun."""


class ShardPace(Protocol):
    """What keeps a shard from beginning or reading too fast."""

    async def may_begin(self, bucket: int) -> None:
        """Wait until a session of this bucket may begin; Discord paces each by itself."""
        ...

    async def wait_for_space(self) -> None:
        """Wait for some seconds at most, while too much waits."""
        ...


@dataclass(frozen=True, slots=True)
class StartBucket:
    """The sessions that may not begin together: `door` lets in one after the other."""

    number: int
    door: asyncio.Lock = field(default_factory=asyncio.Lock)


class ShardSession:
    """One session, and what it has heard before the guilds were known.

    `lost` is called when the session is over while others of the client go on.
    `early` holds events while the session is new, and is None once the guilds are
    known.
    """

    def __init__(
        self,
        client: discord.AutoShardedClient,
        pace: ShardPace,
        number: int,
        *,
        bucket: StartBucket,
        lost: Callable[[], None],
    ) -> None:
        self.number = number
        self.early: list[tuple[int, Event]] | None = []
        self.was_lost = False
        self._client, self._pace = client, pace
        self._bucket, self._lost = bucket, lost
        self._ready = asyncio.Event()
        self._ws: DiscordWebSocket | None = None
        self._limit: asyncio.Timeout | None = None
        self._backoff = Backoff(first_s=1, longest_s=16, healthy_s=60)
        self._again = Backoff(first_s=1, longest_s=60, healthy_s=60)
        self._cuts = self._unread = self._reads = 0

    @property
    def is_ready(self) -> bool:
        """Whether its guilds are known; a cut that is being mended does not change that."""
        return self._ready.is_set()

    @property
    def socket(self) -> DiscordWebSocket:
        """What it hears by.

        Raises:
            LookupError: it has not begun.

        """
        if self._ws is None:
            raise LookupError("The session has not begun.")
        return self._ws

    @property
    def is_open(self) -> bool:
        """Whether it hears now."""
        return self.is_ready and self._ws is not None and self._ws.open

    async def run(self, gateway: yarl.URL | None) -> NoReturn:
        """Listen; a conversation that was cut is gone on with, after waits that grow.

        The library's own loop reads a burst without giving way, ends at one malformed event,
        waits a quarter of an hour after some failures and not at all after others. Without a
        `gateway` it is asked for.

        Raises:
            ConnectionGone: the session is over for good.
            discord.ConnectionClosed: Discord says by a code why it will not talk.

        """
        self._ws, self._cuts, self._unread = None, 0, 0
        session = await self._anew() if gateway is None else {"initial": True, "gateway": gateway}
        while True:
            try:
                await self._listen(session)
            except ReconnectWebSocket as cut:
                session = self._resumed() if cut.resume else await self._anew()
            except _CUT:
                session = self._resumed()
            await self._pause()

    async def run_again(self, gateway: yarl.URL | None) -> NoReturn:
        """Listen for ever: where a session is over, the others of the client go on.

        Raises:
            discord.ConnectionClosed: Discord says by a code why it will not talk.

        """
        while True:
            try:
                await self.run(gateway)
            except (ConnectionGone, discord.GatewayNotFound, discord.HTTPException, *_CUT) as gone:
                gateway, self.was_lost, self.early = None, True, []
                self._ready.clear()
                self._lost()
                wait_s = self._again.failed()
                reason = str(gone) or type(gone).__name__
                log.warning("shard.lost", shard=self.number, reason=reason, wait_s=round(wait_s, 1))
                await self.close()
                await asyncio.sleep(wait_s)

    async def may_identify(self) -> None:
        """Wait for this session's turn to begin, which the time for a greeting does not include."""
        if self._limit is not None:
            self._limit.reschedule(None)
        await self._pace.may_begin(self._bucket.number)
        if self._limit is not None:
            self._limit.reschedule(asyncio.get_running_loop().time() + HELLO_S)

    def began(self) -> None:
        """A session began, and its guilds come."""
        self.early = self.early or []

    def knows_guilds(self) -> list[tuple[int, Event]]:
        """Its guilds are known: returns what was heard before."""
        self.works()
        self._ready.set()
        early, self.early = self.early or [], None
        return early

    def works(self) -> None:
        """Discord talks: waits begin short again."""
        self._cuts = 0
        self._backoff.succeeded()
        self._again.succeeded()

    async def close(self) -> None:
        """Take leave."""
        if self._ws is not None and self._ws.open:
            await self._ws.close(code=1000)

    async def _listen(self, session: dict[str, Any]) -> None:
        in_turn: AbstractAsyncContextManager[Any]
        in_turn = nullcontext() if session.get("resume") else self._bucket.door
        async with in_turn, asyncio.timeout(HELLO_S) as self._limit:
            self._ws = await DiscordWebSocket.from_client(
                self._client, shard_id=self.number, **session
            )
        while True:
            await self._poll(self._ws)
            self._reads += 1
            if self._reads % YIELD_EVERY == 0:
                await asyncio.sleep(0)
            await self._wait_for_space()

    async def _wait_for_space(self) -> None:
        """Wait while too much waits; the connection must show life now and then."""
        await self._pace.wait_for_space()
        if self.early is not None and len(self.early) >= MOST_EARLY:
            with suppress(TimeoutError):
                async with asyncio.timeout(EARLY_S):
                    await self._ready.wait()

    async def _poll(self, ws: DiscordWebSocket) -> None:
        """Read one event; one that cannot be read is left out."""
        try:
            await ws.poll_event()
        except UNREADABLE as error:
            self._unread += 1
            if not self.is_ready or self._unread >= MOST_UNREAD:
                raise ConnectionGone("Discord says what cannot be read.") from error
            log.exception("event.misread")
        else:
            self._unread = 0

    async def _anew(self) -> dict[str, Any]:
        """What is needed to begin a conversation; after too many Discord voids the token."""
        _, url, limit = await self._client.http.get_bot_gateway()
        refuse_beyond(limit, 1)
        return {"initial": False, "gateway": yarl.URL(url)}

    def _resumed(self) -> dict[str, Any]:
        """What is needed to go on where the conversation was cut."""
        ws = self._ws
        if ws is None or ws.session_id is None:
            raise ConnectionGone("The connection was cut before it was there.")
        place = {"session": ws.session_id, "sequence": ws.sequence, "gateway": ws.gateway}
        return {"initial": False, "resume": True, **place}

    async def _pause(self) -> None:
        self._cuts += 1
        if self._cuts > MOST_RESUMED:
            raise ConnectionGone("The connection is cut again and again.")
        wait_s = self._backoff.failed()
        log.info("discord.disconnected", shard=self.number, wait_s=round(wait_s, 1))
        await asyncio.sleep(wait_s)


def refuse_beyond(limit: Any, sessions: int) -> None:
    """Make sure that so many sessions may be begun now: after too many Discord voids the token.

    Raises:
        ConnectionGone: they may not.

    """
    if limit["remaining"] < sessions:
        wait_s = limit["reset_after"] // 1000
        raise ConnectionGone(f"Discord lets nobody begin anew for another {wait_s} seconds.")

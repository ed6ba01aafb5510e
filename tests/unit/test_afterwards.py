"""What follows a reply is done in turn, once, and never lost to a failure."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from memory.tasks import background_task
from observers.after_reply import AfterReply
from tests.patience import PATIENCE_S


class Noting:
    """Notes what it is given; while the gate is shut it works on it; it fails on "bad"."""

    def __init__(self) -> None:
        self.seen: list[str | None] = []
        self.gate = asyncio.Event()
        self.gate.set()
        self.begun = asyncio.Event()

    async def after_turn(self, session: str) -> None:
        """A session."""
        await self._note(session)

    async def catch_up(self) -> None:
        """A look around."""
        await self._note(None)

    async def _note(self, session: str | None) -> None:
        self.seen.append(session)
        self.begun.set()
        await self.gate.wait()
        if session == "bad":
            raise ValueError


@asynccontextmanager
async def at_work(noting: Noting) -> AsyncIterator[AfterReply]:
    """A queue that is being worked off."""
    after_reply = AfterReply(noting)
    async with background_task(after_reply.run(), name="afterwards"):
        yield after_reply


async def test_sessions_are_seen_to_in_the_order_they_were_answered_in() -> None:
    """And a look around in its turn."""
    noting = Noting()
    async with at_work(noting) as after_reply:
        after_reply.replied("a")
        after_reply.look_around()
        after_reply.replied("b")
        await after_reply.quiet()
    assert noting.seen == ["a", None, "b"]


async def test_a_session_that_waits_is_seen_to_once() -> None:
    """However often it was answered meanwhile; but again when that was after it had begun."""
    noting = Noting()
    noting.gate.clear()
    async with at_work(noting) as after_reply:
        after_reply.replied("a")
        await noting.begun.wait()
        for _ in range(3):
            after_reply.replied("a")
        noting.gate.set()
        await after_reply.quiet()
    assert noting.seen == ["a", "a"]


async def test_a_failure_does_not_stop_what_comes_after() -> None:
    """It is logged, and due again with the next turn."""
    noting = Noting()
    async with at_work(noting) as after_reply:
        after_reply.replied("bad")
        after_reply.replied("good")
        await after_reply.quiet()
    assert noting.seen == ["bad", "good"]


async def test_nothing_to_do_is_quiet() -> None:
    """Nobody waits for work that there is none of."""
    async with at_work(Noting()) as after_reply, asyncio.timeout(PATIENCE_S):
        await after_reply.quiet()

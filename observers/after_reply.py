"""What follows a reply, in the background: one session at a time, and made up for after a stop."""

import asyncio
from functools import partial
from typing import Protocol

from observers.schedule import guarded


class Aftercare(Protocol):
    """Work on a conversation after its reply; what is due is read from the tables."""

    async def after_turn(self, session: str) -> object:
        """Do what a new turn of a session makes due."""
        ...

    async def catch_up(self) -> object:
        """Do what is due anywhere: sessions that ended, work that failed or was cut off."""
        ...


class AfterReply:
    """Hands sessions to a work, one after the other; nothing is lost with its queue but time.

    A work that fails is logged, and due again with the next turn or the next look around.
    """

    def __init__(self, work: Aftercare) -> None:
        self._work = work
        self._waiting: dict[str | None, None] = {}
        self._more = asyncio.Event()
        self._quiet = asyncio.Event()
        self._quiet.set()

    def replied(self, session: str) -> None:
        """Note that a session has a new turn."""
        self._note(session)

    def look_around(self) -> None:
        """Look for what is due anywhere, once what waits is done."""
        self._note(None)

    async def run(self) -> None:
        """Work until cancelled."""
        while True:
            await self._more.wait()
            while self._waiting:
                await self._see_to(next(iter(self._waiting)))
            self._more.clear()
            self._quiet.set()

    async def quiet(self) -> None:
        """Wait until nothing waits and nothing is under way."""
        await self._quiet.wait()

    def _note(self, session: str | None) -> None:
        self._waiting[session] = None
        self._quiet.clear()
        self._more.set()

    async def _see_to(self, session: str | None) -> None:
        del self._waiting[session]  # before: what is said meanwhile is due again
        work = self._work
        due = work.catch_up if session is None else partial(work.after_turn, session)
        await guarded("aftercare", due)()

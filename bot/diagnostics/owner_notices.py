"""What the owner is warned of: told in the log and where they said, once an hour for each kind."""

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Protocol
from uuid import uuid4

import structlog

from bot.conversation.delivery import Delivery
from bot.errors import BotError
from bot.model.turns import Expression, Reply
from bot.texts.catalogue import say
from memory.model.errors import EkoMemoryError
from memory.model.notices import NoticeKind, OwnerNotice
from memory.ports import Clock
from memory.storage.people.people import People

log = structlog.get_logger()

BETWEEN = timedelta(hours=1)
"""Least time between two warnings of one kind; what comes meanwhile goes with the next."""

MOST_HELD = 20
"""Warnings of one kind that are told together: the first ones say what is wrong."""


class NoticeOutlet(Protocol):
    """A place where the owner reads warnings."""

    async def show(self, notices: Sequence[OwnerNotice]) -> None:
        """Show warnings of one kind.

        Raises:
            BotError: it could not.
            EkoMemoryError: it could not.

        """
        ...


class OwnerNoticeDesk:
    """Takes warnings and hands them to every outlet, at most once an hour for each kind."""

    def __init__(self, outlets: Iterable[NoticeOutlet], clock: Clock) -> None:
        self._outlets = outlets
        self._clock = clock
        self._held: defaultdict[NoticeKind, dict[str, OwnerNotice]] = defaultdict(dict)
        self._told_at: dict[NoticeKind, datetime] = {}
        self._more = asyncio.Event()
        self._idle = asyncio.Event()
        self._idle.set()

    def tell(self, notice: OwnerNotice) -> None:
        """Warn the owner soon, at most once an hour for each kind; never waits, never fails."""
        held = self._held[notice.kind]
        if notice.about in held or len(held) < MOST_HELD:
            held[notice.about] = notice
        self._idle.clear()
        self._more.set()

    async def run(self) -> None:
        """Tell what is due until cancelled."""
        while True:
            self._more.clear()
            for kind in self._due(self._clock.now()):
                await self._show(kind)
            if not self._more.is_set():
                self._idle.set()
            await self._wait()

    async def quiet(self) -> None:
        """Wait until nothing is left that may be told now."""
        await self._idle.wait()

    def _due(self, now: datetime) -> list[NoticeKind]:
        return [
            kind for kind, held in self._held.items() if held and self._due_at(kind, now) <= now
        ]

    def _due_at(self, kind: NoticeKind, now: datetime) -> datetime:
        told = self._told_at.get(kind)
        return now if told is None else told + BETWEEN

    async def _show(self, kind: NoticeKind) -> None:
        notices = tuple(self._held.pop(kind).values())
        self._told_at[kind] = self._clock.now()
        for notice in notices:
            log.warning("owner.warned", kind=kind, about=notice.about, reason=notice.reason)
        for outlet in self._outlets:
            try:
                await outlet.show(notices)
            except (BotError, EkoMemoryError) as error:
                log.warning("notice.missed", kind=kind, reason=str(error))

    async def _wait(self) -> None:
        """Sleep until there is more to tell, or until what is held may be told."""
        now = self._clock.now()
        held = [kind for kind, notices in self._held.items() if notices]
        due = min((self._due_at(kind, now) for kind in held), default=None)
        timeout = None if due is None else max(0.0, (due - now).total_seconds())
        try:
            async with asyncio.timeout(timeout):
                await self._more.wait()
        except TimeoutError:
            return


class DirectRoomNotices:
    """Warns the owner where they and the pet are alone: in the room they last wrote to it from."""

    def __init__(
        self, account: tuple[str, str], people: People, delivery: Delivery, *, locale: str
    ) -> None:
        self._account = account
        self._people = people
        self._delivery = delivery
        self._locale = locale

    async def show(self, notices: Sequence[OwnerNotice]) -> None:
        """Say warnings of one kind in one message.

        Raises:
            OwnerUnreachable: the account has never written to the pet in private.

        """
        room = await self._people.direct_room(*self._account)
        if room is None:
            raise OwnerUnreachable("The account under [notices] has not written in private yet.")
        text = "\n".join(in_words(one, self._locale) for one in notices)
        reply = Reply(text=text, expression=Expression.SAD)
        await self._delivery.say(room, reply, f"notice:{uuid4().hex}")


class OwnerUnreachable(BotError):
    """There is no room where the owner and the pet are alone."""


def in_words(notice: OwnerNotice, locale: str) -> str:
    """A warning as a sentence; the reason of a failure follows it as it stands in the log."""
    if notice.kind in _OF_BUDGET:
        return say(f"notice.{notice.kind}", locale, about=_allowance(notice.about, locale))
    said = say(f"notice.{notice.kind}", locale, about=notice.about)
    return f"{said} ({notice.reason})" if notice.reason else said


_OF_BUDGET = frozenset({NoticeKind.BUDGET_LOW, NoticeKind.BUDGET_SPENT})


def _allowance(about: str, locale: str) -> str:
    """An allowance by what the budget calls it: `day`, `purpose digest`, `community home`."""
    allowance, _, name = about.partition(" ")
    if allowance == "purpose":
        return say(f"purpose.{name}", locale)
    return say(f"allowance.{allowance}", locale, name=name)

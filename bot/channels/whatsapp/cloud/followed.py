"""What is known of talks for as long as the pet runs: when a person wrote last, what was taken."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.channels.whatsapp.cloud.graph import PersonRefused, RecipientUnlisted
from bot.channels.whatsapp.cloud.identities import NumberBook
from bot.channels.whatsapp.cloud.options import PLATFORM
from bot.channels.whatsapp.service.findings import LIST_RECIPIENT, TEXTS
from bot.texts.catalogue import texts_in
from memory.model.notices import NoticeKind, OwnerNotice

WINDOW = timedelta(hours=24)
"""How long after a person's last message they may be written to, by the documentation of sending
messages: https://developers.facebook.com/documentation/business-messaging/whatsapp/messages/send-messages"""

MOST_KEPT = 2000
"""Persons, and messages sent, that are kept in mind; the oldest go first."""


class ServiceWindows:
    """Knows to whom Meta lets the pet write: who has written within 24 hours.

    What it cannot know, since it was not there, it leaves to Meta: of a person who has not written
    since the start no more is known than that, until the start is 24 hours ago.
    """

    def __init__(self) -> None:
        self._since: datetime | None = None
        self._last: OrderedDict[str, tuple[datetime, str]] = OrderedDict()

    def begin(self, now: datetime) -> None:
        """Note from when on everything that is written is seen."""
        self._since = self._since or now

    def wrote(self, account: str, at: datetime, message: str) -> None:
        """Note that a person has written."""
        known = self._last.get(account)
        if known is None or known[0] <= at:
            self._last[account] = (at, message)
        self._last.move_to_end(account)
        if len(self._last) > MOST_KEPT:
            self._last.popitem(last=False)
            self._since = None  # of those who were dropped nothing is known any more

    def last_message(self, account: str) -> str | None:
        """The id of a person's last message; None where none was seen."""
        known = self._last.get(account)
        return None if known is None else known[1]

    def is_closed(self, account: str, now: datetime) -> bool:
        """Whether it is certain that Meta takes nothing for a person now."""
        known = self._last.get(account)
        since = self._since if known is None else known[0]
        return since is not None and now - since > WINDOW


class Receipts:
    """Knows what Meta has taken of what was sent without an answer, by the nonce it came with.

    A message carries its nonce as `biz_opaque_callback_data`, which each report about it repeats.
    """

    def __init__(self) -> None:
        self._ids: OrderedDict[str, str] = OrderedDict()
        self._news = asyncio.Condition()

    async def note(self, nonce: str, external_id: str) -> None:
        """Note that a message with this nonce has this id."""
        async with self._news:
            self._ids[nonce] = external_id
            if len(self._ids) > MOST_KEPT:
                self._ids.popitem(last=False)
            self._news.notify_all()

    def of(self, nonce: str) -> str | None:
        """The id that a message with this nonce has; None where Meta has said nothing of it."""
        return self._ids.get(nonce)

    async def awaited(self, nonce: str, limit_s: float) -> str | None:
        """The same, once it is known or the time is over."""
        try:
            async with asyncio.timeout(limit_s), self._news:
                await self._news.wait_for(lambda: nonce in self._ids)
        except TimeoutError:
            return None
        return self._ids[nonce]


class RefusedPersons:
    """Knows to whom Meta does not let the pet write, and warns the owner of it."""

    def __init__(self, locale: str) -> None:
        self.warn: Callable[[OwnerNotice], None] = lambda _: None
        self._texts = texts_in(locale, TEXTS)
        self._unlisted: set[str] = set()

    @property
    def is_unlisted(self) -> bool:
        """Whether a person is not written to since the pet's number is one for tests."""
        return bool(self._unlisted)

    def refused(self, account: str, error: PersonRefused) -> None:
        """Note why a person was not written to."""
        reason = self._texts.say(f"refused.{error.why}")
        if isinstance(error, RecipientUnlisted):
            self._unlisted.add(account)
            reason = f"{reason} {self._texts.say(f'doctor.todo.{LIST_RECIPIENT}')}"
        self.warn(OwnerNotice(kind=NoticeKind.DELIVERY_FAILED, about=PLATFORM, reason=reason))

    def taken(self, account: str) -> None:
        """Note that a person was written to."""
        self._unlisted.discard(account)


@dataclass(frozen=True, slots=True, kw_only=True)
class CloudTalks:
    """What is kept in mind of persons: numbers, windows, what Meta has taken, whom it refuses."""

    numbers: NumberBook
    windows: ServiceWindows
    receipts: Receipts
    refusals: RefusedPersons

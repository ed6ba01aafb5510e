"""How many messages are taken, and of whom: what comes faster is refused before it is stored."""

import asyncio
from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog

from bot.conversation.placement import Incoming
from bot.model.turns import Expression, Reply
from bot.ports import Speaker
from bot.texts.catalogue import say
from bot.texts.choice import spoken_locale
from memory.ports import Clock

log = structlog.get_logger()

MOST_WATCHED = 10_000
"""Accounts, rooms and addresses kept in mind at once; the one not heard for longest is let go."""

TOLD_AGAIN = timedelta(minutes=10)
"""How long the pet says nothing more of it to those whom it has told to slow down."""

MOST_WAITING = 100
"""Sentences that wait to be said; what is more is not: a hundred of them are never read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """So many messages at once, and `per_minute` on."""

    burst: int
    per_minute: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RateRules:
    """What is taken of an account, in a room and from a network address.

    `heard` is what is said to the pet, `overheard` what it reads along.
    """

    account: Rate
    room: Rate
    address: Rate
    overheard_account: Rate
    overheard_room: Rate


Watched = tuple[str, ...]
"""Whose messages are counted together: a kind of limit, then the account, room or address."""


@dataclass(slots=True)
class _Bucket:
    """A token bucket: `left` messages at a moment."""

    left: float
    at: datetime
    told_at: datetime | None = None

    def fill(self, rate: Rate, now: datetime) -> None:
        passed = max(0.0, (now - self.at).total_seconds())
        self.left = min(float(rate.burst), self.left + passed * rate.per_minute / 60)
        self.at = now


@dataclass(frozen=True, slots=True, kw_only=True)
class Admitted:
    """Whether a message is taken; `news` says that what refuses it has not said so lately."""

    taken: bool
    news: bool = False
    by: str = ""


class ArrivalRates:
    """Counts arrivals. Pure: time comes in. What it keeps is bounded.

    A message that is refused by one limit counts against none, so that one account in a hurry
    takes nothing from those it shares a room or an address with.
    """

    def __init__(self, rules: RateRules) -> None:
        self._rules = rules
        self._buckets: OrderedDict[Watched, _Bucket] = OrderedDict()

    def admit(self, incoming: Incoming, now: datetime, *, for_pet: bool) -> Admitted:
        """Count a message that arrives now, if every limit has room for it."""
        limits = self._limits(incoming, for_pet=for_pet)
        buckets = [(key, self._bucket(key, rate, now)) for key, rate in limits]
        for key, bucket in buckets:
            if bucket.left < 1:
                return _refused(key, bucket, now)
        for _, bucket in buckets:
            bucket.left -= 1
        return Admitted(taken=True)

    def _limits(self, incoming: Incoming, *, for_pet: bool) -> list[tuple[Watched, Rate]]:
        author, room, rules = incoming.inbound.author, incoming.room.id, self._rules
        account = (author.platform, author.external_id)
        if not for_pet:
            return [
                (("overheard account", *account), rules.overheard_account),
                (("overheard room", room), rules.overheard_room),
            ]
        limits: list[tuple[Watched, Rate]] = [
            (("account", *account), rules.account),
            (("room", room), rules.room),
        ]
        if incoming.inbound.address:
            limits.append((("address", incoming.inbound.address), rules.address))
        return limits

    def _bucket(self, key: Watched, rate: Rate, now: datetime) -> _Bucket:
        bucket = self._buckets.setdefault(key, _Bucket(rate.burst, now))
        self._buckets.move_to_end(key)
        bucket.fill(rate, now)
        if len(self._buckets) > MOST_WATCHED:
            self._buckets.popitem(last=False)
        return bucket


class ArrivalLimiter:
    """Refuses what comes too fast, and says so once to those who spoke to the pet."""

    def __init__(self, rules: RateRules, speaker: Speaker, clock: Clock, *, locale: str) -> None:
        self._rates = ArrivalRates(rules)
        self._speaker = speaker
        self._clock = clock
        self._locale = locale
        self._waiting: asyncio.Queue[Incoming] = asyncio.Queue(MOST_WAITING)

    def admits(self, incoming: Incoming, *, for_pet: bool) -> bool:
        """Whether a message that has just arrived is taken."""
        admitted = self._rates.admit(incoming, self._clock.now(), for_pet=for_pet)
        if admitted.news:
            log.warning("arrivals.refused", limit=admitted.by, room=incoming.room.id)
            if for_pet and not self._waiting.full():
                self._waiting.put_nowait(incoming)
        return admitted.taken

    async def run(self) -> None:
        """Say what there is to say until cancelled."""
        while True:
            await self._tell(await self._waiting.get())
            self._waiting.task_done()

    async def quiet(self) -> None:
        """Wait until everything is said."""
        await self._waiting.join()

    async def _tell(self, incoming: Incoming) -> None:
        inbound = incoming.inbound
        text = say("rates.slow_down", spoken_locale(incoming.text, self._locale))
        reply = Reply(text=text, expression=Expression.SLEEPY)
        nonce = f"rates:{inbound.external_id}"
        try:
            await self._speaker.say(incoming.room, reply, nonce, answers=inbound.external_id)
        except Exception:  # the boundary of a sentence: one that fails must not end this task
            log.exception("answer.failed", room=incoming.room.id)


def _refused(key: Watched, bucket: _Bucket, now: datetime) -> Admitted:
    news = bucket.told_at is None or now - bucket.told_at >= TOLD_AGAIN
    if news:
        bucket.told_at = now
    return Admitted(taken=False, news=news, by=key[0])

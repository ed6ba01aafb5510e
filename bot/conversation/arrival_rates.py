"""How much is taken, and of whom: what comes faster is refused before it is stored or done."""

import asyncio
from collections import Counter, OrderedDict
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog

from bot.conversation.placement import Incoming
from bot.model.turns import Expression, Reply
from bot.ports import Speaker
from bot.texts.catalogue import say
from bot.texts.choice import spoken_locale
from memory.language.parts.reading import own_words
from memory.model.people import AccountId
from memory.model.rooms import RoomId
from memory.ports import Clock
from memory.tasks import Boundary

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


Watched = tuple[str, str]
"""Whose messages are counted together: a kind of limit, then the account, room or address."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrivalOrigin:
    """Where something comes from; its platform may not say in which room or from what address."""

    account: AccountId
    room: RoomId | None = None
    address: str = ""


@dataclass(slots=True)
class Bucket:
    """A token bucket: `left` messages at a moment.

    `told_at` is when it was last said in the room, `noted_at` when in the log alone.
    """

    left: float
    at: datetime
    told_at: datetime | None = None
    noted_at: datetime | None = None

    def fill(self, rate: Rate, now: datetime) -> None:
        """Let as much come back as the rate gives in the time that has passed."""
        passed = max(0.0, (now - self.at).total_seconds())
        self.left = min(float(rate.burst), self.left + passed * rate.per_minute / 60)
        self.at = now

    def wait_s(self, rate: Rate) -> float:
        """Seconds until there is room for one more; 0 where there is."""
        return max(0.0, 1 - self.left) * 60 / rate.per_minute


class Buckets:
    """The buckets of those who were heard lately, and no more than MOST_WATCHED of them."""

    def __init__(self) -> None:
        self._buckets: OrderedDict[Watched, Bucket] = OrderedDict()

    def of(self, key: Watched, rate: Rate, now: datetime) -> Bucket:
        """The bucket of a key, filled up to now; a full one for a key that was not seen lately."""
        bucket = self._buckets.setdefault(key, Bucket(rate.burst, now))
        self._buckets.move_to_end(key)
        bucket.fill(rate, now)
        if len(self._buckets) > MOST_WATCHED:
            self._buckets.popitem(last=False)
        return bucket


@dataclass(frozen=True, slots=True, kw_only=True)
class Admitted:
    """Whether something is taken; `news` says that what refuses it has not said so lately."""

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
        self._buckets = Buckets()

    def admit(
        self, origin: ArrivalOrigin, now: datetime, *, for_pet: bool, tells: bool = True
    ) -> Admitted:
        """Count something that arrives now, if every limit has room for it.

        What `tells` not is refused without a word in the room, and leaves that word to others.
        """
        limits = self._limits(origin, for_pet=for_pet)
        buckets = [(key, self._buckets.of(key, rate, now)) for key, rate in limits]
        for key, bucket in buckets:
            if bucket.left < 1:
                return Admitted(taken=False, news=_is_news(bucket, now, tells=tells), by=key[0])
        for _, bucket in buckets:
            bucket.left -= 1
        return Admitted(taken=True)

    def _limits(self, origin: ArrivalOrigin, *, for_pet: bool) -> list[tuple[Watched, Rate]]:
        rules = self._rules
        limits = (
            ("account", origin.account, rules.account),
            ("room", origin.room, rules.room),
            ("address", origin.address, rules.address),
        )
        overheard = (
            ("overheard account", origin.account, rules.overheard_account),
            ("overheard room", origin.room, rules.overheard_room),
        )
        chosen = limits if for_pet else overheard
        return [((kind, who), rate) for kind, who, rate in chosen if who]


class ArrivalLimiter:
    """Refuses what comes too fast, and says so once to those who spoke to the pet.

    `refused` counts what was refused since the start, by kind of limit.
    """

    def __init__(self, rules: RateRules, speaker: Speaker, clock: Clock, *, locale: str) -> None:
        self._rates = ArrivalRates(rules)
        self.refused: Counter[str] = Counter()
        self._speaker = speaker
        self._clock = clock
        self._locale = locale
        self._waiting: asyncio.Queue[Incoming] = asyncio.Queue(MOST_WAITING)

    def admits(self, incoming: Incoming, *, for_pet: bool) -> bool:
        """Whether a message that has just arrived is taken."""
        inbound = incoming.inbound
        origin = ArrivalOrigin(
            account=inbound.author.account, room=incoming.room.id, address=inbound.address
        )
        admitted = self._admitted(origin, for_pet=for_pet)
        if admitted.news:
            log.warning("arrivals.refused", limit=admitted.by, room=incoming.room.id)
            if for_pet and not self._waiting.full():
                self._waiting.put_nowait(incoming)
        return admitted.taken

    def admits_command(self, origin: ArrivalOrigin) -> bool:
        """Whether a command of a platform's own is done; only its caller sees the refusal."""
        admitted = self._admitted(origin, for_pet=True, tells=False)
        if admitted.news:
            log.warning("commands.limited", limit=admitted.by, room=origin.room)
        return admitted.taken

    def admits_edit(self, origin: ArrivalOrigin, *, for_pet: bool) -> bool:
        """Whether new words of a message are read now; those that are not wait."""
        admitted = self._admitted(origin, for_pet=for_pet, tells=False)
        if admitted.news:
            log.warning("edits.postponed", limit=admitted.by, room=origin.room)
        return admitted.taken

    def _admitted(self, origin: ArrivalOrigin, *, for_pet: bool, tells: bool = True) -> Admitted:
        admitted = self._rates.admit(origin, self._clock.now(), for_pet=for_pet, tells=tells)
        if not admitted.taken:
            self.refused[admitted.by] += 1
        return admitted

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
        text = say("rates.slow_down", spoken_locale(own_words(incoming.text), self._locale))
        reply = Reply(text=text, expression=Expression.SLEEPY)
        nonce = f"rates:{inbound.external_id}"
        with Boundary("answer.failed", room=incoming.room.id):
            await self._speaker.say(incoming.room, reply, nonce, answers=inbound.external_id)


def _is_news(bucket: Bucket, now: datetime, *, tells: bool) -> bool:
    """Whether a refusal was not said lately in this way; from now on it was."""
    last = bucket.told_at if tells else bucket.noted_at
    if last is not None and now - last < TOLD_AGAIN:
        return False
    if tells:
        bucket.told_at = now
    else:
        bucket.noted_at = now
    return True

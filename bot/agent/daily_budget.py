"""The budget of today: begun from the ledger, asked before each call, its owner warned in time."""

import asyncio
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from bot.agent.budget import (
    LEARNING,
    LEARNING_SHARE,
    Allowance,
    Amount,
    Budget,
    BudgetLine,
    Cap,
    CapReached,
    Caps,
    Reservation,
    for_people,
)
from bot.agent.estimates import charged, tokens_sent
from bot.model.requests import ON_BEHALF, ModelRequest, Purpose, Usage, UserMessage
from memory.model.histories import HISTORY
from memory.model.ledger import DaySpending
from memory.model.notices import NoticeKind, OwnerNotice
from memory.model.people import PersonId
from memory.model.rooms import SpaceId
from memory.model.shown import Shown
from memory.ports import Clock, OwnerNotices
from memory.storage.conversations.ledger import Ledger
from memory.storage.people.people import People

NEW_FOR = timedelta(days=1)
"""How long a name counts as new: over midnight too, or a flood would begin a minute before it."""

FREELY_NAMED = ("web", "console", HISTORY)
"""Platforms where one visitor can take a new name at any time. A file can name anyone, too."""

MOST_TIMES = 4.0
"""Tokens that a provider may count for each estimated one; see the ledger's `COUNTED`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """One line of today's book, with its cap."""

    line: BudgetLine
    cap: Cap
    used: Shown[Amount]
    under_way: Shown[Amount]

    @property
    def allowance(self) -> Shown[Allowance]:
        """What it is a line of."""
        return self.line.allowance

    @property
    def of(self) -> Shown[str | None]:
        """Which purpose, person or community; None where there is one line."""
        return self.line.name or None

    @property
    def caps(self) -> Shown[Mapping[str, float]]:
        """Its limits, money in dollars and sound in minutes."""
        return self.cap.for_people

    @property
    def left(self) -> Shown[Mapping[str, float]]:
        """What is left of each, calls under way taken off."""
        return for_people(self.limits_left)

    @property
    def limits_left(self) -> Mapping[str, int]:
        """What is left of each limit, calls under way taken off."""
        taken = self.used + self.under_way
        return {name: max(0, most - getattr(taken, name)) for name, most in self.cap.limits.items()}


class DailyBudget:
    """Every cap of the day, over all purposes, held for calls that end and calls under way."""

    def __init__(
        self, caps: Caps, ledger: Ledger, people: People, notices: OwnerNotices, clock: Clock
    ) -> None:
        self._caps = caps
        self._ledger = ledger
        self._people = people
        self._notices = notices
        self._clock = clock
        self._book = Budget(caps)
        self._day: datetime | None = None
        self._beginning = asyncio.Lock()
        self._counted = 1.0  # tokens counted for each estimated one, where that was most

    @property
    def caps(self) -> Caps:
        """What a day may cost."""
        return self._caps

    async def reserve(self, request: ModelRequest, model: str) -> Reservation:
        """Keep what a call may take, until it is settled.

        Raises:
            BudgetExhausted: it does not fit into a cap of today any more.

        """
        return await self.keep(
            self._most(request, model), request.purpose, request.person, request.space
        )

    async def keep(
        self, amount: Amount, purpose: Purpose, person: PersonId | None, space: SpaceId | None
    ) -> Reservation:
        """Keep an amount for a call; see `reserve`."""
        await self._begin()
        lines = await self._lines(purpose, person, space)
        share = LEARNING_SHARE if purpose in LEARNING else 1.0
        try:
            return self._book.reserve(lines, amount, share=share)
        except CapReached as reached:
            self._warn(NoticeKind.BUDGET_SPENT, reached.line, str(reached))
            raise

    def settle(
        self, reservation: Reservation, request: ModelRequest, model: str, usage: Usage
    ) -> None:
        """Count what a call took in place of what it might have taken."""
        counted = charged(request, usage)
        self._learn(request, counted)
        amount = Amount(
            input=counted.input + counted.cache_write,
            output=counted.output,
            cost=self.cost(model, usage),
            answers=reservation.amount.answers,
        )
        self.count(reservation, amount)

    def count(self, reservation: Reservation, amount: Amount) -> None:
        """Count an amount that was taken in place of what was kept for it."""
        for line in self._book.settle(reservation, amount):
            self._warn(NoticeKind.BUDGET_LOW, line, "")

    def release(self, reservation: Reservation) -> None:
        """Give back what was kept for a call that took nothing."""
        self._book.settle(reservation, Amount())

    def cost(self, model: str, usage: Usage) -> int:
        """What a call cost, in billionths of a dollar; 0 where the model has no known price."""
        price = self._caps.prices.of(model)
        return 0 if price is None else price.cost(usage)

    async def standings(self) -> Sequence[Standing]:
        """Where the day stands: all in all, by purpose, then every line that has a cap."""
        await self._begin()
        fixed = [
            BudgetLine(Allowance.DAY),
            *(BudgetLine(Allowance.PURPOSE, one) for one in Purpose),
        ]
        fixed.append(BudgetLine(Allowance.NEWCOMERS))
        others = [one for one in self._book.lines() if one not in fixed]
        return [
            Standing(
                line=line,
                cap=self._caps.of(line),
                used=self._book.used(line),
                under_way=self._book.under_way(line),
            )
            for line in (*fixed, *sorted(others, key=lambda one: (one.allowance, one.name)))
        ]

    async def is_half_left(self, purpose: Purpose) -> bool:
        """Whether half of what a purpose may take today is left, calls under way taken off."""
        line = BudgetLine(Allowance.PURPOSE, purpose)
        (found,) = [one for one in await self.standings() if one.line == line]
        limits = found.cap.limits
        return all(left * 2 >= limits[name] for name, left in found.limits_left.items())

    async def _begin(self) -> None:
        """Begin the book of another day, also of one that was begun before a restart."""
        async with self._beginning:
            today = day_begun(self._clock.now())
            if today != self._day:
                self._book.begin(await self._spent(today))
                self._day = today

    async def _spent(self, today: datetime) -> Mapping[BudgetLine, Amount]:
        used: defaultdict[BudgetLine, Amount] = defaultdict(Amount)
        for row in await self._ledger.spent(today):
            for line in await self._lines(Purpose(row.purpose), row.person, row.space):
                used[line] += _taken(row)
        return used

    async def _lines(
        self, purpose: Purpose, person: PersonId | None, space: SpaceId | None
    ) -> list[BudgetLine]:
        lines = [BudgetLine(Allowance.DAY), BudgetLine(Allowance.PURPOSE, purpose)]
        if purpose not in ON_BEHALF:
            return lines
        if space is not None:
            lines.append(BudgetLine(Allowance.COMMUNITY, space))
        if person is not None:
            since = self._clock.now() - NEW_FOR
            is_new = await self._people.is_new(person, since, FREELY_NAMED)
            lines.append(
                BudgetLine(Allowance.NEWCOMERS) if is_new else BudgetLine(Allowance.PERSON, person)
            )
        return lines

    def _most(self, request: ModelRequest, model: str) -> Amount:
        """What a call may take: all that is sent counts as fresh, all that is allowed as said."""
        sent = int(tokens_sent(request) * self._counted) + 1
        price = self._caps.prices.of(model)
        return Amount(
            input=sent,
            output=request.max_tokens,
            cost=0 if price is None else price.most(sent, request.max_tokens),
            answers=begins_answer(request),
        )

    def _learn(self, request: ModelRequest, counted: Usage) -> None:
        """Estimate the next calls by the one that was estimated worst."""
        sent = counted.input + counted.cache_read + counted.cache_write
        times = sent / max(1, tokens_sent(request))
        self._counted = min(MOST_TIMES, max(self._counted, times))

    def _warn(self, kind: NoticeKind, line: BudgetLine, reason: str) -> None:
        if line.allowance is not Allowance.PERSON:  # they are told themselves
            about = " ".join(filter(None, (line.allowance.value, line.name)))
            self._notices.tell(OwnerNotice(kind=kind, about=about, reason=reason))


def _taken(row: DaySpending) -> Amount:
    return Amount(
        input=row.input,
        output=row.output,
        cost=row.cost,
        answers=row.answers,
        audio_ms=row.audio_ms,
    )


def begins_answer(request: ModelRequest) -> int:
    """1 for the first call of a turn, 0 for every other one."""
    is_first = bool(request.messages) and isinstance(request.messages[-1], UserMessage)
    return int(request.purpose is Purpose.TURN and is_first)


def day_begun(now: datetime) -> datetime:
    """When the day of the caps began: at midnight, UTC."""
    return now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)

"""What a day's calls may take: counted before each call and after it, so that no cap is passed."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from enum import StrEnum

from bot.agent.prices import NO_PRICES, PriceList
from bot.errors import BudgetExhausted
from bot.model.requests import Purpose
from memory.model.ledger import DOLLAR
from memory.model.shown import Shown

WARNED_AT = 0.8
"""The share of a cap at which its owner is warned: enough is left to do something about it."""

LEARNING_SHARE = 0.9
"""The share of the day's cap that learning may bring it to; the rest is kept for answers."""

LEARNING = frozenset({Purpose.DIGEST, Purpose.EXTRACTION, Purpose.COMPACTION, Purpose.JUDGING})
"""Purposes that can wait: what they have not read stays due."""


MINUTE = 60_000
"""Milliseconds."""

_UNITS: Mapping[str, tuple[str, int]] = {
    "cost": ("dollars", DOLLAR),
    "audio_ms": ("minutes", MINUTE),
}
"""How people read a limit by its name, and by what it is divided for that."""


def for_people(limits: Mapping[str, int]) -> dict[str, float]:
    """Limits by name, as people read them: money in dollars, sound in minutes."""
    told = {name: _UNITS.get(name, (name, 1)) for name in limits}
    return {
        unit: limits[name] if by == 1 else limits[name] / by for name, (unit, by) in told.items()
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Amount:
    """What calls take of a day.

    `input` are fresh tokens sent, those that a cache had not counted; `cost` is in billionths of a
    dollar; `answers` are turns begun; `audio_ms` is sound that is listened to.
    """

    input: Shown[int] = 0
    output: Shown[int] = 0
    cost: int = 0
    answers: Shown[int] = 0
    audio_ms: int = 0

    @property
    def minutes(self) -> Shown[float]:
        """How many minutes of sound that is."""
        return round(self.audio_ms / MINUTE, 1)

    @property
    def dollars(self) -> Shown[float]:
        """What that costs."""
        return self.cost / DOLLAR

    @property
    def tokens(self) -> int:
        """Fresh tokens sent and tokens received."""
        return self.input + self.output

    def __add__(self, other: "Amount") -> "Amount":
        return Amount(
            input=self.input + other.input,
            output=self.output + other.output,
            cost=self.cost + other.cost,
            answers=self.answers + other.answers,
            audio_ms=self.audio_ms + other.audio_ms,
        )

    def __sub__(self, other: "Amount") -> "Amount":
        return Amount(
            input=self.input - other.input,
            output=self.output - other.output,
            cost=self.cost - other.cost,
            answers=self.answers - other.answers,
            audio_ms=self.audio_ms - other.audio_ms,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Cap:
    """The most that calls may take in a day (UTC), in the units of `Amount`; None is no cap."""

    input: int | None = None
    output: int | None = None
    tokens: int | None = None
    cost: int | None = None
    answers: int | None = None
    audio_ms: int | None = None

    @property
    def limits(self) -> Mapping[str, int]:
        """What is limited, and to how much."""
        named = ((one.name, getattr(self, one.name)) for one in fields(self))
        return {name: most for name, most in named if most is not None}

    @property
    def for_people(self) -> Mapping[str, float]:
        """The same, for people: money in dollars, sound in minutes."""
        return for_people(self.limits)

    def passed_by(self, amount: Amount) -> str | None:
        """What of the amount is more than the cap, by its name; None when it fits."""
        over = (name for name, most in self.limits.items() if getattr(amount, name) > most)
        return next(over, None)

    def share(self, amount: Amount) -> float:
        """How much of the cap an amount is: 1.0 is all of it, of whatever is used up first."""
        shares = (getattr(amount, name) / most if most else 1.0 for name, most in self._parts())
        return max(shares, default=0.0)

    def times(self, share: float) -> "Cap":
        """The same share of every limit."""
        return Cap(**{name: int(most * share) for name, most in self.limits.items()})

    def _parts(self) -> Sequence[tuple[str, int]]:
        return tuple(self.limits.items())


NO_CAP = Cap()
"""Nothing is limited."""


class Allowance(StrEnum):
    """Whose share of a day a call is counted in; every call is counted in several."""

    DAY = "day"
    PURPOSE = "purpose"
    PERSON = "person"
    NEWCOMERS = "newcomers"
    """All names together that were first seen within a day where a name can be taken freely."""
    COMMUNITY = "community"


@dataclass(frozen=True, slots=True)
class BudgetLine:
    """One line of the day's book: an allowance, and which purpose, person or community."""

    allowance: Allowance
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Caps:
    """What a day may cost: all in all, for each purpose, for whom, and what tokens cost."""

    per_purpose: Mapping[Purpose, Cap] = field(default_factory=dict)
    day: Cap = NO_CAP
    person: Cap = NO_CAP
    newcomers: Cap = NO_CAP
    community: Cap = NO_CAP
    prices: PriceList = NO_PRICES

    def of(self, line: BudgetLine) -> Cap:
        """The cap of one line of the book."""
        match line.allowance:
            case Allowance.DAY:
                return self.day
            case Allowance.PURPOSE:
                return self.per_purpose.get(Purpose(line.name), NO_CAP)
            case Allowance.PERSON:
                return self.person
            case Allowance.NEWCOMERS:
                return self.newcomers
            case Allowance.COMMUNITY:
                return self.community


@dataclass(frozen=True, slots=True, kw_only=True)
class Reservation:
    """What one call under way may take, and the lines it is counted in."""

    lines: tuple[BudgetLine, ...]
    amount: Amount


class Budget:
    """The book of one day: what was taken, and what calls under way may take. Nothing waits in it.

    As long as no call takes more than was reserved for it, no cap is ever passed.
    """

    def __init__(self, caps: Caps) -> None:
        self._caps = caps
        self._used: defaultdict[BudgetLine, Amount] = defaultdict(Amount)
        self._under_way: defaultdict[BudgetLine, Amount] = defaultdict(Amount)

    def begin(self, used: Mapping[BudgetLine, Amount]) -> None:
        """Begin a day with what was used of it; calls under way are counted in the new one."""
        self._used = defaultdict(Amount, used)

    def used(self, line: BudgetLine) -> Amount:
        """What was taken in this line, without calls under way."""
        return self._used[line] if line in self._used else Amount()

    def under_way(self, line: BudgetLine) -> Amount:
        """What calls under way may still take in this line."""
        return self._under_way[line] if line in self._under_way else Amount()

    def lines(self) -> Sequence[BudgetLine]:
        """Every line that has something in it."""
        return tuple(dict.fromkeys((*self._used, *self._under_way)))

    def reserve(self, lines: Sequence[BudgetLine], amount: Amount, *, share: float) -> Reservation:
        """Keep an amount for a call in all these lines, or in none.

        `share` is how much of the day's own cap may be used for it.

        Raises:
            CapReached: it does not fit any more.

        """
        for line in lines:
            cap = self._caps.of(line)
            if line.allowance is Allowance.DAY:
                cap = cap.times(share)
            together = self.used(line) + self.under_way(line) + amount
            if (over := cap.passed_by(together)) is not None:
                raise CapReached(line, over)
        for line in lines:
            self._under_way[line] += amount
        return Reservation(lines=tuple(lines), amount=amount)

    def settle(self, reservation: Reservation, taken: Amount) -> Sequence[BudgetLine]:
        """Count what a call took in place of what it might; the lines it brought to a warning."""
        warned = []
        for line in reservation.lines:
            before = self.used(line)
            self._used[line] = before + taken
            self._under_way[line] -= reservation.amount
            if self._under_way[line] == Amount():
                del self._under_way[line]
            cap = self._caps.of(line)
            if cap.share(before) < WARNED_AT <= cap.share(before + taken):
                warned.append(line)
        return warned


_SENTENCES: Mapping[Allowance, str] = {
    Allowance.DAY: "Today's {what} are used up.",
    Allowance.PURPOSE: "Today's {what} for the purpose {name} are used up.",
    Allowance.PERSON: "This person has had today's {what}.",
    Allowance.NEWCOMERS: "Today's {what} for names that are new are used up.",
    Allowance.COMMUNITY: "Today's {what} for this community are used up.",
}

_WHAT: Mapping[str, str] = {
    "input": "tokens",
    "output": "tokens",
    "tokens": "tokens",
    "cost": "dollars",
    "answers": "answers",
    "audio_ms": "minutes of voice notes",
}


class CapReached(BudgetExhausted):
    """What a call may take does not fit into a day's cap any more; the sentence says which."""

    def __init__(self, line: BudgetLine, over: str) -> None:
        sentence = _SENTENCES[line.allowance]
        super().__init__(sentence.format(what=_WHAT[over], name=line.name))
        self.line = line

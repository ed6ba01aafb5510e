"""What a model's tokens cost: read from a list with its date and source, never guessed."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

from bot.model.requests import Usage

_DATED = re.compile(r"-\d{8}$")
"""The date that a model's full name ends in: `claude-haiku-4-5-20251001`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """Dollars for a million tokens: sent fresh, received, read from a cache, written to one."""

    input: float
    output: float
    cache_read: float
    cache_write: float

    def cost(self, usage: Usage) -> int:
        """What tokens cost, in billionths of a dollar."""
        counted = (
            (usage.input, self.input),
            (usage.output, self.output),
            (usage.cache_read, self.cache_read),
            (usage.cache_write, self.cache_write),
        )
        return sum(tokens * round(rate * 1000) for tokens, rate in counted)


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """What one model costs. `long` holds for prompts of more than `long_from` tokens, if any."""

    rates: Rates
    long_from: int | None = None
    long: Rates | None = None

    def cost(self, usage: Usage) -> int:
        """What one call costs, in billionths of a dollar."""
        return self._rates(usage.input + usage.cache_read + usage.cache_write).cost(usage)

    def most(self, sent: int, received: int) -> int:
        """What a call costs at most that sends and receives so many tokens."""
        rates = self._rates(sent)
        written = rates.cost(Usage(cache_write=sent))
        return max(written, rates.cost(Usage(input=sent))) + rates.cost(Usage(output=received))

    def _rates(self, sent: int) -> Rates:
        is_long = self.long_from is not None and sent > self.long_from
        return self.long if is_long and self.long is not None else self.rates


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceList:
    """Prices by model, as they were published at `source` on a day."""

    source: str = ""
    as_of: date | None = None
    models: Mapping[str, Price] = field(default_factory=dict)

    def of(self, model: str) -> Price | None:
        """The price of a model by its name, with a date at its end or not; None if unknown."""
        return self.models.get(model) or self.models.get(_DATED.sub("", model))


NO_PRICES = PriceList()
"""Nothing has a known price."""

"""What models took, and what the day's caps leave."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from bot.agent.daily_budget import Standing, day_begun
from bot.llm.offline.model import OFFLINE
from bot.model.requests import Purpose
from bot.surfaces.operations import TopicOperations, operation
from bot.surfaces.requests import NoArguments
from bot.topics.usage.command import LONG
from memory.model.ledger import PurposeUsage
from memory.model.shown import Shown


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnUsage:
    """What a turn takes on average, all its calls together; `cached_share` is in 0..1.

    What the provider has in its cache is cheap; what it reads fresh or puts there is not.
    """

    turns: Shown[int]
    fresh: Shown[int]
    cached: Shown[int]
    output: Shown[int]
    cached_share: Shown[float]


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageNow:
    """What models took today (UTC) and in thirty days, and every cap with what is left of it.

    Answers by rules are no usage; while there are no others (`by_rules`), only voice has caps.
    `per_person` are the limits of one person's day, `a_turn` has None where there was no turn.
    """

    today: Shown[Sequence[PurposeUsage]]
    lately: Shown[Sequence[PurposeUsage]]
    a_turn: Shown[Mapping[str, TurnUsage | None]]
    allowances: Shown[Sequence[Standing]]
    per_person: Shown[Mapping[str, float]]
    model: Shown[str]
    by_rules: Shown[bool]
    priced: Shown[bool]
    prices_as_of: Shown[date | None]
    prices_source: Shown[str | None]


class UsageOperations(TopicOperations):
    """Tells the operator what thinking costs."""

    @operation("usage")
    async def usage(self, _request: NoArguments) -> UsageNow:
        """What models cost, today and in thirty days, and every cap with what is left of it."""
        now, ledger = self._app.clock.now(), self._app.storage.ledger
        budget, model = self._app.services.budget, self._app.services.model.name
        prices = budget.caps.prices
        today = await ledger.usage(day_begun(now), without=OFFLINE)
        lately = await ledger.usage(now - LONG, without=OFFLINE)
        return UsageNow(
            today=today,
            lately=lately,
            a_turn={"today": _a_turn(today), "lately": _a_turn(lately)},
            allowances=await budget.standings(),
            per_person=budget.caps.person.for_people,
            model=model,
            by_rules=model == OFFLINE,
            priced=prices.of(model) is not None,
            prices_as_of=prices.as_of,
            prices_source=prices.source or None,
        )


def _a_turn(usage: Sequence[PurposeUsage]) -> TurnUsage | None:
    for one in usage:
        if one.purpose == Purpose.TURN and one.answers:
            return TurnUsage(
                turns=one.answers,
                fresh=round((one.input + one.cache_write) / one.answers),
                cached=round(one.cache_read / one.answers),
                output=round(one.output / one.answers),
                cached_share=round(one.cache_read / one.sent, 3) if one.sent else 0,
            )
    return None

"""The operation behind `eko usage`: what models took, and what the day's caps leave."""

from collections.abc import Mapping, Sequence

from bot.agent.budget import Amount
from bot.agent.daily_budget import Standing, day_begun
from bot.agent.prices import DOLLAR
from bot.model.requests import Purpose
from bot.surfaces.json import Event
from bot.surfaces.operations import TopicOperations, operation
from bot.surfaces.requests import NoArguments
from bot.topics.usage.command import LONG
from memory.model.ledger import CallTotals, PurposeUsage


class UsageOperations(TopicOperations):
    """Tells the operator what thinking costs."""

    @operation("usage")
    async def usage(self, _request: NoArguments) -> Event:
        """What models cost, today and in thirty days, and every cap with what is left of it."""
        now, ledger = self._app.clock.now(), self._app.storage.ledger
        budget, model = self._app.services.budget, self._app.services.model.name
        prices = budget.caps.prices
        today, lately = await ledger.usage(day_begun(now)), await ledger.usage(now - LONG)
        return {
            "today": [_purpose_json(one) for one in today],
            "lately": [_purpose_json(one) for one in lately],
            "a_turn": {"today": _a_turn(today), "lately": _a_turn(lately)},
            "allowances": [_standing_json(one) for one in await budget.standings()],
            "per_person": _limits_json(budget.caps.person.limits),
            "model": model,
            "priced": prices.of(model) is not None,
            "prices_as_of": None if prices.as_of is None else prices.as_of.isoformat(),
            "prices_source": prices.source or None,
        }


def _a_turn(usage: Sequence[PurposeUsage]) -> Event | None:
    """What a turn takes on average, all its calls together; None where there was none.

    What the provider has in its cache is cheap; what it reads fresh or puts there is not.
    """
    for one in usage:
        if one.purpose == Purpose.TURN and one.answers:
            fresh = one.input + one.cache_write
            return {
                "turns": one.answers,
                "fresh": round(fresh / one.answers),
                "cached": round(one.cache_read / one.answers),
                "output": round(one.output / one.answers),
                "cached_share": round(one.cache_read / one.sent, 3) if one.sent else 0,
            }
    return None


def _purpose_json(one: PurposeUsage) -> Event:
    return {"purpose": one.purpose, **usage_json(one)}


def usage_json(one: CallTotals) -> Event:
    """What calls came to, as JSON."""
    return {
        "calls": one.calls,
        "answers": one.answers,
        "input": one.input,
        "output": one.output,
        "cache_read": one.cache_read,
        "cache_write": one.cache_write,
        "dollars": one.cost / DOLLAR,
        "injected": one.injected,
        "injected_share": round(one.injected / one.sent, 3) if one.sent else 0.0,
    }


def _standing_json(one: Standing) -> Event:
    return {
        "allowance": one.line.allowance.value,
        "of": one.line.name or None,
        "used": _amount_json(one.used),
        "under_way": _amount_json(one.under_way),
        "caps": _limits_json(one.cap.limits),
        "left": _limits_json(one.left),
    }


def _amount_json(amount: Amount) -> Event:
    return {
        "input": amount.input,
        "output": amount.output,
        "dollars": amount.cost / DOLLAR,
        "answers": amount.answers,
    }


def _limits_json(limits: Mapping[str, int]) -> Event:
    """Limits by name; of money in dollars."""
    return {
        "dollars" if name == "cost" else name: most / DOLLAR if name == "cost" else most
        for name, most in limits.items()
    }

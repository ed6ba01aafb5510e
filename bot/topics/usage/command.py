"""`/usage`: what models took, what the day's caps leave of it, for those who look after the pet."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import timedelta

from bot.agent.budget import MINUTE, Allowance, BudgetLine
from bot.agent.daily_budget import DailyBudget, Standing, day_begun
from bot.llm.offline.model import OFFLINE
from bot.model.commands import Answer, Authority, Call, Command
from bot.texts.catalogue import number, say
from bot.texts.commands import described
from bot.wiring.app import App
from memory.model.ledger import DOLLAR, PurposeUsage
from memory.ports import Clock
from memory.storage.conversations.ledger import Ledger

LONG = timedelta(days=30)
"""The longer of the two periods of a usage report."""

_TOGETHER = (Allowance.DAY, Allowance.NEWCOMERS, Allowance.COMMUNITY)
"""Allowances that have a line of their own: a purpose has its cap behind what it used."""


def commands(app: App) -> tuple[Command, ...]:
    """The commands of this file, of this pet."""
    return (
        usage_command(app.storage.ledger, app.services.budget, app.clock, app.services.model.name),
    )


def usage_command(ledger: Ledger, budget: DailyBudget, clock: Clock, model: str) -> Command:
    """`/usage`: what models cost today and in thirty days, by purpose, and what is left today."""

    async def run(call: Call) -> Answer:
        now, locale = clock.now(), call.locale
        today = await ledger.usage(day_begun(now), without=OFFLINE)
        lately = await ledger.usage(now - LONG, without=OFFLINE)
        standings = {one.line: one for one in await budget.standings()}
        lines = [
            say("usage.today", locale),
            *_today(today, standings, locale),
            *_together(standings.values(), locale),
            say("usage.lately", locale),
            *([_line(one, locale) for one in lately] or [say("usage.none", locale)]),
            *_notes(budget, model, locale),
        ]
        return Answer(text="\n".join(lines))

    return Command(name="usage", **described("commands.usage"), run=run, needs=Authority.PET)


def _today(
    usage: Sequence[PurposeUsage], standings: Mapping[BudgetLine, Standing], locale: str
) -> list[str]:
    """A line for each purpose; those that are capped are told even if nothing was used yet."""
    of_purpose = {
        line.name: standing
        for line, standing in standings.items()
        if line.allowance is Allowance.PURPOSE
    }
    used = {one.purpose: _line(one, locale) for one in usage}
    for name, standing in of_purpose.items():
        if standing.cap.limits:
            idle = say("usage.idle", locale, purpose=say(f"purpose.{name}", locale))
            used[name] = f"{used.get(name, idle)} [{', '.join(_left(standing, locale))}]"
    return list(used.values()) or [say("usage.none", locale)]


def _together(standings: Iterable[Standing], locale: str) -> Iterator[str]:
    """A line for each other allowance that is capped: what is left of it today."""
    for one in standings:
        if one.line.allowance in _TOGETHER and one.cap.limits:
            name = say(f"allowance.{one.line.allowance}", locale, name=one.line.name)
            yield say("usage.left", locale, allowance=name, left=", ".join(_left(one, locale)))


def _notes(budget: DailyBudget, model: str, locale: str) -> Iterator[str]:
    caps = budget.caps
    if caps.person.answers is not None:
        yield say("usage.per_person", locale, count=caps.person.answers)
    if caps.day.cost is None:
        return
    if caps.prices.of(model) is None:
        yield say("usage.unpriced", locale, model=model)
    else:
        yield say("usage.priced", locale, as_of=caps.prices.as_of, source=caps.prices.source)


def _line(one: PurposeUsage, locale: str) -> str:
    share = round(100 * one.injected / one.sent) if one.sent else 0
    told = say(
        "usage.line",
        locale,
        purpose=say(f"purpose.{one.purpose}", locale),
        count=one.calls,
        fresh=number(one.input + one.cache_write, locale),
        cached=number(one.cache_read, locale),
        output=number(one.output, locale),
    )
    told += say("usage.heard", locale, minutes=number(one.minutes, locale)) if one.audio_ms else ""
    told += say("usage.cost", locale, dollars=_dollars(one.cost)) if one.cost else ""
    return told + (say("usage.injected", locale, share=share) if one.injected else "")


def _left(one: Standing, locale: str) -> Iterator[str]:
    """What is left of a cap, calls under way taken off."""
    for name, left in one.limits_left.items():
        most = one.cap.limits[name]
        told = (_amount(name, left, locale), _amount(name, most, locale))
        yield say(f"left.{name}", locale, left=told[0], most=told[1])


def _amount(name: str, amount: int, locale: str) -> str:
    match name:
        case "cost":
            return _dollars(amount)
        case "audio_ms":
            return number(round(amount / MINUTE), locale)
        case _:
            return number(amount, locale)


def _dollars(billionths: int) -> str:
    return f"{billionths / DOLLAR:.2f}"

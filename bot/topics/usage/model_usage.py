"""What model calls took, divided by what one asks for."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime, timedelta

from bot.agent.daily_budget import day_begun
from bot.wiring.app import App
from memory.model.ledger import CallTotals
from memory.model.shown import Shown
from memory.storage.reporting.usage_figures import UsageCell

MOST_SHARES = 50
"""Shares of one division that are told, the largest first: beyond them nothing is read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageShare(CallTotals):
    """What the calls of one share came to; tokens as the provider counted them.

    `injected` is what automatic recall added, estimated.
    """

    share: Shown[str | None]
    name: Shown[str | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageDays:
    """Usage of some days, as a whole and by purpose, model, room, person and day."""

    since: Shown[datetime]
    days: Shown[int]
    total: Shown[UsageShare]
    by: Shown[Mapping[str, Sequence[UsageShare]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Division:
    """One way to divide what calls took; `share_of` says in which share a cell falls."""

    name: str
    share_of: Callable[[UsageCell], str | None]


DIVISIONS = (
    Division(name="purpose", share_of=lambda cell: cell.purpose),
    Division(name="model", share_of=lambda cell: cell.model),
    Division(name="room", share_of=lambda cell: cell.room),
    Division(name="person", share_of=lambda cell: cell.person),
    Division(name="day", share_of=lambda cell: cell.day),
)
"""Every way there is; None is the share of what belongs to no room or person."""


async def usage_by(app: App, days: int) -> UsageDays:
    """What the last days took (UTC days, today included), as a whole and by each division.

    Days are in their order, of all else the largest share comes first.
    """
    since = day_begun(app.clock.now()) - timedelta(days=days - 1)
    cells = await app.storage.usage_figures.cells(since)
    by = await _named(app, {one.name: _divided(cells, one) for one in DIVISIONS})
    return UsageDays(since=since, days=days, total=_sum("total", cells), by=by)


def _divided(cells: Sequence[UsageCell], division: Division) -> list[UsageShare]:
    shares: defaultdict[str | None, list[UsageCell]] = defaultdict(list)
    for cell in cells:
        shares[division.share_of(cell)].append(cell)
    told = [_sum(share, of_it) for share, of_it in shares.items()]
    if division.name == "day":
        return sorted(told, key=lambda one: str(one.share))
    return sorted(told, key=_weight, reverse=True)[:MOST_SHARES]


def _weight(one: UsageShare) -> tuple[int, int]:
    return one.cost, one.input + one.cache_write + one.output


def _sum(share: str | None, cells: Sequence[UsageCell]) -> UsageShare:
    counted = (one.name for one in fields(CallTotals))
    totals = {name: sum(getattr(one, name) for one in cells) for name in counted}
    return UsageShare(share=share, name=share, **totals)


async def _named(app: App, by: dict[str, list[UsageShare]]) -> dict[str, list[UsageShare]]:
    """The shares of people and rooms with their names."""
    people = [one.share for one in by["person"] if one.share]
    rooms = [one.share for one in by["room"] if one.share]
    names = await app.storage.usage_figures.names(people, rooms)
    for division in ("person", "room"):
        by[division] = [replace(one, name=names.get(one.share or "")) for one in by[division]]
    return by

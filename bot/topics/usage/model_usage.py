"""What model calls took, divided by what one asks for, as JSON."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from bot.agent.daily_budget import day_begun
from bot.surfaces.json import Event
from bot.topics.usage.usage import usage_json
from bot.wiring.app import App
from memory.model.ledger import CallTotals
from memory.storage.reporting.usage_figures import UsageCell

MOST_SHARES = 50
"""Shares of one division that are told, the largest first: beyond them nothing is read."""


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


async def usage_by(app: App, days: int) -> Event:
    """What the last days took (UTC days, today included), as a whole and by each division.

    Days are in their order, of all else the largest share comes first.
    """
    since = day_begun(app.clock.now()) - timedelta(days=days - 1)
    cells = await app.storage.reports.usage.cells(since)
    by = {one.name: _divided(cells, one) for one in DIVISIONS}
    await _named(app, by)
    return {"since": since.isoformat(), "days": days, "total": _sum("total", cells), "by": by}


def _divided(cells: Sequence[UsageCell], division: Division) -> list[Event]:
    shares: defaultdict[str | None, list[UsageCell]] = defaultdict(list)
    for cell in cells:
        shares[division.share_of(cell)].append(cell)
    told = [_sum(share, of_it) for share, of_it in shares.items()]
    if division.name == "day":
        return sorted(told, key=lambda one: str(one["share"]))
    return sorted(told, key=_weight, reverse=True)[:MOST_SHARES]


def _weight(one: Event) -> tuple[float, int]:
    return one["dollars"], one["input"] + one["cache_write"] + one["output"]


def _sum(share: str | None, cells: Sequence[UsageCell]) -> Event:
    total = CallTotals(
        calls=sum(one.calls for one in cells),
        answers=sum(one.answers for one in cells),
        input=sum(one.input for one in cells),
        output=sum(one.output for one in cells),
        cache_read=sum(one.cache_read for one in cells),
        cache_write=sum(one.cache_write for one in cells),
        cost=sum(one.cost for one in cells),
        injected=sum(one.injected for one in cells),
    )
    return {"share": share, "name": share, **usage_json(total)}


async def _named(app: App, by: dict[str, list[Event]]) -> None:
    """Give people and rooms their names."""
    people = [one["share"] for one in by["person"] if one["share"]]
    rooms = [one["share"] for one in by["room"] if one["share"]]
    names = await app.storage.reports.usage.names(people, rooms)
    for one in (*by["person"], *by["room"]):
        one["name"] = names.get(one["share"] or "")

"""How much the pet keeps and how that grew, as JSON."""

from collections import defaultdict

from bot.surfaces.json import Event
from bot.wiring.app import App


async def statistics(app: App) -> Event:
    """Counts by store and kind, rows by table, what waits, and what came in month by month."""
    figures = await app.storage.reports.statistics.figures()
    queues = await app.storage.reports.statistics.queues()
    months: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for one in figures.months:
        months[one.month][one.store] = one.added
    stores: defaultdict[str, int] = defaultdict(int)
    for kind in figures.kinds:
        stores[kind.store] += kind.holds
    return {
        "at": figures.at.isoformat(),
        "stores": dict(stores),
        "kinds": [
            {"store": one.store, "kind": one.kind, "holds": one.holds, "kept": one.kept}
            for one in figures.kinds
        ],
        "tables": figures.sizes,
        "queues": queues,
        "growth": [{"month": month, "added": months[month]} for month in sorted(months)],
    }

"""How things stand today: what was learnt, what waits for a decision, what it cost."""

from collections import defaultdict
from datetime import datetime

from bot.agent.budget import Allowance
from bot.agent.daily_budget import Standing
from bot.llm.offline.model import OFFLINE
from bot.surfaces.access.caller import OperationCaller
from bot.surfaces.values import Event
from bot.wiring.app import App
from memory.model.statements import Memory

MOST_LEARNT = 200
"""The most statements of a day that are counted."""

MOST_OF_SOURCE = 5
"""The most statements shown of each source."""

MOST_PROPOSALS = 100
"""The most proposals that are counted."""


async def learnt(app: App, caller: OperationCaller) -> Event:
    """The statements of today, in the pet's zone, by their source."""
    rows = await app.storage.memories.latest(None, caller.scope, MOST_LEARNT)
    begun = _midnight(app)
    by_source: dict[str, list[Memory]] = defaultdict(list)
    for row in rows:
        if row.created_at >= begun:
            by_source[row.source.value].append(row)
    return {
        "count": sum(map(len, by_source.values())),
        "counted_to": MOST_LEARNT,
        "sources": [
            {
                "source": source,
                "count": len(found),
                "latest": found[:MOST_OF_SOURCE],
            }
            for source, found in by_source.items()
        ],
    }


async def waiting(app: App, caller: OperationCaller) -> Event:
    """What waits for a decision: proposals, lines set aside, an embedder that takes over."""
    proposals = await app.storage.proposals.open(caller.scope, MOST_PROPOSALS)
    live = await app.storage.digests.live()
    change = app.services.change
    return {
        "proposals": len(proposals),
        "counted_to": MOST_PROPOSALS,
        "quarantined": live.quarantined,
        "reembedding": None
        if change is None
        else {
            "to": str(change.to.fingerprint),
            "done": change.done,
            "entries": change.entries,
        },
    }


async def cost(app: App) -> Event:
    """What calls took today (UTC), and how much of the day's cap that is."""
    standings = await app.services.budget.standings()
    day = next(one for one in standings if one.line.allowance is Allowance.DAY)
    return {
        "dollars": day.used.dollars,
        "tokens": day.used.tokens,
        "answers": day.used.answers,
        "by_rules": app.services.model.name == OFFLINE,
        "priced": app.services.budget.caps.prices.of(app.services.model.name) is not None,
        "share": _share(day),
        "caps": day.caps,
    }


def _share(day: Standing) -> float | None:
    """The part of the cap that is used, in 0..1; None without one."""
    return min(1.0, day.cap.share(day.used + day.under_way)) if day.cap.limits else None


def _midnight(app: App) -> datetime:
    local = app.clock.now().astimezone(app.settings.zone)
    return local.replace(hour=0, minute=0, second=0, microsecond=0)

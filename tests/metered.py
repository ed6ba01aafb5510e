"""A model behind the gateway, on the tables of a test."""

from bot.agent.budget import Caps
from bot.agent.daily_budget import DailyBudget
from bot.agent.metering import MeteredModel
from bot.ports import Model
from memory.ports import OwnerNotices
from tests.notices import NotedNotices
from tests.storage import StorageParts


def budget_on(
    storage: StorageParts, caps: Caps | None = None, notices: OwnerNotices | None = None
) -> DailyBudget:
    """The day's budget of these tables."""
    told = notices or NotedNotices()
    return DailyBudget(caps or Caps(), storage.ledger, storage.people, told, storage.clock)


def metered_on(
    storage: StorageParts,
    model: Model,
    caps: Caps | None = None,
    notices: OwnerNotices | None = None,
) -> MeteredModel:
    """The model, counted on these tables."""
    return MeteredModel(model, storage.ledger, budget_on(storage, caps, notices))

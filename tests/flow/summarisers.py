"""What summarises conversations in tests."""

from zoneinfo import ZoneInfo

from bot.llm.tasks.summaries import ModelSummariser
from bot.ports import Model
from observers.compaction import Summariser
from tests.storage import StorageParts


def summaries_by_model(_truth: StorageParts, model: Model) -> Summariser:
    """Summaries by asking the model."""
    return ModelSummariser(model, prompt="Summarise.", zone=ZoneInfo("Europe/Paris"))

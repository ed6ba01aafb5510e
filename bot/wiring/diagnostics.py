"""Composes the doctor from the parts that it checks."""

from collections.abc import Sequence

from bot.conversation.pauses import Pausing
from bot.diagnostics.backups import BackupCheck
from bot.diagnostics.clock import ClockCheck
from bot.diagnostics.doctor import CheckedParts, Doctor
from bot.diagnostics.findings import Look
from bot.diagnostics.model_check import ModelCheck
from bot.wiring import adapters as adapter_factories
from bot.wiring import settings as rule_factories
from bot.wiring.memory import Adapters, Services
from config.settings import Settings
from memory.storage.storage import Storage


def doctor_of(
    settings: Settings,
    adapters: Adapters,
    storage: Storage,
    services: Services,
    *,
    pausing: Pausing,
    model_check: ModelCheck,
    channels: Sequence[Look],
) -> Doctor:
    """What checks every part; `channels` are the looks at the services elsewhere."""
    place = rule_factories.backup_place(settings)
    checked = CheckedParts(
        storage=storage,
        embedder=adapters.embedder,
        changing=lambda: services.reembedding.change if services.reembedding else None,
        index=adapters.index,
        model=services.model,
        model_check=model_check,
        notes=services.notes,
        pausing=pausing,
        backups=BackupCheck(storage.backups, place, adapters.clock).look,
        clock=ClockCheck(adapters.clock, storage.timeline).look,
        channels=channels,
    )
    return Doctor(adapter_factories.chosen_parts(settings), checked)

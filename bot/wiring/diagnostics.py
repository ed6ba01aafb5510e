"""Composes the doctor from the parts that it checks."""

from collections.abc import Sequence
from urllib.parse import urlsplit

from bot.agent.estimates import tokens_sent
from bot.conversation.delivery import Delivery
from bot.conversation.pauses import Pausing
from bot.conversation.prompt.request import PromptRules
from bot.diagnostics.backups import BackupCheck, BackupPlace
from bot.diagnostics.clock import ClockCheck
from bot.diagnostics.doctor import CheckedParts, Doctor
from bot.diagnostics.findings import Look
from bot.diagnostics.model_check import ModelCheck, NeededWindow
from bot.diagnostics.owner_notices import DirectRoomNotices, NoticeOutlet
from bot.diagnostics.voice import VoiceCheck
from bot.llm.local_servers import LoopbackServers
from bot.model.requests import ModelRequest, Purpose
from bot.wiring import adapters as adapter_factories
from bot.wiring import settings as rule_factories
from bot.wiring.memory import Adapters, Services
from config.settings import Settings
from memory.model.people import account_parts
from memory.model.vector_place import EMBEDDED
from memory.storage.people.people import People
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
    place = _backup_place(settings)
    checked = CheckedParts(
        storage=storage,
        embedder=adapters.embedder,
        changing=lambda: services.change,
        index=adapters.index,
        indexes_embedded=lambda: adapters.used.spaces.now.place == EMBEDDED,
        model=services.model,
        model_check=model_check,
        notes=services.notes,
        pausing=pausing,
        backups=BackupCheck(storage.backups, place, adapters.clock).look,
        clock=ClockCheck(adapters.clock, storage.timeline).look,
        voice=_voice_check(settings, services).look,
        channels=channels,
    )
    return Doctor(adapter_factories.chosen_parts(settings), checked)


def outlets_of(settings: Settings, people: People, delivery: Delivery) -> list[NoticeOutlet]:
    """Where the owner is told things besides the log: in private, where an account is named."""
    if settings.notices.account is None:
        return []
    owner = account_parts(settings.notices.account)
    return [DirectRoomNotices(owner, people, delivery, locale=settings.locale)]


def _voice_check(settings: Settings, services: Services) -> VoiceCheck:
    """What looks at the server that listens to voice notes."""
    transcriber = services.ears.transcriber if services.ears is not None else None
    return VoiceCheck(transcriber, urlsplit(settings.voice.url or "").netloc)


def _backup_place(settings: Settings) -> BackupPlace:
    """Where the doctor looks for them."""
    folder = rule_factories.backup_rules(settings).folder
    nightly = folder is not None and settings.backup.hour is not None
    return BackupPlace(data_dir=settings.data_dir, folder=folder, nightly=nightly)


def model_check_of(settings: Settings, prompt: PromptRules) -> ModelCheck:
    """What looks whether a model keeps all that it is sent: rules, tools, lines, its answer."""
    rules = ModelRequest(
        system=prompt.system, messages=(), tools=prompt.tools, purpose=Purpose.TURN, max_tokens=1
    )
    first = tokens_sent(rules) + settings.recall.max_tokens + settings.model.max_tokens
    longest = first + settings.compaction.window_tokens
    most = settings.model.context_tokens or longest
    needed = NeededWindow(first=min(first, most), longest=min(longest, most))
    return ModelCheck(needed, LoopbackServers())

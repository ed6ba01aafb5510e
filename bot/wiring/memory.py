"""Everything the pet thinks with: recall, learning, forgetting and tools, over one database."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import partial

from bot.agent.daily_budget import DailyBudget
from bot.agent.fitting import FittingModel
from bot.agent.metered_voice import MeteredTranscriber
from bot.agent.metering import MeteredModel
from bot.agent.tools.box import ToolParts, TurnTools, turn_tools
from bot.channels.local.uploads import UploadedPictures
from bot.conversation.pictures import Pictures
from bot.conversation.voice.listening import Ears
from bot.llm.offline.extraction import RuleExtractor
from bot.llm.tasks.fact_forms import CONVERSATION_FORM, LOBBY_FORM
from bot.model.requests import Purpose
from bot.ports import Model
from bot.siblings.circle import Siblings
from bot.siblings.parts import SiblingParts
from bot.transfer.backups import Backups, BackupTables
from bot.wiring import adapters as adapter_factories
from bot.wiring import settings as rule_factories
from bot.wiring.siblings import limits_of, standing_of
from bot.wiring.tracing import Tracing
from config.sections.obsidian import ObsidianSettings
from config.settings import Settings
from memory.forgetting.parts import AskedForgetting, ForgettingParts
from memory.learning.parts import LearningParts
from memory.model.audience import Origin
from memory.model.people import account_parts
from memory.model.rooms import Visibility
from memory.ports import EmbedderInUse, MachineClock, OwnerNotices, VectorIndex
from memory.reminders.desk import ReminderDesk
from memory.retrieval.parts import RetrievalParts, RetrievalRules
from memory.retrieval.recall import RecallRules
from memory.rules.notes.chunks import NoteChoice
from memory.storage.forgotten.value_marks import IncomingRefusals
from memory.storage.people.people import People
from memory.storage.sqlite.database import Database
from memory.storage.storage import Storage
from memory.upkeep.live_settings import LiveSettings
from memory.upkeep.parts import UpkeepParts, UsedStores
from observers.after_reply import AfterReply
from observers.compaction import Compaction
from observers.conversation_facts import ConversationFacts
from observers.digest import Digest
from observers.history import HistoryLearning, PaidExtractor
from observers.notes import NoteRules, NoteSync
from observers.ports import NoteSource


@dataclass(frozen=True, slots=True, kw_only=True)
class Adapters:
    """What comes from outside: clock, files, embedder, index, a model, notes and pictures.

    `ears` is None where nothing listens to voice notes.
    """

    clock: MachineClock
    database: Database
    used: UsedStores
    embedder: EmbedderInUse
    index: VectorIndex
    model: Model
    vault: NoteSource | None
    pictures: Pictures
    uploads: UploadedPictures
    ears: Ears | None = None
    siblings: Siblings = field(default_factory=Siblings)
    tracing: Tracing = field(default_factory=Tracing)


class Services(RetrievalParts, LearningParts, UpkeepParts, ForgettingParts):
    """Everything the pet thinks with, whatever channel it is asked on."""

    def __init__(
        self,
        settings: Settings,
        adapters: Adapters,
        storage: Storage,
        live_settings: LiveSettings,
        notices: OwnerNotices,
    ) -> None:
        """Everything the pet thinks with, as these settings ask for it."""
        clock, embedder, index = adapters.clock, adapters.embedder, adapters.index
        caps = rule_factories.caps(settings, adapter_factories.prices())
        self.budget = DailyBudget(caps, storage.ledger, storage.people, notices, clock)
        metered = MeteredModel(adapters.model, storage.ledger, self.budget)
        self.ears = (
            None if adapters.ears is None else self._metered(adapters.ears, settings, storage)
        )
        window = settings.model.context_tokens
        self.model: Model = metered if window is None else FittingModel(metered, window)
        choice, recall_rules = _choice(live_settings), rule_factories.recall_rules(settings)

        def in_force() -> RecallRules:
            return rule_factories.tuned(recall_rules, live_settings.current())

        rules = RetrievalRules(
            reading=rule_factories.reading_rules(settings),
            recall=in_force,
            notes=choice,
        )
        RetrievalParts.__init__(self, storage, embedder, index, rules)
        judge = partial(adapter_factories.judge, settings, self.model)
        LearningParts.__init__(self, storage, embedder, index, live_settings.current, judge)
        UpkeepParts.__init__(self, storage, adapters.used, clock, self.background.prepare_for)
        called = (settings.pet.name, *settings.pet.aliases)
        self.siblings = SiblingParts(adapters.siblings, standing_of(settings), storage)
        asked = AskedForgetting(called=called, elsewhere=self.siblings.every)
        ForgettingParts.__init__(self, storage, embedder, index, self.indexer.settle, asked)
        self.recall_everywhere = self.siblings.recalling(self.recall, lambda: limits_of(in_force()))
        self.digest = Digest(
            storage.digests,
            self.learning,
            adapter_factories.extractor(settings, self.model, LOBBY_FORM, "digest"),
            rule_factories.digest_rules(settings),
            notices,
        )
        self.conversation_facts = ConversationFacts(
            storage.extractions,
            self.learning,
            adapter_factories.extractor(settings, self.model, CONVERSATION_FORM, "extraction"),
            clock,
            rule_factories.extraction_rules(settings),
        )
        self.importing = asyncio.Lock()
        self.history_learning = self._history_learning(settings, storage)
        self.after_reply = _afterwards(settings, storage, self.model)
        self.notes = _notes(settings, storage, adapters, choice)
        self.backups = Backups(
            BackupTables(copies=storage.copies, erasures=storage.erasures, records=storage.backups),
            rule_factories.backup_rules(settings),
            clock,
        )
        self.reminders = ReminderDesk(
            storage.reminders, storage.zones, rule_factories.reminder_rules(settings)
        )

    def _metered(self, ears: Ears, settings: Settings, storage: Storage) -> Ears:
        """The same, with each sound that is listened to written down."""
        per_minute = settings.voice.dollars_per_minute
        metered = MeteredTranscriber(ears.transcriber, storage.ledger, self.budget, per_minute)
        return replace(ears, transcriber=metered)

    def _history_learning(self, settings: Settings, storage: Storage) -> HistoryLearning:
        """What reads imported histories: for nothing, or by the model within half of its cap."""
        by_model = adapter_factories.extractor(settings, self.model, LOBBY_FORM, "digest")
        return HistoryLearning(
            storage.histories,
            self.learning_by_rules,
            RuleExtractor(),
            PaidExtractor(
                extractor=by_model, may_pay=partial(self.budget.is_half_left, Purpose.DIGEST)
            ),
            settings.zone,
        )


def compose_tools(
    settings: Settings, storage: Storage, live_settings: LiveSettings, services: Services
) -> TurnTools:
    """The tools of a turn."""
    parts = ToolParts(
        storage=storage,
        retrieval=services,
        writer=services.writer,
        tuning=live_settings.current,
        forgetting=services.forgetting,
        reminders=services.reminders,
        model=services.model,
        branch=rule_factories.branch_rules(settings, adapter_factories.prompt("branch")),
        locale=settings.locale,
        most_stored=settings.model.max_stored,
    )
    return turn_tools(parts, is_compact=rule_factories.has_compact_tools(settings))


def _choice(live_settings: LiveSettings) -> Callable[[], NoteChoice]:
    return lambda: rule_factories.note_choice(live_settings.current())


def _afterwards(settings: Settings, storage: Storage, model: Model) -> AfterReply:
    return AfterReply(
        Compaction(
            storage.summaries,
            adapter_factories.summariser(settings, model, storage.database),
            storage.ledger,
            rule_factories.compaction_rules(settings),
            injections=rule_factories.replays_injections(settings),
        )
    )


def _notes(
    settings: Settings, storage: Storage, adapters: Adapters, choice: Callable[[], NoteChoice]
) -> NoteSync | None:
    if adapters.vault is None:
        return None
    following = _note_rules(settings, storage.people, choice)
    return NoteSync(
        adapters.vault,
        storage.notes,
        following,
        adapters.clock,
        IncomingRefusals(adapters.database),
    )


def _note_rules(settings: Settings, people: People, choice: Callable[[], NoteChoice]) -> NoteRules:
    """Which notes, for whom, and how often they are looked at."""
    return NoteRules(
        choice=choice,
        origin=partial(_note_origin, settings.obsidian, people),
        refresh=timedelta(minutes=settings.obsidian.refresh_minutes),
    )


async def _note_origin(chosen: ObsidianSettings, people: People) -> Origin:
    """Whose the notes are: an owner who never spoke is met now, under the name of the account."""
    if chosen.audience == "person" and chosen.owner:
        platform, account = account_parts(chosen.owner)
        owner = await people.known(platform, account)
        person = owner or (await people.person(platform, account, account)).id
        return Origin(visibility=Visibility.PRIVATE, person=person)
    everyone = chosen.audience == "everyone"
    return Origin(visibility=Visibility.EVERYONE if everyone else Visibility.SPACE)

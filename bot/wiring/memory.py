"""Everything the pet thinks with: recall, learning, forgetting and tools, over one database."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from bot.agent.daily_budget import DailyBudget
from bot.agent.metering import MeteredModel
from bot.agent.tools.box import ToolParts, TurnTools, turn_tools
from bot.channels.local.uploads import UploadedPictures
from bot.conversation.pictures import Pictures
from bot.conversation.prompt.context import Surroundings
from bot.llm.tasks.fact_forms import CONVERSATION_FORM, LOBBY_FORM
from bot.ports import Model
from bot.transfer.backups import Backups, BackupTables
from bot.wiring import adapters as adapter_factories
from bot.wiring import settings as rule_factories
from config.settings import Settings
from memory.forgetting.finding import ForgettingFinder
from memory.forgetting.purge import Purge
from memory.forgetting.service import Forgetting
from memory.learning.parts import LearningParts
from memory.model.stores import Collection
from memory.ports import EmbedderInUse, MachineClock, OwnerNotices, VectorIndex
from memory.reminders.desk import ReminderDesk
from memory.retrieval.background import SimilarityBackground
from memory.retrieval.parts import RetrievalParts, RetrievalRules
from memory.rules.notes.chunks import NoteChoice
from memory.storage.conversations.room_excerpts import RoomExcerpts
from memory.storage.conversations.session_backgrounds import SessionBackgrounds
from memory.storage.forgetting.candidates import ForgettingCandidates
from memory.storage.forgotten.value_marks import IncomingRefusals
from memory.storage.search.embeddings import Embeddings
from memory.storage.search.outbox import Outbox
from memory.storage.sqlite.database import Database
from memory.storage.storage import Storage
from memory.upkeep.clock_watch import ClockWatch
from memory.upkeep.indexer import Indexer
from memory.upkeep.live_settings import LiveSettings
from memory.upkeep.reembedding import Reembedding
from memory.vectorstores.in_use import EmbedderOfSpace, SpaceInUse
from observers.after_reply import AfterReply
from observers.compaction import Compaction
from observers.conversation_facts import ConversationFacts
from observers.digest import Digest
from observers.notes import NoteSync
from observers.ports import NoteSource


@dataclass(frozen=True, slots=True, kw_only=True)
class Adapters:
    """What comes from outside: clock, files, embedder, index, a model, notes and pictures."""

    clock: MachineClock
    database: Database
    spaces: SpaceInUse
    embedder: EmbedderInUse
    index: VectorIndex
    model: Model
    vault: NoteSource | None
    pictures: Pictures
    uploads: UploadedPictures


class Services(RetrievalParts, LearningParts):
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
        self.model: Model = MeteredModel(adapters.model, storage.ledger, self.budget)
        choice, recall_rules = _choice(live_settings), rule_factories.recall_rules(settings)
        rules = RetrievalRules(
            reading=rule_factories.reading_rules(settings),
            recall=lambda: rule_factories.tuned(recall_rules, live_settings.current()),
            notes=choice,
        )
        RetrievalParts.__init__(self, storage, embedder, index, rules)
        judge = partial(adapter_factories.judge, settings, self.model)
        LearningParts.__init__(self, storage, embedder, index, live_settings.current, judge)
        self.indexer = Indexer(storage.outbox, embedder, index)
        self.lease = adapters.spaces.lease
        self.reembedding = _reembedding(adapters, self.indexer, self.background)
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
        self.after_reply = _afterwards(settings, storage, self.model)
        self.notes = _notes(settings, storage, adapters, choice)
        finder = ForgettingFinder(
            ForgettingCandidates(adapters.database),
            embedder,
            (settings.pet.name, *settings.pet.aliases),
        )
        self.forgetting = Forgetting(
            storage.forgettings, self.aliases, storage.people, finder, storage.reminders
        )
        self.purging = Purge(
            storage.forgettings,
            self.indexer.settle,
            [storage.scrubber.scrub, partial(index.scrub, list(Collection))],
        )
        self.backups = Backups(
            BackupTables(copies=storage.copies, erasures=storage.erasures, records=storage.backups),
            rule_factories.backup_rules(settings),
            clock,
        )
        self.clock_watch = ClockWatch(storage.timeline, clock)
        self.reminders = ReminderDesk(
            storage.reminders, storage.zones, rule_factories.reminder_rules(settings)
        )


def _reembedding(
    adapters: Adapters, indexer: Indexer, background: SimilarityBackground
) -> Reembedding | None:
    to, clock, database = adapters.spaces.beside, adapters.clock, adapters.database
    if to is None:
        return None
    made = Embeddings(database, EmbedderOfSpace(SpaceInUse(to)), clock)
    return Reembedding(
        adapters.spaces, to, Outbox(database, made, clock), indexer, background.prepare_for
    )


def compose_surroundings(settings: Settings, adapters: Adapters) -> Surroundings:
    """What is known of where a session is."""
    database, clock = adapters.database, adapters.clock
    return Surroundings(
        excerpts=RoomExcerpts(database, clock, rule_factories.excerpt_limits(settings)),
        backgrounds=SessionBackgrounds(database, clock),
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
    following = rule_factories.note_rules(settings, storage.people, choice)
    return NoteSync(
        adapters.vault,
        storage.notes,
        following,
        adapters.clock,
        IncomingRefusals(adapters.database),
    )

"""Everything the pet thinks with: recall, learning, forgetting and tools, over one database."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from bot.agent.daily_budget import DailyBudget
from bot.agent.metering import MeteredModel
from bot.agent.toolbox import RESPOND_TOOL, Toolbox
from bot.agent.tools.explain import ExplainingTool
from bot.agent.tools.forget import ForgettingTools
from bot.agent.tools.listing import Listing
from bot.agent.tools.places import Places
from bot.agent.tools.read_back import ReadingBack
from bot.agent.tools.recall_deeply import Branch
from bot.agent.tools.reminders import ReminderTools
from bot.agent.tools.search import SearchTools
from bot.agent.tools.search_all import KeepingTool, MemoryTools
from bot.agent.tools.store import WritingTools
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
from memory.learning.association import Associator
from memory.learning.association_pass import AssociationPass
from memory.learning.commanded import CommandedStatements
from memory.learning.correction import Corrections
from memory.learning.duplicates import DuplicateSweep
from memory.learning.kept_texts import ManualTexts
from memory.learning.observed import Learning
from memory.learning.store import StatementWriter
from memory.model.stores import Collection
from memory.ports import Clock, EmbedderInUse, MachineClock, OwnerNotices, VectorIndex, VectorLease
from memory.reminders.desk import ReminderDesk
from memory.retrieval.background import SimilarityBackground
from memory.retrieval.explanation import Explanations
from memory.retrieval.meaning_search import MeaningSearch
from memory.retrieval.question_reader import QuestionReader
from memory.retrieval.read_views import ReadViews
from memory.retrieval.recall import Recall
from memory.retrieval.references import References
from memory.retrieval.sources import Sources
from memory.retrieval.text_search import TextSearch
from memory.rules.notes.chunks import NoteChoice
from memory.storage.conversations.room_excerpts import RoomExcerpts
from memory.storage.conversations.session_backgrounds import SessionBackgrounds
from memory.storage.forgetting.candidates import ForgettingCandidates
from memory.storage.forgotten.value_marks import IncomingRefusals
from memory.storage.people.aliases import Aliases
from memory.storage.search.embeddings import Embeddings
from memory.storage.search.full_text import TextIndex
from memory.storage.search.outbox import Outbox
from memory.storage.search.term_counts import Terms, Vocabulary
from memory.storage.sqlite.database import Database
from memory.storage.statements.subjects import Subjects
from memory.storage.storage import Storage
from memory.transfer.importer import ForgottenTexts
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """Everything the pet thinks with, whatever channel it is asked on."""

    model: Model
    budget: DailyBudget
    indexer: Indexer
    lease: VectorLease | None
    reembedding: Reembedding | None
    """What lets the embedder of the settings take over; None where it is in use."""
    reading: QuestionReader
    views: ReadViews
    evidence: SimilarityBackground
    recall: Recall
    texts: TextSearch
    meanings: MeaningSearch
    references: References
    explanations: Explanations
    remember: StatementWriter
    correcting: Corrections
    commanded: CommandedStatements
    association_pass: AssociationPass
    tidying: DuplicateSweep
    forgotten: ForgottenTexts
    """What an import must not bring back."""
    digest: Digest
    conversation_facts: ConversationFacts
    after_reply: AfterReply
    notes: NoteSync | None
    """What follows the vault of notes; None where none is chosen, or no audience for it."""
    forgetting: Forgetting
    purging: Purge
    backups: Backups
    clock_watch: ClockWatch
    reminders: ReminderDesk


def compose_services(
    settings: Settings,
    adapters: Adapters,
    storage: Storage,
    live_settings: LiveSettings,
    notices: OwnerNotices,
) -> Services:
    """Everything the pet thinks with, as these settings ask for it."""
    clock, embedder, index = adapters.clock, adapters.embedder, adapters.index
    vocabulary = Vocabulary(adapters.database, "memories")
    caps = rule_factories.caps(settings, adapter_factories.prices())
    budget = DailyBudget(caps, storage.ledger, storage.people, notices, clock)
    metered = MeteredModel(adapters.model, storage.ledger, budget)
    aliases = Aliases(adapters.database, clock)
    indexer = Indexer(storage.outbox, embedder, index)
    views = ReadViews(adapters.database.readers, index, clock)
    evidence = SimilarityBackground(storage.embeddings, embedder)
    reembedding = _reembedding(adapters, indexer, evidence)
    reading = QuestionReader(
        Terms(adapters.database), aliases, embedder, clock, rule_factories.reading_rules(settings)
    )
    choice, recall_rules = _choice(live_settings), rule_factories.recall_rules(settings)
    recall = Recall(
        views,
        reading,
        Sources(storage.associations, choice),
        evidence,
        lambda: rule_factories.tuned(recall_rules, live_settings.current()),
    )
    associator = Associator(vocabulary, storage.embeddings)
    remember = StatementWriter(storage.memories, embedder, index, associator, clock)
    learning = Learning(
        remember,
        Subjects(adapters.database, clock),
        live_settings.current,
        adapter_factories.judge(settings, metered, vocabulary),
    )
    correcting = Corrections(remember, storage.memories, clock)
    references = References(
        storage.memories, storage.messages, storage.turns, storage.knowledge, storage.people
    )
    return Services(
        model=metered,
        budget=budget,
        indexer=indexer,
        lease=adapters.spaces.lease,
        reembedding=reembedding,
        reading=reading,
        views=views,
        evidence=evidence,
        recall=recall,
        texts=TextSearch(TextIndex(adapters.database, clock), views, clock, settings.zone),
        meanings=MeaningSearch(embedder, views),
        references=references,
        explanations=Explanations(storage.ledger, storage.turns, storage.associations, references),
        remember=remember,
        correcting=correcting,
        commanded=CommandedStatements(remember, correcting, storage.memories, clock),
        association_pass=AssociationPass(
            storage.associations, storage.memories, storage.embeddings, index, associator
        ),
        tidying=DuplicateSweep(
            storage.proposals, storage.memories, storage.embeddings, index, clock
        ),
        forgotten=IncomingRefusals(adapters.database),
        digest=Digest(
            storage.digests,
            learning,
            adapter_factories.extractor(settings, metered, LOBBY_FORM, "digest"),
            rule_factories.digest_rules(settings),
            notices,
        ),
        conversation_facts=ConversationFacts(
            storage.extractions,
            learning,
            adapter_factories.extractor(settings, metered, CONVERSATION_FORM, "extraction"),
            clock,
            rule_factories.extraction_rules(settings),
        ),
        after_reply=_afterwards(settings, adapters, storage, metered),
        notes=_notes(settings, storage, adapters, choice),
        forgetting=Forgetting(
            storage.forgettings,
            aliases,
            storage.people,
            ForgettingFinder(
                ForgettingCandidates(adapters.database),
                embedder,
                (settings.pet.name, *settings.pet.aliases),
            ),
            storage.reminders,
        ),
        purging=Purge(
            storage.forgettings,
            indexer.settle,
            [storage.scrubber.scrub, partial(index.scrub, list(Collection))],
        ),
        backups=Backups(
            BackupTables(copies=storage.copies, erasures=storage.erasures, records=storage.backups),
            rule_factories.backup_rules(settings),
            clock,
        ),
        clock_watch=ClockWatch(storage.timeline, clock),
        reminders=ReminderDesk(
            storage.reminders, storage.zones, rule_factories.reminder_rules(settings)
        ),
    )


def _reembedding(
    adapters: Adapters, indexer: Indexer, evidence: SimilarityBackground
) -> Reembedding | None:
    to, clock, database = adapters.spaces.beside, adapters.clock, adapters.database
    if to is None:
        return None
    made = Embeddings(database, EmbedderOfSpace(SpaceInUse(to)), clock)
    return Reembedding(
        adapters.spaces, to, Outbox(database, made, clock), indexer, evidence.prepare_for
    )


def compose_surroundings(settings: Settings, adapters: Adapters) -> Surroundings:
    """What is known of where a session is."""
    database, clock = adapters.database, adapters.clock
    return Surroundings(
        excerpts=RoomExcerpts(database, clock, rule_factories.excerpt_limits(settings)),
        backgrounds=SessionBackgrounds(database, clock),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnTools:
    """The tools of a turn: all of them, which rules answer with, and those that a model has."""

    every: Toolbox
    of_model: Toolbox


def compose_tools(
    settings: Settings,
    clock: Clock,
    storage: Storage,
    live_settings: LiveSettings,
    services: Services,
) -> TurnTools:
    """The tools of a turn."""
    places = Places(storage.messages, storage.turns, storage.people)
    search = SearchTools(services.recall, storage.memories, places, clock, locale=settings.locale)
    everything = MemoryTools(
        services.recall,
        services.texts,
        Listing(storage.memories, places, clock, locale=settings.locale),
    )
    branch = Branch(
        services.model,
        search,
        rule_factories.branch_rules(settings, adapter_factories.prompt("branch")),
    )
    explaining = ExplainingTool(services.explanations, storage.turns, clock, locale=settings.locale)
    every = Toolbox(
        (
            *search.of_turn,
            *everything.of_turn,
            explaining.tool,
            *WritingTools(services.remember, live_settings.current).of_turn,
            KeepingTool(ManualTexts(storage.knowledge, clock), storage.messages).tool,
            *ForgettingTools(services.forgetting, storage.memories).of_turn,
            *ReminderTools(services.reminders, locale=settings.locale).of_turn,
            branch.tool,
            ReadingBack(storage.transcript, storage.people).tool,
            RESPOND_TOOL,
        ),
        most_stored=settings.model.max_stored,
    )
    is_compact = rule_factories.has_compact_tools(settings)
    return TurnTools(every=every, of_model=every.compact(everything.whole) if is_compact else every)


def _choice(live_settings: LiveSettings) -> Callable[[], NoteChoice]:
    return lambda: rule_factories.note_choice(live_settings.current())


def _afterwards(
    settings: Settings, adapters: Adapters, storage: Storage, model: MeteredModel
) -> AfterReply:
    return AfterReply(
        Compaction(
            storage.summaries,
            adapter_factories.summariser(settings, model, adapters.database),
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

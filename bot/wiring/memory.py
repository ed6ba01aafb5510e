"""What the pet thinks with: recall, learning, digesting, forgetting and tools, over one truth."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from zoneinfo import ZoneInfo

from bot.agent.metering import MeteredModel
from bot.agent.recall_deeply import Branch
from bot.agent.toolbox import RESPOND_TOOL, Toolbox
from bot.agent.tools.explain import ExplainingTool
from bot.agent.tools.forget import ForgettingTool
from bot.agent.tools.listing import Listing
from bot.agent.tools.places import Whereabouts
from bot.agent.tools.search import SearchTools
from bot.agent.tools.search_all import KeepingTool, MemoryTools
from bot.agent.tools.store import WritingTools
from bot.conversation.pictures import Pictures
from bot.llm.tasks.fact_forms import CONVERSATION_FORM, LOBBY_FORM
from bot.ports import Model
from bot.wiring import adapters as parts
from bot.wiring import settings as rules
from config.settings import Settings
from memory.forgetting.purge import Purging
from memory.forgetting.service import Forgetting
from memory.learning.association import Associator
from memory.learning.association_pass import AssociationPass
from memory.learning.correction import Correcting
from memory.learning.duplicates import Tidying
from memory.learning.kept_texts import ManualTexts
from memory.learning.observed import Learning
from memory.learning.store import Remember
from memory.model.stores import Collection
from memory.ports import Clock, Embedder, VectorIndex
from memory.retrieval.background import EvidenceFinder
from memory.retrieval.explanation import Explanations
from memory.retrieval.question_reader import Reading
from memory.retrieval.recall import Recall
from memory.retrieval.references import References
from memory.retrieval.snapshots import Visits
from memory.retrieval.sources import Sources
from memory.retrieval.text_search import TextSearch
from memory.rules.notes.chunks import NoteChoice
from memory.storage.database import Database
from memory.storage.forgetting.tombstones import Tombstones
from memory.storage.people.aliases import Aliases
from memory.storage.search.full_text import TextIndex
from memory.storage.search.term_counts import Terms, Vocabulary
from memory.storage.statements.subjects import Subjects
from memory.storage.storage import Truth
from memory.transfer.importer import Forgotten
from memory.upkeep.indexer import Indexer
from memory.upkeep.live_settings import Panel
from observers.after_reply import Afterwards
from observers.compaction import Compaction
from observers.conversation_facts import ConversationFacts
from observers.digest import Digest
from observers.notes import NoteSync
from observers.ports import NoteSource


@dataclass(frozen=True, slots=True, kw_only=True)
class Adapters:
    """What comes from outside: clock, files, embedder, index, a model, notes and pictures."""

    clock: Clock
    database: Database
    embedder: Embedder
    index: VectorIndex
    model: Model
    vault: NoteSource | None
    pictures: Pictures


@dataclass(frozen=True, slots=True, kw_only=True)
class Mind:
    """Everything the pet thinks with, whatever channel it is asked on."""

    model: Model
    indexer: Indexer
    reading: Reading
    visits: Visits
    evidence: EvidenceFinder
    recall: Recall
    texts: TextSearch
    references: References
    explanations: Explanations
    remember: Remember
    correcting: Correcting
    association_pass: AssociationPass
    tidying: Tidying
    forgotten: Forgotten
    """What an import must not bring back."""
    digest: Digest
    conversation_facts: ConversationFacts
    afterwards: Afterwards
    notes: NoteSync | None
    """What follows the vault of notes; None where none is chosen, or nobody who may hear of it."""
    forgetting: Forgetting
    purging: Purging


def compose_mind(settings: Settings, adapters: Adapters, truth: Truth, panel: Panel) -> Mind:
    """The mind that these settings ask for."""
    clock, embedder, index = adapters.clock, adapters.embedder, adapters.index
    vocabulary = Vocabulary(adapters.database, "memories")
    metered = MeteredModel(adapters.model, truth.ledger, clock, rules.caps(settings))
    aliases = Aliases(adapters.database, clock)
    indexer = Indexer(truth.outbox, embedder, index)
    visits = Visits(adapters.database.readers, index, clock)
    evidence = EvidenceFinder(truth.embeddings, embedder)
    reading = Reading(
        Terms(adapters.database), aliases, embedder, clock, rules.reading_rules(settings)
    )
    choice, recall_rules = _choice(panel), rules.recall_rules(settings)
    recall = Recall(
        visits,
        reading,
        Sources(truth.associations, choice),
        evidence,
        lambda: rules.tuned(recall_rules, panel.current()),
    )
    associator = Associator(vocabulary, truth.embeddings)
    remember = Remember(truth.memories, embedder, index, associator, clock)
    learning = Learning(
        remember,
        Subjects(adapters.database, clock),
        panel.current,
        parts.judge(settings, metered, vocabulary),
    )
    references = References(
        truth.memories, truth.messages, truth.turns, truth.knowledge, truth.people
    )
    return Mind(
        model=metered,
        indexer=indexer,
        reading=reading,
        visits=visits,
        evidence=evidence,
        recall=recall,
        texts=TextSearch(
            TextIndex(adapters.database, clock), visits, clock, ZoneInfo(settings.timezone)
        ),
        references=references,
        explanations=Explanations(truth.ledger, truth.turns, truth.associations, references),
        remember=remember,
        correcting=Correcting(remember, truth.memories, clock),
        association_pass=AssociationPass(
            truth.associations, truth.memories, truth.embeddings, index, associator
        ),
        tidying=Tidying(truth.proposals, truth.memories, truth.embeddings, index, clock),
        forgotten=Tombstones(adapters.database),
        digest=Digest(
            truth.digests,
            learning,
            parts.extractor(settings, metered, LOBBY_FORM, "digest"),
            rules.digest_rules(settings),
        ),
        conversation_facts=ConversationFacts(
            truth.extractions,
            learning,
            parts.extractor(settings, metered, CONVERSATION_FORM, "extraction"),
            clock,
            rules.extraction_rules(settings),
        ),
        afterwards=_afterwards(settings, adapters, truth, metered),
        notes=_notes(settings, truth, adapters, choice),
        forgetting=Forgetting(truth.forgettings, aliases, truth.people),
        purging=Purging(
            truth.forgettings,
            indexer.settle,
            [truth.scrubber.scrub, partial(index.scrub, list(Collection))],
        ),
    )


def compose_toolbox(
    settings: Settings, clock: Clock, truth: Truth, panel: Panel, mind: Mind
) -> Toolbox:
    """The tools of a turn."""
    whereabouts = Whereabouts(truth.messages, truth.turns, truth.people)
    search = SearchTools(mind.recall, truth.memories, whereabouts, clock, locale=settings.locale)
    everything = MemoryTools(
        mind.recall,
        mind.texts,
        Listing(truth.memories, whereabouts, clock, locale=settings.locale),
    )
    branch = Branch(mind.model, search, rules.branch_rules(settings, parts.prompt("branch")))
    explaining = ExplainingTool(mind.explanations, truth.turns, clock, locale=settings.locale)
    return Toolbox(
        (
            *search.of_turn,
            *everything.of_turn,
            explaining.tool,
            *WritingTools(mind.remember, truth.memories, panel.current).of_turn,
            KeepingTool(ManualTexts(truth.knowledge, clock), truth.messages).tool,
            ForgettingTool(mind.forgetting).tool,
            branch.tool,
            RESPOND_TOOL,
        )
    )


def _choice(panel: Panel) -> Callable[[], NoteChoice]:
    return lambda: rules.note_choice(panel.current())


def _afterwards(
    settings: Settings, adapters: Adapters, truth: Truth, model: MeteredModel
) -> Afterwards:
    return Afterwards(
        Compaction(
            truth.summaries,
            parts.summariser(settings, model, adapters.database),
            truth.ledger,
            rules.compaction_rules(settings),
            injections=rules.replays_injections(settings),
        )
    )


def _notes(
    settings: Settings, truth: Truth, adapters: Adapters, choice: Callable[[], NoteChoice]
) -> NoteSync | None:
    if adapters.vault is None:
        return None
    following = rules.note_rules(settings, truth.people, choice)
    return NoteSync(
        adapters.vault, truth.notes, following, adapters.clock, Tombstones(adapters.database)
    )

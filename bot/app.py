"""The composition root: every part is made here, from the settings, by constructor arguments."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from zoneinfo import ZoneInfo

import structlog

from bot import parts, rules
from bot.branch import Branch
from bot.channels.local import LocalHub
from bot.coalescer import Coalescer
from bot.commands import Commands, digest_command, is_admin, privacy_command
from bot.conversations import Conversations
from bot.delivery import Delivery
from bot.explaining import ExplainingTool
from bot.forgetting import ForgettingTool, forget_command, forget_me_command
from bot.gateway import MeteredModel
from bot.inbox import Inbox
from bot.listing import Listing
from bot.loop import RESPONDING, ModelLoop
from bot.memory_tools import KeepingTool, MemoryTools
from bot.models.fact_forms import CONVERSATION_FORM, LOBBY_FORM
from bot.ports import Model
from bot.search_tools import SearchTools
from bot.settings_command import settings_command
from bot.threads import Threads
from bot.tools import RESPOND_TOOL, Toolbox
from bot.truth import Truth, truth_in
from bot.turn import TurnPath
from bot.whereabouts import Whereabouts
from bot.writing_tools import WritingTools
from config.settings import Settings
from memory.adapters.sqlite.aliases import Aliases
from memory.adapters.sqlite.database import Database, open_database
from memory.adapters.sqlite.subjects import Subjects
from memory.adapters.sqlite.terms import Terms, Vocabulary
from memory.adapters.sqlite.text_index import TextIndex
from memory.adapters.sqlite.tombstones import Tombstones
from memory.associating import Associator
from memory.association_pass import AssociationPass
from memory.clock import SystemClock
from memory.errors import EkoMemoryError
from memory.evidence import EvidenceFinder
from memory.explanation import Explanations
from memory.forget import Forgetting
from memory.importing import Forgotten
from memory.indexing import Indexer
from memory.lane import lane
from memory.learning import Learning
from memory.manual_texts import ManualTexts
from memory.model import Collection
from memory.notes import NoteChoice
from memory.panel import Panel
from memory.ports import Clock, Embedder, VectorIndex
from memory.purging import Purging
from memory.reading import Reading
from memory.recall import Recall
from memory.references import References
from memory.remember import Remember
from memory.sources import Sources
from memory.text_search import TextSearch
from memory.tidying import Tidying
from observers.afterwards import Afterwards
from observers.compaction import Compaction
from observers.conversation_facts import ConversationFacts
from observers.digest import Digest
from observers.notes import NoteSync
from observers.ports import NoteSource

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class App:
    """The pet, put together: what its channels, its observers and its commands work with."""

    settings: Settings
    clock: Clock
    truth: Truth
    panel: Panel
    embedder: Embedder
    index: VectorIndex
    indexer: Indexer
    reading: Reading
    evidence: EvidenceFinder
    recall: Recall
    texts: TextSearch
    references: References
    explanations: Explanations
    remember: Remember
    association_pass: AssociationPass
    tidying: Tidying
    forgotten: Forgotten
    """What an import must not bring back."""
    digest: Digest
    conversation_facts: ConversationFacts
    notes: NoteSync | None
    """What follows the vault of notes; None where none is chosen, or nobody who may hear of it."""
    forgetting: Forgetting
    purging: Purging
    model: Model
    hub: LocalHub
    threads: Threads
    delivery: Delivery
    inbox: Inbox
    conversations: Conversations
    afterwards: Afterwards
    commands: Commands
    lanes: list[asyncio.Task[None]] = field(default_factory=list)
    """What runs beside; one that ends by itself has failed."""


@asynccontextmanager
async def open_app(
    settings: Settings, clock: Clock | None = None, *, resuming: bool = False
) -> AsyncIterator[App]:
    """The pet, listening and thinking until the body ends; then it finishes what it has begun.

    `resuming` sends what a crash left unsent and answers what it left unanswered, before anything
    new is received: a message that came in meanwhile would be heard twice.

    Raises:
        DatabaseRefused: the database cannot be used as it is.
        VectorStoreUnavailable: the embedded vector store cannot be started.

    """
    clock = clock or SystemClock()
    async with AsyncExitStack() as stack:
        database = await stack.enter_async_context(open_database(settings.data_dir / "eko.sqlite3"))
        embedder = await stack.enter_async_context(parts.open_embedder(settings))
        index = await stack.enter_async_context(
            parts.open_index(settings, settings.data_dir / "vectors", embedder.fingerprint)
        )
        model = await stack.enter_async_context(parts.open_model(settings, clock))
        vault = await stack.enter_async_context(parts.open_vault(settings))
        adapters = _Adapters(
            clock=clock, database=database, embedder=embedder, index=index, model=model, vault=vault
        )
        app = _compose(settings, adapters)
        await app.panel.load()
        for name, work in (
            ("indexer", app.indexer.run()),
            ("conversations", app.conversations.run()),
            ("commands", app.commands.run()),
            ("afterwards", app.afterwards.run()),
            *(
                [("extraction", app.conversation_facts.run())]
                if settings.extraction.enabled
                else []
            ),
        ):
            app.lanes.append(await stack.enter_async_context(lane(work, name=name)))
        if resuming:
            await app.delivery.resume()
            await app.inbox.resume()
            app.conversation_facts.wake()
        local = lane(app.hub.run(app.inbox.receive), name="local")
        app.lanes.append(await stack.enter_async_context(local))
        await app.hub.listening()
        try:
            yield app
        finally:
            await _finish(app)


async def _finish(app: App) -> None:
    """The stages of a stop: answers under way, then what follows an answer, each with its limit."""
    limits = app.settings.shutdown
    answering = asyncio.gather(app.conversations.quiet(), app.commands.quiet())
    if not await _within(limits.turns_s, answering):
        log.warning("turns.abandoned", limit_s=limits.turns_s)
    try:
        if not await _within(limits.posthooks_s, _settled(app)):
            log.warning("index.postponed", limit_s=limits.posthooks_s)
    except EkoMemoryError as error:
        log.warning("index.postponed", reason=str(error))


async def _settled(app: App) -> None:
    """Do and index what follows the answers; the next start makes up for what is not."""
    await app.afterwards.quiet()
    await app.indexer.settle()


async def _within(limit_s: float, work: Awaitable[object]) -> bool:
    try:
        async with asyncio.timeout(limit_s):
            await work
    except TimeoutError:
        return False
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class _Adapters:
    clock: Clock
    database: Database
    embedder: Embedder
    index: VectorIndex
    model: Model
    vault: NoteSource | None


def _compose(settings: Settings, adapters: _Adapters) -> App:
    clock, embedder, index = adapters.clock, adapters.embedder, adapters.index
    truth = truth_in(adapters.database, embedder, clock)
    panel = Panel(truth.settings, rules.tuning(settings))
    evidence = EvidenceFinder(truth.embeddings, truth.ledger, embedder)
    aliases = Aliases(adapters.database, clock)
    forgetting = Forgetting(truth.forgettings, aliases, truth.people)
    indexer = Indexer(truth.outbox, embedder, index)
    reading = Reading(
        Terms(adapters.database),
        aliases,
        embedder,
        clock,
        rules.reading_rules(settings),
    )
    recall_rules = rules.recall_rules(settings)

    def choice() -> NoteChoice:
        return rules.note_choice(panel.current())

    recall = Recall(
        reading,
        Sources(truth.kept, index, choice),
        evidence,
        clock,
        lambda: rules.tuned(recall_rules, panel.current()),
    )
    associator = Associator(Vocabulary(adapters.database, "memories"), truth.embeddings)
    remember = Remember(truth.memories, embedder, index, associator, clock)
    metered = MeteredModel(adapters.model, truth.ledger, clock, rules.caps(settings))
    judge = parts.judge(settings, metered, Vocabulary(adapters.database, "memories"))
    learning = Learning(remember, Subjects(adapters.database, clock), panel.current, judge)
    digest = Digest(
        truth.digests,
        learning,
        parts.extractor(settings, metered, LOBBY_FORM, "digest"),
        rules.digest_rules(settings),
    )
    conversation_facts = ConversationFacts(
        truth.extractions,
        learning,
        parts.extractor(settings, metered, CONVERSATION_FORM, "extraction"),
        clock,
        rules.extraction_rules(settings),
    )
    hub = LocalHub(pet_name=settings.pet.name, clock=clock)
    afterwards = Afterwards(
        Compaction(
            truth.summaries,
            parts.summariser(settings, metered, adapters.database),
            truth.ledger,
            rules.compaction_rules(settings),
            injections=rules.replays_injections(settings),
        )
    )
    delivery = Delivery(
        {hub.platform: hub},
        truth.turns,
        truth.people,
        [lambda _: conversation_facts.wake(), lambda turn: afterwards.replied(turn.session)],
    )
    threads = Threads(
        truth.turns,
        truth.messages,
        truth.summaries,
        idle=timedelta(minutes=settings.sessions.idle_minutes),
    )
    whereabouts = Whereabouts(truth.messages, truth.turns, truth.people)
    search = SearchTools(recall, truth.memories, whereabouts, clock, locale=settings.locale)
    texts = TextSearch(
        TextIndex(adapters.database, clock), truth.kept, clock, ZoneInfo(settings.timezone)
    )
    everything = MemoryTools(
        recall, texts, Listing(truth.memories, whereabouts, clock, locale=settings.locale)
    )
    keeping = KeepingTool(ManualTexts(truth.knowledge, clock), truth.messages)
    writing = WritingTools(remember, truth.memories, panel.current)
    branch = Branch(metered, search, rules.branch_rules(settings, parts.prompt("branch")))
    references = References(
        truth.memories, truth.messages, truth.turns, truth.knowledge, truth.people
    )
    explanations = Explanations(truth.ledger, truth.turns, truth.associations, references)
    explaining = ExplainingTool(explanations, truth.turns, clock, locale=settings.locale)
    toolbox = Toolbox(
        (
            *search.of_turn,
            *everything.of_turn,
            explaining.tool,
            *writing.of_turn,
            keeping.tool,
            ForgettingTool(forgetting).tool,
            branch.tool,
            RESPOND_TOOL,
        )
    )
    path = TurnPath(
        recall,
        ModelLoop(metered, toolbox, RESPONDING, max_turns=settings.model.max_turns),
        threads,
        delivery,
        rules.turn_rules(settings, parts.prompt("turn"), toolbox.specs),
    )
    conversations = Conversations(
        Coalescer(rules.windows(settings)),
        path,
        clock,
        most_restarts=settings.coalescing.max_restarts,
    )
    commands = Commands(
        [
            privacy_command(truth.people.observe, settings.locale),
            digest_command(digest.run, settings.locale),
            settings_command(panel, clock, settings.locale),
            forget_command(
                forgetting,
                lambda heard: is_admin(heard, settings.admins.identities),
                settings.locale,
            ),
            forget_me_command(forgetting, settings.locale),
        ],
        delivery,
        settings.admins.identities,
        settings.locale,
    )
    return App(
        settings=settings,
        clock=clock,
        truth=truth,
        panel=panel,
        embedder=embedder,
        index=index,
        indexer=indexer,
        reading=reading,
        evidence=evidence,
        recall=recall,
        texts=texts,
        references=references,
        explanations=explanations,
        remember=remember,
        association_pass=AssociationPass(
            truth.associations, truth.memories, truth.embeddings, index, associator
        ),
        tidying=Tidying(truth.proposals, truth.memories, truth.embeddings, index, clock),
        forgotten=Tombstones(adapters.database),
        digest=digest,
        conversation_facts=conversation_facts,
        notes=_notes(settings, truth, adapters, choice),
        forgetting=forgetting,
        purging=Purging(
            truth.forgettings,
            indexer.settle,
            [truth.scrubber.scrub, partial(index.scrub, list(Collection))],
        ),
        model=metered,
        hub=hub,
        threads=threads,
        delivery=delivery,
        inbox=Inbox(
            truth.messages, truth.people, conversations, commands, rules.inbox_rules(settings)
        ),
        conversations=conversations,
        afterwards=afterwards,
        commands=commands,
    )


def _notes(
    settings: Settings, truth: Truth, adapters: _Adapters, choice: Callable[[], NoteChoice]
) -> NoteSync | None:
    if adapters.vault is None:
        return None
    following = rules.note_rules(settings, truth.people, choice)
    return NoteSync(
        adapters.vault, truth.notes, following, adapters.clock, Tombstones(adapters.database)
    )

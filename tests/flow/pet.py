"""The pet with real tables and its outside faked: a script for a model, a list for a room."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from bot.agent.budget import Caps
from bot.agent.circuit_breaker import CircuitBreaker
from bot.agent.loop import RESPONDING, LoopLimits, ModelLoop
from bot.agent.toolbox import RESPOND
from bot.agent.tools.recall_deeply import BranchRules
from bot.commands.dispatcher import CommandDispatcher
from bot.conversation.arrival_rates import ArrivalLimiter, RateRules
from bot.conversation.coalescer import Coalescer, Windows
from bot.conversation.composer import Composer, TurnRules
from bot.conversation.delivery import Delivery
from bot.conversation.fallback import BreakingLoop, FallbackLoop, SameLanguageLoop
from bot.conversation.inbox import Inbox
from bot.conversation.keeping_quiet import KeepingQuiet
from bot.conversation.kept_notes import KeptNoteWriter
from bot.conversation.paced_inbox import PacedInbox
from bot.conversation.pauses import Pausing
from bot.conversation.pictures import NoPictures, Pictures
from bot.conversation.placement import InboxRules
from bot.conversation.prompt.context import ContextBuilder
from bot.conversation.prompt.request import PromptRules
from bot.conversation.rate_limit import GuardedListener, LoopGuard, LoopRules
from bot.conversation.rooms import RoomRegistry, RoomRegistryRules, RoomRule
from bot.conversation.scheduler import TurnScheduler
from bot.conversation.splitting import MARKDOWN
from bot.conversation.turn import AnswerTurn
from bot.conversation.unread_notes import UNREAD, UnreadNotesLoop, UnreadNotices
from bot.errors import DeliveryFailed
from bot.llm.offline.model import OfflinePet
from bot.model.commands import Call
from bot.model.events import AuthorRef, Inbound, InboundKind, RoomRef
from bot.model.requests import (
    ModelReply,
    ModelRequest,
    ToolCall,
    ToolResult,
    ToolRound,
    Usage,
    UserMessage,
)
from bot.model.text_limits import LONGEST
from bot.model.turns import Outgoing
from bot.ports import Markup, Model
from bot.reminders.dispatch import ReminderDispatch
from memory.model.conversations import Turn
from memory.model.people import PersonId
from memory.model.rooms import HOME, Room, RoomId
from memory.model.settings import Tuning
from memory.retrieval.recall import Recall, RecallRules
from memory.retrieval.rendering import Wording
from memory.retrieval.sources import Reach
from memory.rules.compaction import CompactionRules
from memory.rules.notes.chunks import NoteChoice
from memory.storage.community.pauses import Pauses
from memory.storage.community.room_choices import RoomChoices
from memory.storage.community.settings import MemorySettings
from memory.storage.people.kept_notes import KeptNotes
from memory.storage.people.zones import PersonZones
from memory.tasks import background_task
from memory.upkeep.live_settings import LiveSettings
from observers.after_reply import AfterReply
from observers.compaction import Compaction, Summariser
from observers.conversation_facts import ConversationFacts, ExtractionReport
from observers.ports import Extractor
from tests.cast import CORNER, DAVID, PLATFORM
from tests.flow.extractors import EXTRACTION, by_rules
from tests.flow.limits import BRANCH, LIMITS, LOOPS, RATES, surroundings_on
from tests.flow.pinging import ping
from tests.flow.recalling import evidence_on, recall_on
from tests.flow.summarisers import summaries_by_model
from tests.flow.toolbox import specs_of, toolbox_on
from tests.metered import metered_on
from tests.notices import NotedNotices
from tests.patience import PATIENCE_S
from tests.reminding import dispatch_on
from tests.rows import RECALL_LIMITS
from tests.storage import StorageParts, open_truth

QUIET = timedelta(seconds=1.5)
QUIET_PET = KeepingQuiet(names=("Eko",), reacting={PLATFORM})
"""Its platform shows reactions."""

RECALL = RecallRules(
    reach=Reach(vector_results=30, text_results=40, recent=timedelta(hours=6)),
    limits=RECALL_LIMITS,
    deadline_s=10,
    embed_timeout_s=10,
    window_buffer=100,
    wording=Wording(locale="fr", zone=ZoneInfo("Europe/Paris")),
)
"""The pet's own numbers, but for the deadlines: a busy machine must not change what is found."""

COMPACTION = CompactionRules(
    window_tokens=6000,
    keep=10,
    longest=LONGEST,
    rollup_of=8,
    attempts=3,
    zone=ZoneInfo("Europe/Paris"),
    locale="fr",
    worth=2,
)

_numbers = count(1)


def calls(*tools: tuple[str, dict[str, Any]], text: str = "") -> ModelReply:
    """An answer that calls tools."""
    made = tuple(
        ToolCall(id=f"call_{next(_numbers)}", name=name, arguments=arguments)
        for name, arguments in tools
    )
    return ModelReply(text=text, calls=made, usage=Usage(), model="scripted", stop_reason="tools")


def responds(message: str, expression: str = "happy") -> ModelReply:
    """An answer that ends the turn."""
    return calls((RESPOND, {"message": message, "expression": expression}))


Step = ModelReply | Exception | Callable[[ModelRequest], ModelReply]


class ScriptedModel:
    """Answers from a script, then "d'accord"; while `gate` is shut it is `thinking`."""

    name = "scripted"

    def __init__(self) -> None:
        self.requests: list[ModelRequest] = []
        self.thinking = asyncio.Event()
        self.gate = asyncio.Event()
        self.gate.set()
        self._script: deque[Step] = deque()

    def will(self, *steps: Step) -> None:
        """Answer the next requests with these, in order."""
        self._script.extend(steps)

    async def complete(self, request: ModelRequest) -> ModelReply:
        """The next answer of the script."""
        self.requests.append(request)
        self.thinking.set()
        await self.gate.wait()
        self.thinking.clear()
        step = self._script.popleft() if self._script else responds("d'accord")
        if isinstance(step, Exception):
            raise step
        return step(request) if callable(step) else step

    @property
    def last(self) -> UserMessage:
        """The words it was asked about last."""
        return said_in(self.requests[-1])

    @property
    def injected(self) -> str:
        """What was injected before them."""
        return self.last.injection

    @property
    def told(self) -> str:
        """All that stood before them: where and when, and what was injected."""
        first = getattr(self.requests[-1].messages[0], "injection", "")
        return f"{first}\n{self.last.surroundings}\n{self.injected}"

    @property
    def results(self) -> list[str]:
        """What the tools told it, in order, over the rounds of its last request."""
        return [result.text for result in self.came_to]

    @property
    def came_to(self) -> list[ToolResult]:
        """The same with its values."""
        rounds = [one for one in self.requests[-1].messages if isinstance(one, ToolRound)]
        return [result for one in rounds for result in one.results]


def said_in(request: ModelRequest) -> UserMessage:
    """The words a request asks about."""
    return [one for one in request.messages if isinstance(one, UserMessage)][-1]


@dataclass
class ListedChannel:
    """A platform that keeps what it was sent; it refuses the next `refuses` messages."""

    messages: list[Outgoing] = field(default_factory=list)
    refuses: int = 0
    text_limit: int = 2000
    markup: Markup = MARKDOWN
    platform: str = PLATFORM

    async def send(self, message: Outgoing) -> str | None:
        """Keep a message, or refuse it."""
        if self.refuses:
            self.refuses -= 1
            raise DeliveryFailed("The platform is away.")
        self.messages.append(message)
        return f"sent-{len(self.messages)}"

    async def show_typing(self, room: Room) -> None:
        """Shown to nobody."""

    @property
    def sent(self) -> list[tuple[RoomId, str]]:
        """What was sent, and where."""
        return [(one.room.id, one.text) for one in self.messages]

    @property
    def texts(self) -> list[str]:
        """What was sent, without where."""
        return [one.text for one in self.messages]

    @property
    def nonces(self) -> list[str]:
        """What each of them was sent under."""
        return [one.nonce for one in self.messages]

    @property
    def expressions(self) -> list[str]:
        """The faces that were shown."""
        return [one.expression for one in self.messages if one.expression]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pet:
    """The pet, listening, with its clock in the test's hand."""

    storage: StorageParts
    model: ScriptedModel
    channel: ListedChannel
    recall: Recall
    live_settings: LiveSettings
    contexts: ContextBuilder
    delivery: Delivery
    inbox: Inbox
    paced_inbox: PacedInbox
    conversations: TurnScheduler
    after_reply: AfterReply
    commands: CommandDispatcher
    limiter: ArrivalLimiter
    facts: ConversationFacts
    reminders: ReminderDispatch
    ran: list[Call]
    """The commands that were run."""

    async def hears(
        self,
        text: str,
        who: AuthorRef = DAVID,
        where: RoomRef = CORNER,
        **fields: Any,
    ) -> str:
        """Take one message; its external id. Nothing is answered before `answers`."""
        external_id = fields.pop("external_id", None) or f"x{next(_numbers)}"
        fields.setdefault("spaces", frozenset({HOME}))
        inbound = Inbound(
            external_id=external_id,
            room=where,
            author=who,
            text=text,
            sent_at=self.storage.clock.now(),
            **fields,
        )
        await self.inbox.receive(inbound)
        return str(external_id)

    async def event(self, text: str, who: AuthorRef = DAVID, where: RoomRef = CORNER) -> None:
        """Take one thing that the platform says of itself."""
        await self.hears(text, who, where, kind=InboundKind.SYSTEM)

    def lets_quiet_pass(self) -> None:
        """Move the clock past the quiet window and wake the conversations."""
        self.storage.clock.advance(QUIET)
        self.conversations.typing(PersonId("nobody"), RoomId("nowhere"))

    async def answers(self) -> list[str]:
        """Let the quiet pass and everything be answered and indexed; what was sent so far."""
        self.lets_quiet_pass()
        async with asyncio.timeout(PATIENCE_S):
            await self.conversations.quiet()
            await self.after_reply.quiet()
        await self.storage.indexer.settle()
        return self.channel.texts

    async def falls_silent(self, silence: timedelta = timedelta(minutes=16)) -> None:
        """Let so much time pass without a word, and everything that follows it be done."""
        self.storage.clock.advance(silence)
        await self.contexts.end_idle()
        self.after_reply.look_around()
        async with asyncio.timeout(PATIENCE_S):
            await self.after_reply.quiet()
        await self.storage.indexer.settle()

    async def asked(
        self, text: str, who: AuthorRef = DAVID, where: RoomRef = CORNER, **fields: Any
    ) -> str:
        """Say one thing and have it answered; what was injected for it."""
        await self.hears(text, who, where, **fields)
        await self.answers()
        return self.model.injected

    async def learns(self) -> ExtractionReport:
        """Let the conversations be silent for long enough to be read, and read them."""
        self.storage.clock.advance(EXTRACTION.idle)
        report = await self.facts.read_due()
        await self.storage.indexer.settle()
        return report

    async def overhears(self, text: str, who: AuthorRef, where: RoomRef) -> None:
        """Take a lobby message and index it."""
        await self.hears(text, who, where)
        await self.storage.indexer.settle()


@asynccontextmanager
async def awake(
    folder: Path,
    *,
    model: ScriptedModel | None = None,
    channel: ListedChannel | None = None,
    rooms: Sequence[RoomRule] = (),
    persist: bool = True,
    restarts: int = 1,
    caps: Caps | None = None,
    branch: BranchRules = BRANCH,
    extractor: Callable[[Model], Extractor] = by_rules,
    notes: Callable[[], NoteChoice] = NoteChoice,
    compaction: CompactionRules = COMPACTION,
    summariser: Callable[[StorageParts, Model], Summariser] | None = None,
    pictures: Pictures | None = None,
    loops: LoopRules = LOOPS,
    rates: RateRules = RATES,
    limits: LoopLimits = LIMITS,
    notices: NotedNotices | None = None,
    **storage: Any,
) -> AsyncIterator[Pet]:
    """The pet of a folder, until it goes to sleep; the same folder again is a restart."""
    async with open_truth(folder, **storage) as opened:
        pet = _put_together(
            opened,
            model or ScriptedModel(),
            channel or ListedChannel(),
            rooms,
            persist,
            restarts,
            caps or Caps(),
            branch,
            extractor,
            notes,
            (compaction, summariser or summaries_by_model),
            pictures,
            (loops, rates, limits),
            notices or NotedNotices(),
        )
        async with (
            background_task(pet.conversations.run(), name="conversations"),
            background_task(pet.commands.run(), name="commands"),
            background_task(pet.limiter.run(), name="refusals"),
            background_task(pet.after_reply.run(), name="afterwards"),
        ):
            yield pet


def _put_together(
    storage: StorageParts,
    model: ScriptedModel,
    channel: ListedChannel,
    rooms: Sequence[RoomRule],
    persist: bool,  # noqa: FBT001
    restarts: int,
    caps: Caps,
    branch: BranchRules,
    extractor: Callable[[Model], Extractor],
    notes: Callable[[], NoteChoice],
    compacting: tuple[CompactionRules, Callable[[StorageParts, Model], Summariser]],
    pictures: Pictures | None,
    limiting: tuple[LoopRules, RateRules, LoopLimits],
    notices: NotedNotices,
) -> Pet:
    loops, rates, limits = limiting
    recall = recall_on(storage, evidence_on(storage), RECALL, notes)
    metered = metered_on(storage, model, caps, notices)
    facts = ConversationFacts(
        storage.extractions, storage.learning, extractor(metered), storage.clock, EXTRACTION
    )
    after_reply = AfterReply(
        Compaction(
            storage.summaries,
            compacting[1](storage, metered),
            storage.ledger,
            compacting[0],
            injections=persist,
        )
    )
    told: list[Callable[[Turn], None]] = [
        lambda _: facts.wake(),
        lambda turn: after_reply.replied(turn.session),
    ]
    beside = KeptNoteWriter(KeptNotes(storage.database, storage.clock), locale="fr")
    delivery = Delivery({channel.platform: channel}, storage.turns, storage.people, told, beside)
    contexts = ContextBuilder(
        storage.turns,
        storage.messages,
        storage.summaries,
        surroundings_on(storage),
        idle=timedelta(minutes=15),
    )
    live_settings = LiveSettings(MemorySettings(storage.database, storage.clock), Tuning())
    toolbox = toolbox_on(storage, recall, metered, branch, live_settings)
    turn_rules = TurnRules(
        names=("Eko",),
        locale="fr",
        prompt=PromptRules(
            system="Be brief.",
            names=("Eko",),
            tools=specs_of(toolbox),
            max_tokens=300,
            locale="fr",
            zone=RECALL.wording.zone,
            replay_injections=persist,
        ),
    )
    by_rules = OfflinePet(storage.clock, RECALL.wording.zone, ("Eko",))
    path = AnswerTurn(
        Composer(recall, pictures or NoPictures(), PersonZones(storage.database), turn_rules),
        UnreadNotesLoop(
            FallbackLoop(
                BreakingLoop(
                    SameLanguageLoop(ModelLoop(metered, toolbox, QUIET_PET.closing, limits)),
                    CircuitBreaker(storage.clock),
                ),
                ModelLoop(by_rules, toolbox, RESPONDING, LIMITS),
                specs_of(toolbox),
            ),
            UNREAD,
        ),
        contexts,
        delivery,
        turn_rules,
    )
    windows = Windows(quiet=QUIET, longest=timedelta(seconds=5), most_messages=50)
    conversations = TurnScheduler(Coalescer(windows), path, storage.clock, most_restarts=restarts)
    limiter = ArrivalLimiter(rates, delivery, storage.clock, locale="fr")
    listener = GuardedListener(
        conversations, LoopGuard(loops), limiter, UnreadNotices(UNREAD), storage.clock
    )
    told.append(listener.answered)
    ran: list[Call] = []
    commands = CommandDispatcher([ping(ran)], delivery)
    said = RoomRegistryRules(
        names=("Eko",), rooms=tuple(rooms), admins=(f"{PLATFORM}:david",), locale="fr"
    )
    pausing = Pausing(Pauses(storage.database, storage.clock), storage.reminders.changed.set)
    register = RoomRegistry(
        storage.people,
        RoomChoices(storage.database, storage.clock),
        pausing,
        said,
    )
    rules = InboxRules(names=("Eko",), pending_max_age=timedelta(hours=1))
    inbox = Inbox(storage.messages, register, listener, commands, rules)
    return Pet(
        storage=storage,
        model=model,
        channel=channel,
        recall=recall,
        live_settings=live_settings,
        contexts=contexts,
        delivery=delivery,
        inbox=inbox,
        paced_inbox=PacedInbox(inbox, register, limiter),
        conversations=conversations,
        after_reply=after_reply,
        commands=commands,
        limiter=limiter,
        facts=facts,
        reminders=dispatch_on(storage, delivery, pausing),
        ran=ran,
    )

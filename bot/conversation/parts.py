"""The parts of this room, made over one storage."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta

from bot.conversation.arrival_rates import ArrivalLimiter, RateRules
from bot.conversation.coalescer import Coalescer, Windows
from bot.conversation.composer import Composer, Recalling, TurnRules
from bot.conversation.delivery import Delivery
from bot.conversation.kept_notes import KeptNoteWriter
from bot.conversation.member_roles import MemberRoleChoices
from bot.conversation.pauses import Pausing
from bot.conversation.pictures import Pictures
from bot.conversation.prompt.context import ContextBuilder, Surroundings
from bot.conversation.rate_limit import GuardedListener, LoopGuard, LoopRules
from bot.conversation.rooms import RoomRegistry, RoomRegistryRules
from bot.conversation.scheduler import TurnRunner, TurnScheduler
from bot.conversation.turn import Answering, AnswerTurn
from bot.conversation.unread_notes import UnreadNotices
from bot.ports import Channel
from memory.model.conversations import Turn
from memory.model.room_excerpts import ExcerptLimits
from memory.storage.conversations.room_excerpts import RoomExcerpts
from memory.storage.conversations.session_backgrounds import SessionBackgrounds
from memory.storage.storage import Storage


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationRules:
    """What is chosen of conversations.

    `idle` is the silence that ends a session, `most_restarts` how often a turn may begin again
    because its person went on writing.
    """

    register: RoomRegistryRules
    rates: RateRules
    loops: LoopRules
    windows: Windows
    most_restarts: int
    idle: timedelta
    excerpts: ExcerptLimits
    turn: TurnRules


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerSources:
    """What an answer is made from: what is recalled, what is seen, and what comes to a reply.

    `unread` remembers who was told which kinds of attachments nothing here can read. The path that
    is run is what `traced` makes of it.
    """

    recall: Recalling
    pictures: Pictures
    answering: Answering
    unread: UnreadNotices
    traced: Callable[[TurnRunner], TurnRunner] = lambda path: path


class ConversationParts:
    """What answers what was said; the inbox, which hands it on to `listener`, knows commands too.

    `replied` are called with each whole reply that its platform has taken; more may be added.
    """

    def __init__(
        self,
        storage: Storage,
        channels: Mapping[str, Channel],
        sources: AnswerSources,
        rules: ConversationRules,
    ) -> None:
        database, clock = storage.database, storage.clock
        self.replied: list[Callable[[Turn], None]] = []
        self.delivery = Delivery(
            channels,
            storage.turns,
            storage.people,
            self.replied,
            KeptNoteWriter(storage.kept_notes, locale=rules.turn.locale),
        )
        self.contexts = ContextBuilder(
            storage.turns,
            storage.messages,
            storage.summaries,
            Surroundings(
                excerpts=RoomExcerpts(database, clock, rules.excerpts),
                backgrounds=SessionBackgrounds(database, clock),
            ),
            idle=rules.idle,
        )
        self.answer_turn = AnswerTurn(
            Composer(sources.recall, sources.pictures, storage.zones, rules.turn),
            sources.answering,
            self.contexts,
            self.delivery,
            rules.turn,
        )
        self.conversations = TurnScheduler(
            Coalescer(rules.windows),
            sources.traced(self.answer_turn),
            clock,
            most_restarts=rules.most_restarts,
        )
        self.limiter = ArrivalLimiter(rules.rates, self.delivery, clock, locale=rules.turn.locale)
        guard = LoopGuard(rules.loops)
        self.listener = GuardedListener(
            self.conversations, guard, self.limiter, sources.unread, clock
        )
        self.replied.append(self.listener.answered)
        self.pausing = Pausing(storage.pauses, storage.reminders.changed.set)
        self.member_roles = MemberRoleChoices(storage.member_roles)
        self.register = RoomRegistry(
            storage.people, storage.room_choices, self.pausing, rules.register
        )

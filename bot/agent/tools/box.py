"""All tools of a turn in one box, made over the parts that they call."""

from dataclasses import dataclass

from bot.agent.toolbox import QUIET_TOOLS, RESPOND_TOOL, Toolbox
from bot.agent.tools.explain import ExplainingTool
from bot.agent.tools.forget import ForgettingTools
from bot.agent.tools.known_of_asker import KnownOfAsker
from bot.agent.tools.listing import Listing
from bot.agent.tools.places import Places
from bot.agent.tools.read_back import ReadingBack
from bot.agent.tools.recall_deeply import Branch, BranchRules
from bot.agent.tools.reminders import ReminderTools
from bot.agent.tools.search import SearchTools
from bot.agent.tools.search_all import KeepingTool, MemoryTools
from bot.agent.tools.store import WritingTools
from bot.ports import Model
from memory.forgetting.service import Forgetting
from memory.learning.kept_texts import ManualTexts
from memory.learning.store import StatementWriter
from memory.model.settings import InForce
from memory.reminders.desk import ReminderDesk
from memory.retrieval.parts import RetrievalParts
from memory.storage.storage import Storage
from memory.upkeep.claim_pass import ClaimPass


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolParts:
    """What the tools of a turn call, and the language in which they say where it was said."""

    storage: Storage
    retrieval: RetrievalParts
    writer: StatementWriter
    tuning: InForce
    forgetting: Forgetting
    reminders: ReminderDesk
    model: Model
    branch: BranchRules
    locale: str
    most_stored: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnTools:
    """The tools of a turn: all of them, which rules answer with, and those that a model has."""

    every: Toolbox
    of_model: Toolbox


def turn_tools(parts: ToolParts, *, is_compact: bool) -> TurnTools:
    """The tools of a turn; a model has fewer of them, which do more, where `is_compact`."""
    storage, retrieval = parts.storage, parts.retrieval
    clock, locale = storage.clock, parts.locale
    places = Places(storage.messages, storage.turns, storage.people)
    search = SearchTools(retrieval.recall, storage.memories, places, clock, locale=locale)
    listing = Listing(storage.memories, places, clock, locale=locale)
    everything = MemoryTools(retrieval.recall, retrieval.texts, listing)
    explaining = ExplainingTool(retrieval.explanations, storage.turns, clock, locale=locale)
    every = Toolbox(
        (
            *search.of_turn,
            *everything.of_turn,
            explaining.tool,
            *WritingTools(parts.writer, storage.memories, listing, parts.tuning).of_turn,
            KeepingTool(ManualTexts(storage.knowledge, clock), storage.messages).tool,
            *ForgettingTools(parts.forgetting, storage.memories).of_turn,
            *ReminderTools(parts.reminders, locale=locale).of_turn,
            Branch(parts.model, search, parts.branch).tool,
            ReadingBack(storage.transcript, storage.people, ClaimPass(storage.claims)).tool,
            KnownOfAsker(storage.person_views, listing).tool,
            *QUIET_TOOLS,
            RESPOND_TOOL,
        ),
        most_stored=parts.most_stored,
    )
    return TurnTools(every=every, of_model=every.compact(everything.whole) if is_compact else every)

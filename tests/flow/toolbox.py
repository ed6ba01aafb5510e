"""The tools of a pet under test."""

from datetime import UTC

from bot.agent.toolbox import QUIET_TOOLS, RESPOND_TOOL, Toolbox
from bot.agent.tools.explain import ExplainingTool
from bot.agent.tools.forget import ForgettingTools
from bot.agent.tools.listing import Listing
from bot.agent.tools.places import Places
from bot.agent.tools.read_back import ReadingBack
from bot.agent.tools.recall_deeply import Branch, BranchRules
from bot.agent.tools.reminders import ReminderTools
from bot.agent.tools.search import SearchTools
from bot.agent.tools.search_all import KeepingTool, MemoryTools
from bot.agent.tools.store import WritingTools
from bot.model.requests import ToolSpec
from bot.ports import Model
from memory.learning.kept_texts import ManualTexts
from memory.retrieval.direct_search import TextSearch
from memory.retrieval.recall import Recall
from memory.storage.conversations.transcript import Transcript
from memory.storage.search.full_text import TextIndex
from memory.upkeep.live_settings import LiveSettings
from tests.forgotten import forgetting_on
from tests.reminding import reminders_on
from tests.storage import StorageParts, read_views_on

MOST_STORED = 8
"""Statements that one turn may store, as by default."""

_specs: list[tuple[ToolSpec, ...]] = []


def specs_of(toolbox: Toolbox) -> tuple[ToolSpec, ...]:
    """What a model is told of the tools of `toolbox_on`: the same of every pet, worked out once."""
    if not _specs:
        _specs.append(toolbox.specs)
    return _specs[0]


def toolbox_on(
    storage: StorageParts,
    recall: Recall,
    model: Model,
    rules: BranchRules,
    live_settings: LiveSettings,
) -> Toolbox:
    """Every tool of a turn on these tables."""
    places = Places(storage.messages, storage.turns, storage.people)
    search = SearchTools(recall, storage.memories, places, storage.clock, locale="en")
    listing = Listing(storage.memories, places, storage.clock, locale="en")
    writing = WritingTools(storage.remember, storage.memories, listing, live_settings.current)
    explaining = ExplainingTool(storage.explanations, storage.turns, storage.clock, locale="en")
    everything = MemoryTools(
        recall,
        TextSearch(
            TextIndex(storage.database, storage.clock), read_views_on(storage), storage.clock, UTC
        ),
        listing,
    )
    keeping = KeepingTool(ManualTexts(storage.knowledge, storage.clock), storage.messages)
    return Toolbox(
        (
            *search.of_turn,
            *everything.of_turn,
            explaining.tool,
            *writing.of_turn,
            keeping.tool,
            *ForgettingTools(forgetting_on(storage), storage.memories).of_turn,
            *ReminderTools(reminders_on(storage), locale="en").of_turn,
            Branch(model, search, rules).tool,
            ReadingBack(Transcript(storage.database), storage.people, storage.claims).tool,
            *QUIET_TOOLS,
            RESPOND_TOOL,
        ),
        most_stored=MOST_STORED,
    )

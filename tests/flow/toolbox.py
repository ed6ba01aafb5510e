"""The tools of a pet under test."""

from datetime import UTC

from bot.branch import Branch, BranchRules
from bot.explaining import ExplainingTool
from bot.forgetting import ForgettingTool
from bot.listing import Listing
from bot.memory_tools import KeepingTool, MemoryTools
from bot.ports import Model
from bot.search_tools import SearchTools
from bot.tools import RESPOND_TOOL, Toolbox
from bot.whereabouts import Whereabouts
from bot.writing_tools import WritingTools
from memory.adapters.sqlite.text_index import TextIndex
from memory.manual_texts import ManualTexts
from memory.panel import Panel
from memory.recall import Recall
from memory.text_search import TextSearch
from tests.forgotten import forgetting_on
from tests.truth import Truth, visits_to


def toolbox_on(
    truth: Truth, recall: Recall, model: Model, rules: BranchRules, panel: Panel
) -> Toolbox:
    """Every tool of a turn on these tables."""
    whereabouts = Whereabouts(truth.messages, truth.turns, truth.people)
    search = SearchTools(recall, truth.memories, whereabouts, truth.clock, locale="en")
    writing = WritingTools(truth.remember, truth.memories, panel.current)
    explaining = ExplainingTool(truth.explanations, truth.turns, truth.clock, locale="en")
    everything = MemoryTools(
        recall,
        TextSearch(TextIndex(truth.database, truth.clock), visits_to(truth), truth.clock, UTC),
        Listing(truth.memories, whereabouts, truth.clock, locale="en"),
    )
    keeping = KeepingTool(ManualTexts(truth.knowledge, truth.clock), truth.messages)
    return Toolbox(
        (
            *search.of_turn,
            *everything.of_turn,
            explaining.tool,
            *writing.of_turn,
            keeping.tool,
            ForgettingTool(forgetting_on(truth)).tool,
            Branch(model, search, rules).tool,
            RESPOND_TOOL,
        )
    )

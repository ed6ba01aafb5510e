"""The tools of a pet under test."""

from datetime import UTC

from bot.agent.recall_deeply import Branch, BranchRules
from bot.agent.toolbox import RESPOND_TOOL, Toolbox
from bot.agent.tools.explain import ExplainingTool
from bot.agent.tools.forget import ForgettingTool
from bot.agent.tools.listing import Listing
from bot.agent.tools.places import Whereabouts
from bot.agent.tools.search import SearchTools
from bot.agent.tools.search_all import KeepingTool, MemoryTools
from bot.agent.tools.store import WritingTools
from bot.model.requests import ToolSpec
from bot.ports import Model
from memory.learning.kept_texts import ManualTexts
from memory.retrieval.recall import Recall
from memory.retrieval.text_search import TextSearch
from memory.storage.search.full_text import TextIndex
from memory.upkeep.live_settings import Panel
from tests.forgotten import forgetting_on
from tests.truth import Truth, visits_to

_specs: list[tuple[ToolSpec, ...]] = []


def specs_of(toolbox: Toolbox) -> tuple[ToolSpec, ...]:
    """What a model is told of the tools of `toolbox_on`: the same of every pet, worked out once."""
    if not _specs:
        _specs.append(toolbox.specs)
    return _specs[0]


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

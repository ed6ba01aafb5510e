"""The prompts say what the code does, and nothing about who the pet is."""

from pathlib import Path

import pytest

from bot.agent.toolbox import COMPACT
from bot.agent.tools.recall_deeply import Conclude
from bot.llm.tasks.fact_forms import CONVERSATION_FORM, LOBBY_FORM, FactForm
from memory.model.claims import Slot, Status
from memory.model.statements import MemoryType

PROMPTS = Path(__file__).parents[2] / "config" / "prompts"
RULES = (PROMPTS / "turn.md").read_text(encoding="utf-8")
TURN = RULES.replace("{tools}", (PROMPTS / "tools_full.md").read_text(encoding="utf-8"))
SHORT = RULES.replace("{tools}", (PROMPTS / "tools_compact.md").read_text(encoding="utf-8"))
BRANCH = (PROMPTS / "branch.md").read_text(encoding="utf-8")
FACTS = (PROMPTS / "facts.md").read_text(encoding="utf-8")
EXTRACTION = (PROMPTS / "extraction.md").read_text(encoding="utf-8").replace("{facts}", FACTS)
DIGEST = (PROMPTS / "digest.md").read_text(encoding="utf-8").replace("{facts}", FACTS)


@pytest.mark.parametrize(
    "tool",
    [
        "search_memories",
        "memory__search",
        "memory__search_text",
        "memory__index",
        "get_recent_memories",
        "store_memory",
        "delete_memory",
        "search_self",
        "store_self",
        "delete_self",
        "search_goals",
        "store_goal",
        "delete_goal",
        "recall_deeply",
        "explain_last_answer",
        "respond",
    ],
)
def test_the_turn_prompt_says_when_to_use_a_tool(tool: str) -> None:
    """A tool that is not explained is not used."""
    assert f"`{tool}`" in TURN


@pytest.mark.parametrize("tool", COMPACT)
def test_the_short_prompt_says_when_to_use_a_tool(tool: str) -> None:
    """Those of the compact set, which are all that it speaks of."""
    assert f"`{tool}`" in SHORT


@pytest.mark.parametrize("tool", ["memory__search", "get_recent_memories", "recall_deeply"])
def test_the_short_prompt_speaks_of_no_other_tool(tool: str) -> None:
    """A model calls what it reads of."""
    assert f"`{tool}`" not in SHORT


def test_the_turn_prompt_is_a_blank_slate() -> None:
    """Who the pet is comes from its own memory, never from here."""
    words = (TURN + SHORT).lower()
    assert "eko" not in words
    assert "you are a" not in words
    assert "your name" not in words


@pytest.mark.parametrize(
    "tool",
    [
        "search_memories",
        "get_recent_memories",
        "search_self",
        "search_goals",
        "search_history",
        "list_mentions",
        "conclude",
    ],
)
def test_the_branch_prompt_says_what_each_tool_is_for(tool: str) -> None:
    """A branch has these and no others, which tests/flow holds."""
    assert f"- `{tool}`:" in BRANCH


@pytest.mark.parametrize("field", list(Conclude.model_fields))
def test_the_branch_prompt_explains_every_field_of_a_conclusion(field: str) -> None:
    """A field nobody explains is filled in anyhow."""
    assert f"- `{field}`:" in BRANCH


@pytest.mark.parametrize("word", ["store", "delete", "recall_deeply", "eko"])
def test_the_branch_prompt_speaks_of_nothing_a_branch_cannot_do(word: str) -> None:
    """It searches and concludes, for whoever asks."""
    assert word not in BRANCH.lower()


PAPERS = [(DIGEST, LOBBY_FORM), (EXTRACTION, CONVERSATION_FORM)]
"""A prompt with the form that it asks to fill in."""


@pytest.mark.parametrize("prompt", [DIGEST, EXTRACTION])
@pytest.mark.parametrize("kind", list(MemoryType))
def test_a_prompt_explains_every_type(prompt: str, kind: str) -> None:
    """The form offers them, the prompt says what they mean."""
    assert f"- `{kind}`:" in prompt


@pytest.mark.parametrize(("prompt", "form"), PAPERS)
def test_a_prompt_explains_every_field_of_its_form(prompt: str, form: FactForm) -> None:
    """A field nobody explains is filled in anyhow."""
    fields = form.tool.schema["properties"]["facts"]["items"]["properties"]
    assert [name for name in fields if f"`{name}`" not in prompt] == []
    assert f"`{form.tool.name}`" in prompt


@pytest.mark.parametrize("word", [*Slot, *Status])
def test_the_rules_of_facts_explain_every_choice_of_the_form(word: str) -> None:
    """What it tells of a person, and whether it is so."""
    assert f"`{word}`" in FACTS

"""The forms in which a language model records what is worth keeping."""

from dataclasses import dataclass
from typing import Any

from bot.model.requests import Purpose, ToolSpec
from memory.model.statements import MemoryType

STATED = "stated"
"""The way of saying from which something may be learnt as the speaker's word."""

WAYS = (STATED, "joke", "quote", "question", "hypothetical")
"""How things are said; what is not stated teaches nothing."""

KEYS = ("name", "city", "country", "birthday", "job", "employer", "partner")
"""What people have one of at a time, and what is always recalled when they speak."""

_FACT: dict[str, Any] = {
    "content": {
        "type": "string",
        "description": "One self-contained statement, in the language spoken.",
    },
    "memory_type": {"type": "string", "enum": [t.value for t in MemoryType]},
    "speaker": {
        "type": "string",
        "description": "The author who said it, as written in the line.",
    },
    "lines": {
        "type": "array",
        "items": {"type": "integer"},
        "description": "The numbers of the lines it rests on.",
    },
    "subjects": {
        "type": "array",
        "items": {"type": "string"},
        "description": "The people and things it is about.",
    },
    "importance": {"type": "number", "description": "From 0 to 1."},
    "ttl": {
        "type": ["string", "null"],
        "description": 'How long it stays true, like "7d"; null for ever. '
        "Leave it out if nothing says so.",
    },
}
_NEEDED = ["content", "memory_type", "speaker", "lines", "subjects"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FactForm:
    """A form, and the purpose its filling in is metered under."""

    tool: ToolSpec
    purpose: Purpose


def _form(fact: dict[str, Any], needed: list[str]) -> ToolSpec:
    facts = {"type": "object", "properties": fact, "required": needed}
    return ToolSpec(
        name="record_facts",
        description="Record every fact worth keeping from the numbered lines; "
        "an empty list is fine.",
        schema={
            "type": "object",
            "properties": {"facts": {"type": "array", "items": facts}},
            "required": ["facts"],
        },
    )


LOBBY_FORM = FactForm(tool=_form(_FACT, _NEEDED), purpose=Purpose.DIGEST)
"""What was overheard in a lobby."""

CONVERSATION_FORM = FactForm(
    tool=_form(
        {
            **_FACT,
            "said_how": {
                "type": "string",
                "enum": list(WAYS),
                "description": "How the speaker said it.",
            },
            "core": {
                "type": ["object", "null"],
                "properties": {
                    "key": {"type": "string", "enum": list(KEYS)},
                    "value": {"type": "string"},
                },
                "required": ["key", "value"],
                "description": "Which of these it says of the speaker, and its value.",
            },
        },
        [*_NEEDED, "said_how"],
    ),
    purpose=Purpose.EXTRACTION,
)
"""What people told the pet, which also says how it was said and what it gives of the speaker."""

"""The form in which a language model records what people claim that is worth keeping."""

from dataclasses import dataclass
from typing import Any

from bot.model.requests import Purpose, ToolSpec
from memory.model.claims import Slot, Status
from memory.model.statements import MemoryType

CORE_KEYS = {
    Slot.NAME: "name",
    Slot.HOME: "city",
    Slot.BIRTHDAY: "birthday",
    Slot.WORK: "job",
    Slot.EMPLOYER: "employer",
    Slot.STUDY: "school",
    Slot.PARTNER: "partner",
}
"""Slots of what people have one of at a time, with the key under which it is always recalled."""

_CLAIM: dict[str, Any] = {
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
    "slot": {
        "type": "string",
        "enum": [slot.value for slot in Slot],
        "description": "What of a person it tells.",
    },
    "value": {
        "type": ["string", "null"],
        "description": "The value of the slot, word for word as in content.",
    },
    "status": {
        "type": "string",
        "enum": [status.value for status in Status],
        "description": "Whether it is so.",
    },
    "until": {
        "type": ["string", "null"],
        "description": "The last day of what happens or holds on known days, like 2026-01-17.",
    },
    "ends": {
        "type": "array",
        "items": {"type": "string"},
        "description": 'Kept statements that no longer hold by it, like "k2".',
    },
    "importance": {"type": "number", "description": "From 0 to 1."},
    "ttl": {
        "type": ["string", "null"],
        "description": 'How long it stays true, like "7d"; null for ever. '
        "Leave it out if nothing says so.",
    },
}
_NEEDED = ["content", "memory_type", "speaker", "lines", "subjects", "slot", "status"]

RECORD = ToolSpec(
    name="record_facts",
    description="Record every fact worth keeping from the numbered lines; an empty list is fine.",
    schema={
        "type": "object",
        "properties": {
            "facts": {
                "type": "array",
                "items": {"type": "object", "properties": _CLAIM, "required": _NEEDED},
            }
        },
        "required": ["facts"],
    },
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FactForm:
    """A form, and the purpose its filling in is metered under."""

    tool: ToolSpec
    purpose: Purpose


LOBBY_FORM = FactForm(tool=RECORD, purpose=Purpose.DIGEST)
"""What was overheard in a lobby."""

CONVERSATION_FORM = FactForm(tool=RECORD, purpose=Purpose.EXTRACTION)
"""What people told the pet."""

"""Every table that recall reads, as one thing to hand on."""

from dataclasses import dataclass

from memory.adapters.sqlite.associations import Associations
from memory.adapters.sqlite.knowledge import KnowledgeRows
from memory.adapters.sqlite.memories import Memories
from memory.adapters.sqlite.messages import Messages
from memory.adapters.sqlite.notes import Notes
from memory.adapters.sqlite.turns import Turns


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What is kept: statements and their ties, messages, exchanges, knowledge and its notes."""

    memories: Memories
    messages: Messages
    turns: Turns
    knowledge: KnowledgeRows
    notes: Notes
    associations: Associations

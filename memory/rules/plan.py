"""What storing a statement will do, and what the plans before it in one call will have done."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from memory.language.text import search_text, stems
from memory.model.audience import audience_of
from memory.model.statements import Memory, MemoryId, NewMemory
from memory.ports import Fingerprint, Vectors
from memory.rules.association import Tie
from memory.rules.supersession import Judged, slot_of


@dataclass(frozen=True, slots=True, kw_only=True)
class StorePlan:
    """What storing a statement will do: touch `known`, or add `new` in the place of `replaces`.

    Where `overtaken_by` was said later it is added as history. Either way it closes `closes`: what
    the pet could not do, or wished for, before it could.
    """

    id: MemoryId
    """What the statement is called if it is added."""
    new: NewMemory
    said_at: datetime
    known: Memory | None = None
    replaces: tuple[Judged, ...] = ()
    overtaken_by: Judged | None = None
    closes: tuple[Memory, ...] = ()
    ties: tuple[Tie, ...] = ()
    """To what it replaces, and to others."""
    embedding: tuple[Fingerprint, Vectors] | None = None
    similar: tuple[Memory, ...] = ()
    """What it was compared with and stands beside."""

    @property
    def pending(self) -> Memory:
        """The statement as the next one of the same call will find it."""
        new = self.new
        return Memory(
            id=self.id,
            store=new.store,
            content=new.content,
            memory_type=new.memory_type,
            category=new.category,
            subjects=new.subjects,
            importance=new.importance or new.memory_type.default_importance,
            source=new.source,
            said_by=new.said_by,
            author=new.author,
            about_person=new.about_person,
            origin=new.origin,
            created_at=self.said_at,
            updated_at=self.said_at,
            expires_at=None,
            revision=1,
            words=search_text(new.content),
            said_at=self.said_at,
        )


class Before:
    """What the earlier plans of the same call will have done when it is this one's turn."""

    def __init__(self, plans: Sequence[StorePlan]) -> None:
        self._added = [plan for plan in plans if plan.known is None and not plan.overtaken_by]
        self._gone = {
            rival.id
            for plan in plans
            for rival in (*(one.rival for one in plan.replaces), *plan.closes)
        }

    def left(self, memory: Memory) -> bool:
        """Whether none of them takes a statement's place."""
        return memory.id not in self._gone

    def rivals(self, new: NewMemory) -> list[Memory]:
        """Those of them that a statement of the same store and audience may repeat or replace."""
        said, slot, audience = set(stems(new.content)), slot_of(new), audience_of(new.origin)
        return [
            plan.pending
            for plan in self._added
            if plan.new.store is new.store
            and audience_of(plan.new.origin) == audience
            and plan.id not in self._gone
            and _may_meet(said, slot, plan.new)
        ]


def _may_meet(said: set[str], slot: str | None, other: NewMemory) -> bool:
    """Whether it is worth comparing: two words in common, all of the words, or one slot."""
    theirs = set(stems(other.content))
    return len(said & theirs) > 1 or said == theirs or (slot is not None and slot == slot_of(other))

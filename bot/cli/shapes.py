"""What the operations answer, as JSON."""

from collections.abc import Sequence
from typing import Any

from bot.channels.talk import LocalEvent, Shown, Writing
from memory.adapters.sqlite.ledger import Explained, Lookup
from memory.adapters.sqlite.turns import Turn
from memory.model import Memory
from memory.retrieval import Candidate, Section

Event = dict[str, Any]
"""`{"progress": {...}}` any number of times, then `{"result": {...}}` or `{"error": "..."}`."""


def turn_json(turn: Turn, lookup: Lookup, items: Sequence[Explained]) -> Event:
    """A turn with what was injected and why."""
    order = [section.value for section in Section]
    kept = sorted((item for item in items if item.kept), key=lambda i: order.index(i.section))
    lines = [line for line in turn.injection.splitlines() if line.startswith("• ")]
    return {
        "reply": turn.reply,
        "expression": turn.expression,
        "person": turn.speaker,
        "room": turn.room,
        "turn": str(turn.id),
        "recall": {
            "reason": lookup.reason,
            "took_ms": lookup.took_ms,
            "tokens": lookup.tokens,
            "considered": len(items),
            "lines": [
                {
                    "line": line.removeprefix("• "),
                    "section": item.section,
                    "ref": item.ref,
                    "score": round(item.score, 3),
                    "why": item.reason,
                    "sources": item.sources,
                }
                for line, item in zip(lines, kept, strict=True)
            ],
        },
    }


def event_json(event: LocalEvent) -> Event:
    """An event of a room as JSON."""
    if isinstance(event, Shown):
        return {
            "shown": event.text,
            "key": event.key,
            "kind": event.kind.value,
            "author": event.author,
            "at": event.sent_at.isoformat(),
            "expression": event.expression.value if event.expression else None,
            "mine": event.mine,
        }
    if isinstance(event, Writing):
        return {"event": "writing", "kind": event.kind.value, "author": event.author}
    return {"event": "missed"}


def memory_json(memory: Memory) -> Event:
    """A statement as JSON."""
    return {
        "id": str(memory.id),
        "store": memory.store.value,
        "content": memory.content,
        "type": memory.memory_type.value,
        "category": memory.category,
        "subjects": list(memory.subjects),
        "importance": memory.importance,
        "source": memory.source.value,
        "said_by": memory.said_by,
        "visibility": memory.origin.visibility.value,
        "room": memory.origin.room,
        "created_at": memory.created_at.isoformat(),
        "expires_at": memory.expires_at.isoformat() if memory.expires_at else None,
    }


def candidate_json(one: Candidate) -> Event:
    """A row that was found as JSON."""
    return {
        "content": one.content,
        "section": one.section.value,
        "said_by": one.author,
        "at": one.at.isoformat(),
        "similarity": None if one.similarity is None else round(one.similarity, 3),
        "sources": one.sources,
        "id": str(one.id),
    }

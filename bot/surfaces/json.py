"""What the operations answer, as JSON."""

from datetime import datetime
from typing import Any

from bot.agent.tools.places import where
from bot.channels.local.ports import LocalEvent, Shown, Writing
from bot.diagnostics.findings import Finding
from bot.diagnostics.report import on_machine
from memory.language.dates_in_words import age
from memory.retrieval.explanation import ConsideredRow, Explanation
from memory.retrieval.references import Known

Event = dict[str, Any]
"""`{"progress": {...}}` any number of times, then `{"result": {...}}` or `{"error": "..."}`."""


def turn_json(told: Explanation, now: datetime, *, dropped: bool = False) -> Event:
    """A turn with what stood before the model for it and why; `dropped` adds what did not."""
    turn, lookup = told.turn, told.lookup
    return {
        "turn": str(turn.id),
        "at": turn.at.isoformat(),
        "age": age(turn.at, now, "en"),
        "person": turn.speaker,
        "room": turn.room,
        "asked": turn.text,
        "reply": turn.said,
        "expression": turn.expression,
        "recall": {
            "reason": lookup.reason,
            "took_ms": lookup.took_ms,
            "tokens": lookup.tokens,
            "considered": lookup.considered,
            "late": list(lookup.late),
            "trimmed_at": lookup.trimmed_at.isoformat() if lookup.trimmed_at else None,
            "lines": [_ground_json(one, now) for one in told.injected],
            "standing": [_ground_json(one, now) for one in told.standing],
            **({"dropped": [_ground_json(one, now) for one in told.dropped]} if dropped else {}),
        },
    }


def _ground_json(one: ConsideredRow, now: datetime) -> Event:
    item = one.item
    return {
        **_known_json(one.known, now),
        "edited": one.is_edited,
        "section": item.section.value,
        "ref": item.ref,
        "why": item.reason,
        "useful": item.useful,
        "confidence": item.confidence,
        "score": item.score,
        "worth": item.worth,
        "signals": item.signals,
        "proven": item.proven,
        "duplicate": item.duplicate,
        "words": list(one.words),
        "sources": item.sources,
        "told": [_known_json(message, now) for message in one.told],
    }


def _known_json(known: Known, now: datetime) -> Event:
    """A row as it is known now; of one that is recalled no more only what became of it."""
    return {
        "state": known.fate.value,
        "content": known.content,
        "said_by": known.said_by,
        "then": known.then,
        "reported": known.is_reported,
        "against": list(dict.fromkeys(name for _, name in known.against)),
        "where": where(known, is_inside=True),
        "at": known.at.isoformat() if known.at else None,
        "age": age(known.at, now, "en") if known.at else None,
        "kind": known.kind,
        "source": known.source,
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


def finding_json(finding: Finding) -> Event:
    """How a part of the pet is, in words."""
    detail, todo = on_machine(finding)
    return {"name": finding.part, "status": finding.state.value, "detail": detail, "todo": todo}

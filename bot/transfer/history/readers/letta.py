"""Letta's agent file (`.af`): what was said to an agent, and the blocks of its memory."""

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from bot.transfer.history.documents import JsonEntry
from bot.transfer.history.format_reader import Known, json_reader
from bot.transfer.history.model import HistoryLine, LineKind
from bot.transfer.history.moments import moment

_MESSAGES = frozenset({"agents.item.messages.item", "messages.item"})
_BLOCKS = frozenset({"blocks.item", "core_memory.item"})

_KINDS = {"user": LineKind.SAID, "assistant": LineKind.BOT}

_OF_THE_AGENT = "persona"
"""The block in which an agent says who it is itself."""


def _lines(entry: JsonEntry, _: Known) -> Iterator[HistoryLine]:
    yield from _said(entry) if entry.path in _MESSAGES else _kept(entry)


def _said(entry: JsonEntry) -> Iterator[HistoryLine]:
    row = entry.value
    role, text = str(row["role"]), _text(row.get("content") or row.get("text") or "")
    kind = _KINDS.get(role, LineKind.SYSTEM)
    if kind is LineKind.SAID and text.startswith("{"):
        kind, text = _unpacked(text)
    if text:
        yield HistoryLine(
            number=entry.number,
            at=moment(row["created_at"]),
            author=str(row.get("sender_id") or row.get("name") or role),
            text=text,
            kind=kind,
            id=str(row.get("id") or ""),
        )


def _text(content: str | list[Mapping[str, Any]]) -> str:
    if isinstance(content, str):
        return content.strip()
    return "\n".join(str(each["text"]) for each in content if each.get("type") == "text").strip()


def _unpacked(text: str) -> tuple[LineKind, str]:
    """What stands in the envelope that Letta puts around users' words and its own notices."""
    try:
        envelope = json.loads(text)
    except (ValueError, RecursionError):
        return LineKind.SAID, text  # the user's own words began like one
    kind = LineKind.SAID if envelope.get("type") == "user_message" else LineKind.SYSTEM
    return kind, str(envelope.get("message") or envelope.get("type") or "").strip()


def _kept(entry: JsonEntry) -> Iterator[HistoryLine]:
    row = entry.value
    if row["label"] == _OF_THE_AGENT:
        return
    for place, text in enumerate(str(row["value"]).splitlines()):
        if text.strip():
            yield HistoryLine(
                number=entry.number,
                at=_changed(row) or entry.part.changed_at,
                author=str(row["label"]),
                text=text.strip(),
                kind=LineKind.MEMORY,
                id=f"{row['id']}:{place}" if row.get("id") else "",
            )


def _changed(row: Mapping[str, Any]) -> datetime | None:
    stamp = row.get("updated_at") or row.get("created_at")
    return moment(stamp) if stamp else None


READER = json_reader(
    "Letta",
    "letta",
    (
        {"agents", "blocks"},
        {"agents.item.messages"},
        {"agents.item.in_context_message_ids"},
        {"agent_type", "core_memory"},
        {"agent_type", "messages.item.role"},
    ),
    _lines,
    _MESSAGES | _BLOCKS,
)

"""Element's export of a Matrix room as JSON: its events as the server has them."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from bot.transfer.history.documents import JsonEntry
from bot.transfer.history.format_reader import Known, json_reader
from bot.transfer.history.model import HistoryItem, HistoryLine, LineKind, UnreadableLine
from bot.transfer.history.moments import moment

_TEXTS = frozenset({"m.text", "m.notice", "m.emote"})


def _lines(entry: JsonEntry, known: Known) -> Iterator[HistoryItem]:
    if entry.path == "room_name":
        known["room"] = str(entry.value)
    elif entry.value["type"] == "m.room.encrypted":
        yield UnreadableLine(number=entry.number, reason="it is encrypted")
    else:
        yield _line(entry, known.setdefault("names", {}), known.get("room", ""))


def _line(entry: JsonEntry, names: dict[str, str], room: str) -> HistoryLine:
    event = entry.value
    content, sender = event.get("content") or {}, str(event["sender"])
    if event["type"] == "m.room.member" and content.get("displayname"):
        names[str(event.get("state_key", sender))] = str(content["displayname"])
    kind, relation = _kind(event, content), content.get("m.relates_to") or {}
    is_edit = relation.get("rel_type") == "m.replace"
    shown = (content.get("m.new_content") or content) if is_edit else content
    answered = (relation.get("m.in_reply_to") or {}).get("event_id") or ""
    quoted, own = _split(str(shown.get("body") or ""), is_reply=bool(answered) and not is_edit)
    is_file = kind is LineKind.SAID and shown.get("msgtype") not in _TEXTS
    author = names.get(sender, sender)
    text = f"* {author} {own}" if shown.get("msgtype") == "m.emote" else own
    return HistoryLine(
        number=entry.number,
        at=moment(event["origin_server_ts"]),
        author=author,
        author_id=sender,
        text=("" if is_file else text) or (event["type"] if kind is LineKind.SYSTEM else ""),
        quoted=quoted,
        kind=kind,
        room=room,
        id=str(event["event_id"]),
        edits=_replaced(event, content, relation if is_edit else {}),
        reply_to=answered,
        files=(own or "file",) if is_file else (),
    )


def _kind(event: Mapping[str, Any], content: Mapping[str, Any]) -> LineKind:
    if event["type"] == "m.room.redaction" or (event.get("unsigned") or {}).get("redacted_because"):
        return LineKind.DELETED
    if event["type"] not in {"m.room.message", "m.sticker"}:
        return LineKind.SYSTEM
    if not content:
        return LineKind.DELETED
    return LineKind.BOT if content.get("msgtype") == "m.notice" else LineKind.SAID


def _replaced(event: Mapping[str, Any], content: Mapping[str, Any], edit: Mapping[str, Any]) -> str:
    """The event whose words an edit replaces or a redaction takes away."""
    return str(edit.get("event_id") or event.get("redacts") or content.get("redacts") or "")


_WHOSE = re.compile(r"\A(?:\* )?<@[^>\s]{1,255}> ")
"""How a quotation begins: with the account of its author, which the answered event has, too."""


def _split(body: str, *, is_reply: bool) -> tuple[str, str]:
    """What a reply quotes (its lines that begin with `>`), and what it says itself."""
    if not is_reply or not body.startswith(">"):
        return "", body.strip()
    fallback, _, own = body.partition("\n\n")
    quoted = "\n".join(line.removeprefix(">").strip() for line in fallback.split("\n"))
    return _WHOSE.sub("", quoted), own.strip()


READER = json_reader(
    "Element",
    "matrix",
    (
        {"messages.item.event_id", "messages.item.origin_server_ts"},
        {"room_name", "exported_by", "messages"},
    ),
    _lines,
    {"room_name", "messages.item"},
)

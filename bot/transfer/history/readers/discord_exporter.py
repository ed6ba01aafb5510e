"""The JSON of DiscordChatExporter: one channel, with all of its authors."""

from collections.abc import Iterator, Mapping
from typing import Any

from bot.transfer.history.documents import JsonEntry
from bot.transfer.history.format_reader import Known, json_reader
from bot.transfer.history.model import HistoryLine, LineKind
from bot.transfer.history.moments import moment

_TALK = frozenset({"Default", "Reply", "0", "19"})
"""Types of messages that people write; the others say who joined, what was pinned and the like."""


def _lines(entry: JsonEntry, known: Known) -> Iterator[HistoryLine]:
    if entry.path == "channel.name":
        known["room"] = str(entry.value)
    else:
        yield _line(entry, known.get("room", ""))


def _line(entry: JsonEntry, room: str) -> HistoryLine:
    row = entry.value
    author, forwarded = row["author"], row.get("forwardedMessage")
    is_forward = bool(forwarded) or (row.get("reference") or {}).get("type") == "Forward"
    shown = forwarded or row
    return HistoryLine(
        number=entry.number,
        at=moment(row["timestamp"]),
        author=author.get("nickname") or author["name"],
        author_id=str(author["id"]),
        text=shown["content"].strip(),
        kind=_kind(row, is_forward=is_forward),
        room=room,
        id=str(row["id"]),
        reply_to="" if is_forward else str((row.get("reference") or {}).get("messageId") or ""),
        forwarded_from="another message" if is_forward else "",
        files=(
            *(str(each["fileName"]) for each in shown.get("attachments") or ()),
            *(str(each["name"]) for each in shown.get("stickers") or ()),
        ),
    )


def _kind(row: Mapping[str, Any], *, is_forward: bool) -> LineKind:
    if row["author"].get("isBot"):
        return LineKind.BOT
    if str(row.get("type", "Default")) not in _TALK:
        return LineKind.SYSTEM
    return LineKind.FORWARDED if is_forward else LineKind.SAID


READER = json_reader(
    "DiscordChatExporter",
    "discord",
    (
        {"guild.id", "channel.id"},
        {"guild.id", "messages.item.author.isBot"},
    ),
    _lines,
    {"channel.name", "messages.item"},
)

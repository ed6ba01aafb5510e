"""Slack's export: `users.json` and, for each channel, a folder with a file for each day."""

import re
from collections.abc import Iterator, Mapping
from html import unescape
from typing import Any

from bot.transfer.history.documents import JsonEntry
from bot.transfer.history.format_reader import Known, json_reader
from bot.transfer.history.model import HistoryLine, LineKind
from bot.transfer.history.moments import moment

_REFERENCE = re.compile(r"<([^<>|]{1,2000})(?:\|([^<>]{0,2000}))?>")
"""A person `<@U1>`, a channel `<#C1|name>`, a group `<!here>`, or an address with its words."""

_OWN_WORDS = frozenset({"", "me_message", "thread_broadcast", "file_share", "file_comment"})
"""Subtypes of messages that people write; the others say who joined and the like."""


def _lines(entry: JsonEntry, names: Known) -> Iterator[HistoryLine]:
    if "ts" in entry.value:
        yield _line(entry, names)
    elif "profile" in entry.value:
        names[entry.value["id"]] = _name(entry.value)


def _name(member: Mapping[str, Any]) -> str:
    profile = member.get("profile") or member.get("user_profile") or {}
    found = profile.get("display_name") or profile.get("real_name") or member.get("real_name")
    return str(found or member.get("name") or "")


def _line(entry: JsonEntry, names: Known) -> HistoryLine:
    row = entry.value
    author_id, shared = str(row.get("user") or row.get("bot_id") or ""), _shared(row)
    own, passed_on = _words(row.get("text") or "", names), _words(shared.get("text") or "", names)
    is_forward = bool(passed_on) and not own
    thread = row.get("thread_ts", row["ts"])
    return HistoryLine(
        number=entry.number,
        at=moment(row["ts"]),
        author=names.get(author_id) or row.get("username") or _name(row) or author_id,
        author_id=author_id,
        text=own or passed_on,
        quoted=passed_on if own else "",
        kind=_kind(row, is_forward=is_forward),
        room=entry.part.rpartition("/")[0].rpartition("/")[2],
        id=str(row["ts"]),
        reply_to="" if thread == row["ts"] else str(thread),
        forwarded_from=str(shared.get("author_name") or "another") if is_forward else "",
        files=tuple(str(each.get("name") or each["id"]) for each in row.get("files") or ()),
    )


def _shared(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """The message of another that is passed on with this one."""
    found = (each for each in row.get("attachments") or () if each.get("is_share"))
    return next(found, {})


def _kind(row: Mapping[str, Any], *, is_forward: bool) -> LineKind:
    subtype = row.get("subtype") or ""
    if subtype == "tombstone":
        return LineKind.DELETED
    if subtype == "bot_message" or row.get("bot_id"):
        return LineKind.BOT
    if subtype not in _OWN_WORDS:
        return LineKind.SYSTEM
    return LineKind.FORWARDED if is_forward else LineKind.SAID


def _words(text: str, names: Known) -> str:
    def spoken(found: re.Match[str]) -> str:
        target, label = found[1], found[2]
        if target.startswith("@"):
            return f"@{label or names.get(target[1:], target[1:])}"
        return f"{target[0] if target[0] in '#!' else ''}{label or target.lstrip('#!')}"

    return unescape(_REFERENCE.sub(spoken, text)).strip()


READER = json_reader(
    "Slack",
    "slack",
    (
        {"item.ts", "item.type"},
        {"item.id", "item.profile", "item.team_id"},
    ),
    _lines,
    {"item"},
)

"""Claude's `conversations.json`: talks with their messages, each of a person or of the model."""

from collections.abc import Iterator

from bot.transfer.history.documents import JsonEntry
from bot.transfer.history.format_reader import Known, json_reader
from bot.transfer.history.model import HistoryLine, LineKind
from bot.transfer.history.moments import moment


def _lines(entry: JsonEntry, names: Known) -> Iterator[HistoryLine]:
    row = entry.value
    if name := row.get("full_name"):
        names[row["uuid"]] = name
    elif "chat_messages" in row:
        account = str((row.get("account") or {}).get("uuid"))
        yield from _said(entry, names.get(account, "user"))


def _said(entry: JsonEntry, author: str) -> Iterator[HistoryLine]:
    for message in entry.value["chat_messages"]:
        pieces = [each["text"] for each in message.get("content") or () if each["type"] == "text"]
        is_person = message["sender"] == "human"
        yield HistoryLine(
            number=entry.number,
            at=moment(message["created_at"]),
            author=author if is_person else message["sender"],
            text=("\n".join(pieces) or message.get("text") or "").strip(),
            kind=LineKind.SAID if is_person else LineKind.BOT,
            room=entry.value.get("name") or "",
            id=message["uuid"],
            files=tuple(
                str(each.get("file_name") or "file")
                for each in (*message.get("attachments", ()), *message.get("files", ()))
            ),
        )


READER = json_reader(
    "Claude",
    "claude",
    (
        {"item.chat_messages", "item.uuid"},
        {"item.full_name", "item.uuid"},
    ),
    _lines,
    {"item"},
)

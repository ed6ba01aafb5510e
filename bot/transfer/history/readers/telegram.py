"""Telegram Desktop's `result.json`: of one chat, or of everything."""

from collections.abc import Iterator, Mapping
from typing import Any

from bot.transfer.history.documents import JsonEntry
from bot.transfer.history.format_reader import Known, json_reader
from bot.transfer.history.model import HistoryLine, LineKind
from bot.transfer.history.moments import moment

_CHATS = ("", "chats.list.item.", "left_chats.list.item.")
_WANTED = frozenset(
    f"{chat}{what}" for chat in _CHATS for what in ("name", "type", "id", "messages.item")
)

_FILES = ("media_type", "photo", "file", "poll", "contact_information", "location_information")
"""Keys of what came along with a message, the kindest word for it first."""

_QUOTATION = "blockquote"


def _lines(entry: JsonEntry, chat: Known) -> Iterator[HistoryLine]:
    if entry.path.endswith("messages.item"):
        yield _line(entry, chat)
    else:
        chat[entry.path.rpartition(".")[2]] = entry.value


def _line(entry: JsonEntry, chat: Mapping[str, Any]) -> HistoryLine:
    row = entry.value
    is_service = row["type"] == "service"
    pieces: list[Any] = [row["text"]] if isinstance(row["text"], str) else row["text"]
    answered = row.get("reply_to_message_id")
    return HistoryLine(
        number=entry.number,
        at=moment(row.get("date_unixtime") or row["date"]),
        author=(row.get("actor") if is_service else row.get("from")) or "",
        author_id=row.get("actor_id" if is_service else "from_id") or "",
        text=str(row.get("action", "")).replace("_", " ") if is_service else _own_words(pieces),
        quoted="\n".join(piece["text"] for piece in pieces if _is_quotation(piece)),
        kind=LineKind.SYSTEM if is_service else _kind(row, chat),
        room=chat.get("name") or "",
        id=_id(chat, row["id"]),
        reply_to="" if answered is None else _id(chat, answered),
        forwarded_from=_origin(row),
        files=tuple(_word(row, key) for key in _FILES if row.get(key))[:1],
    )


def _id(chat: Mapping[str, Any], number: object) -> str:
    """The id of a message, whose number is unique in its chat alone."""
    return f"{chat.get('id', '')}:{number}"


def _kind(row: Mapping[str, Any], chat: Mapping[str, Any]) -> LineKind:
    is_bot = chat.get("type") == "bot_chat" and row.get("from_id") == f"user{chat.get('id')}"
    is_channel = str(row.get("from_id") or "").startswith("channel")
    if is_bot or is_channel or row.get("via_bot"):
        return LineKind.BOT
    return LineKind.FORWARDED if _origin(row) else LineKind.SAID


def _origin(row: Mapping[str, Any]) -> str:
    """Who is passed on; in the saved messages, where they were saved from."""
    if "forwarded_from" in row:
        return row["forwarded_from"] or row.get("forwarded_from_id") or "a deleted account"
    return row.get("saved_from") or ""


def _own_words(pieces: list[Any]) -> str:
    texts = (piece if isinstance(piece, str) else piece["text"] for piece in _unquoted(pieces))
    return "".join(texts).strip()


def _unquoted(pieces: list[Any]) -> Iterator[Any]:
    return (piece for piece in pieces if not _is_quotation(piece))


def _is_quotation(piece: Any) -> bool:
    return isinstance(piece, dict) and piece.get("type") == _QUOTATION


def _word(row: Mapping[str, Any], key: str) -> str:
    if key == "media_type":
        return str(row[key])
    return str(row.get("file_name") or key.partition("_")[0])


READER = json_reader(
    "Telegram",
    "telegram",
    (
        {"name", "type", "id", "messages"},
        {"messages.item.from_id", "messages.item.text_entities"},
        {"about", "personal_information.user_id"},
        {"about", "chats.about"},
        {"chats.list.item.messages"},
    ),
    _lines,
    _WANTED,
)

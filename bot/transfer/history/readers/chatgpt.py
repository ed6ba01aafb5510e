"""ChatGPT's `conversations.json`: trees of messages, each followed along its current branch."""

from collections.abc import Iterator, Mapping
from typing import Any

from bot.transfer.history.documents import JsonEntry
from bot.transfer.history.format_reader import Known, json_reader
from bot.transfer.history.model import HistoryLine, LineKind
from bot.transfer.history.moments import moment

_KINDS = {"user": LineKind.SAID, "assistant": LineKind.BOT, "tool": LineKind.BOT}
_TALK = frozenset({"text", "multimodal_text"})


def _lines(entry: JsonEntry, _: Known) -> Iterator[HistoryLine]:
    """The messages of a talk; one without a time was written when the one before it was."""
    talk = entry.value
    at = talk["create_time"]
    for message in _branch(talk):
        at = message.get("create_time") or at
        content, role = message["content"], str(message["author"]["role"])
        pieces = content.get("parts") or ()
        text = "\n".join(piece for piece in pieces if isinstance(piece, str)).strip()
        others = tuple(_word(piece) for piece in pieces if isinstance(piece, dict))
        if not text and not others:
            continue
        is_talk = content.get("content_type") in _TALK and message.get("weight") != 0
        yield HistoryLine(
            number=entry.number,
            at=moment(at),
            author=message["author"].get("name") or role,
            text=text,
            kind=_KINDS.get(role, LineKind.SYSTEM) if is_talk else LineKind.SYSTEM,
            room=str(talk.get("title") or ""),
            id=str(message["id"]),
            files=others,
        )


def _branch(talk: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The messages from the first to the one that is shown last; edited ones are not among them."""
    nodes, id_ = dict(talk["mapping"]), talk.get("current_node")
    found = []
    while (node := nodes.pop(id_, None)) is not None:  # popped: a forged circle has an end
        if node.get("message"):
            found.append(node["message"])
        id_ = node.get("parent")
    return found[::-1]


def _word(piece: Mapping[str, Any]) -> str:
    return str(piece.get("content_type") or "file").removesuffix("_asset_pointer")


READER = json_reader(
    "ChatGPT",
    "chatgpt",
    (
        {"item.mapping", "item.title"},
        {"item.mapping", "item.conversation_id"},
    ),
    _lines,
    {"item"},
)

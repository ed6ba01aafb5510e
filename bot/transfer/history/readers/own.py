"""Our own form: an object a line, or an array of them, with `author`, `text` and `at`.

Other programs' plain lists of messages read alike, whose words for these are known, also where the
list stands in an object.
"""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import Any

from bot.transfer.history.documents import JsonEntry, paths_in
from bot.transfer.history.format_reader import Known, json_reader
from bot.transfer.history.lines import glance
from bot.transfer.history.model import HistoryLine, LineKind
from bot.transfer.history.moments import moment

_AUTHOR = ("author", "from", "sender", "user", "username", "nick", "speaker", "name", "who")
_TEXT = ("text", "message", "content", "body", "msg", "utterance", "said")
_AT = ("at", "timestamp", "ts", "datetime", "date", "time", "when", "sent_at", "created_at", "sent")
_LISTS = ("messages", "history", "conversation", "chat", "log", "lines", "items", "data")
_FILES = ("files", "attachments", "media")

_OPTIONAL = ("author_id", "room", "id", "edits", "reply_to", "quoted", "forwarded_from")

_ROLES = {"assistant": LineKind.BOT, "bot": LineKind.BOT, "tool": LineKind.BOT}
"""What a line is whose `role` is none of a person's."""


def _is_of(head: str, _: str) -> bool:
    found = {path.removeprefix("item.") for path in paths_in(head)}
    return _has_all(found) or any(_has_all(paths_in(line)) for line in glance(head))


def _is_list_in_object(head: str, _: str) -> bool:
    found = paths_in(head)
    within = ({path.removeprefix(f"{name}.item.") for path in found} for name in _LISTS)
    return any(_has_all(paths - found) for paths in within)


def _has_all(paths: AbstractSet[str]) -> bool:
    return all(not paths.isdisjoint(names) for names in (_AUTHOR, _TEXT, _AT))


def _lines(entry: JsonEntry, _: Known) -> Iterator[HistoryLine]:
    row = entry.value
    files = next((row[key] for key in _FILES if row.get(key)), ())
    yield HistoryLine(
        number=entry.number,
        at=moment(_first(row, _AT)),
        author=_named(_first(row, _AUTHOR)),
        text=str(_first(row, _TEXT)).strip(),
        kind=_kind(row),
        files=tuple(map(_named, files)),
        **{key: str(row[key]) for key in _OPTIONAL if row.get(key)},
    )


def _first(row: Mapping[str, Any], keys: Sequence[str]) -> Any:
    """The value of the first of these keys that there is.

    Raises:
        IndexError: there is none.

    """
    return [row[key] for key in keys if row.get(key) is not None][0]  # noqa: RUF015 - see above


def _named(value: Any) -> str:
    """What is given as its name, or as an object with one."""
    return str(_first(value, ("name", "username", "id"))) if isinstance(value, dict) else str(value)


def _kind(row: Mapping[str, Any]) -> LineKind:
    role = str(row.get("role", ""))
    if row.get("system") or role == LineKind.SYSTEM:
        return LineKind.SYSTEM
    if row.get("deleted"):
        return LineKind.DELETED
    if row.get("forwarded_from"):
        return LineKind.FORWARDED
    return LineKind(row.get("kind", _ROLES.get(role, LineKind.SAID)))


READER = replace(json_reader("JSON lines", "jsonl", (), _lines), recognises=_is_of)
IN_OBJECT = replace(
    json_reader("JSON", "jsonl", (), _lines, {f"{name}.item" for name in _LISTS}),
    recognises=_is_list_in_object,
)

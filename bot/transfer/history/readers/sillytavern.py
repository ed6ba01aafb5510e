"""SillyTavern's chats: a line of JSON for the chat, and one for each message."""

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from bot.transfer.history.documents import JsonEntry
from bot.transfer.history.format_reader import Known, json_reader
from bot.transfer.history.model import HistoryLine, LineKind
from bot.transfer.history.moments import MONTHS, moment, of_talk

_IN_WORDS = re.compile(
    r"([A-Z][a-z]{2})[a-z]{0,6} (\d{1,2}), (\d{4}) (\d{1,2}):(\d\d) ?([ap])m", re.IGNORECASE
)
_IN_NUMBERS = re.compile(
    r"(\d{4})-(\d{1,2})-(\d{1,2}) ?@ ?(\d{1,2})h ?(\d{1,2})m ?(\d{1,2})s.{0,8}"
)


def _lines(entry: JsonEntry, _: Known) -> Iterator[HistoryLine]:
    row = entry.value
    if "mes" not in row and ("chat_metadata" in row or "user_name" in row):
        return
    yield HistoryLine(
        number=entry.number,
        at=_at(row["send_date"]),
        author=str(row["name"]),
        text=str(row["mes"]).strip(),
        kind=_kind(row),
        files=("image",) if (row.get("extra") or {}).get("image") else (),
    )


def _kind(row: Mapping[str, Any]) -> LineKind:
    if row.get("is_user"):
        return LineKind.SAID  # what is hidden from the character counts as the program's elsewhere
    return LineKind.SYSTEM if row.get("is_system") else LineKind.BOT


def _at(said: object) -> datetime:
    text = str(said).strip()
    if found := _IN_WORDS.fullmatch(text):
        hour = int(found[4]) % 12 + 12 * (found[6].lower() == "p")
        month = MONTHS[found[1].lower()]
        return of_talk(datetime(int(found[3]), month, int(found[2]), hour, int(found[5])))  # noqa: DTZ001 - the file names no zone
    if found := _IN_NUMBERS.fullmatch(text):
        return of_talk(datetime(*(int(each) for each in found.groups())))  # type: ignore[arg-type]  # noqa: DTZ001 - the same
    return moment(text)


READER = json_reader(
    "SillyTavern",
    "sillytavern",
    (
        {"mes", "is_user"},
        {"user_name", "character_name"},
    ),
    _lines,
)

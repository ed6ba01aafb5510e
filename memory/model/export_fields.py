"""The fields of the entries of an export, each checked as it is read. Pure."""

import unicodedata
from datetime import UTC, datetime
from typing import Annotated

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field


class CheckedEntry(BaseModel):
    """One line of an export: every field is checked, and there are no others."""

    model_config = ConfigDict(extra="forbid", frozen=True)


_LONGEST_TEXT = 1_000_000
"""Characters of a text: several of the longest messages that are kept, in one turn."""

_LINE_ENDS = frozenset({"Cc", "Zl", "Zp", "Cs"})
"""Categories of characters that end a line or command a terminal."""

_FIRST, _LAST = datetime(1970, 1, 1, tzinfo=UTC), datetime(2200, 1, 1, tzinfo=UTC)
"""Nothing was said before the one, and what is said after the other is a mistake."""


def _one_line(value: str) -> str:
    if not value.isprintable() and not _ends_no_line(value):
        raise ValueError("it has to be one line of text")
    return value


def _as_one_line(value: str) -> str:
    if value.isprintable() or _ends_no_line(value):
        return value
    kept = (" " if unicodedata.category(char) in _LINE_ENDS else char for char in value)
    return " ".join("".join(kept).split())


def _ends_no_line(value: str) -> bool:
    return not any(unicodedata.category(char) in _LINE_ENDS for char in value)


def _in_utc(value: datetime) -> datetime:
    if not _FIRST <= value <= _LAST:
        raise ValueError("it is not a time between 1970 and 2200")
    return value.astimezone(UTC)


Key = Annotated[str, Field(min_length=1, max_length=300), AfterValidator(_one_line)]

Name = Annotated[str, Field(max_length=300), AfterValidator(_as_one_line)]

Text = Annotated[str, Field(max_length=_LONGEST_TEXT)]

Statement = Annotated[
    str, Field(min_length=1, max_length=_LONGEST_TEXT), AfterValidator(_as_one_line)
]

Moment = Annotated[AwareDatetime, AfterValidator(_in_utc)]

Share = Annotated[float, Field(ge=0, le=1)]

Count = Annotated[int, Field(ge=0, le=1 << 31)]

Mark = Annotated[int, Field(ge=-(1 << 63), lt=1 << 63)]
"""A keyed hash, as the database keeps whole numbers."""

Forgotten = Annotated[str, Field(pattern="^[0-9a-f]{16}:[0-9]{1,18}$")]
"""The name of a key of marks, and the number of a forgetting."""

Reference = tuple[Key, Key]
"""The platform of a message and its id there."""

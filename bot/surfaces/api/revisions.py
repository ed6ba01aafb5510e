"""Revisions of what is edited: ETag and If-Match (RFC 9110, 8.8.3 and 13.1.1)."""

import hashlib
import json
from typing import Annotated, Any

from fastapi import Header

from bot.surfaces.api.problems import ChangedMeanwhile, Conflict
from bot.surfaces.values import as_json

IfMatch = Annotated[str | None, Header(description="The ETag that the change is made for.")]


def etag_of(shown: Any) -> str:
    """The revision of something as it is shown, quoted as the header has it."""
    text = json.dumps(as_json(shown), sort_keys=True).encode()
    return f'"{hashlib.sha256(text).hexdigest()[:24]}"'


def check_revision(if_match: str | None, current: Any) -> None:
    """Let a change pass that names no revision, any (`*`), or the current one.

    Raises:
        ChangedMeanwhile: it names another.

    """
    if if_match is None or not _names_one(if_match):
        return
    named = {one.strip().removeprefix("W/") for one in if_match.split(",")}
    if etag_of(current) not in named:
        raise ChangedMeanwhile("It was changed meanwhile; this is what it is now.", current)


def came_too_late(if_match: str | None, sentence: str, current: Any) -> Conflict:
    """The refusal of a change to what is another thing by now: 412 where it named a revision."""
    names_one = if_match is not None and _names_one(if_match)
    return (ChangedMeanwhile if names_one else Conflict)(sentence, current)


def _names_one(if_match: str) -> bool:
    """Whether a header names a revision, and is not `*` for any."""
    return if_match.strip() != "*"

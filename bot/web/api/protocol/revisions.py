"""Revisions of what is edited: ETag and If-Match (RFC 9110, 8.8.3 and 13.1.1)."""

import hashlib
import json
from typing import Annotated, Any

from fastapi import Header

from bot.web.api.protocol.problems import ChangedMeanwhile

IfMatch = Annotated[
    str | None, Header(description="The ETag the change is made for; 412 if it is another now.")
]


def etag_of(shown: Any) -> str:
    """The revision of something as it is shown, quoted as the header has it."""
    text = json.dumps(shown, sort_keys=True, default=str).encode()
    return f'"{hashlib.sha256(text).hexdigest()[:24]}"'


def check_revision(if_match: str | None, current: Any) -> None:
    """Let a change pass that names no revision, any (`*`), or the current one.

    Raises:
        ChangedMeanwhile: it names another.

    """
    if if_match is None or if_match.strip() == "*":
        return
    named = {one.strip().removeprefix("W/") for one in if_match.split(",")}
    if etag_of(current) not in named:
        raise ChangedMeanwhile("It was changed meanwhile; this is what it is now.", current)

"""Pages by cursor: an opaque mark of where the last page ended, valid whatever is added since."""

import base64
import binascii
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Generic, TypeVar

from fastapi import Query

from bot.errors import BotError
from memory.model.shown import Shown

T = TypeVar("T")

Limit = Annotated[int, Query(ge=1, le=200, description="The most entries of a page.")]
"""How long a page may be; give it a default where it is used."""
Cursor = Annotated[
    str | None,
    Query(max_length=400, description="`next` of the page before; without it the list begins."),
]
Position = str | int | tuple[str | int, ...]
"""Where a page ended, as the reader of a list tells it."""


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """A page of a list; `next` is the cursor of the page after it, null on the last one."""

    items: Shown[Sequence[T]]
    next: Shown[str | None] = None


def page_of(found: Sequence[T], limit: int, position: Callable[[T], Position]) -> Page[T]:
    """The first of what was found, where one more than the limit was looked for.

    `position` says where an entry stands in the list, for the cursor of the next page.
    """
    if len(found) <= limit:
        return Page(found)
    last = position(found[limit - 1])
    return Page(found[:limit], cursor_of(*last) if isinstance(last, tuple) else cursor_of(last))


class BadCursor(BotError):
    """A cursor that no page gave."""


def cursor_of(*position: str | int) -> str:
    """A position as a cursor."""
    text = json.dumps(position, separators=(",", ":")).encode()
    return base64.urlsafe_b64encode(text).rstrip(b"=").decode()


def position_in(cursor: str | None, *kinds: type) -> tuple[Any, ...] | None:
    """The position a cursor marks, its parts of these types; None for no cursor.

    Raises:
        BadCursor: it is none of this resource.

    """
    if cursor is None:
        return None
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        position = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
    except (ValueError, binascii.Error):
        raise BadCursor("The cursor is none that a page gave.") from None
    fits = isinstance(position, list) and [type(one) for one in position] == list(kinds)
    if not fits or not all(map(_can_be_kept, position)):
        raise BadCursor("The cursor is none that a page of this resource gave.")
    return tuple(position)


def _can_be_kept(part: str | int) -> bool:
    """Whether a database takes it: an integer of 64 bits, a text without half a character."""
    if isinstance(part, int):
        return abs(part) < 1 << 63
    return part.isascii() or not any("\ud800" <= sign <= "\udfff" for sign in part)

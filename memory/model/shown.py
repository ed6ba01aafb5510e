"""Which fields of a value are shown outside: on the API, in `--json`, and in descriptions of both.

A value that storage returns is also what programs are answered with. A field leaves the process
only where its annotation says `Shown`, so that a new field stays inside until it is marked.
"""

from collections.abc import Hashable, Iterator
from dataclasses import fields
from functools import cache
from typing import Annotated, Any, TypeAlias, TypeVar, cast, get_type_hints

T = TypeVar("T")

SHOWN = object()
"""The mark in an annotation."""

Shown: TypeAlias = Annotated[T, SHOWN]
"""A field that may leave the process: `name: Shown[str]`."""


@cache
def shown_fields(kind: Hashable) -> dict[str, Any]:
    """The names and types of the fields of a dataclass that may be shown, in their order.

    Raises:
        TypeError: no field of it may be.

    """
    found = dict(_marked(cast("type[Any]", kind)))
    if not found:
        raise TypeError(f"No field of {kind} is marked as shown.")
    return found


def _marked(kind: type[Any]) -> Iterator[tuple[str, Any]]:
    hints = get_type_hints(kind, include_extras=True)
    for field in fields(kind):
        hint = hints[field.name]
        if SHOWN in getattr(hint, "__metadata__", ()):
            yield field.name, hint.__origin__

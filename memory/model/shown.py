"""Which parts of a value are shown outside: on the API, in `--json`, and in descriptions of both.

A value that storage returns is also what programs are answered with. A field or property leaves the
process only where its annotation says `Shown`, so that a new one stays inside until it is marked.
"""

from collections.abc import Iterator, Mapping
from dataclasses import fields
from functools import cache
from typing import Annotated, Any, TypeAlias, TypeVar, cast, get_type_hints

T = TypeVar("T")

SHOWN = object()
"""The mark in an annotation."""

Shown: TypeAlias = Annotated[T, SHOWN]
"""What may leave the process: `name: Shown[str]`, or what a property returns."""


def shown_parts(kind: type[Any]) -> Mapping[str, Any]:
    """The names and types of what may be shown of a dataclass: fields, then properties.

    Raises:
        TypeError: nothing of it may be.

    """
    return _parts(cast("Any", kind))


@cache
def _parts(kind: Any) -> Mapping[str, Any]:
    hints = get_type_hints(kind, include_extras=True)
    found = {one.name: hints[one.name] for one in fields(kind)} | dict(_properties(kind))
    shown = {name: hint.__origin__ for name, hint in found.items() if _is_marked(hint)}
    if not shown:
        raise TypeError(f"Nothing of {kind.__qualname__} is marked as shown.")
    return shown


def _properties(kind: Any) -> Iterator[tuple[str, Any]]:
    for base in reversed(kind.__mro__):
        for name, one in vars(base).items():
            if isinstance(one, property):
                yield name, get_type_hints(one.fget, include_extras=True).get("return")


def _is_marked(hint: Any) -> bool:
    return SHOWN in getattr(hint, "__metadata__", ())

"""Rows of the database as dataclasses, and dataclasses as values that are bound in a query."""

import json
from collections.abc import Callable, Mapping
from dataclasses import fields
from datetime import datetime
from enum import Enum
from functools import cache, partial
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints
from uuid import UUID

from pydantic import AwareDatetime

from memory.storage.sqlite.columns import json_list, millis, moment
from memory.storage.sqlite.readers import Row

T = TypeVar("T")

_Convert = Callable[[Any], Any]


def row_as(kind: type[T], row: Row | Mapping[str, Any], /, **given: Any) -> T:
    """A value made from a row; every field that is not in `given` is a column of its name.

    It is a dataclass, or a model of Pydantic's, which is not checked again.

    Columns are converted to the type of their field: a moment from milliseconds since 1970, a UUID
    from text, an enum from its value, a boolean from 0 or 1, and a tuple, set or mapping from JSON.
    NULL becomes None where the field may be None. Values in `given` are taken as they are.

    Raises:
        LookupError: the row lacks a column.
        TypeError: a field has a type that no column is converted to, and was not given.

    """
    try:
        made: T = _reader(cast("Any", kind), *given)(row, given)
    except LookupError as error:
        lacking = {*get_type_hints(kind)} - {*given, *row.keys()}
        columns = ", ".join(sorted(lacking))
        raise LookupError(f"A row lacks columns of {kind.__name__}: {columns}.") from error
    return made


def columns_of(value: Any) -> dict[str, Any]:
    """The fields of a dataclass by name, each as `row_as` reads it, to be bound in a query.

    Fields that no column can hold, such as another dataclass, stay as they are: SQLite looks only
    at the names that a query mentions.
    """
    return {name: _written(getattr(value, name)) for name in _names(cast("Any", type(value)))}


@cache
def _names(kind: Any) -> tuple[str, ...]:
    return tuple(getattr(kind, "model_fields", ())) or tuple(one.name for one in fields(kind))


def _written(value: Any) -> Any:
    write = _WRITERS.get(type(value))
    return value if write is None else write(value)


@cache
def _reader(kind: Any, *given: str) -> Callable[[Any, Mapping[str, Any]], Any]:
    """The function that makes a dataclass of a row and of the fields in `given`.

    It is compiled as one call, as if written by hand: a search reads thousands of rows, and a loop
    over the fields takes half as long again.
    """
    types = get_type_hints(kind)
    known: dict[str, Any] = {"kind": getattr(kind, "model_construct", kind)}
    arguments = []
    for name in (one for one in _names(kind) if one not in given):
        value = f'row["{name}"]'
        optional = NoneType in get_args(types[name])
        try:
            known[f"as_{name}"] = convert = _conversion(types[name])
        except KeyError as error:
            raise TypeError(f"No column becomes {types[name]}: {kind.__name__}.{name}.") from error
        if convert is not None and optional:
            value = f"None if (it := {value}) is None else as_{name}(it)"
        elif convert is not None:
            value = f"as_{name}({value})"
        arguments.append(f"{name}={value}")
    code = f"lambda row, given: kind({', '.join(arguments)}, **given)"
    reader: Callable[[Any, Mapping[str, Any]], Any] = eval(code, known)  # noqa: S307 - our names
    return reader


def _conversion(wanted: Any) -> _Convert | None:
    """What makes a value of the wanted type from a column; None where the column is one.

    Raises:
        KeyError: nothing does.

    """
    origin, parts = get_origin(wanted), get_args(wanted)
    if hasattr(wanted, "__supertype__"):  # a NewType
        return _conversion(wanted.__supertype__)
    present = [one for one in parts if one is not NoneType]
    if origin in {Union, UnionType} and len(present) == 1:
        return _conversion(present[0])
    if origin is frozenset or (origin is tuple and parts[1:] == (...,)):
        return partial(_from_json, origin, _conversion(parts[0]))
    if isinstance(wanted, type) and issubclass(wanted, Enum):
        return wanted
    return _CONVERSIONS[origin or wanted]


def _from_json(kind: Callable[[Any], Any], convert: _Convert | None, written: str) -> Any:
    values = json.loads(written)
    return kind(values if convert is None else map(convert, values))


_CONVERSIONS: Mapping[Any, _Convert | None] = {
    **dict.fromkeys((str, int, float, bytes, Literal)),
    bool: bool,
    datetime: moment,
    AwareDatetime: moment,
    UUID: UUID,
    dict: json.loads,
    Mapping: json.loads,
}

_WRITERS: Mapping[type, _Convert] = {
    datetime: millis,
    UUID: str,
    tuple: lambda values: json_list(map(_written, values)),
    frozenset: lambda values: json_list(sorted(map(_written, values))),
}
"""What writes a value of a type as a column; one of another type is a column as it is."""

"""Rows of the database as values, values as columns that are bound, and the queries that ask."""

import json
import re
import sqlite3
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from datetime import UTC, datetime, timedelta
from enum import Enum
from functools import cache, partial
from importlib.resources import files
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints
from uuid import UUID

import numpy as np
from pydantic import AwareDatetime

from memory.model.audience import Scope
from memory.model.retrieval import RecalledLine, Section
from memory.ports import Vectors

Row = sqlite3.Row

T = TypeVar("T")

_Convert = Callable[[Any], Any]

_NAME = re.compile(r"^-- name: (\w+)$", re.MULTILINE)


def queries(file: str) -> Mapping[str, str]:
    """The queries of `<file>.sql`, in a room of this one, by name.

    Each follows a line `-- name: its_name`.

    Raises:
        ValueError: two of them have the same name.

    """
    text = (files("memory.storage") / f"{file}.sql").read_text("utf-8")
    pieces = _NAME.split(text)
    if len(set(pieces[1::2])) < len(pieces[1::2]):
        raise ValueError(f"{file}.sql names two queries alike.")
    return {name: sql.strip() for name, sql in zip(pieces[1::2], pieces[2::2], strict=True)}


def migrations() -> list[tuple[int, str]]:
    """Every migration as (number, script), in order."""
    found = (files("memory.storage") / "migrations").iterdir()
    return sorted((int(file.name[:4]), file.read_text("utf-8")) for file in found)


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)


def millis(moment: datetime) -> int:
    """An aware moment as milliseconds since 1970 UTC."""
    return (moment - _EPOCH) // _MILLISECOND


def millis_in(duration: timedelta) -> int:
    """A duration in whole milliseconds."""
    return duration // _MILLISECOND


def moment(millis: int) -> datetime:
    """Milliseconds since 1970 UTC as an aware moment."""
    return _EPOCH + _MILLISECOND * millis


def maybe_millis(at: datetime | None) -> int | None:
    """The same for a moment that may be missing."""
    return None if at is None else millis(at)


def maybe_moment(at: int | None) -> datetime | None:
    """The same for a column that may be NULL."""
    return None if at is None else moment(at)


def json_list(values: Iterable[Any]) -> str:
    """A list for `json_each(:name)`, so that lists of any length are bound as one value."""
    return json.dumps(list(values), ensure_ascii=False)


def recalled_json(lines: Iterable[RecalledLine]) -> str:
    """Recalled lines as one JSON list, which `recalled_in` reads."""
    return json_list(
        {
            "section": line.section,
            "content": line.content,
            "age": line.age,
            "said_by": line.said_by,
            "reported": line.reported,
            "own": line.own,
            "against": line.against,
            "then": line.then,
            "renamed": line.renamed,
        }
        for line in lines
    )


def recalled_in(written: str) -> tuple[RecalledLine, ...]:
    """The lines that `recalled_json` wrote."""
    return tuple(map(_recalled_line, json.loads(written)))


def _recalled_line(written: dict[str, Any]) -> RecalledLine:
    values = {
        "section": Section(written["section"]),
        "against": tuple(written["against"]),
        "renamed": tuple((then, now) for then, now in written.get("renamed", ())),
    }
    return RecalledLine(**written | values)


def audiences(scope: Scope) -> str | None:
    """The scope's keys for `json_each`; NULL means everything (the operator)."""
    return None if scope.audiences is None else json_list(sorted(scope.audiences))


def scope_in(written: str | None) -> Scope:
    """The scope that `audiences` wrote."""
    return Scope(None if written is None else frozenset(json.loads(written)))


def vector_blob(vector: Vectors) -> bytes:
    """A vector as float16 bytes, little endian: half the size, similarities agree to 1e-3."""
    return vector.astype("<f2").tobytes()


def blob_vectors(blobs: Sequence[bytes]) -> Vectors:
    """The float32 vectors that blobs of one length hold, shape (len(blobs), dimension)."""
    if not blobs:
        return np.zeros((0, 0), np.float32)
    return np.frombuffer(b"".join(blobs), "<f2").reshape(len(blobs), -1).astype(np.float32)


def row_json(*columns: Any) -> str:
    """Names and values in turn as one JSON object; every number and every byte exactly."""
    pairs = zip(columns[::2], columns[1::2], strict=True)
    return json.dumps(
        {
            name: {"bytes": b64encode(value).decode()} if isinstance(value, bytes) else value
            for name, value in pairs
        },
        ensure_ascii=False,
    )


def row_of(written: str | None) -> dict[str, Any]:
    """The columns that `row_json` wrote; none for NULL."""
    columns: dict[str, Any] = json.loads(written) if written else {}
    return {
        name: b64decode(value["bytes"]) if isinstance(value, dict) else value
        for name, value in columns.items()
    }


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


def columns_of(value: Any, *besides: str) -> dict[str, Any]:
    """The fields of a dataclass or model by name, each as `row_as` reads it, to be bound.

    Fields that no column can hold, such as another dataclass, stay as they are: SQLite looks only
    at the names that a query mentions. Those `besides` are left out.
    """
    names = (one for one in _names(cast("Any", type(value))) if one not in besides)
    return {name: _written(getattr(value, name)) for name in names}


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

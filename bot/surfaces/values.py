"""Values as programs read them: what an operation returns is defined once, and described once."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import date, datetime
from enum import Enum
from functools import cache
from inspect import cleandoc
from types import GenericAlias, UnionType
from typing import Any, Literal, NewType, TypeVar, Union, cast, get_args, get_origin
from uuid import UUID

from pydantic import BaseModel, create_model

from memory.model.shown import shown_parts

T = TypeVar("T")

Event = dict[str, Any]
"""`{"progress": {...}}` any number of times, then `{"result": {...}}` or `{"error": "..."}`."""


def as_json(value: Any) -> Any:
    """A value as JSON has it: what is shown of a dataclass, moments in ISO 8601."""
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, Mapping):
        return {str(key): as_json(one) for key, one in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [as_json(one) for one in value]
    if is_dataclass(value):
        return {name: as_json(getattr(value, name)) for name in shown_parts(type(value))}
    return value.isoformat() if isinstance(value, datetime) else str(value)


def extended(kind: type[T], base: Any, **more: Any) -> T:
    """A value of a kind that adds fields to the kind of another value, which gives the rest."""
    return kind(**{one.name: getattr(base, one.name) for one in fields(base)}, **more)


def model_of(kind: Any) -> type[BaseModel]:
    """What `as_json` makes of a dataclass, as a model that describes it for OpenAPI.

    `kind` may name what a generic one holds, such as `Page[PersonListing]`.
    """
    return cast("type[BaseModel]", _model(kind))


@cache
def _model(kind: Any) -> Any:
    value = get_origin(kind) or kind
    held: dict[Any, Any] = {}
    for one in (kind, *getattr(value, "__orig_bases__", ())):
        if is_dataclass(generic := get_origin(one)):
            held |= zip(cast("Any", generic).__parameters__, get_args(one), strict=True)
    parts = {name: (_described(hint, held), ...) for name, hint in shown_parts(value).items()}
    name = value.__name__ + "".join(f"_{one.__name__}_" for one in get_args(kind))
    model = create_model(name, **cast("dict[str, Any]", parts))
    model.__doc__ = cleandoc(value.__doc__ or "")
    return model


def _described(hint: Any, held: Mapping[Any, Any]) -> Any:
    """The type of a part in JSON; `held` says what type variables stand for."""
    if isinstance(hint, TypeVar | NewType):
        return _described(held[hint] if isinstance(hint, TypeVar) else hint.__supertype__, held)
    origin = get_origin(hint)
    if origin is Literal:
        return hint
    if is_dataclass(origin or hint):
        return _model(hint)
    arguments = [_described(one, held) for one in get_args(hint) if one is not ...]
    if origin in {Union, UnionType}:
        return Union[tuple(arguments)]  # noqa: UP007 - made at run time
    if origin is not None:
        return GenericAlias(dict if issubclass(origin, Mapping) else list, tuple(arguments))
    is_text = hint in {date, datetime, UUID} or (isinstance(hint, type) and issubclass(hint, Enum))
    return str if is_text else hint

"""Values as programs read them: what an operation returns is defined once, and described once."""

from collections.abc import Hashable, Mapping
from dataclasses import is_dataclass
from datetime import datetime
from enum import Enum
from functools import cache
from inspect import cleandoc
from types import UnionType
from typing import Any, NewType, TypeVar, Union, cast, get_args, get_origin
from uuid import UUID

from pydantic import BaseModel, create_model

from memory.model.shown import shown_fields


def as_json(value: Any) -> Any:
    """A value as JSON has it: the shown fields of a dataclass, moments in ISO 8601."""
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, Mapping):
        return {str(key): as_json(one) for key, one in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [as_json(one) for one in value]
    if is_dataclass(value):
        shown = shown_fields(cast("Any", type(value)))
        return {name: as_json(getattr(value, name)) for name in shown}
    return value.isoformat() if isinstance(value, datetime) else str(value)


@cache
def model_of(kind: Hashable) -> type[BaseModel]:
    """What `as_json` makes of a kind of dataclass, as a model that describes it for OpenAPI."""
    value = cast("type[Any]", kind)
    described = {name: (_described(hint), ...) for name, hint in shown_fields(kind).items()}
    model = create_model(value.__name__, **cast("dict[str, Any]", described))
    model.__doc__ = cleandoc(value.__doc__ or "")
    return model


def _described(hint: Any) -> Any:
    """The type of a field in JSON."""
    if isinstance(hint, NewType):
        return _described(hint.__supertype__)
    if hint in {datetime, UUID} or (isinstance(hint, type) and issubclass(hint, Enum)):
        return str
    if is_dataclass(hint):
        return model_of(cast("Any", hint))
    origin, arguments = (
        get_origin(hint),
        [_described(one) for one in get_args(hint) if one is not ...],
    )
    if origin in {Union, UnionType}:
        return Union[tuple(arguments)]  # noqa: UP007 - made at run time
    if origin is None or isinstance(hint, TypeVar):
        return hint
    return dict[arguments[0], arguments[1]] if issubclass(origin, Mapping) else list[arguments[0]]  # type: ignore[valid-type]

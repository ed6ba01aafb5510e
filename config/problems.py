"""What is wrong with the settings, in sentences that name the key and where it stands."""

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from config import schema
from config.redaction import masked
from config.sources import Given

_PHRASES = {
    "int_parsing": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_parsing": "must be a number",
    "bool_parsing": "must be true or false",
    "model_type": "must be a section with keys of its own",
    "tuple_type": 'must be a list, like ["a", "b"]',
    "missing": "must be given",
}
"""Error types whose own message speaks of Python rather than of settings."""


def sentences(
    model: type[BaseModel], error: ValidationError, given: Sequence[Given]
) -> tuple[str, ...]:
    """One sentence for each thing that is wrong, in the order of the settings, without secrets."""
    details = error.errors(include_url=False)
    return tuple(dict.fromkeys(_sentence(model, detail, given) for detail in details))


def _sentence(model: type[BaseModel], detail: ErrorDetails, given: Sequence[Given]) -> str:
    place = detail["loc"]
    if not place:
        return _message(detail)
    there = [one for one in given if all(a == b for a, b in zip(one.path, place, strict=False))]
    field = schema.field_at(model, place)
    section = schema.model_in(field)
    below = [one for one in there if field is None or (not section and len(one.path) > len(place))]
    if below:
        return " ".join(_unknown(model, place, one) for one in below)
    culprit = min(there, key=lambda one: abs(len(one.path) - len(place)))
    message = _message(detail, of_sections=section is not None)
    return f"{_label(place, culprit)}: {message}{_value(model, detail)}."


def _label(place: schema.Place, one: Given) -> str:
    """What to look at for a place, which may be inside or around what was given."""
    inside = len(place) > len(one.path)
    label = schema.label_of(place) if inside else one.name
    if len(place) < len(one.path):
        label = f"[{'.'.join(map(str, place))}]"
    if one.file:
        return f"{label} in {one.file}"
    return f"{one.name} ({label})" if inside else label


def _unknown(model: type[BaseModel], place: schema.Place, one: Given) -> str:
    """A sentence for a value given under a name that is not there."""
    known = [path for path, _ in schema.leaves(model)]
    if one.name.upper().startswith(schema.PREFIX) and len(place) <= len(one.path):
        variables = [*map(schema.variable_of, known), *sorted(schema.OTHER_VARIABLES)]
        suggestion = _near(one.name.upper(), variables)
    else:
        elsewhere = (schema.label_of(path) for path in known if path[-1] == place[-1])
        suggestion = _nearest(model, place) or next(elsewhere, None)
    also = f"; did you mean {suggestion}?" if suggestion else "."
    return f"{_label(max(place, one.path, key=len), one)}: there is no such setting{also}"


def _nearest(model: type[BaseModel], place: schema.Place) -> str | None:
    """The key or section with a name like it, beside it."""
    *above, key = place
    section = schema.model_in(schema.field_at(model, tuple(above))) if above else model
    name = _near(str(key), section.model_fields if section else ())
    if section is None or name is None:
        return None
    near = (*above, name)
    held = schema.is_section(section.model_fields[name])
    return f"[{'.'.join(map(str, near))}]" if held else schema.label_of(near)


def _near(name: str, names: Iterable[str]) -> str | None:
    return next(iter(get_close_matches(name, list(names), n=1)), None)


_SHOULD = re.compile(r"(?:Input|String|Tuple|Value) should")


def _message(detail: ErrorDetails, *, of_sections: bool = False) -> str:
    if of_sections and detail["type"] == "tuple_type":
        return f"must stand in double brackets, once for each: [[{detail['loc'][-1]}]]"
    words = _PHRASES.get(detail["type"], detail["msg"].removeprefix("Value error, "))
    return _SHOULD.sub("must", words)


def _value(model: type[BaseModel], detail: ErrorDetails) -> str:
    """The refused value, when it is short, plain and no secret."""
    field, value = schema.field_at(model, detail["loc"]), detail["input"]
    if field is None or schema.is_secret(field) or detail["type"] == "missing":
        return ""
    if isinstance(value, str):
        return f', not "{masked(value)}"' if len(value) <= 60 else ""
    return f", not {value}" if isinstance(value, int | float) else ""

"""What is wrong with the settings, in sentences that name the key and where it stands."""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from config import schema
from config.layers import Given, Layer
from config.masking import masked

Location = tuple[str | int, ...]

NEAR = 0.6
"""How alike two names must be to be taken for one another; difflib's own default."""

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

_PATTERNS = {
    r"^https?://[^\s/]+\S*$": "must be an address that begins with http:// or https://",
    r"^[a-z]+:\S+$": 'must look like platform:id, as in "console:*"',
    r"^[1-9][0-9]{0,4}[mhdw]$": 'must be a time such as 12h, 7d or 4w, or "none" for ever',
    r"^#?[\w-]+(/[\w-]+)*$|^$": 'must be a tag such as "eko" or "eko/recipes"',
    r"^(?i:[0-9a-f]{64}|[0-9a-f]{2}(:[0-9a-f]{2}){31})$": (
        "must be a SHA-256 fingerprint: 64 hexadecimal digits"
    ),
    r"^[a-z]+$": 'must be the name of a platform, like "web"',
}
"""What a text should have looked like, in words."""


def sentences(
    model: type[BaseModel], error: ValidationError, layers: Sequence[Layer]
) -> tuple[str, ...]:
    """One sentence for each thing that is wrong, in the order of the settings, without secrets."""
    given = [value for layer in layers for value in layer.given]
    found = (
        _sentence(model, detail, given)
        for detail in error.errors(include_url=False, include_context=True)
    )
    return tuple(dict.fromkeys(found))


def _sentence(model: type[BaseModel], detail: ErrorDetails, given: Sequence[Given]) -> str:
    where = detail["loc"]
    if not where:
        return _message(detail)
    culprits = [value for value in given if _touches(value.path, where)]
    if detail["type"] == "extra_forbidden":
        return " ".join(_unknown(model, where, culprit) for culprit in culprits)
    field = schema.field_at(model, where)
    below = [value for value in culprits if len(value.path) > len(where)]
    if below and field is not None and schema.model_in(field) is None:
        return " ".join(_unknown(model, where, culprit) for culprit in below)
    named = _name(where, culprits)
    of_sections = field is not None and schema.model_in(field) is not None
    return f"{named}: {_message(detail, of_sections=of_sections)}{_value(model, detail)}."


def _unknown(model: type[BaseModel], where: Location, culprit: Given) -> str:
    """A sentence for a value given under a name that is not there."""
    named = _name(where, [culprit]) if len(where) > len(culprit.path) else culprit
    suggestion = _nearest(model, where, culprit)
    return f"{named}: there is no such setting" + (
        f"; did you mean {suggestion}?" if suggestion else "."
    )


def _nearest(model: type[BaseModel], where: Location, culprit: Given) -> str | None:
    if len(where) <= len(culprit.path) and culprit.name.upper().startswith(schema.PREFIX):
        variables = [schema.variable_of(path) for path, _ in schema.leaves(model)]
        return _near(culprit.name.upper(), [*variables, *sorted(schema.OTHER_VARIABLES)])
    parent = schema.field_at(model, where[:-1])
    section = model if len(where) == 1 else parent and schema.model_in(parent)
    name = _near(str(where[-1]), section.model_fields if section else ())
    if name is None or section is None:
        return _elsewhere(model, str(where[-1]))
    if schema.is_section(section.model_fields[name]):
        return f"[{'.'.join(map(str, (*where[:-1], name)))}]"
    return schema.label_of((*where[:-1], name))


def _elsewhere(model: type[BaseModel], key: str) -> str | None:
    """The same key in another section, for one that was put in the wrong place."""
    return next((schema.label_of(p) for p, _ in schema.leaves(model) if p[-1] == key), None)


def _near(name: str, names: Iterable[str]) -> str | None:
    return next(iter(get_close_matches(name, list(names), n=1, cutoff=NEAR)), None)


def _name(where: Location, culprits: Sequence[Given]) -> str:
    """What to look at: the variable or the key in its file, or the section that is at odds."""
    if not culprits:
        return schema.label_of(where)
    culprit = culprits[0]
    if len(where) == len(culprit.path):
        return str(culprit)
    if len(where) < len(culprit.path):
        return f"[{'.'.join(map(str, where))}]" + (f" in {culprit.file}" if culprit.file else "")
    inside = schema.label_of(where)
    return f"{inside} in {culprit.file}" if culprit.file else f"{culprit.name} ({inside})"


def _touches(path: schema.KeyPath, where: Location) -> bool:
    return all(a == b for a, b in zip(path, where, strict=False))


def _message(detail: ErrorDetails, *, of_sections: bool = False) -> str:
    kind = detail["type"]
    if of_sections and kind == "tuple_type":
        return f"must stand in double brackets, once for each: [[{detail['loc'][-1]}]]"
    if kind == "string_pattern_mismatch":
        return _PATTERNS.get(detail["ctx"]["pattern"], "has characters that it may not have")
    words = _PHRASES.get(kind, detail["msg"].removeprefix("Value error, "))
    for technical in ("Input should be", "String should", "Tuple should", "Value should"):
        words = words.replace(technical, "must be" if technical.endswith("be") else "must")
    return words


def _value(model: type[BaseModel], detail: ErrorDetails) -> str:
    """The refused value, when it is short, plain and no secret."""
    field = schema.field_at(model, detail["loc"])
    if field is None or schema.is_secret(field) or detail["type"] == "missing":
        return ""
    value = detail["input"]
    if isinstance(value, str):
        return f', not "{masked(value)}"' if len(value) <= 60 else ""
    return f", not {value}" if isinstance(value, int | float) else ""

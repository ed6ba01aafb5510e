"""The shape of the settings: which keys there are, what each may hold and how it is spelt."""

from collections.abc import Iterator
from typing import get_args

from pydantic import BaseModel, SecretStr
from pydantic.fields import FieldInfo

from config.sections.section import Key, PlainName

Path = tuple[str, ...]
"""Where a setting is: ("web", "port") for `port` in `[web]`."""

Place = tuple[str | int, ...]
"""The same as pydantic tells it, where numbers step into lists."""

PREFIX = "EKO_"
DELIMITER = "__"
CONFIG_VARIABLE = "EKO_CONFIG"
KEY_VARIABLE = "EKO_MCP_KEY"
OTHER_VARIABLES = frozenset(
    {CONFIG_VARIABLE, KEY_VARIABLE, "EKO_EXTRAS", "EKO_PEERS", "EKO_PEERS_REQUIRED"}
)
"""Variables with our prefix that are no settings: where the file is, the key of an agent
(`eko mcp`), what docker-compose.yml builds in (it hands all of `.env` on to the pet), and what
tests look for."""


def model_in(field: FieldInfo | None) -> type[BaseModel] | None:
    """The section that a field holds, also as a list of them; None when it holds plain values."""
    held = () if field is None else (field.annotation, *get_args(field.annotation))
    return next((one for one in held if isinstance(one, type) and issubclass(one, BaseModel)), None)


def is_section(field: FieldInfo) -> bool:
    """Whether a field holds one section, as `[web]` does and `[[rooms]]` does not."""
    return model_in(field) is field.annotation


def is_secret(field: FieldInfo) -> bool:
    """Whether a field's value must never be shown."""
    return any(held in {SecretStr, Key} for held in (field.annotation, *get_args(field.annotation)))


def field_at(model: type[BaseModel], place: Place) -> FieldInfo | None:
    """The field at a place; None when there is none."""
    section: type[BaseModel] | None = model
    field: FieldInfo | None = None
    for key in (step for step in place if isinstance(step, str)):
        field = section.model_fields.get(key) if section else None
        section = model_in(field)
    return field


def leaves(model: type[BaseModel], above: Path = ()) -> Iterator[tuple[Path, FieldInfo]]:
    """Every setting with its path, sections opened, in the order they are declared."""
    for name, field in model.model_fields.items():
        inside = model_in(field)
        if inside is not None and is_section(field):
            yield from leaves(inside, (*above, name))
        else:
            yield (*above, name), field


def plain_names(model: type[BaseModel]) -> dict[str, Path]:
    """The variables by which services' own tools call a setting, each with its path."""
    return {mark.variable: path for mark, path in _marked(model)}


def providers(model: type[BaseModel]) -> dict[str, tuple[Path, str]]:
    """Of those variables the ones of one provider: where it is chosen, and as what."""
    return {
        mark.variable: ((*path[:-1], "provider"), mark.provider)
        for mark, path in _marked(model)
        if mark.provider is not None
    }


def _marked(model: type[BaseModel]) -> Iterator[tuple[PlainName, Path]]:
    for path, field in leaves(model):
        yield from ((mark, path) for mark in field.metadata if isinstance(mark, PlainName))


def variable_of(path: Path) -> str:
    """The variable that sets what is at a path."""
    return PREFIX + DELIMITER.join(path).upper()


def label_of(place: Place) -> str:
    """A place as the settings file spells it: `[web] port`."""
    at = next((i for i, step in enumerate(place) if isinstance(step, int)), len(place))
    *sections, key = map(str, place[:at])
    label = f"[{'.'.join(sections)}] {key}" if sections else key
    inside = (f"entry {step + 1}" if isinstance(step, int) else step for step in place[at:])
    return ", ".join((label, *inside))

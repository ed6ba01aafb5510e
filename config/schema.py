"""The shape of the settings: which keys there are, and what each may hold."""

from collections.abc import Iterator
from typing import get_args

from pydantic import BaseModel, SecretStr
from pydantic.fields import FieldInfo

KeyPath = tuple[str, ...]
"""Where a setting is: ("web", "port") for `port` in `[web]`."""

PREFIX = "EKO_"
DELIMITER = "__"

PLAIN_NAMES: dict[str, KeyPath] = {
    "ANTHROPIC_API_KEY": ("model", "api_key"),
    "ANTHROPIC_BASE_URL": ("model", "base_url"),
    "VOYAGE_API_KEY": ("embedder", "api_key"),
    "DISCORD_TOKEN": ("discord", "token"),
    "OBSIDIAN_API_KEY": ("obsidian", "api_key"),
    "QDRANT_URL": ("vectors", "url"),
    "QDRANT_API_KEY": ("vectors", "api_key"),
}
"""Variables under the names that the services' own tools give them."""

CONFIG_VARIABLE = "EKO_CONFIG"

OTHER_VARIABLES = frozenset({CONFIG_VARIABLE, "EKO_PEERS", "EKO_PEERS_REQUIRED"})
"""Variables with our prefix that are no settings: where the file is, and what tests look for."""


def model_in(field: FieldInfo) -> type[BaseModel] | None:
    """The section that a field holds, also as a list of them; None when it holds plain values."""
    for candidate in (field.annotation, *get_args(field.annotation)):
        if isinstance(candidate, type) and issubclass(candidate, BaseModel):
            return candidate
    return None


def is_section(field: FieldInfo) -> bool:
    """Whether a field holds one section, as `[web]` does and `[[rooms]]` does not."""
    return isinstance(field.annotation, type) and model_in(field) is not None


def is_list(field: FieldInfo) -> bool:
    """Whether a field holds several values."""
    return getattr(field.annotation, "__origin__", None) is tuple


def is_secret(field: FieldInfo) -> bool:
    """Whether a field's value must never be shown."""
    return SecretStr in _types_in(field.annotation)


def field_at(model: type[BaseModel], path: tuple[str | int, ...]) -> FieldInfo | None:
    """The field at a path, where numbers step into lists; None when there is none."""
    inside: type[BaseModel] | None = model
    field: FieldInfo | None = None
    for step in path:
        if isinstance(step, int):
            continue
        field = None if inside is None else inside.model_fields.get(step)
        if field is None:
            return None
        inside = model_in(field)
    return field


def leaves(model: type[BaseModel], above: KeyPath = ()) -> Iterator[tuple[KeyPath, FieldInfo]]:
    """Every setting with its path, sections opened, in the order they are declared."""
    for name, field in model.model_fields.items():
        inside = model_in(field)
        if inside is not None and is_section(field):
            yield from leaves(inside, (*above, name))
        else:
            yield (*above, name), field


def variable_of(path: KeyPath) -> str:
    """The variable that sets what is at a path."""
    return PREFIX + DELIMITER.join(path).upper()


def label_of(path: tuple[str | int, ...]) -> str:
    """A path as the settings file spells it: `[web] port`."""
    names = [step for step in path if isinstance(step, str)]
    if path and len(names) < len(path):
        return _label_in_list(path)
    *sections, key = names
    return f"[{'.'.join(sections)}] {key}" if sections else key


def _label_in_list(path: tuple[str | int, ...]) -> str:
    at = next(index for index, step in enumerate(path) if isinstance(step, int))
    ordinal = int(path[at]) + 1
    head, rest = label_of(path[:at]), ".".join(str(step) for step in path[at + 1 :])
    return f"{head}, entry {ordinal}{', ' + rest if rest else ''}"


def _types_in(annotation: object) -> set[object]:
    return {annotation}.union(*(_types_in(part) for part in get_args(annotation)))

"""What was given where: the environment, `.env` and the settings file, value by value."""

import json
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, DotEnvSettingsSource

from config import schema
from config.errors import SettingsRefused
from config.sections.section import QUOTES

DEFAULT_FILE = Path("eko.toml")

BLANK = f" \t\r\n{QUOTES}"
"""What a variable that says nothing is made of."""


@dataclass(frozen=True, slots=True)
class Given:
    """One value as it was given. `name` is its spelling, `file` where (empty: environment)."""

    path: schema.Path
    value: Any
    name: str
    file: str


def read_given(
    model: type[BaseModel], config_file: Path | None, environ: Mapping[str, str], dotenv: Path
) -> Sequence[Given]:
    """What the environment, `.env` and the settings file give, the winner first.

    Raises:
        SettingsRefused: a file is missing that was asked for, or cannot be read.

    """
    found = _read(dotenv, lambda: _dotenv(dotenv)) if _is_seen(dotenv) else {}
    wanted = environ.get(schema.CONFIG_VARIABLE) or found.get(schema.CONFIG_VARIABLE)
    file = config_file or Path(wanted or DEFAULT_FILE)
    asked_for = config_file or wanted or _is_seen(file)
    table = _read(file, lambda: tomllib.loads(file.read_text("utf-8"))) if asked_for else {}
    given = (
        *_variables(model, environ, ""),
        *_variables(model, found, str(dotenv)),
        *_keys(table, str(file)),
    )
    return tuple(one for one in given if _is_of_chosen(model, one, given))


def _is_seen(path: Path) -> bool:
    """Whether a file is there. In a folder that this user may not enter none is.

    `sudo -u eko eko login` is typed in a home that the user `eko` may not enter.
    """
    try:
        return path.exists()
    except PermissionError:
        return False


def _is_of_chosen(model: type[BaseModel], one: Given, given: Sequence[Given]) -> bool:
    """Whether a value is for the provider that is chosen, where it is for one only."""
    place, provider = schema.providers(model).get(one.name, ((), None))
    if provider is None:
        return True
    field = schema.field_at(model, place)
    default = None if field is None else field.default
    return next((other.value for other in given if other.path == place), default) == provider


def nested(given: Iterable[Given]) -> dict[str, Any]:
    """The values as sections within sections.

    One that stands where a section belongs replaces it, so that it is seen and refused.
    """
    values: dict[schema.Path, Any] = {}
    for one in given:
        values.setdefault(one.path, one.value)
    tree: dict[str, Any] = {}
    for path in sorted(values, key=len, reverse=True):
        *sections, key = path
        inside = tree
        for section in sections:
            inside = inside.setdefault(section, {})
        inside[key] = values[path] if values[path] != {} else inside.get(key, {})
    return tree


def _variables(model: type[BaseModel], values: Mapping[str, str], file: str) -> Iterator[Given]:
    """Our own names, then the plain names of the services; empty values count as not given."""
    plain = schema.plain_names(model)
    for name in sorted(values, key=plain.__contains__):
        path = plain.get(name) or _path_of(name)
        if path and values[name].strip(BLANK):
            yield Given(path, _decoded(schema.field_at(model, path), values[name]), name, file)


def _path_of(variable: str) -> schema.Path | None:
    if not variable.upper().startswith(schema.PREFIX) or variable in schema.OTHER_VARIABLES:
        return None
    if variable != variable.upper():
        return (variable,)  # no field is called so: it is refused by the name it has
    return tuple(variable.removeprefix(schema.PREFIX).lower().split(schema.DELIMITER))


def _decoded(field: FieldInfo | None, value: str) -> Any:
    """A list from `a,b` or from JSON; anything else as it is, for the model to judge."""
    if field is None or get_origin(field.annotation) is not tuple:
        return value
    if not value.lstrip().startswith("["):
        return [part.strip() for part in value.split(",")]
    with suppress(json.JSONDecodeError):
        return json.loads(value)
    return value


def _dotenv(path: Path) -> dict[str, str]:
    found = DotEnvSettingsSource(BaseSettings, env_file=path, case_sensitive=True).env_vars
    return {name: value for name, value in found.items() if value is not None}


def _keys(table: Mapping[str, Any], file: str, above: schema.Path = ()) -> Iterator[Given]:
    for key, value in table.items():
        path = (*above, key)
        if isinstance(value, dict) and value:
            yield from _keys(value, file, path)
        else:
            yield Given(path, value, schema.label_of(path), file)


def _read(path: Path, read: Callable[[], Any]) -> Any:
    try:
        return read()
    except tomllib.TOMLDecodeError as error:
        problem = f"is not valid TOML: {error}."
    except UnicodeDecodeError as error:
        before = error.object[: error.start]
        line, column = before.count(b"\n") + 1, error.start - before.rfind(b"\n")
        problem = f"is not UTF-8 text (at line {line}, column {column})."
    except FileNotFoundError:
        problem = f"does not exist: create it, or unset {schema.CONFIG_VARIABLE}."
    except OSError as error:
        problem = f"cannot be read: {error.strerror}."
    raise SettingsRefused([f"{path} {problem}"])

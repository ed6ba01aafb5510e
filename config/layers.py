"""What was given where: each source of settings as values that remember where they stood."""

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from pydantic_settings import BaseSettings, DotEnvSettingsSource

from config import schema
from config.errors import SettingsRefused
from config.forms import QUOTES

DEFAULT_FILE = Path("eko.toml")

BLANK = f" \t\r\n{QUOTES}"
"""What a variable that says nothing is made of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """One value as somebody gave it. `name` is its spelling, `file` where (empty: environment)."""

    path: schema.KeyPath
    value: Any
    name: str
    file: str = ""

    def __str__(self) -> str:
        return f"{self.name} in {self.file}" if self.file else self.name


@dataclass(frozen=True, slots=True)
class Layer:
    """The values of one source; an earlier layer wins over a later one."""

    given: tuple[Given, ...]

    def nested(self) -> dict[str, Any]:
        """The values as sections within sections.

        A value that stands where a section belongs replaces it, so that it is seen and refused.
        """
        tree: dict[str, Any] = {}
        for given in sorted(self.given, key=lambda given: len(given.path), reverse=True):
            *sections, key = given.path
            inside = tree
            for section in sections:
                inside = inside.setdefault(section, {})
            inside[key] = given.value if given.value != {} else inside.get(key, {})
        return tree


def read_layers(
    model: type[BaseSettings], config_file: Path | None, environ: Mapping[str, str], dotenv: Path
) -> tuple[Layer, ...]:
    """The environment, `.env` and the settings file, the winner first.

    Raises:
        SettingsRefused: a file is missing that was asked for, or cannot be read.

    """
    in_dotenv = _read_dotenv(model, dotenv)
    wanted = environ.get(schema.CONFIG_VARIABLE) or in_dotenv.get(schema.CONFIG_VARIABLE)
    if config_file is None and wanted:
        config_file = Path(wanted)
    return (
        *_variable_layers(model, environ, ""),
        *_variable_layers(model, in_dotenv, str(dotenv)),
        _file_layer(config_file),
    )


def _variable_layers(
    model: type[BaseModel], variables: Mapping[str, str], file: str
) -> tuple[Layer, Layer]:
    """Our own names, then the plain names of the services; empty values count as not given."""
    own: list[Given] = []
    plain: list[Given] = []
    for name, value in variables.items():
        path = _path_of(name)
        if not value.strip(BLANK) or path is None:
            continue
        kept = plain if name in schema.PLAIN_NAMES else own
        kept.append(Given(path=path, value=_decoded(model, path, value), name=name, file=file))
    return Layer(tuple(own)), Layer(tuple(plain))


def _path_of(name: str) -> schema.KeyPath | None:
    if name in schema.PLAIN_NAMES:
        return schema.PLAIN_NAMES[name]
    if not name.upper().startswith(schema.PREFIX) or name in schema.OTHER_VARIABLES:
        return None
    if name != name.upper():
        return (name,)  # no field is called so: a variable in the wrong case is refused by its name
    return tuple(name.removeprefix(schema.PREFIX).lower().split(schema.DELIMITER))


def _decoded(model: type[BaseModel], path: schema.KeyPath, value: str) -> Any:
    """A list from `a,b` or from JSON; anything else as it is, for the model to judge."""
    field = schema.field_at(model, path)
    if field is None or not schema.is_list(field):
        return value
    if not value.lstrip().startswith("["):
        return [part.strip() for part in value.split(",")]
    try:
        return json.loads(value)
    except json.JSONDecodeError:
        return value


def _read_dotenv(model: type[BaseSettings], path: Path) -> dict[str, str]:
    try:
        source = DotEnvSettingsSource(model, env_file=path, case_sensitive=True)
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsRefused([_unreadable(path, error)]) from None
    return {name: value for name, value in source.env_vars.items() if value is not None}


def _file_layer(config_file: Path | None) -> Layer:
    path = config_file or DEFAULT_FILE
    if config_file is None and not path.exists():
        return Layer(())
    return Layer(tuple(_flattened(_read_toml(path), str(path))))


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        problem = f"{path} is not valid TOML: {error}."
    except FileNotFoundError:
        problem = f"{path} does not exist: create it, or unset {schema.CONFIG_VARIABLE}."
    except (OSError, UnicodeDecodeError) as error:
        problem = _unreadable(path, error)
    raise SettingsRefused([problem])


def _unreadable(path: Path, error: OSError | UnicodeDecodeError) -> str:
    if isinstance(error, OSError):
        return f"{path} cannot be read: {error.strerror}."
    before = error.object[: error.start]
    line, column = before.count(b"\n") + 1, error.start - before.rfind(b"\n")
    return f"{path} is not UTF-8 text (at line {line}, column {column})."


def _flattened(table: dict[str, Any], file: str, above: schema.KeyPath = ()) -> Iterator[Given]:
    for key, value in table.items():
        path = (*above, key)
        if isinstance(value, dict) and value:
            yield from _flattened(value, file, path)
        else:
            yield Given(path=path, value=value, name=schema.label_of(path), file=file)

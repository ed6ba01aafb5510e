"""Where the value of each setting comes from; never the value of a secret."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, SecretStr
from pydantic.fields import FieldInfo

from config import schema
from config.errors import SettingsRefused
from config.redaction import MASK, masked
from config.settings import Settings
from config.sources import Given, read_given

Source = Literal["default", "environment", "file"]

LONGEST = 200
"""Characters of a value that are shown: a list of a hundred names is not read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingOrigin:
    """One setting as it is in force, as text, and where it comes from.

    `where` is the variable or the file. `value` of a secret only says whether there is one.
    """

    label: str
    section: str
    value: str
    source: Source
    where: str
    is_secret: bool


def origins(
    settings: Settings,
    environ: Mapping[str, str] | None = None,
    dotenv: Path = Path(".env"),
) -> list[SettingOrigin]:
    """Every setting of a pet, in the order they are declared.

    The environment and the files are read again, and say where a value is given now.
    """
    given = _given(os.environ if environ is None else environ, dotenv)
    known = tuple(one.get_secret_value() for one in settings.secrets())
    return [
        _origin(path, field, _at(settings, path), given.get(path), known)
        for path, field in schema.leaves(Settings)
    ]


def _given(environ: Mapping[str, str], dotenv: Path) -> Mapping[schema.Path, Given]:
    found: dict[schema.Path, Given] = {}
    try:
        for one in read_given(Settings, None, environ, dotenv):
            found.setdefault(one.path, one)
    except SettingsRefused:
        return {}  # the file is gone or broken since the start: what it said is in force still
    return found


def _at(settings: Settings, path: schema.Path) -> Any:
    value: Any = settings
    for key in path:
        value = getattr(value, key)
    return value


def _origin(
    path: schema.Path, field: FieldInfo, value: Any, given: Given | None, known: tuple[str, ...]
) -> SettingOrigin:
    is_secret = schema.is_secret(field)
    source: Source = "default"
    if given is not None:
        source = "file" if given.file else "environment"
    return SettingOrigin(
        label=schema.label_of(path),
        section=path[0] if len(path) > 1 else "",
        value=_secret(value) if is_secret else masked(_text(value), known)[:LONGEST],
        source=source,
        where="" if given is None else given.file or given.name,
        is_secret=is_secret,
    )


def _secret(value: object) -> str:
    return "" if value is None else MASK


def _text(value: Any) -> str:
    """A value as the settings file would have it; secrets inside of it as a mask."""
    if value is None:
        return "none"
    return json.dumps(_plain(value), ensure_ascii=False, default=str)


def _plain(value: Any) -> Any:
    if isinstance(value, SecretStr):
        return MASK
    if isinstance(value, BaseModel):
        return {name: _plain(inner) for name, inner in value}
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items()}
    return value if isinstance(value, (str, int, float, bool)) else str(value)

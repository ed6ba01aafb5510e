"""The example settings file, written from the settings themselves: `python -m config.example`."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import wrap
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from config import schema
from config.sections.channel import LOCAL, PLATFORM, channels_in
from config.settings import Settings

HEAD = """\
# Eko's settings, each with its default. Copy this file to eko.toml and uncomment what you change.
#
# Every key can also be a variable, in the environment or in .env, which then wins over this file:
# port in [web] is EKO_WEB__PORT. Keys are better kept there than here. Unknown names are refused.
# Where "none" stands as a default, nothing is chosen.
#
# Written by `make example`; change the descriptions in config/, not here.
"""

WIDTH = 100
"""The same as the source's lines."""

_BOUNDS = {"ge": "at least", "gt": "more than", "le": "at most", "lt": "less than"}


def example() -> str:
    """The file: every key commented out, with its description, its range and its default."""
    return HEAD + "".join(f"{line}\n" for line in _section(Settings, ()))


def _section(model: type[BaseModel], above: schema.Path) -> Iterator[str]:
    """Plain keys first, since TOML gives a key to the section that stands above it."""
    inside = {name: schema.model_in(field) for name, field in model.model_fields.items()}
    for name, field in model.model_fields.items():
        if inside[name] is None:
            yield from ("", *_described((*above, name), field))
            yield f"#{name} = {_toml(_default(field))}"
    for name, section in inside.items():
        if section is not None:
            field = model.model_fields[name]
            yield from ("", *_comment(field.description or (section.__doc__ or "").strip()))
            path = (*above, name)
            header = ".".join(path)
            yield f"#[{header}]" if schema.is_section(field) else f"#[[{header}]]"
            yield from _section(section, path)


def _described(path: schema.Path, field: FieldInfo) -> Iterator[str]:
    yield from _comment(f"{field.description} {_choices(field)}{_range(field)}".strip())
    plain = [name for name, target in schema.plain_names(Settings).items() if target == path]
    if plain:
        yield f"# Better given as {' or '.join(plain)}."


def _comment(text: str) -> list[str]:
    return [f"# {line}" for line in wrap(text, WIDTH - 2)]


def _default(field: FieldInfo) -> Any:
    return field.examples[0] if field.examples else field.default


def _choices(field: FieldInfo) -> str:
    arms = (field.annotation, *get_args(field.annotation))
    words = next((get_args(arm) for arm in arms if get_origin(arm) is Literal), ())
    if PLATFORM in field.metadata:
        words = (LOCAL, *channels_in(Settings))
    return f"One of {', '.join(words)}." if words else ""


def _range(field: FieldInfo) -> str:
    found = [
        f"{words} {getattr(limit, bound)}"
        for limit in field.metadata
        for bound, words in _BOUNDS.items()
        if hasattr(limit, bound)
    ]
    return f"{' and '.join(found).capitalize()}." if found else ""


def _toml(value: Any) -> str:
    if value is None:
        return '"none"'
    return json.dumps(str(value) if isinstance(value, Path) else value, ensure_ascii=False)


if __name__ == "__main__":
    sys.stdout.write(example())

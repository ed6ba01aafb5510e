"""Named queries, kept in the .sql file beside the module that asks them."""

import re
from collections.abc import Mapping
from importlib.resources import files

_NAME = re.compile(r"^-- name: (\w+)$", re.MULTILINE)


def queries(file: str) -> Mapping[str, str]:
    """The queries of `<file>.sql`, in a room of this one, by name.

    Each follows a line `-- name: its_name`.

    Raises:
        ValueError: two of them have the same name.

    """
    text = (files("memory.storage") / f"{file}.sql").read_text("utf-8")
    pieces = _NAME.split(text)
    if len(set(pieces[1::2])) < len(pieces[1::2]):
        raise ValueError(f"{file}.sql names two queries alike.")
    return {name: sql.strip() for name, sql in zip(pieces[1::2], pieces[2::2], strict=True)}


def migrations() -> list[tuple[int, str]]:
    """Every migration as (number, script), in order."""
    found = (files("memory.storage") / "migrations").iterdir()
    return sorted((int(file.name[:4]), file.read_text("utf-8")) for file in found)

"""The matters that people ask to have forgotten, and which of them a text may be of. Pure."""

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files

from memory.language.text import stems


def matters_of(said: Iterable[str]) -> frozenset[str]:
    """The matters that these stems belong to."""
    known = _matters()
    return frozenset(matter for stem in said for matter in known.get(stem, ()))


@cache
def _matters() -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    text = files(__package__).joinpath("matters.toml").read_text(encoding="utf-8")
    for name, listed in tomllib.loads(text).items():
        for stem in stems(listed):
            found.setdefault(stem, set()).add(name)
    return {stem: frozenset(names) for stem, names in found.items()}

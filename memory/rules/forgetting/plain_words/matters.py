"""The word lists of this room, and the matters that people ask to have forgotten. Pure."""

import tomllib
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib.resources import files

from memory.language.text import stems


def matters_of(said: Iterable[str]) -> frozenset[str]:
    """The matters that these stems belong to."""
    known = _matters()
    return frozenset(matter for stem in said for matter in known.get(stem, ()))


@cache
def _matters() -> Mapping[str, frozenset[str]]:
    return listed_under("matters.toml", stems)


def listed_under(
    file: str, words: Callable[[str], Iterable[str]] = str.split
) -> Mapping[str, frozenset[str]]:
    """The names of the lists that each word stands in, of a file that has one list a name."""
    found: dict[str, set[str]] = {}
    text = files(__package__).joinpath(file).read_text(encoding="utf-8")
    for name, listed in tomllib.loads(text).items():
        for word in words(listed):
            found.setdefault(word, set()).add(name)
    return {word: frozenset(names) for word, names in found.items()}

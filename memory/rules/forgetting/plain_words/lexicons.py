"""The word lists of this room: what each word is listed under. Pure."""

import tomllib
from collections.abc import Callable, Iterable, Mapping
from importlib.resources import files


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

"""The matters that people ask to have forgotten, and which of them a text may be of. Pure."""

from collections.abc import Iterable, Mapping
from functools import cache

from memory.language.text import stems
from memory.rules.forgetting.plain_words.lexicons import listed_under


def matters_of(said: Iterable[str]) -> frozenset[str]:
    """The matters that these stems belong to."""
    known = _matters()
    return frozenset(matter for stem in said for matter in known.get(stem, ()))


@cache
def _matters() -> Mapping[str, frozenset[str]]:
    return listed_under("matters.toml", stems)

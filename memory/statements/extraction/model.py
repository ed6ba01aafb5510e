"""The values of this package: what is found, and the rules it is found by."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from memory.language.expressions import SentencePattern
from memory.language.text import Language
from memory.model.statements import MemoryType


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One self-contained sentence worth keeping, in the language it was said in.

    `core` is a key and a value about the speaker: name, city, country, birthday.
    """

    content: str
    memory_type: MemoryType
    subjects: tuple[str, ...]
    ttl: timedelta | None = None
    core: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Speech:
    """Who says something, when (aware, in the pet's time zone), and whom the room knows."""

    speaker: str
    said_at: datetime
    names: Collection[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A verb that, followed by `rest`, makes a statement.

    `first` and `third` are its forms for the speaker and for others ("se " before a reflexive
    one). `human` rules hold of people only, so that they need no known name. The group `city`,
    `country` or `birthday` of `rest` is a core fact.
    """

    first: str
    third: str
    memory_type: MemoryType
    rest: SentencePattern
    human: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A statement before its dates and subjects are worked out; `core` as in Statement."""

    content: str
    memory_type: MemoryType
    language: Language
    about: tuple[str, ...] = ()
    core: tuple[str, str] | None = None
    dated: bool = True
    """Whether relative dates in it are to be resolved."""


def core_of(found: re.Match[str]) -> tuple[str, str] | None:
    """The core fact that a match captured, its value in title case where it had no capital."""
    for key in ("city", "country", "birthday", "name"):
        value = found.groupdict().get(key)
        if value:
            tidy = value.strip(" .,!")
            return key, tidy.title() if tidy.islower() and key != "birthday" else tidy
    return None

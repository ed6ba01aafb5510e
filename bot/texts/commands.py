"""What commands and their options are called, and what they are for, in every language."""

from collections.abc import Mapping
from typing import TypedDict

from bot.texts.catalogue import languages, texts_in, translations

OWN = "en"
"""The language that the names in the code are of."""


class Described(TypedDict):
    """The texts of a command or an option, as its constructor takes them."""

    names: Mapping[str, str]
    summary: Mapping[str, str]


def described(key: str) -> Described:
    """The `summary` under a key, and the `name` where a language has one of its own.

    Commands of two words have no names: platforms put them into a group under their first word.
    """
    return Described(names=_names(f"{key}.name"), summary=translations(f"{key}.summary"))


def position(name: str) -> int:
    """The place of a command in the catalogue, which is the order in which help lists them."""
    return list(texts_in(OWN).entries).index(f"commands.{name.replace(' ', '.')}.summary")


def _names(key: str) -> Mapping[str, str]:
    if key not in texts_in(OWN).entries:
        return {}
    named = translations(key)
    return {one: named[one] for one in languages() if named[one] != named[OWN]}

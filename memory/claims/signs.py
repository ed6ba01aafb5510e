"""What a clause shows by its words: wish, story, quotation, past; from the tables of a language."""

import re
import tomllib
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.resources import files

LANGUAGES = ("en", "fr")


@cache
def _patterns() -> Mapping[str, re.Pattern[str]]:
    """One expression for each sign, over the phrases of all languages."""
    found: dict[str, list[str]] = {}
    for language in LANGUAGES:
        table = files(__package__).joinpath("languages", language, "signs.toml").read_text("utf-8")
        for sign, phrases in tomllib.loads(table).items():
            listed = phrases.replace("\n", "|").split("|")
            found.setdefault(sign, []).extend(
                r"\w*".join(map(re.escape, one.strip().split("*"))) for one in listed if one.strip()
            )
    return {
        sign: re.compile(rf"\b(?:{'|'.join(sorted(phrases, key=len, reverse=True))})\b")
        for sign, phrases in found.items()
    }


def sign_names() -> tuple[str, ...]:
    """The signs that there are, in order."""
    return tuple(_patterns())


@lru_cache(maxsize=1024)
def signs_in(plain: str) -> frozenset[str]:
    """The signs of a text that is spelt out."""
    return frozenset(sign for sign, pattern in _patterns().items() if pattern.search(plain))

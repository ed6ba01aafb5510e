"""What a clause shows by its words: wish, story, quotation, past; from the tables of languages.

A language is a folder of `languages` with one table, and its name in `LANGUAGES`. Its phrases are
looked for in every text, so none may be a word of another language.
"""

import re
import tomllib
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.resources import files

LANGUAGES = ("en", "fr", "de")


class SignsBroken(ValueError):
    """The table of a language has other signs than the first, or an empty one."""


@cache
def _patterns() -> Mapping[str, re.Pattern[str]]:
    """One expression for each sign, over the phrases of all languages."""
    folder = files(__package__).joinpath("languages")
    found: dict[str, list[str]] = {}
    for language in LANGUAGES:
        table = phrases_in(folder.joinpath(language, "signs.toml").read_text("utf-8"))
        if found and table.keys() != found.keys():
            differing = ", ".join(sorted(table.keys() ^ found.keys()))
            raise SignsBroken(f"{language}/signs.toml and {LANGUAGES[0]}/signs.toml: {differing}")
        for sign, phrases in table.items():
            found.setdefault(sign, []).extend(phrases)
    return {
        sign: re.compile(rf"\b(?:{'|'.join(sorted(phrases, key=len, reverse=True))})\b")
        for sign, phrases in found.items()
    }


def phrases_in(text: str) -> Mapping[str, list[str]]:
    """The phrases of each sign of a table, as expressions; `*` stands for any ending of a word.

    Raises:
        SignsBroken: a sign has no phrase.

    """
    found = {
        sign: [
            r"\w*".join(map(re.escape, one.strip().split("*")))
            for one in phrases.replace("\n", "|").split("|")
            if one.strip()
        ]
        for sign, phrases in tomllib.loads(text).items()
    }
    if empty := [sign for sign, phrases in found.items() if not phrases]:
        raise SignsBroken(f"no phrase for {', '.join(empty)}")
    return found


def sign_names() -> tuple[str, ...]:
    """The signs that there are, in order."""
    return tuple(_patterns())


@lru_cache(maxsize=1024)
def signs_in(plain: str) -> frozenset[str]:
    """The signs of a text that is spelt out."""
    return frozenset(sign for sign, pattern in _patterns().items() if pattern.search(plain))

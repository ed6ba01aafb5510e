"""The catalogue: every text by its dotted key in every language, read once from its files."""

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from babel.core import Locale, UnknownLocaleError
from babel.numbers import format_decimal

from bot.errors import BotError

ENGLISH = "en"
"""What every folder of texts has."""

FOLDER = Path(__file__).parent
"""Where the files are: `en.toml` is English, and so on."""

FORMS = frozenset({"zero", "one", "two", "few", "many", "other"})
"""What a text with a number may have a form for (Unicode's plural categories)."""

Plural = Mapping[str, str]
"""A text by the form of the number in it; `other` is for every number without a form of its own."""

Entry = str | tuple[str, ...] | Plural
"""What a key has: a text, several to choose from, or one with a number in it."""


class TextMissing(BotError):
    """A file has no text of this key, or of this kind."""


class TextsBroken(BotError):
    """A file is there and cannot be read as texts; the sentence says where it is wrong."""


class Texts:
    """The texts of one language, by keys such as `digest.done`."""

    def __init__(self, language: str, entries: Mapping[str, Entry]) -> None:
        self._language = language
        self._entries = entries
        self._locale = Locale.parse(language)

    @property
    def language(self) -> str:
        """The language, as its file is called: `en`."""
        return self._language

    @property
    def entries(self) -> Mapping[str, Entry]:
        """Everything there is, by key, in the order of the file."""
        return self._entries

    def say(self, key: str, /, **values: object) -> str:
        """A text with its values filled in; the number called `count` decides about its form.

        It is written as the language writes numbers.

        Raises:
            TextMissing: there is no such text.

        """
        entry = self._entries.get(key)
        if isinstance(entry, Mapping):
            count: Any = values["count"]
            entry = self._form(entry, count)
            values["count"] = number(count, self._language)
        if not isinstance(entry, str):
            raise TextMissing(f"{self._language}.toml has no text {key!r}.")
        return entry.format(**values)

    def choices(self, key: str, /, **values: object) -> tuple[str, ...]:
        """All the texts that one can be chosen of, with their values filled in.

        Raises:
            TextMissing: there is no such list.

        """
        entry = self._entries.get(key)
        if not isinstance(entry, tuple):
            raise TextMissing(f"{self._language}.toml has no list of texts {key!r}.")
        return tuple(one.format(**values) for one in entry)

    def _form(self, plural: Plural, count: Any) -> str:
        return plural.get(self._locale.plural_form(count), plural["other"])


def languages() -> tuple[str, ...]:
    """The languages there are texts in, those of the files."""
    return _languages(FOLDER)


def texts_in(language: str, channel: Path | None = None) -> Texts:
    """The texts of a language that there are texts in.

    `channel` is the folder of a channel with texts of its own, where English stands in for a
    language that it has no file for.

    Raises:
        TextsBroken: its file is not what it should be.

    """
    if channel is None:
        return _read(FOLDER, language)
    return _read(channel, language if language in _languages(channel) else ENGLISH)


def say(key: str, language: str, /, **values: object) -> str:
    """One text in a language, with its values filled in."""
    return texts_in(language).say(key, **values)


def translations(key: str) -> Mapping[str, str]:
    """One text in every language, for messages whose reader is not known yet."""
    return {language: say(key, language) for language in languages()}


def number(value: float, language: str) -> str:
    """A number as it is written: "12,345", "12 345"."""
    return " ".join(str(format_decimal(value, locale=language)).split())


@cache
def _languages(folder: Path) -> tuple[str, ...]:
    return tuple(sorted(file.stem for file in folder.glob("*.toml")))


@cache
def _read(folder: Path, language: str) -> Texts:
    name = f"{language}.toml"
    try:
        table = tomllib.loads((folder / name).read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise TextsBroken(f"{name} is not valid TOML: {error}.") from None
    try:
        return Texts(language, dict(_entries(table, name)))
    except (UnknownLocaleError, ValueError):
        raise TextsBroken(f"{name}: Babel knows no language called {language!r}.") from None


def _entries(table: Mapping[str, Any], file: str, above: str = "") -> Iterator[tuple[str, Entry]]:
    """The entries of a table and of those within it, by their dotted keys."""
    for name, value in table.items():
        key = f"{above}{name}"
        if isinstance(value, Mapping) and "other" not in value:
            yield from _entries(value, file, f"{key}.")
        else:
            yield key, _entry(value, f"{file}: {key}")


def _entry(value: object, where: str) -> Entry:
    match value:
        case str():
            return value
        case list() if value and all(isinstance(one, str) for one in value):
            return tuple(value)
        case dict() if value.keys() <= FORMS and all(isinstance(v, str) for v in value.values()):
            return value
    raise TextsBroken(f"{where} is no text, no list of texts and no plural with its forms.")

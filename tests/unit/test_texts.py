"""Texts are found by key in the language a reader wants, and a wrong file says what is wrong."""

from pathlib import Path

import pytest

from bot.texts import catalogue
from bot.texts.catalogue import (
    TextMissing,
    TextsBroken,
    languages,
    number,
    say,
    texts_in,
    translations,
)
from bot.texts.choice import nearest_locale, wanted_locale

POLISH = """
plain = "{name} mówi"
short = "Hej"

[counted]
mice = { one = "{count} mysz", few = "{count} myszy", other = "{count} mysz(y)" }
greetings = ["Cześć {name}", "Hej"]
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of texts with one language."""
    (tmp_path / "pl.toml").write_text(POLISH, "utf-8")
    monkeypatch.setattr(catalogue, "FOLDER", tmp_path)
    return tmp_path


@pytest.mark.usefixtures("folder")
def test_languages_are_the_files_that_are_there() -> None:
    """Nothing else lists them."""
    assert languages() == ("pl",)
    assert translations("short") == {"pl": "Hej"}


@pytest.mark.usefixtures("folder")
def test_a_text_is_said_with_its_values() -> None:
    """Whatever they are called, and whatever stands in them."""
    assert say("plain", "pl", name="{name}", key="k", language="l") == "{name} mówi"
    assert texts_in("pl").choices("counted.greetings", name="Zoé") == ("Cześć Zoé", "Hej")


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(("count", "told"), [(1, "1 mysz"), (3, "3 myszy"), (5, "5 mysz(y)")])
def test_a_number_decides_about_the_form(count: int, told: str) -> None:
    """By the rules of the language; `other` stands for a form that is not given."""
    assert say("counted.mice", "pl", count=count) == told


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("key", ["missing", "counted", "counted.greetings"])
def test_a_missing_text_names_its_key_and_file(key: str) -> None:
    """Also where the key is of a section or of a list."""
    with pytest.raises(TextMissing, match=f"pl.toml has no text '{key}'"):
        say(key, "pl")


@pytest.mark.usefixtures("folder")
def test_a_missing_list_names_its_key_and_file() -> None:
    """A text is no list of one."""
    with pytest.raises(TextMissing, match="has no list of texts 'plain'"):
        texts_in("pl").choices("plain")


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("de", "a = ", "de.toml is not valid TOML"),
        ("de", "[a]\nb = 3", "de.toml: a.b is no text"),
        ("de", "a = []", "de.toml: a is no text"),
        ("de", 'a = ["x", 3]', "de.toml: a is no text"),
        ("de", '[a]\nother = "x"\nmany_more = "y"', "de.toml: a is no text"),
        ("qq", "", "qq.toml: Babel knows no language called 'qq'"),
    ],
)
def test_a_broken_file_says_where(folder: Path, name: str, content: str, sentence: str) -> None:
    """The file, and the key where there is one."""
    (folder / f"{name}.toml").write_text(content, "utf-8")
    with pytest.raises(TextsBroken, match=sentence):
        texts_in(name)


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("fr-FR,fr;q=0.9,en;q=0.8", "fr"),
        ("en-GB,en;q=0.9,fr;q=0.1", "en"),
        ("de,fr;q=0.5,en;q=0.4", "fr"),
        ("en;q=0.2, fr;q=0.7", "fr"),
        ("en;q=0, de", "fr"),
        ("", "fr"),
        ("*;q=x,;;,=", "fr"),
    ],
)
def test_a_browser_gets_the_language_it_prefers(header: str, language: str) -> None:
    """The highest weight among the languages there are wins; without any, the pet's own does."""
    assert wanted_locale(header, "fr") == language


@pytest.mark.parametrize(
    ("wish", "language"),
    [("fr", "fr"), ("en-GB", "en"), ("FR-ca", "fr"), ("de", "en"), (None, "en")],
)
def test_a_platform_gets_the_nearest_language(wish: str | None, language: str) -> None:
    """Without its country; the default where there is none."""
    assert nearest_locale(wish, "en") == language


def test_numbers_are_written_as_people_read_them() -> None:
    """Without the thin spaces that are no spaces to a search."""
    assert (number(1234567, "en"), number(1234567, "fr")) == ("1,234,567", "1 234 567")

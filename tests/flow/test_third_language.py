"""A language is a file: with a copy of the English texts in other words the pet speaks it.

The file is called `de.toml`, since only a real language has plurals and dates; its words are the
English ones in brackets, so that nothing else can have said them.
"""

import asyncio
import json
import tomllib
from collections.abc import Iterator
from datetime import UTC, timedelta
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from bot.channels.discord.interactions.command_tree import tree_of
from bot.channels.local.hub import direct_room
from bot.channels.local.ports import Shown
from bot.texts import catalogue
from bot.texts.catalogue import languages, say, texts_in
from bot.texts.choice import nearest_locale, wanted_locale
from bot.texts.forgetting import counted
from bot.texts.log_sentences import LogSentences
from bot.wiring.app import App, open_app
from config import settings as known
from config.sections.conversation import CoalescingSettings
from config.sections.vectors import EmbedderSettings
from config.settings import Settings
from memory.language.dates_in_words import age
from memory.model.forgetting import Kind
from memory.model.messages import AuthorKind
from tests.cast import DAVID, NOON
from tests.flow.calling import answered
from tests.table import real_table


def flat(table: dict[str, Any], *above: str) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every text of a file with its path."""
    for name, value in table.items():
        if isinstance(value, dict) and "other" not in value:
            yield from flat(value, *above, name)
        else:
            yield (*above, name), value


def other_words(path: tuple[str, ...], value: Any) -> Any:
    """A text in brackets; the name of a command, which takes none, with a letter before it."""
    if isinstance(value, list):
        return [other_words(path, one) for one in value]
    if path[0] == "commands" and path[-1] == "name":
        return f"x{value}"
    return f"⟦{value}⟧"


def lines_of(texts: str) -> Iterator[str]:
    """The lines of a file with the same keys and other words."""
    for path, value in flat(tomllib.loads(texts)):
        forms = value if isinstance(value, dict) else {"": value}
        for form, text in forms.items():
            whole = ".".join(map(json.dumps, filter(None, (*path, form))))
            yield f"{whole} = {json.dumps(other_words(path, text), ensure_ascii=False)}"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of texts with one more file in it, which is all that is done here."""
    texts = tmp_path / "texts"
    copytree(catalogue.FOLDER, texts)
    words = "\n".join(lines_of((texts / "en.toml").read_text("utf-8")))
    (texts / "de.toml").write_text(words, "utf-8")
    monkeypatch.setattr(catalogue, "FOLDER", texts)
    monkeypatch.setattr(known, "TEXTS", texts)
    return texts


def test_the_settings_take_it() -> None:
    """And name it among the others where one is refused."""
    assert languages() == known.languages() == ("de", "en", "fr")
    assert Settings(locale="de").locale == "de"
    with pytest.raises(ValueError, match="must be 'de' or 'en' or 'fr'"):
        Settings(locale="it")


def test_platforms_and_browsers_get_it() -> None:
    """Whoever reads it is answered in it."""
    assert nearest_locale("de-AT", "en") == "de"
    assert wanted_locale("de-DE,de;q=0.9,en;q=0.5", "en") == "de"


def test_discord_is_told_the_commands_in_it() -> None:
    """Their names and what they are for."""
    (forget,) = (one for one in tree_of(real_table()) if one["name"] == "forget")
    assert forget["name_localizations"] == {"de": "xforget", "fr": "oublier"}
    assert forget["description_localizations"]["de"] == f"⟦{forget['description']}⟧"


def test_the_log_on_a_terminal_is_in_it() -> None:
    """A whole event, with how urgent it is."""
    log = LogSentences(texts_in("de"), UTC)
    event = {"event": "messages.resumed", "messages": 3, "timestamp": NOON.isoformat()}
    told = log(None, "warning", event | {"level": "warning"})
    assert told.endswith(" ⟦Warning: ⟦Messages that still waited for an answer: 3.⟧⟧")


async def test_commands_are_typed_and_answered_in_it() -> None:
    """Under their names in it."""
    told = (await answered(real_table(), "/xhelp", locale="de")).text
    assert "/xforget [XTOPIC]" in told
    assert all(line.endswith("⟧") for line in told.splitlines() if line)


def test_numbers_and_ages_are_told_in_it() -> None:
    """With its own plurals and times."""
    assert counted({Kind.MESSAGES: 1, Kind.NOTES: 2}, "de") == "⟦1 message⟧, ⟦2 notes⟧"
    assert age(NOON - timedelta(days=3), NOON, "de") == "vor 3 Tagen"


async def said(app: App, text: str) -> str:
    """What a whole pet answers to somebody alone with it."""
    talk = app.hub.talk(DAVID, direct_room(DAVID))
    async with asyncio.timeout(30), talk.events() as events:
        await talk.say(text)
        async for event in events:
            if isinstance(event, Shown) and event.kind is AuthorKind.PET:
                return event.text
    raise AssertionError("the room was closed")


async def test_a_pet_that_is_set_to_it_answers_in_it(tmp_path: Path) -> None:
    """Commands, and what needs no language of its own; the rules know French and English alone."""
    settings = Settings(
        locale="de",
        data_dir=tmp_path / "data",
        embedder=EmbedderSettings(kind="none"),
        coalescing=CoalescingSettings(debounce_s=0.1),
    )
    async with open_app(settings) as app:
        assert await said(app, "/privacy") == say("privacy.explained", "de")
        sign, _, introduction = (await said(app, "👍")).partition("\n\n")
        assert sign in texts_in("de").choices("offline.manners.signs")
        assert introduction == say("turn.by_rules", "de")

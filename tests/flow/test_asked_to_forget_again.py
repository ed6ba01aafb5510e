"""Somebody asks a second time to have the same forgotten: their first request is not shown."""

from pathlib import Path

import pytest

from bot.texts.catalogue import say
from tests.flow.test_forgetting_in_chat import ask, offline


@pytest.mark.parametrize(
    ("locale", "told", "wish"),
    [
        ("en", "My sister Sarah is allergic to nuts.", "Forget what I said about Sarah's allergy"),
        (
            "fr",
            "Ma soeur Sarah est allergique aux noix.",
            "Oublie ce que j'ai dit sur l'allergie de Sarah",
        ),
    ],
)
async def test_an_earlier_request_is_no_line_of_a_preview(
    tmp_path: Path, locale: str, told: str, wish: str
) -> None:
    """It goes with what it asks for; it is counted, and that is said."""
    async with offline(tmp_path, locale=locale) as app:
        await ask(app, told)
        await ask(app, wish)
        await ask(app, "non" if locale == "fr" else "no")
        again = await ask(app, wish)
        assert f"• {told}" in again
        assert wish not in again
        assert say("forget.counted_besides", locale) in again


@pytest.mark.parametrize("locale", ["en", "fr"])
async def test_an_earlier_request_alone_is_nothing_to_forget(tmp_path: Path, locale: str) -> None:
    """What it asked for was never told."""
    wish = {"en": "Forget what I said about Sarah", "fr": "Oublie ce que j'ai dit sur Sarah"}
    async with offline(tmp_path, locale=locale) as app:
        await ask(app, wish[locale])
        assert say("offline.which_words", locale) in await ask(app, wish[locale])

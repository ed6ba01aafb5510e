"""Which days relative dates mean, and which are left as they are."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from memory.language.text import Language
from memory.language.times.absolute import dated

FRIDAY = datetime(2026, 11, 27, 12, tzinfo=ZoneInfo("Europe/Paris"))


@pytest.mark.parametrize(
    ("text", "language", "told"),
    [
        ("lunch Sunday 16th after service", "en", "lunch Sunday 16th after service"),
        ("lunch Sunday the 6th", "en", "lunch Sunday the 6th"),
        ("lunch Sunday 7pm", "en", "lunch Sunday (29 November 2026) 7pm"),
        ("lunch Sunday 7:30", "en", "lunch Sunday (29 November 2026) 7:30"),
        ("lunch Sunday December 6", "en", "lunch Sunday December 6 (6 December 2026)"),
        (
            "no power since Tuesday",
            "en",
            "no power since Tuesday (24 November 2026)",
        ),
        ("we meet Tuesday", "en", "we meet Tuesday (1 December 2026)"),
        ("on se voit samedi 12 au parc", "fr", "on se voit samedi 12 au parc"),
        ("on se voit samedi 19h30", "fr", "on se voit samedi (28/11/2026) 19h30"),
        ("j'ai mal depuis mardi", "fr", "j'ai mal depuis mardi (24/11/2026)"),
        ("mardi dernier il a plu", "fr", "mardi dernier (24/11/2026) il a plu"),
    ],
)
def test_a_weekday_is_the_one_that_is_meant(text: str, language: Language, told: str) -> None:
    """Not where a day of the month says more, and that gone by where something lasts since."""
    assert dated(text, FRIDAY, language).text == told

"""A day that was named in a line, told when it is past."""

from datetime import timedelta

import pytest

from bot.llm.offline.questions.dates_told import with_its_days
from bot.llm.offline.questions.talk import TalkLine
from bot.texts.catalogue import Texts, texts_in
from tests.cast import NOON

FRENCH, ENGLISH = texts_in("fr"), texts_in("en")


@pytest.mark.parametrize(
    ("text", "texts", "over"),
    [
        ("je ne bois plus du tout depuis septembre", FRENCH, False),
        ("le loyer passe à 805 euros à partir de mai", FRENCH, False),
        ("I have been vegetarian since March", ENGLISH, False),
        ("on fait la fête samedi à partir de 11h", FRENCH, True),
        ("je quitte la coloc fin janvier", FRENCH, True),
        ("the concert is on friday", ENGLISH, True),
    ],
)
def test_what_began_on_a_day_is_not_over(text: str, texts: Texts, *, over: bool) -> None:
    """Only what was to happen is."""
    line = TalkLine(text=text, author="Zoé", at=NOON - timedelta(days=900))
    told = with_its_days(line, NOON, texts)
    assert told != text
    assert told.endswith(("(c'est passé)", "(that is over)")) is over


@pytest.mark.parametrize(
    ("text", "texts", "told"),
    [
        (
            "bon récap de ce matin : la clé est là",
            FRENCH,
            "bon récap du 31/07/2023 : la clé est là",
        ),
        ("here is the plan for tomorrow: we walk", ENGLISH, "here is the plan for 1 August 2023"),
    ],
)
def test_a_date_goes_on_after_a_preposition(text: str, texts: Texts, told: str) -> None:
    """Nobody says "de le" or "for on"."""
    line = TalkLine(text=text, author="Zoé", at=NOON - timedelta(days=900, hours=16))
    assert told in with_its_days(line, NOON, texts)


def test_what_follows_the_day_is_not_said_to_be_over() -> None:
    """Behind the sentence of the day it says so: what comes then may still hold."""
    said = "tu viens samedi ? j'habite rue Oberkampf maintenant"
    line = TalkLine(text=said, author="Zoé", at=NOON - timedelta(days=21))
    told = with_its_days(line, NOON, FRENCH)
    assert told.endswith("(c'est passé) ? j'habite rue Oberkampf maintenant")

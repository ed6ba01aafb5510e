"""What the pet says to a statement by rules."""

import pytest

from bot.llm.offline.heard import StatedBy, heard
from bot.llm.offline.manners.acts import SpeechAct
from bot.llm.offline.manners.reading import Recognition
from bot.texts.catalogue import texts_in
from tests.cast import NOON


def said_to(text: str, language: str, act: SpeechAct) -> str:
    """The word for a statement that is of this kind."""
    by = StatedBy(name="Nora", at=NOON)
    return heard(text, by, texts_in(language), "", Recognition(act=act)).text


def test_what_is_not_liked_keeps_its_accents() -> None:
    """It is named as it was typed."""
    text = said_to("je déteste les épinards mais j'adore le thé", "fr", SpeechAct.DISLIKE)
    assert "épinards" in text


@pytest.mark.parametrize(
    ("text", "language"),
    [("we had a great concert on Saturday", "en"), ("on s'est régalés samedi", "fr")],
)
def test_what_was_is_not_looked_forward_to(text: str, language: str) -> None:
    """Whatever it sounds like."""
    glad = texts_in(language).choices("offline.heard.high", name="Nora", what="")
    assert said_to(text, language, SpeechAct.LOOKING_FORWARD) in glad

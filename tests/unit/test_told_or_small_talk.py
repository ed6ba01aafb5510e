"""Which questions that sound like small talk ask for what people told."""

from datetime import UTC, datetime

import pytest

from bot.llm.offline.intent import read
from bot.llm.offline.manners.acts import SpeechAct
from bot.llm.offline.understanding import Intent, Spoken, Understanding

NOW = datetime(2026, 11, 28, 12, tzinfo=UTC)


def understood(text: str) -> Understanding:
    """A question by Tom, who knows Maya."""
    spoken = Spoken(text=text, speaker="Tom", said_at=NOW, names=("Maya", "Tom"))
    return read(spoken, called=["Eko"], locale="en")


@pytest.mark.parametrize(
    "text",
    [
        "which languages does Maya know?",
        "any trips coming up for Maya?",
        "what day's the sale now?",
        "c'est quelle heure le match de Maya ?",
    ],
)
def test_a_question_of_somebody_or_of_a_day_asks_for_what_was_told(text: str) -> None:
    """Where nothing was, it is not known: no act of small talk is left to answer it."""
    reading = understood(text)
    assert reading.wish is Intent.QUESTION
    assert reading.manner.act is None


@pytest.mark.parametrize(
    "text",
    ["what time is it?", "il est quelle heure stp", "on est quel jour ?", "what's the date today?"],
)
def test_a_question_for_the_time_is_for_the_clock(text: str) -> None:
    """It is about nothing that happens then."""
    assert understood(text).manner.act in {SpeechAct.CLOCK, SpeechAct.DATE}


def test_a_question_of_what_the_pet_likes_stays_one() -> None:
    """Though it names somebody."""
    assert understood("do you like Maya?").manner.act is SpeechAct.TASTE

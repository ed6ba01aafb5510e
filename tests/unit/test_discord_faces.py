"""The pet's face on Discord."""

import struct

import pytest

from bot.channels.discord.outbound.sender import Form, picture_of, plainer
from bot.channels.discord.service.markup import TEXT_LIMIT
from bot.conversation.emoji import is_one_emoji
from bot.model.turns import Expression
from bot.platforms.expressions import with_emoji

WORDLESS = Expression.NEUTRAL
SHOWN = [one for one in Expression if one is not WORDLESS]


@pytest.mark.parametrize("expression", SHOWN)
def test_each_face_is_one_emoji_behind_the_words(expression: Expression) -> None:
    """One that every client can draw."""
    words, _, emoji = with_emoji("Oui.", expression, 100).rpartition(" ")
    assert words == "Oui."
    assert is_one_emoji(emoji)


def test_no_two_faces_are_alike() -> None:
    """Or nobody could tell them apart."""
    assert len({with_emoji("Oui.", one, 100) for one in Expression}) == len(Expression)


@pytest.mark.parametrize("expression", [WORDLESS, None])
def test_no_face_adds_nothing(expression: Expression | None) -> None:
    """Neutral, or a part that another one follows."""
    assert with_emoji("Oui.", expression, 100) == "Oui."


def test_a_face_never_makes_a_message_too_long() -> None:
    """Then the words go without it; code points count."""
    assert with_emoji("😀x" * 3, Expression.SAD, 7) == "😀x" * 3
    assert with_emoji("😀x" * 3, Expression.SAD, 8) == "😀x😀x😀x 😢"


def test_words_that_end_with_an_emoji_have_their_face() -> None:
    """Two in a row look like a mistake."""
    assert with_emoji("Oui 🎉", Expression.HAPPY, TEXT_LIMIT) == "Oui 🎉"


@pytest.mark.parametrize("text", ["```\ncode\n```", "Il dit\n> oui", "fin\n-# note"])
def test_a_face_is_no_part_of_code_or_of_a_quote(text: str) -> None:
    """It stands on a line of its own."""
    assert with_emoji(text, Expression.HAPPY, TEXT_LIMIT) == f"{text}\n😊"


@pytest.mark.parametrize("expression", list(Expression))
def test_each_picture_is_small_and_has_nothing_behind_it(expression: Expression) -> None:
    """A PNG of 96 x 96 with a transparent corner, at most 3 kB."""
    png = picture_of(expression)
    width, height = struct.unpack(">II", png[16:24])
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    assert (width, height) == (96, 96)
    assert b"tRNS" in png
    assert len(png) <= 3000


def test_a_refused_message_loses_its_picture_before_what_it_answers() -> None:
    """And ends with the words alone, which are never changed."""
    full = Form(text="Oui.", answers=5, picture=Expression.HAPPY)
    without = plainer(full, 50035)
    assert without == Form(text="Oui.", answers=5)
    assert plainer(without, 50035) == Form(text="Oui.")
    assert plainer(Form(text="Oui."), 50035) is None
    assert plainer(full, 10003) is None

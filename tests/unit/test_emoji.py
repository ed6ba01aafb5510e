"""What counts as one emoji."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.conversation.emoji import ends_with_emoji, is_one_emoji

ONE = [
    "👍",
    "👍🏽",
    "❤️",
    "❤",
    "❤️‍🔥",
    "👨‍👩‍👧‍👦",
    "🏳️‍🌈",
    "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
    "🇫🇷",
    "3️⃣",
    "☝🏻",
    "🤷🏾‍♀️",
    "🌙",
    "✅",
    "🫶",
    "⏰",
]
NONE = [
    "",
    " ",
    "👍 ",
    "👍👍",
    "🇫🇷🇩🇪",
    "ok",
    "3",
    "#",
    "👍 merci",
    "🇫",
    "™",
    "→",
    "!",
    "\u200d",
    ":)",
    "é",
]


@pytest.mark.parametrize("text", ONE)
def test_one_emoji_is_one_however_it_is_written(text: str) -> None:
    """Skin tones, families, flags, keys."""
    assert is_one_emoji(text)
    assert ends_with_emoji(f"Oui {text}")


@pytest.mark.parametrize("text", NONE)
def test_anything_else_is_not(text: str) -> None:
    """Two of them, half of one, words and signs."""
    assert not is_one_emoji(text)


@given(st.text(alphabet=st.characters(codec="ascii"), max_size=5))
def test_what_a_keyboard_writes_is_never_an_emoji(text: str) -> None:
    """Digits and signs begin some."""
    assert not is_one_emoji(text)
    assert not ends_with_emoji(text)


@pytest.mark.parametrize("text", ["👍.", "oui", "", "3"])
def test_words_do_not_end_with_an_emoji(text: str) -> None:
    """Only the last thing counts."""
    assert not ends_with_emoji(text)

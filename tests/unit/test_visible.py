"""Hostile text becomes harmless on a page and on a terminal, and stays readable."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.texts.sanitizing import NAME_LIMIT, name_of, on_page, plain


@given(st.text(st.characters(codec=None)))
def test_a_page_gets_no_control_character(text: str) -> None:
    """Only tabs and line ends are left of them, and the text can be encoded."""
    shown = on_page(text)
    shown.encode()
    assert not [c for c in shown if unicodedata.category(c) == "Cc" and c not in "\n\t"]


@given(st.text(st.characters(codec=None) | st.sampled_from("\x1b\x9b\x9d[]m;0\x07")))
def test_a_terminal_gets_nothing_that_commands_it(text: str) -> None:
    """Neither control characters nor direction overrides get through, in one pass."""
    shown = plain(text)
    shown.encode()
    assert not [c for c in shown if unicodedata.category(c) == "Cc" and c not in "\n\t"]
    assert not set(shown) & set("\u202a\u202b\u202d\u202e\u2066\u2067\u2068\u2069")
    assert plain(shown) == shown


@pytest.mark.parametrize(
    ("hostile", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07after", "after"),
        ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("a\x1b[2J\x1b[Hb", "ab"),
        ("\x9b5nx", "x"),
        ("real\rfake", "real\nfake"),
        ("bell\x07", "bell"),
        ("a\r\nb", "a\nb"),
        ("famille 👩‍👧 é", "famille 👩‍👧 é"),
    ],
)
def test_escape_sequences_vanish_whole(hostile: str, shown: str) -> None:
    """Nothing of a sequence is left behind, and ordinary text is untouched."""
    assert plain(hostile) == shown


def test_a_page_draws_what_it_cannot_obey() -> None:
    """Control characters become their pictures, markup stays as it was typed."""
    assert on_page("a\x00b\x1b<script>\r\nx") == "a\u2400b\u241b<script>\nx"


@given(st.text(st.characters(codec=None)))
def test_a_name_is_one_short_line(wish: str) -> None:
    """Whatever was asked for, a name fits its place and is stable."""
    name = name_of(wish)
    assert len(name) <= NAME_LIMIT
    assert name == name.strip()
    assert "\n" not in name
    assert name_of(name) == name


def test_a_name_keeps_its_letters_and_loses_its_tricks() -> None:
    """Accents and spaces stay; direction overrides and line ends go."""
    assert name_of("  Zoé \u202e de\n la  Tour ") == "Zoé de la Tour"

"""The pet's words in the signs of WhatsApp."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.channels.whatsapp.service.markup import TEXT_LIMIT, whatsapp_text


@pytest.mark.parametrize(
    ("markdown", "shown"),
    [
        ("**gras**, *ital*, ~~non~~ et `a*b*`", "*gras*, _ital_, ~non~ et `a*b*`"),
        ("***les deux***", "_*les deux*_"),
        ("# Titre\n\n- a\n- **b\n  c**", "*Titre*\n\n• a\n• *b*\n*c*"),
        ("> cite *un\n> deux*", "> cite _un_\n> _deux_"),
        ("```py\na = 1\n\nb\n```\nfin", "```a = 1\n\nb```\nfin"),
        ("> ```\n> a\n> b\n> ```", "> ```a\n> b```"),
        ("[ici](https://a.example/b)", "ici (https://a.example/b)"),
        ("<https://a.example/b>", "https://a.example/b"),
        ("2*3*4 font 24", "2*3*4 font 24"),
        (r"\*mot\* et __init__.py", "\u2217mot\u2217 et *init*.py"),
        ("snake_case_name", "snake_case_name"),
        ("5 * 3 * 2", "5 * 3 * 2"),
    ],
)
def test_markdown_is_shown_in_its_signs(markdown: str, shown: str) -> None:
    """At the ends of lines signs are closed and opened again; literal ones have no effect."""
    assert whatsapp_text(markdown) == shown


@given(st.text(st.sampled_from("ab *_~`>#-1.[](\n)"), max_size=80))
def test_nothing_is_longer_than_it_takes(text: str) -> None:
    """Where its signs would make it so, the text goes as it is."""
    shown = whatsapp_text(text, limit=len(text))
    assert len(shown) <= len(text) <= TEXT_LIMIT

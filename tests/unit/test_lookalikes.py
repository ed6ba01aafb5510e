"""Names that people read as another's, however they are written."""

import pytest

from bot.conversation.rooms import name_in_text
from bot.texts.lookalikes import looks_like, skeleton


@pytest.mark.parametrize(
    "name",
    [
        "Eko",
        "eKO",
        "E\u200dko",  # a zero-width joiner
        "\u2060E\ufe0fk\u00ado\u034f",  # joiners, a variation selector, a soft hyphen
        "Ek\u3164o",  # a filler
        "\u0415\u043ao",  # Cyrillic ie and ka
        "\u0415\u041a\u041e",
        "\uff25\uff2b\uff2f",  # full width
        "\u0395\u03ba\u03bf",  # Greek
        "\U0001d404\U0001d424\U0001d428",  # mathematical bold
        "Ek\u0585",  # Armenian
        "Ek0",
        "\u24ba\u24da\u24de",  # circled
    ],
)
def test_disguises_of_a_name_look_like_it(name: str) -> None:
    """By letters of other scripts, signs of other widths, or marks that nothing draws."""
    assert looks_like(name, "Eko")
    assert name_in_text(name, ("Eko",)).startswith("~")


@pytest.mark.parametrize(
    "name", ["Ekko", "Éko", "Ek", "Eco", "Erko", "Léa", "Ольга", "Λέα", "李雷", "علي", "e k o", ""]
)
def test_other_names_are_left_alone(name: str) -> None:
    """Of any script, and near ones too: an accent is seen."""
    assert not looks_like(name, "Eko")
    assert not name_in_text(name, ("Eko",)).startswith("~")


def test_small_letters_are_compared_with_small_ones() -> None:
    """A capital I looks like a small l, which makes no l of a small i."""
    assert looks_like("LiIi", "Lili")
    assert looks_like("EIi", "Eli")
    assert not looks_like("Lill", "Lili")


def test_a_sign_that_looks_like_two_is_read_as_two() -> None:
    """The prototypes of the standard may have several letters."""
    assert looks_like("Erna", "Ema")
    assert skeleton("m") == skeleton("rn")

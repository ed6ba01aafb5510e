"""Words that only capitals, an article or a script without spaces tells from empty ones."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.language.misspelling import beginning, may_be_misspelt, meant_by
from memory.language.text import has_words_of_their_own, search_text, stems


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("AI code", ["ai", "cod"]),
        ("she works in IT.", ["work", "it"]),
        ("I moved to the US in May", ["mov", "us", "may"]),
        ("AI", ["ai"]),
        ("un bracelet en or", ["bracelet", "or"]),
        ("l’or et l'argent", ["or", "argent"]),
        ("猫が好き", ["猫が", "が好", "好き"]),
        ("我喜欢iPhone手机", ["我喜", "喜欢", "iphon", "手机"]),
        ("고양이", ["고양", "양이"]),
    ],
)
def test_what_carries_something_is_read(text: str, found: list[str]) -> None:
    """An acronym, gold, and every pair of letters where no space parts the words."""
    assert stems(text) == found
    assert has_words_of_their_own(text)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("J'AI FAIM ET SOIF", ["faim", "soif"]),
        ("j'ai de l'eau", ["eau"]),
        ("DO YOU LIKE US OR IT", ["lik"]),
        ("is it red or blue", ["red", "blu"]),
        ("C'EST L'AI", []),
    ],
)
def test_what_is_shouted_or_small_carries_nothing(text: str, found: list[str]) -> None:
    """Capitals everywhere say nothing of one word."""
    assert stems(text) == found


@given(st.text(max_size=80))
def test_only_texts_with_such_words_are_read_otherwise_than_in_small_letters(text: str) -> None:
    """So that a migration need not read the others anew."""
    if not has_words_of_their_own(text):
        assert search_text(text) == search_text(text.casefold())


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("eror", "error"),
        ("typsecript", "typescript"),
        ("typscript", "typescript"),
        ("kubernets", "kubernetes"),
        ("mongoose", "moongoose"),
        ("dentsite", "dentiste"),
    ],
)
def test_a_slip_leads_to_the_word_that_was_meant(written: str, meant: str) -> None:
    """A letter too much, too few, in another's place; in a longer word a wrong one."""
    assert may_be_misspelt(written)
    assert meant_by(written, [meant, "garden"]) == [meant]
    assert meant.startswith(beginning(written)[:2])


@pytest.mark.parametrize(
    ("written", "other"),
    [
        ("mango", "mongo"),
        ("chat", "char"),
        ("lien", "lieu"),
        ("table", "stable1"),
        ("rose", "prose"),
    ],
)
def test_another_word_is_no_slip(written: str, other: str) -> None:
    """One letter makes another word of a short one, and the first letters are mostly right."""
    known = [other] if other.startswith(beginning(written)) else []
    assert meant_by(written, known) == []


@pytest.mark.parametrize("word", ["b42", "2026", "it", "über", "猫が"])
def test_numbers_codes_and_other_scripts_are_not_misspelt(word: str) -> None:
    """Another number is another number."""
    assert not may_be_misspelt(word)

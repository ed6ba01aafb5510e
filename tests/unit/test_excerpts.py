"""A long text is cut to the sentences that say what is asked, and to no more than may be told."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.language.excerpts import READ, excerpt, shortened
from memory.language.text import stems

SHELVES = " ".join(
    f"Shelf number {number} holds jars of plums from a garden." for number in range(20)
)


def asked(words: str, weight: float = 1.0) -> list[dict[str, float]]:
    """The words of a question, each worth as much."""
    return [{stem: weight} for stem in stems(words)]


def test_a_text_that_fits_is_told_whole() -> None:
    """On one line, and without a mark."""
    assert (
        excerpt("Five apples.\n\n  Two plums. ", asked("cinnamon"), 40) == "Five apples. Two plums."
    )


def test_the_beginning_is_told_where_nothing_of_it_is_asked() -> None:
    """Or no word is wanted at all."""
    for words in ("turnips", ""):
        found = excerpt(SHELVES, asked(words), 200)
        assert found.startswith("Shelf number 0 holds")
        assert found.endswith("…")


@pytest.mark.parametrize("words", ["cinnamon", "Cinnamons?"])
def test_the_sentence_that_says_it_is_told_whole(words: str) -> None:
    """By its stems, with what stands around it, from where a sentence begins."""
    found = excerpt(f"{SHELVES} The drawer has cinnamon. {SHELVES}", asked(words), 200)
    assert "The drawer has cinnamon." in found
    assert found.startswith("…Shelf number")
    assert found.endswith("…")


def test_the_end_has_no_mark_where_nothing_is_left_out() -> None:
    """Only the beginning is."""
    found = excerpt(f"{SHELVES} The drawer has cinnamon.", asked("cinnamon"), 200)
    assert found.startswith("…")
    assert found.endswith("The drawer has cinnamon.")


def test_rare_words_weigh_more_than_common_ones() -> None:
    """One that nothing else says, more than two that are said all the time."""
    look, lantern = "Look at the jars of plums here.", "A lantern hangs above the door of it."
    text = f"{look} {SHELVES} {lantern} {SHELVES}"
    wanted = [*asked("look here", 0.3), *asked("lantern", 5.0)]
    assert lantern in excerpt(text, wanted, 200)


def test_more_of_the_words_weigh_more_than_one_of_them_often() -> None:
    """Three together say what was asked; one of them thrice says that one."""
    often = "Plums, plums and again plums are what this shelf is for."
    every = "The pear, the fig and the plum came from one garden."
    text = (
        f"{often} {'Nothing else is written on it. ' * 12}{every} {'No more is known of it. ' * 12}"
    )
    assert every in excerpt(text, asked("plum pear fig"), 160)


def test_near_words_stand_for_a_word_in_part() -> None:
    """Both of one word are no more than the better of them."""
    near = [{"boat": 4.0, "ship": 2.0, "barge": 2.0}, {"storm": 3.0}]
    text = (
        f"A ship and a barge lay at anchor in the port. {SHELVES} "
        f"The boat went down in the storm of that year. {SHELVES}"
    )
    assert "The boat went down" in excerpt(text, near, 200)


def test_a_beginning_that_says_a_word_goes_before_a_window_further_on() -> None:
    """It says who it is about; the mark stands where something is left out in between."""
    who, what = "Jakob Boehme was a shoemaker of Upper Lusatia.", "He died of a fever."
    text = f"{who} {SHELVES} {what} {SHELVES}"
    found = excerpt(text, asked("Jakob Boehme died fever"), 300)
    assert found.startswith(f"{who} … Shelf number")
    assert what in found
    assert excerpt(text, asked("died fever"), 300).startswith("…")


def test_short_lines_stay_with_what_they_number() -> None:
    """A number and a dot are no sentence, and neither is a heading."""
    steps = "1. Boil the quinces for an hour.\n2. Strain them through a cloth."
    text = f"{SHELVES}\n{steps}\n{SHELVES}"
    found = excerpt(text, asked("quinces"), 120)
    assert "1. Boil the quinces for an hour." in found


@pytest.mark.parametrize("text", ["x" * 50_000, "mot\n" * 10_000, "a. " * 20_000, " " * 30_000])
def test_no_text_has_too_many_windows(text: str) -> None:
    """What a person can paste is cut at once; of what is longer, the first part is looked at."""
    found = excerpt(text, asked("mot"), 400)
    assert len(found) <= 400
    far = excerpt(f"{'y ' * READ}cinnamon", asked("cinnamon"), 400)
    assert far.endswith("…")
    assert "cinnamon" not in far


@given(
    st.text(max_size=2000) | st.text("ab .\n…→", max_size=2000),
    st.lists(st.dictionaries(st.sampled_from(["a", "b", "ab"]), st.floats(0, 9)), max_size=4),
    st.integers(10, 600),
)
def test_whatever_is_cut_fits_on_one_line(
    text: str, terms: list[dict[str, float]], size: int
) -> None:
    """And what fits is told as it is."""
    found = excerpt(text, terms, size)
    flat = " ".join(text.split())
    assert len(found) <= size
    assert found == " ".join(found.split())
    assert len(flat) > size or found == flat


@pytest.mark.parametrize(
    ("text", "told"),
    [("one two", "one two"), ("one two three", "one two…"), ("abcdefghijklm", "abcdefghi…")],
)
def test_a_beginning_is_cut_between_words(text: str, told: str) -> None:
    """Where there are any."""
    assert shortened(text, 10) == told

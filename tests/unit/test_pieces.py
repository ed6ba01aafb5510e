"""A text to keep is cut where it can be, and nothing of it is lost."""

from hypothesis import example, given
from hypothesis import strategies as st

from memory.learning.kept_texts import _MOST_PIECES, LONGEST_TEXT, PIECE, pieces


@given(st.text(max_size=2_000), st.integers(1, 60))
def test_nothing_is_lost_and_nothing_is_too_long(text: str, size: int) -> None:
    """Joined again the pieces are the text, and each is as long as it may be."""
    cut = pieces(text, size)
    assert "".join(cut) == text.strip()
    assert all(len(piece.rstrip()) <= size for piece in cut)
    assert all(piece.strip() for piece in cut)


def test_a_text_is_cut_after_sentences_and_lines() -> None:
    """As many as fit stay together."""
    text = "Un. Deux est plus long.\n- trois\n- quatre"
    assert pieces(text, 24) == ["Un. Deux est plus long.\n", "- trois\n- quatre"]
    assert pieces("mot " * 10, 9) == ["mot mot ", "mot mot ", "mot mot ", "mot mot ", "mot mot"]


@given(st.lists(st.tuples(st.sampled_from(["a", ".", " ", "\n", "a "]), st.integers(1, 600))))
@example([("a", 251), ("\n", 1)] * 40)
@example([("a", 1), (" ", 1), ("a", 500), (" ", 1)] * 20)
def test_no_text_comes_to_more_pieces_than_are_looked_for(runs: list[tuple[str, int]]) -> None:
    """So that a shorter text leaves nothing of a longer one behind."""
    text = "".join(sign * often for sign, often in runs)[:LONGEST_TEXT]
    assert len(pieces(text, PIECE)) <= _MOST_PIECES

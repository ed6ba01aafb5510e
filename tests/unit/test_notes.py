"""How a note is cut into pieces, and a piece around what was asked."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.model.audience import Audience
from memory.model.knowledge import Piece
from memory.rules.notes.chunks import PIECE, Note, NoteChoice, as_told, path_of, pieces_of
from memory.rules.notes.markdown import tags_of

WRITTEN = datetime(2026, 1, 17, 12, tzinfo=UTC)
HOME = Audience("space:home")


def cut(text: str, path: str = "kitchen/pie.md", audience: Audience = HOME) -> list[Piece]:
    """The pieces of a note."""
    note = Note(path=path, text=text, tags=tags_of(text), written_at=WRITTEN)
    return pieces_of(note, "vault", audience)


def sentences(first: int, last: int) -> str:
    """Sentences with a number each."""
    return " ".join(f"Shelf number {number} holds jars of plums." for number in range(first, last))


def test_a_short_note_is_one_piece_with_its_path_and_time() -> None:
    """Its title says where it stands."""
    (piece,) = cut("Five apples.\n\nA spoon of cinnamon.")
    assert (piece.title, piece.content) == ("kitchen/pie", "Five apples.\nA spoon of cinnamon.")
    assert piece.at == WRITTEN


def test_a_note_is_cut_at_its_headings_first() -> None:
    """Though both parts would fit in one piece."""
    assert [one.title for one in cut("# Apples\nFive.\n# Steps\nPeel.")] == [
        "kitchen/pie › Apples",
        "kitchen/pie › Steps",
    ]


def test_a_long_paragraph_is_cut_between_sentences() -> None:
    """No piece is longer than a line may be, and no sentence is lost."""
    pieces = cut(sentences(0, 60))
    assert all(len(one.content) <= PIECE and one.content.endswith(".") for one in pieces)
    assert " ".join(one.content for one in pieces) == sentences(0, 60)


def test_an_edit_changes_the_pieces_it_touches_only() -> None:
    """Though it makes everything after it begin elsewhere."""
    before = cut(f"# A\n{sentences(0, 30)}\n# B\n{sentences(30, 60)}")
    after = cut(f"# A\nNew. {sentences(0, 30)}\n# B\n{sentences(30, 60)}")
    below = {one.id for one in before if one.title.endswith("B")}
    assert below
    assert below <= {one.id for one in after}


@pytest.mark.parametrize(
    "other",
    [
        cut("Five apples.", path="other.md"),
        cut("Five apples.", audience=Audience("everyone")),
        cut("Six apples."),
        cut("# Pie\nFive apples."),
        cut("---\ndate: 2026-01-01\n---\nFive apples."),
    ],
)
def test_a_piece_is_another_elsewhere_for_others_or_in_other_words(other: list[Piece]) -> None:
    """An id stands for what is said, where, when and to whom."""
    assert other[0].id != cut("Five apples.")[0].id


def test_what_is_said_twice_is_two_pieces() -> None:
    """Each with an id of its own."""
    pieces = cut("# A\nSame.\n# A\nSame.")
    assert len({one.id for one in pieces}) == 2


def test_properties_give_the_date_and_the_other_names() -> None:
    """The date is the note's own, whenever its file was copied."""
    (piece,) = cut("---\naliases: [tarte aux pommes]\ndate: 2026-01-02\n---\nFive apples.")
    assert piece.title == "kitchen/pie (tarte aux pommes)"
    assert piece.at == datetime(2026, 1, 2, tzinfo=UTC)


@given(st.text(max_size=4000))
def test_any_text_is_cut_into_pieces_that_fit(text: str) -> None:
    """Whatever it is made of, and the same text always into the same."""
    pieces = cut(text)
    assert all(0 < len(one.content) <= PIECE for one in pieces)
    assert len({one.id for one in pieces}) == len(pieces)
    assert pieces == cut(text)


def test_a_long_piece_is_told_around_what_was_asked() -> None:
    """After where it stands, and both fit in a line of notes."""
    text = f"{sentences(0, 20)} A drawer of cinnamon. {sentences(20, 40)}"
    told = as_told("kitchen/pie", text, {"cinnamon"})
    assert told.startswith("kitchen/pie: …Shelf number")
    assert "A drawer of cinnamon." in told
    assert len(told) <= PIECE


@pytest.mark.parametrize(
    ("chosen", "path"),
    [
        ("Home", "Home.md"),
        ("/a/b.md", "a/b.md"),
        ("a\\b", "a/b.md"),
        (" a//b ", "a/b.md"),
        ("B.MD", "B.MD"),
    ],
)
def test_a_path_may_be_written_as_people_write_it(chosen: str, path: str) -> None:
    """With or without its ending, with either slash."""
    assert path_of(chosen) == path


def test_notes_that_are_switched_off_are_not_wanted() -> None:
    """Neither by their path nor by their tag."""
    choice = NoteChoice(enabled=False, paths=("a",), tag="eko")
    assert not choice.wants("a.md", frozenset({"eko"}))
    assert choice.always_at_hand == ()

"""Labels that are read from a file, and what is said of a file that has none."""

from pathlib import Path

import pytest
import typer

from bot.topics.answers.verdicts import reading


def test_labels_are_taken_one_by_one_and_then_it_stops(tmp_path: Path) -> None:
    """The words of the file in any case, then q for ever."""
    file = tmp_path / "labels"
    file.write_text("y\nN\n")
    ask = reading(file)
    assert [ask() for _ in range(4)] == ["y", "n", "q", "q"]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [(None, "cannot be read: No such file or directory."), (b"\xff", "it is not text.")],
)
def test_a_file_without_labels_is_refused_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes | None, sentence: str
) -> None:
    """One human sentence without an error number, and the status says that it failed."""
    file = tmp_path / "labels"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(typer.Exit) as left:
        reading(file)
    assert left.value.exit_code == 1
    assert capsys.readouterr().err.rstrip().endswith(sentence)


def test_another_word_is_no_label(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is named, with the words there are."""
    file = tmp_path / "labels"
    file.write_text("maybe")
    with pytest.raises(typer.Exit):
        reading(file)()
    assert 'says "maybe": a label is y, n or s, and q stops.' in capsys.readouterr().err

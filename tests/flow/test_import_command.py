"""`eko import` says what a file leaves open, what could not be read, and of which file that is."""

import json
from pathlib import Path

import pytest

from tests.flow.brought import TALK, history
from tests.history_samples import SAMPLES
from tests.processes import eko

SLASHED = "03/02/26, 21:06 - Mira: I moved to Bergen\n"


def said_of(folder: Path, *words: str) -> tuple[int, str, str]:
    """How an import ended, and what it said on either stream."""
    done = eko(folder / "pet", "import", *words)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(("choice", "asks"), [((), True), (("--month-first",), False)])
def test_a_dry_run_says_that_days_and_months_are_open(
    tmp_path: Path, choice: tuple[str, ...], *, asks: bool
) -> None:
    """It is what --yes then refuses, and ends once it was chosen."""
    path = tmp_path / "chat.txt"
    path.write_text(SLASHED, "utf-8")
    code, shown, _ = said_of(tmp_path, str(path), "--dry-run", *choice)
    assert (code, "leaves open whether days or months come first" in shown) == (0, asks)
    assert ("here days were taken to come first" in shown) is asks
    assert f"said 2026-{'02-03' if asks else '03-02'}T21:06" in shown
    code, _, refused = said_of(tmp_path, str(path), "--yes", *choice)
    assert (code, "Nothing in chat.txt says" in refused) == (int(asks), asks)


def test_dates_with_dots_are_taken_in_unasked(tmp_path: Path) -> None:
    """Days come first wherever dots are written."""
    code, done, _ = said_of(tmp_path, str(SAMPLES / "whatsapp_iphone.txt"), "--yes")
    assert code == 0
    assert "whatsapp_iphone.txt: 5 lines taken in" in done


def test_what_could_not_be_read_is_named_after_an_import(tmp_path: Path) -> None:
    """By its number and why: a file that was cut does not look whole."""
    whole = json.dumps(TALK)
    path = tmp_path / "cut.json"
    path.write_text(whole[: len(whole) // 2], "utf-8")
    code, done, warned = said_of(tmp_path, str(path), "--yes")
    assert (code, "1 unreadable." in done) == (0, True)
    assert "line 4: the file is broken from here on, or ends within an entry." in warned


def test_of_many_unreadable_lines_some_are_named_and_the_rest_counted(tmp_path: Path) -> None:
    """As in the look before."""
    path = history(tmp_path, TALK)
    path.write_text(path.read_text("utf-8") + "no line\n" * 15, "utf-8")
    for choice in ("--dry-run", "--yes"):
        _, _, warned = said_of(tmp_path, str(path), choice)
        assert warned.count("it is not JSON.") == 10
        assert "and 5 lines more" in warned


def test_of_several_files_each_result_names_its_own(tmp_path: Path) -> None:
    """And so does the number by which it is taken back."""
    paths = [
        history(tmp_path, [line], f"{name}.jsonl") for name, line in zip("ab", TALK, strict=False)
    ]
    _, done, _ = said_of(tmp_path, *map(str, paths), "--yes")
    for name in "ab":
        assert f"{name}.jsonl: 1 line taken in" in done
        assert f"{name}.jsonl is import " in done


def test_a_preview_names_who_has_no_name_and_says_who_is_answered(tmp_path: Path) -> None:
    """Notes have no author, and no person is answered from a room of the owner's own."""
    path = tmp_path / "MEMORY.md"
    path.write_text("- Plays the oboe\n", "utf-8")
    _, shown, _ = said_of(tmp_path, str(path), "--dry-run")
    assert "  without a name: 1 line, new" in shown
    assert "you alone, on the dashboard and by eko search: the pet answers no person" in shown


def test_what_the_owner_alone_knows_is_found_by_a_search_and_answered_to_no_person(
    tmp_path: Path,
) -> None:
    """As the preview says; `eko ask` speaks as a person."""
    path = history(tmp_path, [{**TALK[0], "author": "Zoé"}])
    said_of(tmp_path, str(path), "--yes")
    assert "Nantes" in eko(tmp_path / "pet", "search", "Nantes").stdout
    assert "Nantes" not in eko(tmp_path / "pet", "ask", "Où habite Zoé ?").stdout

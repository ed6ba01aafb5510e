"""What a first look through a history samples: the words that hold, once each."""

from dataclasses import replace
from datetime import UTC

from bot.transfer.history.scanning import HistoryScan
from tests.history_samples import SAMPLES, items_of, lines_of


def sampled(scan: HistoryScan) -> list[tuple[str, str]]:
    """Authors and words of the samples."""
    return [(author, words) for (author, _), words in scan.samples.values()]


def test_an_edited_line_is_sampled_by_its_last_words() -> None:
    """What would be learnt is what holds after the edit, of its author."""
    scan = HistoryScan(UTC)
    scan.take(items_of(SAMPLES / "element.json"))
    words = sampled(scan)
    assert words[0] == ("Mira", "I moved to Bergen")
    assert ("Mira", "I moved to Berlin") not in words
    assert len(words) == len({text for _, text in words})


def test_an_edit_of_what_was_not_sampled_is_no_sample() -> None:
    """Its line may stand far before it, or in no file."""
    line = replace(lines_of(SAMPLES / "element.json")[0], id="b", edits="a", text="Bergen")
    scan = HistoryScan(UTC)
    scan.take([line])
    assert sampled(scan) == []


def test_lines_without_ids_are_sampled_each() -> None:
    """Equal ones as well."""
    scan = HistoryScan(UTC)
    line = lines_of(SAMPLES / "whatsapp_iphone.txt")[1]
    scan.take([line, line])
    assert [text for _, text in sampled(scan)] == [line.text] * 2

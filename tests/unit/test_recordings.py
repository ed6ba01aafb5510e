"""Recorded rooms are read line by line; a bad line is reported and the rest goes on."""

import json
import tracemalloc
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.model.events import Inbound, InboundKind
from bot.transfer.recordings import LONGEST, Unreadable, lines_in, read_recording
from tests.cast import LOBBY


def messages(path: Path, format_: str | None = None) -> list[Inbound]:
    """What was said in a recording."""
    return [item for item in read_recording(path, format_, LOBBY) if isinstance(item, Inbound)]


def remarks(path: Path, format_: str | None = None) -> list[int]:
    """The lines with a remark."""
    return [
        item.line for item in read_recording(path, format_, LOBBY) if isinstance(item, Unreadable)
    ]


@pytest.fixture
def irc(tmp_path: Path) -> Path:
    """A log of an evening, with what logs have."""
    path = tmp_path / "2004-12-31_#ubuntu.txt"
    path.write_bytes(
        b"=== david has joined #ubuntu\n"
        b"[23:58] <david> bonne ann\xc3\xa9e <tout le monde>\r\n"
        b"\n"
        b"[23:59] * lea danse\n"
        b"[00:01] <lea> et voil\xe0\n"
        b"nonsense\n"
        b"[00:00] <david> \n"
        b"[00:00] <david> oui\n"
        b"[00:02] <da|vid> x"
    )
    return path


def test_an_irc_log_is_read_with_its_nicks_actions_and_system_lines(irc: Path) -> None:
    """Who said what; an action keeps its star, the system speaks as a system."""
    said = messages(irc)
    assert [(one.author.name, one.text) for one in said] == [
        ("*", "david has joined #ubuntu"),
        ("david", "bonne année <tout le monde>"),
        ("lea", "* lea danse"),
        ("lea", "et voil\ufffd"),
        ("david", "oui"),
        ("da|vid", "x"),
    ]
    assert [one.kind for one in said] == [InboundKind.SYSTEM] + [InboundKind.MESSAGE] * 5
    assert {one.author.platform for one in said} == {"irc"}


def test_bad_bytes_and_lines_of_no_form_are_reported_by_number(irc: Path) -> None:
    """The line with bad bytes is kept all the same; one of no form or no words is not."""
    assert remarks(irc) == [5, 6, 7]


def test_past_midnight_is_the_next_day_and_a_small_step_back_is_not(irc: Path) -> None:
    """The date comes from the name; a log that jitters by a minute stays on its day."""
    assert [one.sent_at for one in messages(irc)][1:] == [
        datetime(2004, 12, 31, 23, 58, tzinfo=UTC),
        datetime(2004, 12, 31, 23, 59, tzinfo=UTC),
        datetime(2005, 1, 1, 0, 1, tzinfo=UTC),
        datetime(2005, 1, 1, 0, 0, tzinfo=UTC),
        datetime(2005, 1, 1, 0, 2, tzinfo=UTC),
    ]


def test_a_replacement_sign_that_was_written_is_no_bad_byte(tmp_path: Path) -> None:
    """Somebody pasted one."""
    path = tmp_path / "2004-12-31.txt"
    path.write_text("[10:00] <lea> \ufffd", "utf-8")
    assert remarks(path) == []


def test_ids_name_the_line_and_its_words(irc: Path) -> None:
    """The same file again gives the same ids, all different; a corrected line is a new message."""
    first = [one.external_id for one in messages(irc)]
    assert first == [one.external_id for one in messages(irc)]
    assert len(set(first)) == len(first)
    irc.write_bytes(irc.read_bytes().replace(b"danse", b"chante"))
    again = [one.external_id for one in messages(irc)]
    assert [a == b for a, b in zip(first, again, strict=True)].count(False) == 1


def test_json_lines_are_read_with_their_own_ids_and_times(tmp_path: Path) -> None:
    """A time without a zone is UTC; a missing id is made from the line."""
    path = tmp_path / "room.jsonl"
    rows = [
        {"id": "m1", "author": "Léa", "text": "salut", "at": "2026-01-17T12:00:00+01:00"},
        {"author": "David", "text": "yo\nici", "at": "2026-01-17T12:00:00"},
        {"author": "*", "text": "Léa left", "at": "2026-01-17T12:01:00Z", "system": True},
    ]
    path.write_text("\n".join(json.dumps(row) for row in rows), "utf-8")
    one, two, three = messages(path)
    assert (one.external_id, one.text) == ("m1", "salut")
    assert one.sent_at == datetime(2026, 1, 17, 11, tzinfo=UTC)
    assert (two.text, two.sent_at) == ("yo\nici", datetime(2026, 1, 17, 12, tzinfo=UTC))
    assert two.external_id.startswith("room:2:")
    assert three.kind is InboundKind.SYSTEM
    assert remarks(path) == []


@pytest.mark.parametrize(
    "line",
    [
        "not json",
        "[1, 2]",
        "[" * 100_000,
        "null",
        "{}",
        '{"author": "a", "text": "b", "at": "yesterday"}',
        '{"author": "a", "text": "b", "at": 5}',
        '{"author": "a", "text": "b"}',
        '{"author": "\\ud800", "text": "b", "at": "2026-01-17T12:00:00"}',
        '{"id": "\\udfff", "author": "a", "text": "b", "at": "2026-01-17T12:00:00"}',
    ],
)
def test_a_json_line_that_is_no_message_is_reported_and_the_next_one_read(
    tmp_path: Path, line: str
) -> None:
    """Also when it holds half a character, which no database keeps."""
    path = tmp_path / "room.jsonl"
    good = '{"author": "a", "text": "b", "at": "2026-01-17T12:00:00"}'
    path.write_text(f"{line}\n{good}\n", "utf-8")
    assert remarks(path) == [1]
    assert [one.text for one in messages(path)] == ["b"]


def test_the_format_may_be_told(tmp_path: Path) -> None:
    """A name that says nothing is read as it is told, and as IRC otherwise."""
    path = tmp_path / "2026-01-17.log"
    path.write_text('{"author": "a", "text": "b", "at": "2026-01-17T12:00:00"}', "utf-8")
    assert len(messages(path, "jsonl")) == 1
    assert messages(path) == []


def test_a_line_without_an_end_is_left_out_and_the_next_one_read(tmp_path: Path) -> None:
    """No more of it is held than shows that it is too long."""
    path = tmp_path / "2004-12-31.txt"
    path.write_bytes(b"[23:58] <david> " + b"a" * (2 * LONGEST) + b"\n[23:59] <lea> oui\n")
    assert [one.text for one in messages(path)] == ["oui"]
    assert remarks(path) == [1]
    assert lines_in(path) == 2


def test_a_recording_is_read_only_as_far_as_it_is_asked_for(tmp_path: Path) -> None:
    """So that one of any length fits into memory."""
    path = tmp_path / "2004-12-31.txt"
    path.write_bytes(b"[23:58] <david> oui\n" * 100_000)
    tracemalloc.start()
    first = next(read_recording(path, None, LOBBY))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert isinstance(first, Inbound)
    assert peak < path.stat().st_size / 4

import json
import random
import stat
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.transfer.files import FileRefused
from bot.transfer.history import archives
from bot.transfer.history.documents import DEEPEST, LARGEST_ENTRY, JsonEntry, entries
from bot.transfer.history.lines import PIECE
from bot.transfer.history.model import (
    DayOrder,
    HistoryLine,
    Recognised,
    UnknownHistory,
    UnreadableLine,
)
from bot.transfer.history.recognising import READERS, opened, recognised
from tests.history_samples import (
    FILES,
    FOLDERS,
    SAMPLES,
    items_of,
    lines_of,
    said_in,
    unreadable_in,
    zipped,
)

ENCODINGS = ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"]

ROW = '{"author": "Mira", "text": "hello", "at": "2026-02-03T21:06:00"}\n'


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("name", FILES)
def test_every_format_is_read_in_every_encoding(tmp_path: Path, name: str, encoding: str) -> None:
    """With a mark at its start and without one."""
    path = tmp_path / name
    path.write_bytes((SAMPLES / name).read_text("utf-8").encode(encoding))
    assert said_in(path) == said_in(SAMPLES / name)


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_recognised_whatever_it_is_called(tmp_path: Path, name: str) -> None:
    """By what is in it alone."""
    path = tmp_path / "2026-02-03"
    path.write_bytes((SAMPLES / name).read_bytes())
    assert recognised(path)[0] is recognised(SAMPLES / name)[0]


def test_lines_that_windows_wrote_are_read_among_others(tmp_path: Path) -> None:
    """A file that two programs wrote to is half in another encoding."""
    path = tmp_path / "chat.txt"
    path.write_bytes(b"14/02/26, 21:05 - Zo\xe9: caf\xc3\xa9\n14/02/26, 21:06 - Mira: ok\n")
    assert said_in(path) == [("said", "Zoé", "café"), ("said", "Mira", "ok")]


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_was_cut_gives_what_is_whole(tmp_path: Path, name: str) -> None:
    """At any byte: no line of it that stands before the cut is lost, and none is made up."""
    whole = (SAMPLES / name).read_bytes()
    reader, known = recognised(SAMPLES / name)
    everything = [line for line in lines_of(SAMPLES / name) if line.kind.value != "memory"]
    path = tmp_path / name
    for end in range(0, len(whole), max(1, len(whole) // 60)):
        path.write_bytes(whole[:end])
        day_first = known.order.day_first is not False
        found = [
            item
            for item in reader.read(opened(path, known), DayOrder(day_first=day_first))
            if isinstance(item, HistoryLine) and item.kind.value != "memory"
        ]
        assert found[:-1] == everything[: len(found)][:-1] or name == "chatgpt.json"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("notes.txt", b"Dear diary,\ntoday I saw a heron.\nIt was grey.\n"),
        ("page.md", b"# Title\n\nLong prose goes here.\nAnd on.\nAnd on.\n- one bullet\n"),
        ("picture.png", b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 40),
        ("data.json", b'{"a": [1, 2, {"b": null}]}'),
        ("list.json", b"[1, 2, 3]"),
        ("result.json", b"not json"),
    ],
)
def test_other_files_are_refused_with_the_formats_that_there_are(
    tmp_path: Path, name: str, content: bytes
) -> None:
    """One sentence, which names each of them."""
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(UnknownHistory, match=r"WhatsApp, IRC, MEMORY\.md") as refusal:
        recognised(path)
    assert all(reader.format in str(refusal.value) for reader in READERS)


def test_a_web_page_is_refused_with_what_to_export_instead(tmp_path: Path) -> None:
    """Several programs offer it first."""
    path = tmp_path / "messages.html"
    path.write_text("\n<!doctype HTML>\n<html><body class='mx_Export'></body></html>")
    with pytest.raises(UnknownHistory, match="choose JSON"):
        recognised(path)


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    """A folder, and a name that leads nowhere."""
    for path in (tmp_path, tmp_path / "gone.txt"):
        with pytest.raises(FileRefused, match="is not a file"):
            recognised(path)


@pytest.mark.parametrize("folder", FOLDERS)
def test_an_archive_is_read_and_nothing_is_written(tmp_path: Path, folder: str) -> None:
    """It is never unpacked: its folder holds the archive alone afterwards."""
    path = zipped(SAMPLES / folder, tmp_path / "export.zip")
    assert lines_of(path)
    assert list(tmp_path.iterdir()) == [path]


def test_a_chat_is_found_among_the_pictures_of_its_archive(tmp_path: Path) -> None:
    """As WhatsApp sends it."""
    path = tmp_path / "chat.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("00001-PHOTO.jpg", b"\xff\xd8" * 500)
        archive.write(SAMPLES / "whatsapp_iphone.txt", "_chat.txt")
    assert recognised(path)[1].parts == ["_chat.txt"]
    assert said_in(path) == said_in(SAMPLES / "whatsapp_iphone.txt")


def test_members_whose_names_lead_out_of_an_archive_are_left_out(tmp_path: Path) -> None:
    """So are folders and what is encrypted; what is sound is read."""
    path = tmp_path / "chat.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name in ("../out.jsonl", "/abs.jsonl", "a/../../b.jsonl", "..\\c.jsonl", "C:\\d.jsonl"):
            archive.writestr(name, ROW)
        archive.writestr("good.jsonl", ROW)
    assert recognised(path)[1].parts == ["good.jsonl"]
    assert len(lines_of(path)) == 1
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_in_an_archive_is_no_way_out(tmp_path: Path) -> None:
    """Its text is where it leads, which is no talk."""
    path, secret = tmp_path / "chat.zip", tmp_path / "secret.jsonl"
    secret.write_text(ROW, "utf-8")
    link = zipfile.ZipInfo("link.jsonl")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(link, str(secret))
    with pytest.raises(UnknownHistory):
        recognised(path)


@pytest.mark.parametrize("limit", ["LARGEST", "MOST_MEMBERS"])
def test_an_archive_that_unpacks_to_too_much_is_refused(tmp_path: Path, limit: str) -> None:
    """Before it is read, by what its own list says."""
    path = tmp_path / "bomb.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.jsonl", ROW * 1000)
        archive.writestr("b.jsonl", ROW)
    with patch.object(archives, limit, 1), pytest.raises(UnknownHistory, match="more than"):
        recognised(path)


def test_a_member_gives_no_more_than_the_archive_says_it_has(tmp_path: Path) -> None:
    """A forged size does not get around the limit."""
    path = tmp_path / "bomb.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.jsonl", ROW * 5000)
    size, forged = len(ROW) * 5000, len(ROW) * 2000
    content = path.read_bytes().replace(size.to_bytes(4, "little"), forged.to_bytes(4, "little"))
    path.write_bytes(content)
    assert 1500 < len(lines_of(path)) <= 2000


def test_a_damaged_member_gives_what_is_whole(tmp_path: Path) -> None:
    """What is lost is said once, and the next member is read."""
    path = tmp_path / "chat.zip"
    rng = random.Random(1)
    row = '{{"author": "Mira", "text": "{}", "at": "2026-02-03T21:06:00"}}\n'
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        rows = "".join(row.format(rng.getrandbits(400)) for _ in range(3000))
        archive.writestr("a.jsonl", rows)
        archive.writestr("b.jsonl", row.format("the last"))
    content = bytearray(path.read_bytes())
    content[len(content) // 2 :: 997] = b"\xff" * len(content[len(content) // 2 :: 997])
    content[-300:] = path.read_bytes()[-300:]
    path.write_bytes(content)
    found = lines_of(path)
    assert 500 < len(found) < 3000
    assert unreadable_in(path)


@given(st.text(max_size=400))
def test_no_text_makes_a_reader_raise(text: str) -> None:
    """Whatever it is given, as it is and behind what its format begins with."""
    heads = ("", "14/02/26, 21:05 - Mira: ", "[21:05] <mira> ", "From: M\nType: incoming\nSent: ")
    for reader in READERS:
        for head in heads:
            lines = (head + text).splitlines(keepends=True)
            reader.recognises(head + text, text)
            list(reader.read(iter(lines), DayOrder()))


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)


@pytest.mark.parametrize("name", [name for name in FILES if name.endswith((".json", ".jsonl"))])
@given(value=JSON_VALUES, place=st.integers(0, 40))
def test_no_value_in_a_document_makes_a_reader_raise(name: str, value: object, place: int) -> None:
    """Any of its values may be of another kind than its format says."""
    text = (SAMPLES / name).read_text("utf-8")
    marks = [at for at in range(len(text)) if text.startswith('": ', at)]
    at = marks[place % len(marks)] + 3
    ends = [end for end in (text.find(sign, at) for sign in (",", "\n", "}")) if end > 0]
    broken = text[:at] + json.dumps(value) + text[min(ends) :]
    for reader in READERS:
        list(reader.read(iter(broken.splitlines(keepends=True)), DayOrder()))


@pytest.mark.parametrize(
    "text",
    [
        "[" * 1_000_000,
        '{"a":' * 200_000,
        '{"messages": [' + "[" * 5_000 + "]" * 5_000 + "]}",
        "1" * 1_000_000,
        '["' + "\\" * 999_999,
        '[{"a": "' + "x" * (LARGEST_ENTRY + PIECE),
    ],
)
def test_a_document_without_end_is_given_up_with_one_remark(text: str) -> None:
    """Deep ones, long numbers and strings: no stack and no memory is filled by them."""
    pieces = (text[at : at + PIECE] for at in range(0, len(text), PIECE))
    found = [each for each in entries(pieces, {"item", "messages.item"}) if not _is_row(each)]
    assert len(found) <= 1


def _is_row(each: JsonEntry | UnreadableLine) -> bool:
    return isinstance(each, JsonEntry)


def test_half_a_character_becomes_a_mark() -> None:
    """Escaped and without its other half, it would be kept by no database."""
    text = '[{"a": "x\\ud83d", "b": "\\ud83d\\ude00", "c": "\\udc00"}]'
    (found,) = entries(iter([text]), {"item"})
    assert isinstance(found, JsonEntry)
    assert found.value == {"a": "x?", "b": "😀", "c": "?"}


@given(st.lists(JSON_VALUES, max_size=5), st.integers(1, 9))
def test_a_document_is_read_alike_in_pieces_of_any_size(values: list[object], size: int) -> None:
    """Entry by entry it is what it is as a whole."""
    text = json.dumps({"a": [1], "messages": values})
    pieces = iter([text[at : at + size] for at in range(0, len(text), size)])
    found = [
        each.value for each in entries(pieces, {"messages.item"}) if isinstance(each, JsonEntry)
    ]
    assert json.dumps(found) == json.dumps(json.loads(text)["messages"])


def test_a_document_of_more_levels_than_exports_have_is_not_followed() -> None:
    """Its entries lie deeper than any export's."""
    text = '{"a":' * (DEEPEST + 1) + "1" + "}" * (DEEPEST + 1)
    (found,) = entries(iter([text]), {"item"})
    assert isinstance(found, UnreadableLine)
    assert "deeper" in found.reason


def test_a_line_that_is_too_long_is_left_out_and_the_next_one_read(tmp_path: Path) -> None:
    """In a text; a document of one line is read all the same."""
    path = tmp_path / "room.jsonl"
    path.write_text(ROW + "x" * (3 * PIECE) + "\n" + ROW, "utf-8")
    assert unreadable_in(path) == [2]
    assert [line.number for line in lines_of(path)] == [1, 3]
    path.write_text("[" + ",".join([ROW.strip()] * 30_000) + "]", "utf-8")
    assert len(lines_of(path)) == 30_000


def _chat(rows: int) -> str:
    return "".join(f"14/02/26, 21:05 - Mira: hello {at}\n" for at in range(rows))


def _document(rows: int) -> str:
    message = '{"id": 1, "type": "message", "date_unixtime": "1770152820", "text": "hello"}'
    return f'{{"name": "a", "type": "b", "id": 1, "messages": [{",".join([message] * rows)}]}}'


@pytest.mark.parametrize("written", [_chat, _document])
def test_a_file_of_any_length_is_read_in_little_memory(
    tmp_path: Path, written: Callable[[int], str]
) -> None:
    """The whole of it is never held, in one line or in many."""
    path = tmp_path / "long"
    path.write_text(written(40_000), "utf-8")
    reader, known = recognised(path)
    tracemalloc.start()
    count = sum(1 for _ in reader.read(opened(path, known), DayOrder()))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 40_000
    assert peak < 8 * PIECE


def test_a_text_of_a_message_has_an_end(tmp_path: Path) -> None:
    """Lines past the longest that any platform takes are reported and not kept."""
    path = tmp_path / "chat.txt"
    path.write_text("14/02/26, 21:05 - Mira: hello\n" + "and on\n" * 20_000, "utf-8")
    (found,) = lines_of(path)
    assert len(found.text) < 70_000
    assert len(unreadable_in(path)) > 10_000


def test_an_archive_that_vanished_says_so(tmp_path: Path) -> None:
    """Between two readings anything may happen to a file."""
    known = Recognised(format="WhatsApp", platform="whatsapp", parts=("a",))
    with pytest.raises(OSError, match="No such file"):
        list(opened(tmp_path / "gone", known))


def test_items_of_every_sample_are_numbered_in_order() -> None:
    """So that a line can be found in its file."""
    for name in FILES:
        numbers = [item.number for item in items_of(SAMPLES / name)]
        assert numbers == sorted(numbers)
        assert numbers[0] >= 1


@pytest.mark.parametrize(
    ("content", "sentence"),
    [(b"", "is empty"), (b" \n", "is empty"), (b"PK\x03\x04 and nothing else", "is damaged")],
)
def test_what_is_empty_or_damaged_is_called_so(
    tmp_path: Path, content: bytes, sentence: str
) -> None:
    """Which formats there are would not help."""
    path = tmp_path / "export.zip"
    path.write_bytes(content)
    with pytest.raises(UnknownHistory, match=sentence):
        recognised(path)

"""What a file of talk is, by its content, and its lines, decoded as they are asked for."""

import codecs
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, cast
from zipfile import ZipFile

from bot.transfer.files import FileRefused
from bot.transfer.history.archives import (
    DAMAGED,
    archive_at,
    check_size,
    is_archive,
    text_members,
)
from bot.transfer.history.format_reader import HistoryReader
from bot.transfer.history.lines import PIECE, Fault, PartName
from bot.transfer.history.model import Recognised, UnknownHistory
from bot.transfer.history.readers import (
    chatgpt,
    claude,
    discord_exporter,
    discord_package,
    irc,
    letta,
    matrix,
    mem0,
    memory_notes,
    own,
    signal_json,
    signal_text,
    sillytavern,
    slack,
    telegram,
    whatsapp,
)

READERS: Sequence[HistoryReader] = (
    telegram.READER,
    discord_exporter.READER,
    discord_package.READER,
    slack.READER,
    matrix.READER,
    chatgpt.READER,
    claude.READER,
    letta.READER,
    mem0.READER,
    sillytavern.READER,
    signal_json.READER,
    own.IN_OBJECT,
    own.READER,
    signal_text.READER,
    whatsapp.TEXT_OF_ELEMENT,
    whatsapp.READER,
    irc.READER,
    memory_notes.READER,
)
"""The first that recognises a file reads it, so those with the plainest signs come first."""

HEAD = 1 << 16
"""Characters by which a file is recognised."""

_TRIED = 200
"""Members of an archive by which its format is found."""

_SAMPLE = 1 << 10
"""Bytes in which UTF-16 without a mark shows."""

_RARE = 20
"""One empty byte in so many, and less in UTF-16 of any language: blanks and digits have one."""

_PAGE = re.compile(r"\s{0,99}<(?:!DOCTYPE html|html)\b", re.IGNORECASE)

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def recognised(path: Path) -> tuple[HistoryReader, Recognised]:
    """The reader of a file, and what is known of the file before it is read.

    Raises:
        UnknownHistory: it is in no format that can be read.
        FileRefused: it is no file, or the system refuses.

    """
    if not path.is_file():
        raise FileRefused(f"{path} is not a file.")
    try:
        reader, parts = _in_archive(path) if is_archive(path) else _in_file(path)
        found = Recognised(format=reader.format, platform=reader.platform, parts=parts)
        return reader, replace(found, order=reader.order(opened(path, found)))
    except OSError as error:
        raise FileRefused(f"{path} cannot be read: {error.strerror or error}.") from error


def opened(path: Path, known: Recognised) -> Iterator[str]:
    """The lines of a file or of the parts of an archive, each part behind its name.

    A line that is longer than `PIECE` comes in pieces. Closing the iterator closes the file.

    Raises:
        UnknownHistory: it is an archive that is damaged.
        OSError: it cannot be read.

    """
    if not is_archive(path):
        yield PartName(path.name, datetime.fromtimestamp(path.stat().st_mtime, UTC))
        with path.open("rb") as file:
            yield from _decoded(file)
        return
    with archive_at(path) as archive:
        check_size(archive, known.parts)
        for name in known.parts:
            yield PartName(name, _changed(archive, name))
            try:
                with archive.open(name) as file:
                    yield from _decoded(file)
            except DAMAGED:
                yield Fault("the archive is damaged here; the rest of this member is lost")


def _in_file(path: Path) -> tuple[HistoryReader, Sequence[str]]:
    with path.open("rb") as file:
        head = _head(file)
    if not head.strip():
        raise UnknownHistory(f"{path.name} is empty.")
    reader = _reader_of(head, path.name)
    if reader is None:
        raise _page(path) if _PAGE.match(head) else _unknown(path)
    return reader, (path.name,)


def _in_archive(path: Path) -> tuple[HistoryReader, Sequence[str]]:
    """The reader of most members, and those members."""
    with archive_at(path) as archive:
        names = text_members(archive)
        found = (_reader_of(_head_of(archive, name), name) for name in names[:_TRIED])
        readers = [reader for reader in found if reader]
        if not readers:
            raise _unknown(path)
        most = Counter(reader.format for reader in readers).most_common(1)[0][0]
        reader = next(reader for reader in readers if reader.format == most)
        parts = [name for name in names if reader.recognises(_head_of(archive, name), name)]
        check_size(archive, parts)
        return reader, parts


def _head_of(archive: ZipFile, name: str) -> str:
    try:
        with archive.open(name) as file:
            return _head(file)
    except DAMAGED:
        return ""  # this member is of no format; the others are


def _reader_of(head: str, name: str) -> HistoryReader | None:
    return next((reader for reader in READERS if reader.recognises(head, name)), None)


def _unknown(path: Path) -> UnknownHistory:
    formats = ", ".join(reader.format for reader in READERS)
    return UnknownHistory(f"{path.name} is in no format that can be read; those are: {formats}.")


def _page(path: Path) -> UnknownHistory:
    return UnknownHistory(
        f"{path.name} is a web page, made to be looked at. Export the talk again and choose JSON,"
        " or plain text where the program has no JSON."
    )


def _head(file: IO[bytes]) -> str:
    with _text(file) as text:
        return text.read(HEAD)


def _decoded(file: IO[bytes]) -> Iterator[str]:
    """The lines of a file, in pieces where they are long; what is not valid becomes a mark."""
    with _text(file) as text:
        while piece := text.readline(PIECE):
            yield piece


def _text(file: IO[bytes]) -> io.TextIOWrapper:
    buffered = io.BufferedReader(cast(io.RawIOBase, file))
    encoding = _encoding(buffered.peek(_SAMPLE)[:_SAMPLE])
    return io.TextIOWrapper(buffered, encoding, errors=_AS_WINDOWS)


def _as_windows(fault: UnicodeError) -> tuple[str, int]:
    """What is not valid in UTF-8, as Windows wrote it: some files change within."""
    if not isinstance(fault, UnicodeDecodeError):
        raise fault
    encoding = "cp1252" if fault.encoding.startswith("utf-8") else "ascii"
    return fault.object[fault.start : fault.end].decode(encoding, "replace"), fault.end


_AS_WINDOWS = "eko.as-windows"
codecs.register_error(_AS_WINDOWS, _as_windows)


def _encoding(sample: bytes) -> str:
    """UTF-16 by its mark, or by the empty half of most of its characters; or else UTF-8."""
    for mark, encoding in _MARKS:
        if sample.startswith(mark):
            return encoding
    first, second = sample[0::2].count(0), sample[1::2].count(0)
    if max(first, second) <= len(sample) // _RARE:
        return "utf-8"
    return "utf-16-le" if second > first else "utf-16-be"


def _changed(archive: ZipFile, name: str) -> datetime:
    try:
        return datetime(*archive.getinfo(name).date_time, tzinfo=UTC)
    except ValueError:
        return datetime.fromtimestamp(0, UTC)

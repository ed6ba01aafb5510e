r"""JSON documents of any size, read entry by entry.

The reading is `json`'s own; a window that moves over the document gives it one entry at a time.
The library for this, `ijson`, is not used: a half of a character (`\udc00`) or a number of 5,000
digits makes its fast reader end the process, and its safe one takes ten times as long.
"""

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, islice
from typing import Any

from bot.transfer.history.lines import NO_PART, Fault, PartName, numbered, parts
from bot.transfer.history.model import HistoryItem, UnreadableLine

LARGEST_ENTRY = 1 << 25
"""Characters that an entry may take: the longest talks with an assistant take a tenth of it."""

DEEPEST = 64
"""Levels of a document above its entries; exports have about five."""

_LONGEST_KEY = 64
"""Characters of a key in a path: none that is looked for is longer."""

_CHUNK = 1 << 16

_UNREADABLE = (ValueError, TypeError, LookupError, ArithmeticError, AttributeError)
"""What reading an entry raises that is not as its format has it."""

_BROKEN = "the file is broken from here on, or ends within an entry"
_LARGE = "it is larger than any entry; the rest is not read"
_DEEP = "it is deeper than any export; the rest is not read"

_SIGN = re.compile(r"\S")
_HALF = re.compile(r"\\u[dD][89a-fA-F]")
"""An escaped half of a character, which may lack its other half."""

_READER = json.JSONDecoder(strict=False)

_OPENED = object()
"""Stands for a value that is read piece by piece."""


class _DocumentRefused(Exception):
    """The rest of a document is not read; the message says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonEntry:
    """A value of a document: plain ones have the number of the entry before them."""

    number: int
    path: str
    value: Any
    part: PartName = NO_PART


def entries(lines: Iterator[str], wanted: Collection[str]) -> Iterator[JsonEntry | UnreadableLine]:
    """What stands at the wanted paths, in order; of a cut or broken document what is whole.

    A path such as `messages.item.id` has the keys that lead to a value, and `item` for a place in
    an array.
    """
    number = 0
    for part, pieces in parts(lines):
        for each in _entries(pieces, wanted, number, part):
            number = each.number
            yield each


def rows(lines: Iterator[str]) -> Iterator[JsonEntry | UnreadableLine]:
    """One value a line, or the values of one array; a bad line is reported and the rest goes on."""
    head: list[str] = []
    for piece in lines:
        head.append(piece)
        if piece.strip() and not isinstance(piece, PartName):
            break
    everything = chain(head, lines)
    if head and head[-1].lstrip().startswith("["):
        yield from entries(everything, {"item"})
        return
    for line in numbered(everything):
        if line.fault:
            yield line.unreadable()
        elif line.text.strip():
            for found in islice(_entries(iter([line.text]), {""}, 0, line.part), 1):
                is_entry = isinstance(found, JsonEntry)
                yield replace(found, number=line.number) if is_entry else _no_json(line.number)


def _no_json(number: int) -> UnreadableLine:
    return UnreadableLine(number=number, reason="it is not JSON")


def read_entries(
    found: Iterable[JsonEntry | UnreadableLine], read: Callable[[JsonEntry], Iterable[HistoryItem]]
) -> Iterator[HistoryItem]:
    """The lines that a reader makes of entries; one that it fails on is unreadable."""
    for each in found:
        if isinstance(each, UnreadableLine):
            yield each
            continue
        try:
            yield from read(each)
        except _UNREADABLE:
            reason = "it lacks what a message of this format has"
            yield UnreadableLine(number=each.number, reason=reason)


def has_paths(*signs: AbstractSet[str]) -> Callable[[str, str], bool]:
    """Whether a head has all paths of one of these sets."""
    return lambda head, _: any(sign <= paths_in(head) for sign in signs)


@lru_cache(maxsize=1)
def paths_in(head: str) -> AbstractSet[str]:
    """The paths that stand in the beginning of a document, or in the first of its lines."""
    found: set[str] = set()
    if head.lstrip().startswith(("{", "[")):
        try:
            found.update(path for path, _ in _values(_Window(iter([head])), ()))
        except _DocumentRefused:
            return found  # a head ends anywhere
    return found


def _entries(
    pieces: Iterator[str], wanted: Collection[str], number: int, part: PartName
) -> Iterator[JsonEntry | UnreadableLine]:
    try:
        for path, value in _values(_Window(pieces), wanted):
            if path in wanted and value is not _OPENED:
                number += isinstance(value, dict | list)
                yield JsonEntry(number=number, path=path, value=value, part=part)
    except _DocumentRefused as refusal:
        yield UnreadableLine(number=number + 1, reason=str(refusal))


def _values(window: "_Window", wanted: Collection[str]) -> Iterator[tuple[str, object]]:
    """The values of a document with their paths: the wanted ones whole, and the plain ones.

    Raises:
        _DocumentRefused: it is broken, or more than is read.

    """
    above: list[tuple[str, bool]] = []  # containers, and whether they have keys
    path, awaits_key = "", False
    while sign := window.next_sign():
        if sign == ",":
            window.skip()
        elif sign in "]}":
            if not above:
                raise _DocumentRefused(_BROKEN)
            window.skip()
            path, _ = above.pop()
            awaits_key = bool(above) and above[-1][1]
        elif awaits_key:
            path, awaits_key = _joined(above[-1][0], window.key()), False
        elif sign in "[{" and path not in wanted:
            if len(above) >= DEEPEST:
                raise _DocumentRefused(_DEEP)
            yield path, _OPENED
            window.skip()
            awaits_key = sign == "{"
            above.append((path, awaits_key))
            path = path if awaits_key else _joined(path, "item")
        else:
            yield path, window.value()
            awaits_key = bool(above) and above[-1][1]
    if above:
        raise _DocumentRefused(_BROKEN)


def _joined(path: str, key: str) -> str:
    return f"{path}.{key[:_LONGEST_KEY]}" if path else key[:_LONGEST_KEY]


class _Window:
    """As much of a document as its next value takes."""

    def __init__(self, pieces: Iterator[str]) -> None:
        self._pieces = pieces
        self._text, self._at, self._is_over = "", 0, False

    def next_sign(self) -> str:
        """The next character that is no blank, or "" at the end."""
        while True:
            if found := _SIGN.search(self._text, self._at):
                self._at = found.start()
                return found[0]
            if self._is_over:
                return ""
            self._at = len(self._text)
            self._widen()

    def skip(self) -> None:
        """Go past a character."""
        self._at += 1

    def key(self) -> str:
        """A key, and past the colon behind it."""
        key = self.value()
        if not isinstance(key, str) or self.next_sign() != ":":
            raise _DocumentRefused(_BROKEN)
        self.skip()
        return key

    def value(self) -> object:
        """A whole value; a number at the edge may go on behind it."""
        while True:
            try:
                value, end = _READER.raw_decode(self._text, self._at)
            except RecursionError:
                raise _DocumentRefused(_DEEP) from None
            except ValueError:
                if self._is_over:
                    raise _DocumentRefused(_BROKEN) from None
            else:
                if end < len(self._text) or self._is_over:
                    is_cut = _HALF.search(self._text, self._at, end)
                    self._at = end
                    return _mended(value) if is_cut else value
            self._widen()

    def _widen(self) -> None:
        """Twice as much at a time, so that a long entry is not read from its start each time."""
        texts = [self._text[self._at :]]
        length = len(texts[0])
        if length > LARGEST_ENTRY:
            raise _DocumentRefused(_LARGE)
        wanted = max(_CHUNK, 2 * length)
        self._is_over = True
        for piece in self._pieces:
            if isinstance(piece, Fault):
                raise _DocumentRefused(piece)
            texts.append(piece)
            length += len(piece)
            if length >= wanted:
                self._is_over = False
                break
        self._text, self._at = "".join(texts), 0


def _mended(value: object) -> object:
    """The same, with a mark for each half of a character, which no database keeps."""
    return json.loads(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))

"""Long texts cut to what is asked about: whole sentences around the words that are wanted. Pure."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from memory.language.text import stems

Terms = Sequence[Mapping[str, float]]
"""For each word that is wanted, the stems that say it, with what each of them is worth."""

READ = 12_000
"""Characters of a text that are looked at: of a pasted log the rest is no line to be told."""

BEGINNING = 90
"""Characters of a text's beginning that are told before a window further on: who and what it is
about, mostly."""

FURTHER = 0.1
"""What saying a word once more counts, beside saying it at all: it settles what is even."""

SHORT = 40
"""Characters: what is shorter goes with the sentence behind it, as "1." does. So a text has no more
windows than can be looked at."""

_CUT = "…"

_SENTENCE_END = re.compile(r"(?<=[.!?…])\s+|\n")


_Said = Mapping[int, float]
"""The places of the terms that a part of a text says, each with the most it is worth there."""


@dataclass(frozen=True, slots=True)
class _Window:
    """Some sentences in a row, from `start` to before `end`, and what the words they say weigh."""

    start: int
    end: int
    weight: float


def terms_of(asked: str) -> Terms:
    """The words of a text, each worth as much, where nothing is known of how rare they are."""
    return [{stem: 1.0} for stem in dict.fromkeys(stems(asked))]


def excerpt(text: str, terms: Terms, size: int) -> str:
    """At most `size` characters of a text, on one line: all of it, or what says most of the words.

    It begins where a sentence does, and an ellipsis stands where something is left out. Before a
    window further on comes the beginning of the text, where that says any of the words too.
    """
    flat = " ".join(text[: max(READ, size + 1)].split())
    if len(flat) <= size and len(text) <= READ:
        return flat
    units = list(_units(text[:READ], max(1, size // 2)))
    if not units:
        return ""
    said = [_said(unit, terms) for unit in units]
    before, window = _CUT, _heaviest(units, said, size - 2 * len(_CUT), {})
    beginning = _beginning(units[0])
    if size >= 3 * BEGINNING and (begun := _said(beginning, terms)):
        other = _heaviest(units, said, size - len(beginning) - len(_CUT), begun)
        if other.weight > window.weight:
            before, window = beginning, other
    if not window.start:
        return shortened(flat, size)
    told = before + " ".join(units[window.start : window.end])
    rest = " ".join(units[window.end :])
    if rest:
        return shortened(f"{told} {rest}", size)
    return told if len(text) <= READ else told + _CUT


def shortened(text: str, size: int) -> str:
    """The beginning of a text in at most `size` characters, cut between words where it has any."""
    if len(text) <= size:
        return text
    at = text.rfind(" ", size // 2, size)
    return text[: at if at > 0 else size - 1].rstrip() + _CUT


def _beginning(unit: str) -> str:
    """How a text begins, as it stands before what is told of it further on."""
    told = shortened(unit, BEGINNING)
    return f"{told} " if told.endswith(_CUT) else f"{told} {_CUT} "


def _heaviest(units: Sequence[str], said: Sequence[_Said], room: int, begun: _Said) -> _Window:
    """The window that fits and says most of the words, the first of those that say as much.

    `begun` is what is said before it already.
    """
    windows = (_from(start, units, said, room, begun) for start in range(len(units)))
    return max(windows, key=lambda window: window.weight)


def _from(
    start: int, units: Sequence[str], said: Sequence[_Said], room: int, begun: _Said
) -> _Window:
    end, length = start, -1
    most = dict(begun)
    every = sum(begun.values())
    while end < len(units) and (length := length + 1 + len(units[end])) <= room:
        for term, weight in said[end].items():
            most[term] = max(weight, most.get(term, 0.0))
            every += weight
        end += 1
    once = sum(most.values())
    return _Window(start, end, round(once + FURTHER * (every - once), 6))


def _said(unit: str, terms: Terms) -> _Said:
    """The places of the terms that a sentence says, each with the most it is worth there."""
    spoken = stems(unit)
    alone, in_a_row = set(spoken), f" {' '.join(spoken)} "

    def says(stem: str) -> bool:
        return f" {stem} " in in_a_row if " " in stem else stem in alone

    found = {}
    for place, term in enumerate(terms):
        if weights := [weight for stem, weight in term.items() if says(stem)]:
            found[place] = max(weights)
    return found


def _units(text: str, most: int) -> Iterator[str]:
    """The sentences of a text, each on one line: short ones together, one over `most` in slices."""
    kept = ""
    for sentence in _SENTENCE_END.split(text):
        kept = f"{kept} {' '.join(sentence.split())}".strip()
        if len(kept) >= SHORT:
            yield from _slices(kept, most)
            kept = ""
    yield from _slices(kept, most)


def _slices(sentence: str, most: int) -> Iterator[str]:
    while len(sentence) > most:
        at = sentence.rfind(" ", most // 2, most)
        at = at if at > 0 else most
        yield sentence[:at].rstrip()
        sentence = sentence[at:].lstrip()
    if sentence:
        yield sentence

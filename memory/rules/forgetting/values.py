"""Distinctive values of a text: what of it is not to be shown again, and where it stands. Pure.

A value is a number or code, a name, a word that everyday talk does not use, or two words close to
each other. Whether it is distinctive the store decides: nothing that is left there says it.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from memory.language.synonyms import groups, pairs
from memory.language.text import has_digit, proper_nouns, stems
from memory.language.word_lists import LIGHT_WORDS, NEGATIONS, SMALL_TALK
from memory.rules.forgetting.plain_words.kinds import ValueKind, kinds_asked

MASK = "[…]"
"""What stands where a value was."""

_CLOSE = 2
"""How many words on the second one of two stands at most."""

_CODE = 3
"""Signs of a number or code that is known again alone; a shorter one beside a word only."""

_RUN = 5
"""Digits of a number that is known again however it is written: 60 14 22, 601422."""

_RARE = 4
"""Letters of a word that may be a value alone."""

_LONGEST = 4_000
"""Characters of which values are taken, and that are masked word by word."""

_CHUNK = re.compile(r"\S+")
_EDGES = re.compile(r"^[^\w]+|[^\w#+]+$")
_YEAR = re.compile(r"(?:19|20)\d\d")


@dataclass(frozen=True, slots=True)
class PlacedStem:
    """One word of a text as it is compared, and the place of what it is written in."""

    stem: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class TextValue:
    """What is known again, as a key that is hashed, and the places in the text that say it."""

    key: str
    start: int
    end: int

    @property
    def is_lone_word(self) -> bool:
        """Whether it is one word, which another text may say and mean something else."""
        return " " not in self.key and not has_digit(self.key)


def pieces_of(text: str) -> list[PlacedStem]:
    """The words of a text that carry content, each with the place it stands in."""
    found: list[PlacedStem] = []
    for match in _CHUNK.finditer(text[:_LONGEST]):
        bare = _EDGES.sub("", match.group())
        start = match.start() + match.group().find(bare)
        found += [
            PlacedStem(stem, start, start + len(bare))
            for stem in stems(bare)
            if stem not in NEGATIONS
        ]
    return found


def every_value(text: str) -> list[TextValue]:
    """Whatever in a text could be a value that was forgotten."""
    pieces = pieces_of(text)
    singles = [TextValue(piece.stem, piece.start, piece.end) for piece in pieces]
    return [*singles, *_pairs(pieces), *_runs(pieces)]


def telling_values(
    text: str, names: Collection[str], asked: Collection[str] = ()
) -> list[TextValue]:
    """The values of a text that may be distinctive.

    `names` are the stems of people's names, `asked` those that the request was made with: what it
    names is a value, however everyday. A year is none, but in a text that speaks of a code.
    """
    pieces = pieces_of(text)
    years = ValueKind.CODE in kinds_asked(text)
    proper = frozenset(proper_nouns(text)) - frozenset(names)
    singles = [
        TextValue(piece.stem, piece.start, piece.end)
        for piece in pieces
        if piece.stem in proper
        or _stands_alone(piece.stem, names)
        or (years and has_digit(piece.stem) and len(piece.stem) >= _CODE)
        or (piece.stem in asked and piece.stem not in names and piece.stem not in _light())
    ]
    light = _light()
    close = (pair for pair in _pairs(pieces) if not light.issuperset(pair.key.split()))
    return [*singles, *close, *_runs(pieces)]


def stems_of(value: TextValue) -> list[str]:
    """The stems that a value is made of; none for a number in another writing."""
    return [] if value.key.startswith("#") else value.key.split()


def masked(text: str, values: Sequence[TextValue]) -> str:
    """The text without these values."""
    out: list[str] = []
    end = 0
    for start, stop in _spans(values):
        between = text[end:start]
        if not (out and out[-1] == MASK and not between.strip()):
            out.append(between)
            out.append(MASK)
        end = stop
    return "".join((*out, text[end:]))


def _spans(values: Sequence[TextValue]) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    for start, end in sorted((value.start, value.end) for value in values):
        if spans and start <= spans[-1][1]:
            spans[-1] = (spans[-1][0], max(end, spans[-1][1]))
        else:
            spans.append((start, end))
    return spans


def _pairs(pieces: Sequence[PlacedStem]) -> Iterator[TextValue]:
    for place, one in enumerate(pieces):
        for other in pieces[place + 1 : place + 1 + _CLOSE]:
            if one.stem != other.stem:
                yield TextValue(f"{one.stem} {other.stem}", one.start, other.end)


def _runs(pieces: Sequence[PlacedStem]) -> Iterator[TextValue]:
    """Numbers in a row as one, whatever stands between their digits."""
    run: list[PlacedStem] = []
    for piece in (*pieces, PlacedStem("", 0, 0)):
        if has_digit(piece.stem):
            run.append(piece)
            continue
        digits = "".join(sign for one in run for sign in one.stem if sign.isdigit())
        if len(digits) >= _RUN:
            yield TextValue(f"#{digits}", run[0].start, run[-1].end)
        run = []


def is_code(stem: str) -> bool:
    """Whether a stem is a number or code that is the same one wherever it stands; a year is not."""
    return has_digit(stem) and len(stem) >= _CODE and _YEAR.fullmatch(stem) is None


def _stands_alone(stem: str, names: Collection[str]) -> bool:
    if has_digit(stem):
        return is_code(stem)
    return len(stem) >= _RARE and stem not in names and stem not in _everyday()


@cache
def _light() -> frozenset[str]:
    return frozenset(stems(" ".join(LIGHT_WORDS | SMALL_TALK)))


@cache
def _everyday() -> frozenset[str]:
    """The stems of words that everyday talk uses: those of the lexicons."""
    named = (word for one in groups() for words in one.names.values() for word in words)
    return _light() | frozenset(
        stem
        for text in (*(word for pair in pairs() for word in pair), *named)
        for stem in stems(text)
    )

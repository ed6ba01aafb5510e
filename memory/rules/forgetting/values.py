"""Distinctive values of a text: what of it is not to be shown again, and where it stands. Pure.

A value is a number or code, a name, a word that everyday talk does not use, or two words close to
each other. Whether it is distinctive the store decides: nothing that is left there says it.

A common value (a date, a small number, a name that many have: `common_values.py`) is one where the
request is after it, and only beside its matter, in a line that may be about its person.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice, pairwise

from memory.language.synonyms import groups, pairs
from memory.language.text import has_digit, proper_nouns, stems
from memory.language.word_lists import LIGHT_WORDS, NEGATIONS, SMALL_TALK
from memory.rules.forgetting.common_values import (
    GONE,
    TIE,
    YEAR,
    NamedTime,
    common_kind,
    matters_told,
    named_times,
    names_told,
    states_values,
)
from memory.rules.forgetting.measured_numbers import (
    TAKEN_UP_BESIDE,
    counts,
    is_sum,
    measured_matters,
    repeats,
    takes_up,
)
from memory.rules.forgetting.plain_words.frame import content_stems
from memory.rules.forgetting.plain_words.kinds import ValueKind, kinds_asked

_CLOSE = 2
"""How many words on the second one of two stands at most."""

_CODE = 3
"""Signs of a number or code that is known again alone; a shorter one beside a word only."""

_RUN = 5
"""Digits of a number that is known again however it is written: 60 14 22, 601422."""

_CENTS = re.compile(r"\d{3}[.,]\d\d$")
"""How a sum ends that is written with its cents: 2340,00."""

_SERIES = re.compile(r"[^\W\d_]{1,4}(?:-[^\W\d_]{1,4})?")
"""The letters before the number of a plate or a licence: M-KX 4471."""

_RARE = 4
"""Letters of a word that may be a value alone."""

_LONGEST = 4_000
"""Characters of which values are taken, and that are masked word by word."""

_CHUNK = re.compile(r"\S+")
_LETTER = re.compile(r"[^\W\d]")
_EDGES = re.compile(r"^[^\w]+|[^\w#+]+$")

_MATTER = 64
"""Stems of a text that a common value is known again beside."""

_MOST_KEYS, _FEWEST_MATTER = 4_096, 8
"""Keys beside a matter that one text is looked up by: a pasted table has hundreds of numbers."""

_MOST_PEOPLE = 8
"""Names of one text beside which a common value is known."""

_ASKED_BESIDE = 2
"""Other words that carry content, of a question or a log that repeats a value and says little."""

_MEANT = "!"
"""What ends the key of a pair with a common value that was itself what was asked for."""

_KINDS_OF: Mapping[ValueKind, frozenset[ValueKind]] = {
    ValueKind.DATE: frozenset({ValueKind.DATE}),
    ValueKind.AMOUNT: frozenset({ValueKind.CODE, ValueKind.AMOUNT}),
    ValueKind.NAME: frozenset({ValueKind.NAME, ValueKind.PLACE}),
}
"""What a request asks about that a common value may be: a PIN is a small number."""


@dataclass(frozen=True, slots=True)
class PlacedStem:
    """One word of a text as it is compared, where it is written, and what sort of common value."""

    stem: str
    start: int
    end: int
    common: ValueKind | None = None


@dataclass(frozen=True, slots=True)
class TextValue:
    """What is known again, as a key that is hashed, and the places in the text that say it.

    A `common` value is known again in a line that may be about its person only, and with `beside`
    only where one of these keys was marked too; one of `telling` says enough for a line without a
    name. `people` are its keys beside names; a `personal` one is known only where the line names
    its person; a `repeated` one may be another's than of who says it.
    """

    key: str
    start: int
    end: int
    common: bool = False
    beside: tuple[str, ...] | None = None
    telling: frozenset[str] = frozenset()
    people: tuple[str, ...] = ()
    personal: bool = False
    repeated: bool = False

    @property
    def keys(self) -> tuple[str, ...]:
        """All that is hashed of it."""
        return (self.key, *(self.beside or ()), *self.people)

    def is_marked(self, marked: Collection[str]) -> bool:
        """Whether these keys know it again, no matter whom it is about."""
        near = self.beside is None or not frozenset(marked).isdisjoint(self.beside)
        return self.key in marked and near

    def says_enough(self, marked: Collection[str]) -> bool:
        """Whether a line that says it, without a name, may be about its person."""
        is_single = " " not in self.key or not _LETTER.search(self.key)
        is_alone = self.beside is None and (is_single or self.key.endswith(_MEANT))
        return is_alone or not self.telling.isdisjoint(marked)

    @property
    def is_lone_word(self) -> bool:
        """Whether it is one word, which another text may say and mean something else."""
        return " " not in self.key and not has_digit(self.key)


def pieces_of(text: str, times: Sequence[NamedTime] = ()) -> list[PlacedStem]:
    """The words of a text that carry content, each with the place it stands in."""
    found: list[PlacedStem] = []
    for match in _CHUNK.finditer(text[:_LONGEST]):
        bare = _EDGES.sub("", match.group())
        start = match.start() + match.group().find(bare)
        end = start + len(bare)
        is_time = any(start < one.end and one.start < end for one in times)
        found += [
            PlacedStem(stem, start, end, ValueKind.DATE if is_time else common_kind(stem))
            for stem in stems(bare)
            if stem not in NEGATIONS
        ]
    return found


def every_value(text: str) -> list[TextValue]:
    """Whatever in a text could be a value that was forgotten."""
    times = named_times(text)
    pieces = pieces_of(text, times)
    singles = [TextValue(one.stem, one.start, one.end) for one in pieces if _is_word(one, text)]
    common = _common_values(pieces, times)
    whole = (_whole(pair) for pair in _pairs(pieces) if pair.common)
    people = names_told(text)
    of_people = [
        _with_people(value, people)
        for value in (*_beside_matter(text, pieces, common), *_pairs(pieces), *whole)
    ]
    return [*singles, *of_people, *_runs(pieces, text), *_series(pieces, text)]


def telling_values(text: str, names: Collection[str], request: str = "") -> list[TextValue]:
    """The values of a text that may be distinctive.

    `names` are the stems of people's names. What the `request` names is a value, however everyday.
    A year is none, but in a text that speaks of a code.
    """
    times = named_times(text)
    pieces = pieces_of(text, times)
    proper, light = frozenset(proper_nouns(text)) - frozenset(names), _light()
    asked = frozenset(content_stems(request)) - frozenset(names) - light
    singles = [
        TextValue(one.stem, one.start, one.end)
        for one in pieces
        if _is_word(one, text)
        and (one.stem in proper or one.stem in asked or _stands_alone(one.stem, names))
    ]
    close = [pair for pair in _pairs(pieces) if not light.issuperset(pair.key.split())]
    common = [
        value
        for value, kind in _common_values(pieces, times)
        if value.key not in names and _is_meant(value.key, kind, text, request)
    ]
    meant = {value.key for value in common}
    close += [_whole(pair) for pair in close if pair.common and meant & {*pair.key.split()}]
    may_be_sum = ValueKind.CODE not in kinds_asked(f"{text}\n{request}")
    measured = measured_matters(f"{text}\n{request}", taken_up=may_be_sum)
    matter = (*_matter(text, pieces), *_matter(request, pieces_of(request)), *measured, GONE)
    beside = [replace(value, beside=_beside(value.key, matter)) for value in common]
    people = names_told(f"{text}\n{request}") | {*names} & {one.stem for one in pieces}
    of_people = [_with_people(value, people) for value in (*beside, *close)]
    series = [one for one in _series(pieces, text) if _is_written_as_code(one, text)]
    return [*singles, *of_people, *_runs(pieces, text, may_be_sum=may_be_sum), *series]


def _is_meant(key: str, kind: ValueKind, text: str, request: str) -> bool:
    """Whether a common value is itself what a request is after, not only mentioned in a text."""
    named = {*content_stems(request), *(one.key for one in named_times(request))}
    kinds = kinds_asked(request) | kinds_asked(text)
    if TIE in matters_told(request):
        kinds |= {ValueKind.NAME}
    is_number = kind is ValueKind.AMOUNT and is_code(key)
    return is_number or key in named or not kinds.isdisjoint(_KINDS_OF[kind])


def _common_values(
    pieces: Sequence[PlacedStem], times: Sequence[NamedTime]
) -> Iterator[tuple[TextValue, ValueKind]]:
    """The common values of a text, each with its sort; a day or time of day is one of them."""
    for one in times:
        if one.key:
            yield TextValue(one.key, one.start, one.end, common=True), ValueKind.DATE
    for piece in pieces:
        if piece.common in {ValueKind.AMOUNT, ValueKind.NAME}:
            value = TextValue(piece.stem, piece.start, piece.end, common=True)
            yield value, piece.common
    for left, right in pairwise(pieces):
        if left.common is right.common is ValueKind.AMOUNT and left.start == right.start:
            key = f"{left.stem} {right.stem}"  # as "94,6"
            yield TextValue(key, left.start, left.end, common=True), ValueKind.AMOUNT


def _matter(text: str, pieces: Sequence[PlacedStem]) -> tuple[str, ...]:
    """What a text is about, beside its common values: its stems, and what it tells of people."""
    light = _light()
    said = [one.stem for one in pieces if one.common is None and one.stem not in light]
    return (*matters_told(text), *dict.fromkeys(said[:_MATTER]))


def _beside(key: str, matter: Sequence[str]) -> tuple[str, ...]:
    """The keys of a common value beside its matter."""
    return tuple(f"{key} &{one}" for one in matter)


def _with_people(value: TextValue, names: Collection[str]) -> TextValue:
    """A common value with its keys beside the names of whom it may be about."""
    if not value.common:
        return value
    told = sorted({*names} - {*value.key.split()})[:_MOST_PEOPLE]
    return replace(value, people=tuple(f"{value.key} ~{name}" for name in told))


def _is_word(piece: PlacedStem, text: str) -> bool:
    """Whether it may be a value by itself: no common one, nor a word for values, as "birthday"."""
    return piece.common is None and not kinds_asked(text[piece.start : piece.end])


def _whole(pair: TextValue) -> TextValue:
    """A pair with a common value that is itself what was asked for: the two say enough."""
    return replace(pair, key=f"{pair.key} {_MEANT}")


def _beside_matter(
    text: str, pieces: Sequence[PlacedStem], common: Iterable[tuple[TextValue, ValueKind]]
) -> Iterator[TextValue]:
    """Common values with what they must stand beside; nothing in a line that says little else."""
    is_stated, light = states_values(text), _light()
    told = [one for one in pieces if one.common is not ValueKind.AMOUNT and one.stem not in light]
    found = list(common)
    matter = _matter(text, pieces)[: max(_FEWEST_MATTER, _MOST_KEYS // max(1, len(found)))]
    topics = [one for one in matter if not one.startswith(":") and not kinds_asked(one)]
    for one, kind in found:
        before, after = text[: one.start], text[one.end :]
        is_personal = kind is not ValueKind.AMOUNT
        is_number = not is_personal and is_code(one.key)
        repeated = is_number and repeats(before) and not counts(after)
        value = replace(one, repeated=repeated)
        others = _others(value, told)
        says_little = others <= _ASKED_BESIDE and not is_stated
        if says_little or (is_number and others <= _stated_beside(value, text)):
            yield replace(value, personal=is_personal)
        if is_personal or not says_little:
            tells = others <= _ASKED_BESIDE or is_code(value.key)
            telling = frozenset(_beside(value.key, topics)) if tells else frozenset[str]()
            yield replace(value, beside=_beside(value.key, matter), telling=telling)
        if is_number and others <= TAKEN_UP_BESIDE:
            taken_up = repeated or takes_up(before, after)
            keys = _beside(value.key, measured_matters(text, taken_up=taken_up))
            yield replace(value, beside=keys, telling=frozenset(keys))
        if kind is ValueKind.NAME:
            yield replace(value, beside=_beside(value.key, (TIE,)), personal=True)


def _stated_beside(value: TextValue, text: str) -> int:
    """Other words of a statement that says a code and little else: "8802 worked fine".

    None where the number counts something: "850 people".
    """
    if counts(text[value.end :]):
        return 0
    is_first = not any(map(str.isalnum, text[: value.start]))
    return _ASKED_BESIDE if is_first and len(value.key) > _CODE else 1


def _others(value: TextValue, told: Sequence[PlacedStem]) -> int:
    """How many of these words stand beside a value, counted as far as it matters."""
    beside = (one for one in told if not (value.start < one.end and one.start < value.end))
    return sum(1 for _ in islice(beside, TAKEN_UP_BESIDE + 1))


def stems_of(value: TextValue) -> list[str]:
    """The stems that a value is made of; none for a number in another writing, or a date."""
    if value.key.startswith(("#", "@")):
        return []
    return [stem for stem in value.key.split() if stem != _MEANT]


def unsaid(values: Sequence[TextValue], said: str) -> list[TextValue]:
    """The values that a text does not say itself."""
    told, keys = frozenset(stems(said)), {one.key for one in every_value(said)}
    return [
        one for one in values if one.key not in keys and not told.issuperset(stems_of(one) or [""])
    ]


def _pairs(pieces: Sequence[PlacedStem]) -> Iterator[TextValue]:
    """Two words close to each other, of which one at most is common; no date is one of them."""
    for place, one in enumerate(pieces):
        for other in pieces[place + 1 : place + 1 + _CLOSE]:
            kinds = {one.common, other.common} - {None}
            if one.stem == other.stem or ValueKind.DATE in kinds or (one.common and other.common):
                continue
            yield TextValue(f"{one.stem} {other.stem}", one.start, other.end, common=bool(kinds))


def _runs(
    pieces: Sequence[PlacedStem], text: str, *, may_be_sum: bool = False
) -> Iterator[TextValue]:
    """Numbers in a row as one, whatever stands between their digits; a date is none.

    One of four digits is, where it is written as a sum, or may be one (`may_be_sum`).
    """
    run: list[PlacedStem] = []
    for piece in (*pieces, PlacedStem("", 0, 0)):
        if has_digit(piece.stem) and piece.common is not ValueKind.DATE:
            run.append(piece)
            continue
        digits = "".join(sign for one in run for sign in one.stem if sign.isdigit())
        is_four = len(digits) == _RUN - 1
        if is_four and not may_be_sum:
            is_four = is_sum(text[max(0, run[0].start - 2) : run[-1].end + 8])
        if len(digits) >= _RUN or is_four:
            yield TextValue(f"#{digits}", run[0].start, run[-1].end)
        if run and _CENTS.search(text[run[0].start : run[-1].end]):
            yield TextValue(f"#{digits[:-2]}", run[0].start, run[-1].end)
        run = []


def _series(pieces: Sequence[PlacedStem], text: str) -> Iterator[TextValue]:
    """Some letters and the number after them as one: M-KX 4471."""
    for letters, number in pairwise(pieces):
        written = text[letters.start : letters.end]
        is_next = number.start - letters.end == 1 and is_code(number.stem)
        if is_next and number.common is not ValueKind.DATE and _SERIES.fullmatch(written):
            key = "".join(sign for sign in written.casefold() if sign.isalpha())
            yield TextValue(f"#{key}{number.stem}", letters.start, number.end)


def _is_written_as_code(series: TextValue, text: str) -> bool:
    """Whether letters stand for themselves: in capitals, and no word for codes, as "PIN 4821"."""
    written = text[series.start : series.end]
    return written.isupper() and not kinds_asked(written.split()[0])


def is_code(stem: str) -> bool:
    """Whether a stem is a number or code that is the same one wherever it stands; a year is not."""
    return has_digit(stem) and len(stem) >= _CODE and YEAR.fullmatch(stem) is None


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

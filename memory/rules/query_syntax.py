"""The syntax of a search word for word: words, "phrases", prefix*, -without, author:, dates. Pure.

Full text keeps stems in their order, so a word finds its other forms and a phrase is found
whatever small words stand in it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo

from memory.language.text import fold, stems, words
from memory.language.times.parser import read_times
from memory.model.errors import EkoMemoryError

LONGEST_QUERY = 1_000
"""Characters: a question is short, and a pasted page is none."""

MOST_TERMS = 24
"""Words and phrases of one query: FTS5 refuses expressions that go 256 deep."""

SHORTEST_PREFIX = 2
"""Letters of a prefix: one would find a tenth of everything."""

_FILTERS = {
    **dict.fromkeys(("author", "auteur"), "author"),
    **dict.fromkeys(("room", "salon"), "room"),
    **dict.fromkeys(("before", "avant"), "before"),
    **dict.fromkeys(("after", "apres", "après"), "after"),
}
_PIECE = re.compile(
    rf"(?P<minus>-)?(?:(?P<filter>{'|'.join(_FILTERS)}):\s*)?"
    r"(?:\"(?P<quoted>[^\"]*)\"?|(?P<bare>[^\s\"]+))",
    re.IGNORECASE,
)
_QUOTES = str.maketrans(dict.fromkeys("“”„«»", '"'))
_ISO_DAY = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d.*)?")
_ISO_MONTH = re.compile(r"(?P<y>\d{4})(?:-(?P<m>\d\d))?")


class UnreadableQuery(EkoMemoryError, ValueError):
    """A search has a part that means nothing; the sentence says which."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextQuery:
    """What every row that is found must say, and must not, and where it must come from.

    `wanted` and `unwanted` are FTS5 expressions over stems, "" for none. `after` is the first
    moment that counts, `before` the first that does not, both aware.
    """

    wanted: str = ""
    unwanted: str = ""
    authors: tuple[str, ...] = ()
    rooms: tuple[str, ...] = ()
    after: datetime | None = None
    before: datetime | None = None


@dataclass(frozen=True, slots=True)
class _Piece:
    """One part of a query: its filter, "" for a word, and whether it is to be left out."""

    filter: str
    value: str
    is_quoted: bool
    is_unwanted: bool


def read_query(text: str, now: datetime, zone: tzinfo) -> TextQuery:
    """The query that a text asks for, whatever is in it.

    Dates are ISO, or words such as "hier" and "last week": `after:` counts from their beginning,
    `before:` up to it. Several authors or rooms are alternatives.

    Raises:
        UnreadableQuery: nothing is looked for, it is too much, or a date means nothing.

    """
    if len(text) > LONGEST_QUERY:
        raise UnreadableQuery(f"The query is too long: at most {LONGEST_QUERY} characters.")
    pieces = list(_pieces(text))
    query = TextQuery(
        wanted=_all(_terms(pieces, unwanted=False)),
        unwanted=_any(_terms(pieces, unwanted=True)),
        authors=_values(pieces, "author"),
        rooms=_values(pieces, "room"),
        after=_latest(_moments(pieces, "after", now, zone)),
        before=_earliest(_moments(pieces, "before", now, zone)),
    )
    if query == TextQuery(unwanted=query.unwanted):
        raise UnreadableQuery(
            "There is no word to look for: name one that says something, an author:, a room: or "
            "a date."
        )
    return query


def _pieces(text: str) -> Iterator[_Piece]:
    plain = "".join(sign if sign.isprintable() else " " for sign in text.translate(_QUOTES))
    for found in _PIECE.finditer(plain):
        quoted, name = found["quoted"], _FILTERS.get((found["filter"] or "").lower(), "")
        if name and found["minus"]:
            raise UnreadableQuery(f"Only words and phrases can be left out, not {name}:.")
        value = found["bare"] if quoted is None else quoted
        yield _Piece(name, value.strip(), quoted is not None, found["minus"] is not None)


def _values(pieces: Sequence[_Piece], filter_: str) -> tuple[str, ...]:
    return tuple(one.value for one in pieces if one.filter == filter_ and one.value)


def _terms(pieces: Sequence[_Piece], *, unwanted: bool) -> list[str]:
    said = [one for one in pieces if not one.filter and one.is_unwanted == unwanted]
    terms = [term for one in said for term in _expressions(one)]
    if len(terms) > MOST_TERMS:
        raise UnreadableQuery(f"Look for {MOST_TERMS} words at most, not {len(terms)}.")
    return terms


def _expressions(piece: _Piece) -> list[str]:
    """A phrase is one expression, and a bare word is as many as full text makes of it."""
    if piece.is_quoted:
        return _phrase(stems(piece.value))
    if piece.value.endswith("*") and len(piece.value.rstrip("*")) >= SHORTEST_PREFIX:
        return _prefix(piece.value.rstrip("*"))
    return [term for stem in stems(piece.value) for term in _phrase([stem])]


def _prefix(beginning: str) -> list[str]:
    """What begins like this, or like its stem: "travaill" begins no stem, "travail" does."""
    written = _phrase(words(beginning))
    stemmed = _phrase(stems(beginning))
    variants = list(dict.fromkeys(f"{phrase} *" for phrase in (*written, *stemmed)))
    return [f"({' OR '.join(variants)})"] if variants else []


def _phrase(said: Sequence[str]) -> list[str]:
    """These one after the other; none where nothing is left that full text has."""
    kept = [one for one in said if any(sign.isalnum() for sign in one)]
    return [f'"{" ".join(kept)}"'] if kept else []


def _all(terms: Sequence[str]) -> str:
    return " AND ".join(terms)


def _any(terms: Sequence[str]) -> str:
    return " OR ".join(terms)


def _moments(pieces: Sequence[_Piece], filter_: str, now: datetime, zone: tzinfo) -> list[datetime]:
    return [_moment(filter_, value, now, zone) for value in _values(pieces, filter_)]


def _moment(filter_: str, value: str, now: datetime, zone: tzinfo) -> datetime:
    try:
        found = _iso(value, zone) or _in_words(value, now, zone)
    except (ValueError, OverflowError):  # the 40th of May, the year 0
        found = None
    if found is None:
        raise UnreadableQuery(
            f'{filter_}:"{value[:40]}" is no date: write it like 2026-01-17, hier or "last week".'
        )
    return found


def _iso(value: str, zone: tzinfo) -> datetime | None:
    if _ISO_DAY.fullmatch(value):
        moment = datetime.fromisoformat(value)
    elif found := _ISO_MONTH.fullmatch(value):
        moment = datetime(int(found["y"]), int(found["m"] or 1), 1)  # noqa: DTZ001 - made aware below
    else:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=zone)).astimezone(UTC)


def _in_words(value: str, now: datetime, zone: tzinfo) -> datetime | None:
    """The beginning of a time that is named whole, also without its preposition: "janvier"."""
    for spelt in (value, f"en {value}", f"in {value}"):
        read = read_times(spelt, now, zone)
        if len(read.periods) == 1 and not read.rest:
            return read.periods[0].start
    return None


def _latest(moments: Sequence[datetime]) -> datetime | None:
    return max(moments, default=None)


def _earliest(moments: Sequence[datetime]) -> datetime | None:
    return min(moments, default=None)


def same_name(one: str, other: str) -> bool:
    """Whether two names are the same but for case, accents and a leading sign."""
    return fold(one).lstrip("@#") == fold(other).lstrip("@#")

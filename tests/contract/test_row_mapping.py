"""A row becomes a dataclass by the types of its fields, and a dataclass becomes a row again."""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any, Literal, NewType
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.model.shown import Shown
from memory.storage.sqlite.rows import columns_of, row_as

BirdId = NewType("BirdId", UUID)
RingId = NewType("RingId", int)


class Song(StrEnum):
    """What a bird sings."""

    TRILL = "trill"
    CALL = "call"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bird:
    """A value with a field of every type that a column can hold."""

    id: BirdId
    ring: RingId | None
    name: Shown[str]
    weight: float
    photo: bytes | None
    seen_at: Shown[datetime]
    left_at: datetime | None
    song: Song
    second: Song | None
    is_shy: bool
    is_tame: bool | None
    nest: UUID | None
    sex: Literal["f", "m"]
    songs: tuple[Song, ...]
    rings: frozenset[RingId]


@dataclass(frozen=True, slots=True, kw_only=True)
class Flock:
    """A value with fields that no column holds."""

    place: str
    counts: Mapping[str, int]
    first: Bird | None = None


MOMENTS = st.integers(-(10**12), 10**13).map(
    lambda millis: datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=millis)
)
NUMBERS = st.integers(-(2**63), 2**63 - 1)
BIRDS = st.builds(
    Bird,
    id=st.uuids(),
    ring=st.none() | NUMBERS,
    # SQLite cannot hold a half of a surrogate pair.
    name=st.text(st.characters(exclude_categories=["Cs"])),
    weight=st.floats(allow_nan=False),
    photo=st.none() | st.binary(),
    seen_at=MOMENTS,
    left_at=st.none() | MOMENTS,
    song=st.sampled_from(Song),
    second=st.none() | st.sampled_from(Song),
    is_shy=st.booleans(),
    is_tame=st.none() | st.booleans(),
    nest=st.none() | st.uuids(),
    sex=st.sampled_from(["f", "m"]),
    songs=st.lists(st.sampled_from(Song)).map(tuple),
    rings=st.frozensets(NUMBERS),
)


@pytest.fixture(scope="module")
def connection() -> Iterator[sqlite3.Connection]:
    """A connection whose rows are those of the storage."""
    with closing(sqlite3.connect(":memory:")) as opened:
        opened.row_factory = sqlite3.Row
        yield opened


def stored(connection: sqlite3.Connection, values: Mapping[str, Any]) -> sqlite3.Row:
    """The row that SQLite gives back for these values."""
    columns = ", ".join(f':{name} AS "{name}"' for name in values)
    row: sqlite3.Row = connection.execute(f"SELECT {columns}", values).fetchone()
    return row


@given(bird=BIRDS)
def test_what_was_bound_is_read_back_equal(connection: sqlite3.Connection, bird: Bird) -> None:
    """Every value of every type comes back from SQLite as it was."""
    found = row_as(Bird, stored(connection, columns_of(bird)))
    assert found == bird
    assert [type(part) for part in (found.is_shy, found.song, found.seen_at)] == [
        bool,
        Song,
        datetime,
    ]


def test_a_given_value_is_taken_in_place_of_a_column(connection: sqlite3.Connection) -> None:
    """A field that is given needs no column, and is not converted."""
    row = stored(connection, {"place": "lake", "counts": '{"swan": 2}', "first": 3})
    assert row_as(Flock, row, first=None) == Flock(place="lake", counts={"swan": 2})
    assert row_as(Flock, row, first=None, place="sea").place == "sea"


def test_a_mapping_is_read_like_a_row() -> None:
    """What JSON holds becomes a value in the same way."""
    assert row_as(Flock, {"place": "lake", "counts": "{}"}, first=None).counts == {}


def test_a_column_that_lacks_is_named_with_its_class(connection: sqlite3.Connection) -> None:
    """A misspelt column is found at once, also where the field has a default."""
    row = stored(connection, {"place": "lake", "count": "{}"})
    with pytest.raises(LookupError, match=r"^A row lacks columns of Flock: counts\.$"):
        row_as(Flock, row, first=None)


def test_a_type_that_no_column_becomes_is_named_with_its_field(
    connection: sqlite3.Connection,
) -> None:
    """A value inside a value has to be given."""
    row = stored(connection, {"place": "lake", "counts": "{}", "first": 1})
    with pytest.raises(TypeError, match=r"Flock\.first"):
        row_as(Flock, row)


@pytest.mark.parametrize("name", ["seen_at", "song", "songs"])
def test_null_is_no_value_of_a_field_that_cannot_be_none(
    connection: sqlite3.Connection, name: str
) -> None:
    """NULL raises where the type of a field does not allow None."""
    bird = Bird(
        id=BirdId(UUID(int=1)),
        ring=None,
        name="Pip",
        weight=20.5,
        photo=None,
        seen_at=datetime(2026, 11, 26, tzinfo=UTC),
        left_at=None,
        song=Song.CALL,
        second=None,
        is_shy=True,
        is_tame=None,
        nest=None,
        sex="f",
        songs=(),
        rings=frozenset(),
    )
    assert row_as(Bird, stored(connection, columns_of(bird))) == bird
    with pytest.raises((TypeError, ValueError)):
        row_as(Bird, stored(connection, {**columns_of(bird), name: None}))

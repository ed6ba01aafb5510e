"""What a text asks full text for: every sign that people and models write has its meaning."""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memory.language.text import search_text
from memory.rules.query_syntax import (
    LONGEST_QUERY,
    TextQuery,
    UnreadableQuery,
    read_query,
    same_name,
)

PARIS = ZoneInfo("Europe/Paris")
NOW = datetime(2026, 1, 17, 12, tzinfo=UTC)  # a Saturday


def read(text: str) -> TextQuery:
    """The query a text asks for on that day."""
    return read_query(text, NOW, PARIS)


def finds(text: str, *rows: str) -> list[str]:
    """Which of these rows full text finds for it."""
    query = read(text)
    with closing(sqlite3.connect(":memory:")) as table:
        table.execute("CREATE VIRTUAL TABLE t USING fts5 (words, row UNINDEXED)")
        table.executemany("INSERT INTO t VALUES (?, ?)", [(search_text(row), row) for row in rows])
        sql = "SELECT row FROM t WHERE t MATCH ? ORDER BY rowid"
        wanted = [row for (row,) in table.execute(sql, (query.wanted,))]
        unwanted = [row for (row,) in table.execute(sql, (query.unwanted or '"none"',))]
    return [row for row in wanted if row not in unwanted]


COOKING = (
    "Léa cuisine un gratin de courge",
    "La courge de Léa est un gratin cuisiné",
    "David n'aime pas le gratin",
    "Le gratiné est brûlé",
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("gratin courge", COOKING[:2]),
        ("gratins courges", COOKING[:2]),
        ('"gratin de courge"', COOKING[:1]),
        ("“gratin de courge”", COOKING[:1]),
        ("« gratin de courge »", COOKING[:1]),
        ('gratin -"gratin de courge"', COOKING[1:]),
        ("gratin -courge", COOKING[2:]),
        ("grat*", COOKING),
        ("cuisinai*", COOKING[:2]),
        ("-grat* léa", ()),
        ('"n\'aime pas"', COOKING[2:3]),
        ("le gratin de la courge", COOKING[:2]),
        ("GRATIN LÉA", COOKING[:2]),
        ('"gratin', COOKING),
        ("pizza", ()),
    ],
)
def test_words_phrases_beginnings_and_what_is_left_out(text: str, found: tuple[str, ...]) -> None:
    """Words in any form and order, phrases in theirs, whatever small words stand between."""
    assert finds(text, *COOKING) == list(found)


@pytest.mark.parametrize(
    ("text", "authors", "rooms"),
    [
        ("author:Léa gratin", ("Léa",), ()),
        ('auteur:"Jean Luc" salon:cuisine', ("Jean Luc",), ("cuisine",)),
        ("author: Léa AUTHOR:Zoé", ("Léa", "Zoé"), ()),
        ("room:#général x", (), ("#général",)),
    ],
)
def test_who_and_where_are_named_in_both_languages(
    text: str, authors: tuple[str, ...], rooms: tuple[str, ...]
) -> None:
    """Quoted where a name has a blank; several are alternatives."""
    query = read(text)
    assert (query.authors, query.rooms) == (authors, rooms)


@pytest.mark.parametrize(
    ("text", "after", "before"),
    [
        ("after:2026-01-03 x", datetime(2026, 1, 2, 23, tzinfo=UTC), None),
        ("before:2026-01 x", None, datetime(2025, 12, 31, 23, tzinfo=UTC)),
        ("après:2025 x", datetime(2024, 12, 31, 23, tzinfo=UTC), None),
        ("after:2026-01-03T10:00+00:00 x", datetime(2026, 1, 3, 10, tzinfo=UTC), None),
        ("after:hier x", datetime(2026, 1, 15, 23, tzinfo=UTC), None),
        ('after:"last week" before:hier x', None, datetime(2026, 1, 15, 23, tzinfo=UTC)),
        ("apres:janvier x", datetime(2025, 12, 31, 23, tzinfo=UTC), None),
        ("after:2025 after:2026 x", datetime(2025, 12, 31, 23, tzinfo=UTC), None),
    ],
)
def test_dates_count_from_their_beginning(
    text: str, after: datetime | None, before: datetime | None
) -> None:
    """In the pet's time zone; `after:` has the day itself, `before:` has not."""
    query = read(text)
    assert query.before == before
    if after is not None:
        assert query.after == after


def test_a_week_that_is_named_begins_on_its_monday() -> None:
    """Words are read as questions are."""
    assert read('after:"last week"').after == datetime(2026, 1, 4, 23, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no word"),
        ('"" * - "', "no word"),
        ("le la les", "no word"),
        ("-gratin", "no word"),
        ("after:someday x", "is no date"),
        ("after:2026-13-45 x", "is no date"),
        ("after:last week", "is no date"),
        ("before:0000 x", "is no date"),
        ("-author:Léa x", "left out, not author"),
        ("x" * (LONGEST_QUERY + 1), "too long"),
        (" ".join(f"mot{n}" for n in range(25)), "24 words"),
    ],
)
def test_what_means_nothing_is_told_in_a_sentence(text: str, said: str) -> None:
    """It is not guessed at, and it is no error of the database."""
    with pytest.raises(UnreadableQuery, match=said):
        read(text)


@given(st.one_of(st.text(max_size=200), st.text('aé"*-:() \x00^+{}NEARANDOT', max_size=80)))
@example('a AND OR NOT NEAR("b" c, 5) {x y}: ^z')
@example('"\x00" * "a\x00b" col:x -- ; DROP')
@example("\ud800 author:\udfff x")
@example("__ a__b _* ________")
@example("①* ²³ ™ 🙂 🙂*")
def test_no_text_breaks_full_text(text: str) -> None:
    """Whatever somebody or a model writes is a query that runs, or a sentence."""
    try:
        query = read(text)
    except UnreadableQuery:
        return
    with closing(sqlite3.connect(":memory:")) as table:
        table.execute("CREATE VIRTUAL TABLE t USING fts5 (words)")
        for expression in filter(None, (query.wanted, query.unwanted)):
            table.execute("SELECT * FROM t WHERE t MATCH ?", (expression,)).fetchall()
        for value in (*query.authors, *query.rooms):
            table.execute("SELECT ?", (value,)).fetchall()


def test_names_are_compared_without_case_accents_and_signs() -> None:
    """As people type them."""
    assert same_name("#Général", "general")
    assert same_name("@Léa", "LEA")
    assert not same_name("Léa", "Léo")

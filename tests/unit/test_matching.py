import sqlite3
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.language.term_weights import MOST_MATCHED, match_expression

WORDS = ("zanzibar", "habit", "david", "nant", "node.js")


@pytest.fixture(scope="module")
def town() -> Iterator[sqlite3.Connection]:
    """An index where every row names David, two of three say where somebody lives, one is rare."""
    database = sqlite3.connect(":memory:")
    database.execute("CREATE VIRTUAL TABLE texts USING fts5 (x)")
    rows = [("david habit nant" if row % 3 else "david",) for row in range(MOST_MATCHED)]
    database.executemany("INSERT INTO texts VALUES (?)", [*rows, ("zanzibar",)])
    yield database
    database.close()


def found(database: sqlite3.Connection, expression: str) -> list[str]:
    """The texts that match, best first."""
    sql = "SELECT x FROM texts WHERE texts MATCH ? ORDER BY rank"
    return [row[0] for row in database.execute(sql, (expression,))]


def test_a_query_over_few_rows_asks_for_any_term() -> None:
    """Nothing is given up while that is quick."""
    assert match_expression(["habit", "david"], {"habit": 3, "david": 9}) == '"habit" OR "david"'


def test_terms_that_no_row_has_are_not_asked_for() -> None:
    """They cost time in every row and add nothing."""
    seen = {"habit": 3, "zanzibar": 0}
    assert match_expression(["zanzibar", "habit"], seen) == '"habit"'
    assert not match_expression(["zanzibar"], seen)


def test_a_term_that_is_cut_into_several_tokens_stays() -> None:
    """The index knows its pieces and not the whole, so its count says nothing."""
    assert match_expression(["node.js"], {"node.js": 0}) == '"node.js"'


def test_a_single_common_word_still_finds_its_rows(town: sqlite3.Connection) -> None:
    """Asking for one person by name is answered whatever it costs."""
    assert found(town, match_expression(["david"], {"david": 10 * MOST_MATCHED}))


def test_two_common_words_are_asked_for_together(town: sqlite3.Connection) -> None:
    """Where does David live: rows that have both, not every row about David."""
    seen = {"david": MOST_MATCHED, "habit": MOST_MATCHED - 1}
    texts = found(town, match_expression(["david", "habit"], seen))
    assert set(texts) == {"david habit nant"}


def test_a_rare_word_does_not_hide_what_common_words_find_together(
    town: sqlite3.Connection,
) -> None:
    """A name that is mentioned by the way must not become the whole question."""
    seen = {"david": MOST_MATCHED, "habit": MOST_MATCHED - 1, "zanzibar": 1}
    texts = found(town, match_expression(["david", "zanzibar", "habit"], seen))
    assert texts[0] == "zanzibar"
    assert set(texts) == {"zanzibar", "david habit nant"}


def test_words_too_common_to_score_still_find_their_rows(town: sqlite3.Connection) -> None:
    """Even where each alone is over every limit."""
    seen = {"david": 10**6, "habit": 10**6}
    assert found(town, match_expression(["david", "habit"], seen))


@given(st.dictionaries(st.sampled_from(WORDS), st.integers(0, 10**6)))
def test_any_counts_make_a_query_that_fts5_accepts(seen: dict[str, int]) -> None:
    """No mixture of rare and common words is a syntax error."""
    expression = match_expression(list(seen), seen)
    with sqlite3.connect(":memory:") as database:
        database.execute("CREATE VIRTUAL TABLE texts USING fts5 (x)")
        if expression:
            found(database, expression)
    database.close()

"""What a question looks for: words by how rare they are, and people by every name they go by."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.language.term_weights import PRIOR_ROWS, RARE_ROWS, RARE_SHARE, TABLES, Counts, Rarity
from memory.language.text import match_terms, stems
from memory.retrieval.query import Names, Query, Term
from tests.rows import asking, names

COUNTED = st.integers(0, 100_000)


@given(COUNTED, COUNTED, st.integers(1, 100_000))
def test_a_rarer_word_weighs_more(seen: int, more: int, rows: int) -> None:
    """Over 0 always, also for a word that every row has, or more than there are rows."""
    rarity = Rarity({"rare": seen, "common": seen + more}, rows)
    assert rarity.weight("rare") >= rarity.weight("common") > 0


def test_a_word_of_a_small_store_weighs_as_in_a_larger_one() -> None:
    """Or the only row of a new store would say nothing but common words."""
    new, large = Rarity({"violoncel": 1}, 1), Rarity({"violoncel": 1}, PRIOR_ROWS)
    assert new.weight("violoncel") > 0.85 * large.weight("violoncel")


def test_without_other_talk_a_store_is_all_there_is() -> None:
    """As where its own statements are compared: no word is light, and most rows is most."""
    alone, beside = (Rarity({"aller": 1, "maison": 8}, 10, prior=prior) for prior in (0, 500))
    assert alone.weight("aller") > alone.weight("maison")
    assert beside.weight("aller") < beside.weight("maison")
    assert alone.weight("maison") < beside.weight("maison") / 5


@pytest.mark.parametrize("word", ["toujours", "aller", "people", "know", "bonjour", "thanks"])
def test_words_that_say_little_anywhere_weigh_little(word: str) -> None:
    """However seldom they were said here."""
    rarity = Rarity({}, 0)
    (stem,) = stems(word)
    assert rarity.weight(stem) < rarity.weight("violoncel") / 2


def test_a_rare_word_is_in_few_rows_or_in_a_small_share_of_them() -> None:
    """Few rows are a large share of a small store."""
    rows = 10_000
    most = round(RARE_SHARE * rows)
    assert Rarity({"stem": most}, rows).is_rare("stem")
    assert not Rarity({"stem": most + 1}, rows).is_rare("stem")
    assert Rarity({"stem": RARE_ROWS}, 4).is_rare("stem")
    assert not Rarity({"stem": RARE_ROWS + 1}, 4).is_rare("stem")
    assert Rarity({}, 0).is_rare("unseen")


def test_rarity_counts_all_tables_together() -> None:
    """So that a statement and a message are weighed alike."""
    counts = Counts(
        {"memories": {"chat": 2}, "messages": {"chat": 3, "chien": 1}},
        {"memories": 10, "messages": 100, "turns": 5},
    )
    assert counts.rarity.rows == 115
    assert counts.rarity.seen == {"chat": 5, "chien": 1}
    assert Counts({}, {}).rarity.rows == 0


def test_a_table_is_asked_for_the_words_it_has() -> None:
    """And for nothing where it has none of them."""
    counts = Counts({"memories": {"chat": 2}, "messages": {"chien": 3, "chat": 1}}, {})
    assert counts.match("memories", ["chat", "chien"]) == '"chat"'
    assert counts.match("messages", ["chat", "chien"]) == '"chat" OR "chien"'
    assert {counts.match(table, ["oiseau"]) for table in TABLES} == {""}


def test_a_question_asks_for_every_stem_of_its_words_once() -> None:
    """With those that are asked for beside it."""
    chien = Term("chien", (("dog", 0.6), ("puppi", 0.6)))
    asked = asking("", chien, Term("dog"), seen={"puppi": 0, "os": 3})
    assert chien.stems == ("chien", "dog", "puppi")
    assert asked.match("messages") == '"chien" OR "dog"'
    assert asked.match("messages", ["os", "chien"]) == '"chien" OR "dog" OR "os"'
    assert asked.match("turns") == ""


def read(text: str, *named: Names) -> Query:
    """A question with whom its reading knows it to name."""
    return asking(text, named=named)


def words(asked: Query) -> list[str]:
    """The stems that it looks for."""
    return [term.stem for term in asked.terms]


def test_a_name_among_the_people_met_is_no_word_any_more() -> None:
    """People say each other's names when they talk to each other."""
    asked = read("Mickaël joue du violoncelle ?").naming({"Mickael", "Léa"}, ())
    assert asked.named == (names("mickael"),)
    assert words(asked) == match_terms("joue violoncelle")


def test_a_question_of_nothing_but_names_keeps_them_as_words() -> None:
    """There is nothing else to look for."""
    asked = read("et Mickael ou Léa ?").naming({"Mickael", "Léa"}, ())
    assert set(asked.named) == {names("mickael"), names("lea")}
    assert words(asked) == match_terms("Mickael Léa")


def test_a_subject_is_named_and_stays_a_word() -> None:
    """What a thing is called is said when it is spoken of."""
    asked = read("le violoncelle de Mickael ?").naming({"Mickael"}, {"violoncelle", "chat"})
    assert asked.named == (names("mickael"), names("violoncelle"))
    assert words(asked) == match_terms("violoncelle")


def test_somebody_is_named_once_by_whatever_name() -> None:
    """Their other names are no words either."""
    mickael = names("mickael", "dev")
    text = "dev, enfin Mickael, joue du violoncelle ?"
    asked = read(text, mickael).naming({"Mickael", "dev"}, {"Mickael"})
    assert asked.named == (mickael,)
    assert words(asked) == [one for one in match_terms(text) if one not in {"dev", "mickael"}]


def test_two_people_are_two_names() -> None:
    """Those the reading knew come first."""
    asked = read("dev et Léa ?", names("mickael", "dev")).naming({"Léa"}, ())
    assert asked.named == (names("mickael", "dev"), names("lea"))


def test_who_is_not_in_the_text_is_not_named() -> None:
    """Part of a word is no name, and a name that is also a common word needs its capital."""
    text = "will you play the cello in Leamington?"
    asked = read(text)
    assert asked.naming({"Will", "Léa", "David"}, {"guitar"}) == replace(
        asked, proper=frozenset(stems("Leamington"))
    )


def test_other_proper_nouns_are_those_that_name_nobody() -> None:
    """A city counts as such, somebody's name does not count twice."""
    asked = read("est-ce que Mickael était à Lisbonne avec Zoé ?").naming({"Mickael"}, ())
    assert asked.proper == frozenset(stems("Lisbonne Zoé"))


def test_nobody_met_changes_nothing_but_the_proper_nouns() -> None:
    """A store that is empty."""
    asked = read("on va à Lisbonne demain ?")
    assert asked.naming((), ()) == replace(asked, proper=frozenset(stems("Lisbonne")))


def test_a_question_without_words_stays_one() -> None:
    """Nothing to look for, nobody named."""
    asked = read("?!").naming({"Mickael"}, {"chat"})
    assert (asked.terms, asked.named, asked.match("messages")) == ((), (), "")

"""What a short text is read as, in French and in English."""

import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.language.detection import guess_language, negated, nothing_to_look_up
from memory.language.irregular_forms import BASES
from memory.language.names import names_in
from memory.language.term_weights import match_expression
from memory.language.text import match_terms, search_text, stems, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("l'épaule", ["epaule"]),
        ("L’ÉPAULE", ["epaule"]),
        ("j'habite à Paris", ["habite", "a", "paris"]),
        ("je n'aime pas", ["je", "ne", "aime", "pas"]),
        ("I don't", ["i", "do", "not"]),
        ("David's cat", ["david", "cat"]),
        ("grand-mère", ["grand", "mere"]),
        ("super-6-1: edit main.py in C++", ["super-6-1", "edit", "main.py", "in", "c++"]),
        ("[knights] sebas_ foo_bar", ["knights", "sebas_", "foo_bar"]),
        ("https://www.example.com/notes", ["example.com", "notes"]),
        ("👍 !!!", []),
    ],
)
def test_words_are_folded_and_elisions_split(text: str, expected: list[str]) -> None:
    """Matching sees bare words, whatever the accents, the case and the apostrophes."""
    assert words(text) == expected


def test_stop_words_go_and_negations_stay() -> None:
    """A stemmed statement still says whether it denies."""
    assert stems("je n'habite plus dans la maison") == ["ne", "hab", "plus", "maison"]
    assert stems("I never lived in the houses") == ["never", "liv", "hous"]


def test_forms_of_one_word_share_a_stem() -> None:
    """Both languages are stemmed by the same function."""
    assert stems("travaille") == stems("travailler")
    assert stems("habite") == stems("habiter")
    assert stems("houses") == stems("house")
    assert stems("allergies") == stems("allergie")


@pytest.mark.parametrize(
    ("forms", "word"),
    [
        ("bought", "buy"),
        ("children", "child"),
        ("went gone", "go go"),
        ("bu boit buvait", "boire boire boire"),
        ("né née", "ne naître"),
        ("yeux travaille", "œil travail"),
        ("nouvelle vieille", "nouveau vieux"),
    ],
)
def test_irregular_forms_meet_their_word(forms: str, word: str) -> None:
    """What somebody bought is found by who asks what they buy."""
    assert stems(forms) == stems(word)


def test_an_irregular_form_belongs_to_one_word_that_is_none_itself() -> None:
    """Otherwise the stem would depend on the order of the table."""
    assert len(BASES) > 500
    assert set(BASES.values()) & set(BASES) == set()
    assert [form for form in BASES if words(form) != [form]] == []


@pytest.mark.parametrize("word", ["lit", "nuit", "lent", "laid", "surprise", "venue"])
def test_a_form_that_is_another_word_keeps_its_stem(word: str) -> None:
    """A bed is not a light that was lit, in a store that holds both languages."""
    assert word not in BASES


def test_tea_is_not_an_article() -> None:
    """Folding the accent of `thé` would make it a stop word."""
    assert "thé" in stems("j'adore le thé")


def test_indexed_text_is_capped_at_a_word() -> None:
    """A pasted log does not grow the index without bound."""
    text = search_text("maison " * 5_000)
    assert len(text) <= 4_000
    assert set(text.split()) == {"maison"}


@given(st.text(max_size=80))
def test_any_text_makes_a_query_that_fts5_accepts(text: str) -> None:
    """No message, however strange, is a syntax error or finds nothing of itself."""
    terms = match_terms(text)
    expression = match_expression(terms, dict.fromkeys(terms, 1))
    with sqlite3.connect(":memory:") as database:
        database.execute("create virtual table t using fts5(x)")
        database.execute("insert into t values (?)", (search_text(text).replace("\0", ""),))
        if expression:
            database.execute("select rowid from t where t match ?", (expression,)).fetchall()
    database.close()


def test_a_capped_query_keeps_the_longest_terms() -> None:
    """Long words look rarer than short ones."""
    assert match_terms("xylophone cat zanzibar cat dog", 2) == ["xylophon", "zanzibar"]


def test_a_query_leaves_negations_out() -> None:
    """They would match every negated row."""
    assert match_terms("je ne fume pas") == ["fum"]
    assert not match_terms("pas du tout")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Grèce ?", "fr"),
        ("on a parlé de quoi", "fr"),
        ("j'habite a paris", "fr"),
        ("dev c'est Mickael", "fr"),
        ("what is it", "en"),
        ("I have a son", "en"),
        ("Mickael lives in Lyon", "en"),
    ],
)
def test_the_language_of_a_short_text_is_told(text: str, expected: str) -> None:
    """The words only one language uses decide."""
    other = "en" if expected == "fr" else "fr"
    assert guess_language(text, other) == expected  # type: ignore[arg-type]


def test_the_default_decides_when_words_do_not() -> None:
    """Names and signs belong to no language."""
    assert guess_language("Mickael 42", "fr") == "fr"
    assert guess_language("Mickael 42", "en") == "en"


@pytest.mark.parametrize(
    "text",
    [
        *("ok", "lol", "mdr", "haha", "hahaha mdr", "oui", "yes", "okkkk", "XD", "thanks!"),
        *("merci beaucoup", "salut", "hello", "bonne nuit", "ça va ?", "Salut, ça va ?"),
        *("👍", "😂😂", "!!!", "?", "", "ok merci 👍", "d'accord", "you're welcome", "de rien !"),
    ],
)
def test_small_talk_has_nothing_to_look_up(text: str) -> None:
    """Nothing is recalled for a greeting."""
    assert nothing_to_look_up(text)


@pytest.mark.parametrize(
    "text",
    [
        *("Grèce ?", "tu te souviens ?", "j'habite à Paris", "pourquoi ?", "hello, où est Léa ?"),
        *("ok demain 18h", "what did I say?", "merci pour le livre", "ok " * 11),
    ],
)
def test_content_is_looked_up(text: str) -> None:
    """A question or a statement is never taken for small talk."""
    assert not nothing_to_look_up(text)


def test_the_pets_own_name_is_no_content() -> None:
    """A greeting stays one when it names the pet."""
    assert nothing_to_look_up("salut Eko !", ignoring=("Eko",))
    assert not nothing_to_look_up("salut Eko !")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("je n'aime pas", True),
        ("je fume plus", True),
        ("j'habite plus à Paris", True),
        ("I don't know", True),
        ("never again", True),
        ("il est plus grand", False),
        ("de plus en plus", False),
        ("en plus", False),
        ("I live here", False),
    ],
)
def test_negation_is_seen(text: str, expected: bool) -> None:  # noqa: FBT001
    """`plus` denies only where it means "no longer"."""
    assert negated(text) is expected


def test_names_are_whole_words_in_any_case_and_accent() -> None:
    """`dev` is not found in `device`, Mickael is found in MICKAËL."""
    known = ["Mickael", "dev", "Jean Paul", "David"]
    assert names_in("l'épaule de MICKAËL, device, jean-paul", known) == {"Mickael", "Jean Paul"}


def test_a_name_that_is_a_function_word_must_be_written_as_a_name() -> None:
    """People called Will are not named by every sentence in the future."""
    assert names_in("will you come", ["Will"]) == set()
    assert names_in("ask Will", ["Will"]) == {"Will"}
    assert names_in("ask @will", ["will"]) == {"will"}


@pytest.mark.parametrize("endless", ["y", "aeiou", "ha", "a-", "1.", "ment"])
def test_an_endless_word_costs_no_more_than_its_length(endless: str) -> None:
    """Stemmed whole, a word of 200,000 letters held everybody up for seconds."""
    text = (endless * 200_000)[:200_000]
    assert max(map(len, words(text)), default=0) <= 80
    assert stems("bonjour " + text)


@pytest.mark.parametrize("log", ["mot ", "\N{ARABIC LIGATURE SALLALLAHOU ALAYHE WASALLAM} "])
def test_of_a_pasted_log_the_beginning_is_read(log: str) -> None:
    """One sign may be written out as eighteen; 200,000 of them held everybody up for seconds."""
    assert 0 < len(" ".join(words(log * 50_000))) <= 12_000

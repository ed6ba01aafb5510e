"""What the words of a text are in the other language."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.language import dictionary
from memory.language.synonyms import MOST_TRANSLATIONS, pairs, translations
from memory.language.text import stems
from memory.language.word_lists import NEGATIONS, STOP_WORDS


def _terms(text: str) -> set[str]:
    """Every term of every word of the text."""
    return {term for terms in translations(text).values() for term in terms}


def _stem(text: str) -> str:
    """The term that a word or an expression of the lexicon stands as."""
    return " ".join(stems(text))


def test_the_lexicon_is_large_enough_for_everyday_talk() -> None:
    """Its size is what makes it worth having."""
    assert len(pairs()) >= 2_500


def test_every_entry_is_two_words_or_expressions() -> None:
    """A slip in the file is found here and not in a look-up that finds nothing."""
    assert [
        pair for pair in pairs() if any(side != side.strip() or not side for side in pair)
    ] == []
    assert [pair for pair in pairs() if not all(stems(side) for side in pair)] == []
    assert [pair for pair in pairs() if any(set("\t,;=#") & set(side) for side in pair)] == []


def test_no_entry_stands_twice() -> None:
    """The first place would be its rank and the second a leftover."""
    assert [pair for pair, times in Counter(pairs()).items() if times > 1] == []


def test_no_entry_is_a_function_word() -> None:
    """Those are in every text, so they say nothing about what it is about."""
    functional = STOP_WORDS | NEGATIONS
    assert [pair for pair in pairs() if functional & set(pair)] == []


def test_no_entry_is_for_words_that_meet_already() -> None:
    """A word that has the same stem in both languages needs no translation."""
    assert [pair for pair in pairs() if stems(pair[0]) == stems(pair[1])] == []


def test_no_expression_is_too_long_to_be_found() -> None:
    """What stands in the file and is never matched would be there for nothing."""
    longest = max(len(stems(side)) for pair in pairs() for side in pair)
    assert longest == dictionary.LONGEST


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("le chien de Thomas", "dog"),
        ("son boulot", "work"),
        ("un bouquin", "book"),
        ("the dog barked", "chien"),
        ("who is her nurse?", "infirmier"),
        ("the server is down", "serveur"),
        ("une nouvelle version", "release"),
        ("j'ai mal au ventre", "belly"),
        ("la location de la maison", "rental"),
        ("elle est allemande", "german"),
    ],
)
def test_a_word_is_said_in_the_other_language(text: str, said: str) -> None:
    """French finds English and English finds French."""
    assert _stem(said) in _terms(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("elle travaillait la nuit", "work"),
        ("ils habitent où ?", "live"),
        ("nous mangeons dehors", "eat"),
        ("il a bu", "drink"),
        ("elle a vendu la maison", "sell"),
        ("il joue", "play"),
        ("ses yeux", "eye"),
        ("une vieille dame", "old"),
        ("who has children?", "enfant"),
        ("what she bought", "acheter"),
        ("where he taught", "enseigner"),
        ("working late", "travail"),
        ("two cars", "voiture"),
    ],
)
def test_inflected_forms_are_said_like_their_word(text: str, said: str) -> None:
    """People conjugate, the lexicon does not."""
    assert _stem(said) in _terms(text)


@pytest.mark.parametrize(
    ("text", "of", "terms"),
    [
        ("des pommes de terre", "pommes terre", ("potato",)),
        ("la base de données", "base données", ("database",)),
        ("au petit-déjeuner", "petit déjeuner", ("breakfast",)),
        ("my mother-in-law", "mother law", ("belle-mère",)),
        ("her favourite ice cream", "ice cream", ("glace",)),
    ],
)
def test_an_expression_is_said_as_a_whole(text: str, of: str, terms: tuple[str, ...]) -> None:
    """A potato is neither an apple nor earth."""
    found = translations(text)
    assert found[_stem(of)] == tuple(_stem(term) for term in terms)
    assert set(_stem(of).split()) & set(found) == set()


def test_a_translation_may_be_an_expression() -> None:
    """Its stems stand in the order and spelling that a quoted phrase finds in indexed text."""
    assert translations("the potatoes")["potato"] == (_stem("pomme de terre"), _stem("patate"))


@pytest.mark.parametrize(
    ("text", "said", "unsaid"),
    [
        ("le pain est bon", "bread", "douleur"),
        ("what a terrible pain", "douleur", "bread"),
        ("elle a quatre chats et un four", "oven", "quatre"),
        ("il part car il pleut", "rain", "voiture"),
    ],
)
def test_a_word_of_both_languages_is_read_in_the_one_of_the_text(
    text: str, said: str, unsaid: str
) -> None:
    """`pain` is baked in French and felt in English."""
    terms = _terms(text)
    assert _stem(said) in terms
    assert _stem(unsaid) not in terms


def test_a_word_alone_is_read_in_both_languages() -> None:
    """Nothing tells which one it is."""
    assert {_stem("bread"), _stem("douleur")} <= _terms("pain")


def test_a_foreign_name_does_not_hide_the_language_of_a_word() -> None:
    """The accent of a name says French where the rest is English."""
    assert _stem("anniversaire") in _terms("Léa birthday")


@pytest.mark.parametrize(
    ("text", "said", "unsaid"),
    [
        ("sa mère", "mother", "sea"),
        ("la mer", "sea", "deserve"),
        ("le fils", "son", "daughter"),
        ("she hates him", "détester", "chapeau"),
        ("the cars", "voiture", "prudent"),
    ],
)
def test_words_that_share_a_stem_are_told_apart_by_spelling(
    text: str, said: str, unsaid: str
) -> None:
    """Stems are short: a mother, the sea and to deserve are one."""
    terms = _terms(text)
    assert _stem(said) in terms
    assert _stem(unsaid) not in terms


@pytest.mark.parametrize("text", ["hôtel", "le dentiste", "her pizza", "ok", "", "👍", "42"])
def test_words_that_need_no_translation_get_none(text: str) -> None:
    """Cognates meet already, and signs mean the same everywhere."""
    assert translations(text) == {}


def test_what_the_text_says_itself_is_not_repeated() -> None:
    """Somebody who mixes languages is not asked for twice."""
    assert _stem("dog") not in _terms("mon chien is a good dog")


def test_the_best_translation_is_first() -> None:
    """Whoever keeps fewer than all keeps the right ones."""
    assert translations("the kids")["kid"][0] == _stem("enfant")
    assert translations("du fric")["fric"][0] == _stem("money")


_WORDS = sorted({side for pair in pairs() for side in pair})


@given(st.lists(st.sampled_from(_WORDS) | st.text(max_size=12), max_size=12).map(" ".join))
def test_translations_are_few_new_and_of_the_text(text: str) -> None:
    """At most three each, none of them in the text, each for stems that stand in a row in it."""
    present, line = set(stems(text)), f" {_stem(text)} "
    for of, terms in translations(text).items():
        assert f" {of} " in line
        assert 0 < len(terms) <= MOST_TRANSLATIONS
        assert len(set(terms)) == len(terms)
        assert not present & set(terms)


def test_a_pasted_page_is_translated_from_its_beginning_only() -> None:
    """However much is pasted, few words are looked up."""
    assert len(translations(" ".join(_WORDS))) <= 64

"""What a statement says of somebody that has one value at a time, in French and in English."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.statements.readings.attribute import (
    attribute_of,
    denied_attribute_of,
    says_more,
    spelling,
)


@pytest.mark.parametrize(
    ("content", "subject", "key", "value"),
    [
        ("Mickael habite à Paris", "mickael", "city", "Paris"),
        ("dev lives in Lyon since May", "dev", "city", "Lyon"),
        ("Anna Martin habite à Aix-en-Provence", "anna martin", "city", "Aix-en-Provence"),
        ("David habite à La Rochelle", "david", "city", "La Rochelle"),
        ("david habite a lyon", "david", "city", "lyon"),
        ("David lives in New York with his cat", "david", "city", "New York"),
        ("David is living in Berlin these days", "david", "city", "Berlin"),
        ("Depuis mai, David habite à Lyon", "david", "city", "Lyon"),
        ("En fait David vit désormais à Lyon", "david", "city", "Lyon"),
        ("David s'est installé à Nice", "david", "city", "Nice"),
        ("David vient de déménager à Lyon", "david", "city", "Lyon"),
        ("David : « Je viens d'emménager à Lyon »", "david", "city", "Lyon"),
        ("David has just moved to Oslo", "david", "city", "Oslo"),
        ("David habite au Japon", "david", "country", "Japon"),
        ("David lives in the Netherlands", "david", "country", "Netherlands"),
        ("David travaille chez Airbus", "david", "employer", "Airbus"),
        ("David works for the city council", "david", "employer", "the city council"),
        ("David works at a bakery in Lyon", "david", "employer", "a bakery"),
        ("Tom works in Lyon", "tom", "workplace", "Lyon"),
        ("David est boulanger", "david", "job", "boulanger"),
        ("David works as a baker", "david", "job", "a baker"),
        ("David a 30 ans", "david", "age", "30"),
        ("David is 31 years old", "david", "age", "31"),
        ("L'anniversaire d'Anna est le 3 mai", "anna", "birthday", "le 3 mai"),
        ("David was born on 3 May 1990", "david", "birthday", "3 May 1990"),
        ("David est né à Rome", "david", "birthplace", "Rome"),
        ("David s'appelle Dédé", "david", "name", "Dédé"),
        ("David is called Dave", "david", "name", "Dave"),
        ("La femme de David s'appelle Anne", "david", "partner", "Anne"),
        ("David is married to Anne", "david", "partner", "Anne"),
        ("Le film préféré de David est Alien", "david", "favourite_film", "Alien"),
        ("David's favorite movie is Alien", "david", "favourite_film", "Alien"),
        ("David's favourite plant is ivy", "david", "favourite_plant", "ivy"),
        ("Le numéro de téléphone de David est 0612345678", "david", "phone", "0612345678"),
        ("L'email de David est d@x.org", "david", "email", "d@x.org"),
        ("David étudie le droit à Lyon", "david", "school", "Lyon"),
        ("David goes to Lyon University", "david", "school", "Lyon University"),
        ("Le projet actuel de David est Eko", "david", "project", "Eko"),
        ("David drives a Tesla", "david", "car", "Tesla"),
        ("La mère de David habite à Lyon", "david's mother", "city", "Lyon"),
        ("David's mum is a nurse", "david's mother", "job", "a nurse"),
        ("David : « J'habite à Lyon chez mes parents »", "david", "city", "Lyon"),
        ("David: “I live in Lyon”", "david", "city", "Lyon"),
    ],
)
def test_an_attribute_is_read_whatever_its_words(
    content: str, subject: str, key: str, value: str
) -> None:
    """Keys are stable and subjects folded, since others look them up."""
    found = attribute_of(content)
    assert found is not None
    assert (found.subject, found.key, found.value) == (subject, key, value)
    assert found.slot == f"{key} of {subject}"


@pytest.mark.parametrize(
    ("content", "key"),
    [
        *(("J'habite à Paris", "city"), ("I'm 30", "age"), ("I've moved to Lyon", "city")),
        *(("my favourite colour is blue", "favourite_colour"), ("je m'appelle Dédé", "name")),
        *(("mon plat préféré est la raclette", "favourite_dish"), ("My name is Dave", "name")),
    ],
)
def test_the_first_person_is_who_says_it(content: str, key: str) -> None:
    """Of nobody known it fills no slot."""
    nobodys, davids = attribute_of(content), attribute_of(content, "Dàvid")
    assert nobodys is not None
    assert davids is not None
    assert (nobodys.key, nobodys.slot) == (key, None)
    assert davids.slot == f"{key} of david"


@pytest.mark.parametrize(
    "content",
    [
        *("David's son lives in Lyon", "Le frère de Léa habite à Paris", "Elle habite à Paris"),
        *("David no longer lives in Paris", "David n'habite plus à Paris", "David lived in Paris"),
        *("David lives in Paris until May", "David habite à Paris cette semaine"),
        *("David moved to Lyon in 2010", "David est en vacances à Rome", "David is in Paris"),
        *("David habite en Bretagne", "David lives in Texas", "David habite à la campagne"),
        *("David works at home", "David travaille chez lui", "David is 5 minutes late"),
        *("David is a father", "David is vegetarian", "David speaks French", "David a un chat"),
        *("David a trois enfants", "David aime le thé", "David visited Rome"),
        *("Paul is married to Anne's sister", "Le frère de David s'appelle Paul"),
        *("David can be called Dave", "David's favourite films are Alien and Brazil"),
        *("Le chien de David s'appelle Rex", "dev = Mickael", "David a 3 ans de retard"),
        *("Quelqu'un habite à Paris", "Paris", "", "David habite", "x" * 500),
    ],
)
def test_what_has_many_values_or_is_not_so_now_is_none(content: str) -> None:
    """Somebody else's, denied, past, passing, plural, or nothing of the kind."""
    assert attribute_of(content) is None


@pytest.mark.parametrize(
    ("content", "more"),
    [
        ("David habite à Paris", False),
        ("David habite à Paris depuis mai 2020", False),
        ("David a déménagé à Paris hier (16/01/2026)", False),
        ("David lives in Paris near the sea", False),
        ("David lives in Paris and works at Airbus", True),
        ("David habite à Paris, 12 rue Monge", True),
        ("David habite à Paris avec Léa", True),
        ("David habite à Paris depuis mai et travaille chez Airbus", True),
    ],
)
def test_it_is_known_what_would_be_lost_with_it(content: str, *, more: bool) -> None:
    """Since when goes with the value; a name, a number or a further clause does not."""
    found = attribute_of(content)
    assert found is not None
    assert says_more(found) is more


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("L'anniversaire de David est le 3 mai 1990", "David was born on May 3rd, 1990"),
        ("L'anniversaire de David est le 3/05", "David's birthday is the 3rd of May"),
        ("David's phone number is 06 12 34 56", "Le portable de David est 06.12.34.56"),
        ("David habite à PARIS", "David lives in Paris"),
    ],
)
def test_one_value_has_one_spelling(one: str, other: str) -> None:
    """Dates as their numbers, words folded."""
    first, second = attribute_of(one), attribute_of(other)
    assert first is not None
    assert second is not None
    assert spelling(first) == spelling(second)


@pytest.mark.parametrize(
    ("content", "slot"),
    [
        ("David n'habite plus à Paris", "city of david"),
        ("David no longer lives in Paris", "city of david"),
        ("David doesn't work at Airbus anymore", "employer of david"),
        ("David habite à Paris", None),
        ("David n'aime pas Paris", None),
    ],
)
def test_what_a_denial_denies_is_read(content: str, slot: str | None) -> None:
    """So that it meets what it denies."""
    found = denied_attribute_of(content)
    assert (found.slot if found else None) == slot


@given(st.text(max_size=120))
def test_no_text_breaks_it(text: str) -> None:
    """Whatever people type, a value is part of what they typed."""
    found = attribute_of(text)
    assert found is None or found.value
    assert denied_attribute_of(text, text) is None or text

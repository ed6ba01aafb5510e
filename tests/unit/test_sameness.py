"""Only the same statement replaces or repeats another; what merely resembles it stays beside it."""

from dataclasses import replace
from uuid import UUID

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memory.model.audience import Origin
from memory.model.people import PersonId
from memory.model.rooms import Visibility
from memory.model.statements import Memory, MemoryId, MemoryType, NewMemory, Source
from memory.model.stores import Store
from memory.rules.comparison import Verdict, compare
from tests.cast import NOON

ORIGIN = Origin(visibility=Visibility.SPACE)


def new(content: str, about: str | None = None) -> NewMemory:
    """A statement on its way in."""
    return NewMemory(
        store=Store.MEMORY,
        content=content,
        origin=ORIGIN,
        source=Source.CONVERSATION,
        about_person=None if about is None else PersonId(about),
    )


def kept(content: str, about: str | None = None) -> Memory:
    """A statement that is there already."""
    return Memory(
        id=MemoryId(UUID(int=1)),
        store=Store.MEMORY,
        content=content,
        memory_type=MemoryType.FACT,
        category=None,
        subjects=(),
        importance=0.5,
        source=Source.CONVERSATION,
        said_by=None,
        author=None,
        about_person=None if about is None else PersonId(about),
        origin=ORIGIN,
        created_at=NOON,
        updated_at=NOON,
        expires_at=None,
        revision=1,
    )


@pytest.mark.parametrize(
    ("old", "fresh"),
    [
        ("Mickael s'est cassé l'épaule", "Mickael s'est cassé l'épaule le 10 janvier 2026"),
        ("David a un fils", "David a un fils de 3 ans"),
        ("David works at Acme", "David works at Acme as a baker"),
    ],
)
def test_a_statement_that_says_more_takes_the_place_and_the_lesser_adds_nothing(
    old: str, fresh: str
) -> None:
    """The same words and more are sharper; fewer of them are known already."""
    assert compare(new(fresh), kept(old)) is Verdict.MORE_PRECISE
    assert compare(new(old), kept(fresh)) is Verdict.SAME


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("David habite à Paris", "David a un fils"),
        ("David a 3 enfants", "David a 4 enfants"),
        ("Léa aime le thé", "Léa déteste le café"),
        ("Paul doit 20 euros à Marie", "Marie doit 20 euros à Paul"),
        ("Léa aime David", "David aime Léa"),
        ("Le frère de Léa habite à Paris", "Léa habite à Paris"),
        ("David's sister lives in Rome", "David lives in Rome"),
        ("David n'aime pas le café", "David aime le thé"),
        ("Léa", "Léa aime le thé"),
    ],
)
def test_statements_that_only_resemble_each_other_both_stay(one: str, other: str) -> None:
    """Another number, another role, somebody's brother: two facts, either way."""
    assert compare(new(one), kept(other)) is Verdict.UNRELATED
    assert compare(new(other), kept(one)) is Verdict.UNRELATED


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("David aime le café", "David n'aime pas le café"),
        ("David fume", "David ne fume plus"),
        ("Léa likes tea", "Léa doesn't like tea"),
        ("David lives in Paris", "David no longer lives in Paris"),
        ("David vit à Paris depuis mai", "David n'habite plus à Paris"),
        ("David habite à Paris", "David doesn't live in Paris anymore"),
        ("I want to learn Greek", "I no longer want to learn Greek"),
    ],
)
def test_a_denial_takes_the_place_of_what_it_denies(one: str, other: str) -> None:
    """And the other way round, since the latest word counts."""
    assert compare(new(one), kept(other)) is Verdict.CONTRADICTS
    assert compare(new(other), kept(one)) is Verdict.CONTRADICTS


@pytest.mark.parametrize("again", ["DAVID HABITE A PARIS", "david habite à paris."])
def test_the_same_words_are_known_whatever_their_dress(again: str) -> None:
    """Case, accents, punctuation and small words make no new statement."""
    assert compare(new(again), kept("David habite à Paris")) is Verdict.SAME


def test_the_same_words_about_two_people_are_two_facts() -> None:
    """There may be two Davids."""
    one, other = new("David habite à Paris", about="a"), kept("David habite à Paris", about="b")
    assert compare(one, other) is Verdict.UNRELATED
    assert compare(replace(one, about_person=None), other) is Verdict.SAME


WORDS = st.lists(
    st.sampled_from(
        ["David", "Léa", "habite", "Paris", "pas", "frère", "2026", "de", "ne", "fils"]
    ),
    max_size=8,
).map(" ".join)


@given(WORDS)
def test_a_statement_is_known_to_itself(text: str) -> None:
    """Saying it again never replaces it."""
    assert compare(new(text), kept(text)) is Verdict.SAME


@given(WORDS, WORDS)
@example("David", "David de")
def test_two_statements_never_sharpen_each_other(one: str, other: str) -> None:
    """Otherwise the pet would flip between them for ever."""
    there, back = compare(new(one), kept(other)), compare(new(other), kept(one))
    assert (there, back) != (Verdict.MORE_PRECISE, Verdict.MORE_PRECISE)
    assert (there is Verdict.UNRELATED) == (back is Verdict.UNRELATED)
    assert (there is Verdict.CONTRADICTS) == (back is Verdict.CONTRADICTS)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Tom worked at Google until 2020", "Tom works at Google"),
        ("Paul is married to Anne's sister", "Paul is married to Anne"),
        ("Tom went from Paris to Lyon", "Tom went to Paris from Lyon"),
        ("Léa lives with her cat", "Léa lives without her cat"),
        ("Léa aime le thé", "Léa aime le thé mais pas le café"),
    ],
)
def test_words_that_change_what_is_said_leave_both(one: str, other: str) -> None:
    """Another tense, somebody's sister, the way back: none is known, none takes the place."""
    assert compare(new(one), kept(other)) is Verdict.UNRELATED
    assert compare(new(other), kept(one)) is Verdict.UNRELATED


@pytest.mark.parametrize(
    ("old", "fresh"),
    [
        ("David habite à Paris", "David habite à Lyon"),
        ("David lives in Paris", "David has moved to Lyon"),
        ("David a déménagé à Lyon", "David vit à Marseille depuis mai"),
        ("David habite à Paris", "David now lives in Lyon"),
        ("David habite en France", "David lives in Japan"),
        ("David habite à Paris avec son chat", "David habite à Lyon"),
        ("David lives in Paris", "David lives in Lyon, no longer in Paris"),
        ("David lives in Lyon, no longer in Paris", "David lives in Nice"),
        ("David travaille chez Airbus", "David travaille chez Thales"),
        ("David is a nurse", "David is a teacher"),
        ("David est boulanger", "David est devenu plombier"),
        ("David a 30 ans", "David a 31 ans"),
        ("David is 30 years old", "David turned 31"),
        ("David is married to Anne", "La femme de David s'appelle Zoé"),
        ("David's phone number is 0612345678", "Le numéro de David est 07 11 22 33 44"),
        ("David's email is d@old.org", "David's email is d@new.org"),
        ("Le film préféré de David est Alien", "David's favourite movie is Brazil"),
        ("La couleur préférée de Léa est le bleu", "La couleur préférée de Léa est le vert"),
        ("L'anniversaire de David est le 3 mai", "David's birthday is May 4"),
        ("David's current project is Eko", "Le projet actuel de David est un livre"),
        ("David drives a Tesla", "La voiture de David est une Clio"),
        ("La mère de David habite à Lyon", "David's mother lives in Nice"),
        ("David studies at MIT", "David goes to Lyon University"),
    ],
)
def test_what_has_one_value_at_a_time_changes_with_it(old: str, fresh: str) -> None:
    """The latest word takes the place, in French, in English and across."""
    assert compare(new(fresh), kept(old)) is Verdict.CHANGED


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("David habite à Paris", "Léa habite à Lyon"),
        ("David habite à Paris", "David's son lives in Lyon"),
        ("Le frère de David habite à Paris", "Le frère de David habite à Lyon"),
        ("David habite à Paris", "David travaille à Lyon"),
        ("David habite à Paris", "David travaille chez Airbus"),
        ("David lives in Paris", "David lived in Lyon"),
        ("David lives in Paris", "David lives in Lyon until May"),
        ("David habite à Paris", "David habite à Lyon cette semaine"),
        ("David habite à Paris", "David est en vacances à Rome"),
        ("David habite à Paris", "David pourrait habiter à Lyon"),
        ("David lives in Paris", "David moved to Lyon in 2010"),
        ("David a un chat", "David a un chien"),
        ("David speaks French", "David speaks Greek"),
        ("David aime le thé", "David aime le café"),
        ("David visited Rome", "David visited Oslo"),
        ("David can be called Dave", "David can be called Dédé"),
        ("Le chien de David s'appelle Rex", "Le chien de David s'appelle Max"),
        ("David is a nurse", "David is a musician"),
        ("David is a nurse", "David is a father"),
        ("David's favourite film is Alien", "David's favourite book is Dune"),
        ("L'anniversaire de David est le 3 mai", "David was born on 3 May 1990 in Rome"),
        ("il habite à Paris", "il habite à Lyon"),
    ],
)
def test_what_has_many_values_or_is_of_another_both_stay(one: str, other: str) -> None:
    """Another person, another thing, another time, a passing stay."""
    assert compare(new(one), kept(other)) not in {Verdict.CHANGED, Verdict.DISPUTED}
    assert compare(new(other), kept(one)) not in {Verdict.CHANGED, Verdict.DISPUTED}


@pytest.mark.parametrize(
    ("old", "fresh", "verdict"),
    [
        ("David habite à Paris", "David lives in Paris", Verdict.SAME),
        ("David vit à Paris", "David habite à Paris depuis mai", Verdict.MORE_PRECISE),
        ("David lives in Paris since May", "David habite à Paris", Verdict.SAME),
        ("L'anniversaire de David est le 3 mai", "David's birthday is May 3rd", Verdict.SAME),
        ("David's birthday is May 3rd", "David est né le 3 mai 1990", Verdict.MORE_PRECISE),
        ("L'anniversaire de David est le 3/05", "David's birthday is May 3rd", Verdict.SAME),
        ("David's phone number is 06 12 34 56", "Le numéro de David est 06123456", Verdict.SAME),
        ("David habite à Lyon", "David a déménagé à Lyon", Verdict.UNRELATED),
        ("David lives in Lyon", "David lives in Lyon, no longer in Nice", Verdict.MORE_PRECISE),
    ],
)
def test_one_value_in_other_words_is_the_same(old: str, fresh: str, verdict: Verdict) -> None:
    """Or more precise; how it came about is a thing of its own."""
    assert compare(new(fresh), kept(old)) is verdict


@pytest.mark.parametrize(
    "old",
    [
        "David lives in Paris and works at Airbus",
        "David habite à Paris avec Léa",
        "David habite à Paris au 12 rue Monge",
    ],
)
def test_a_change_that_would_lose_facts_leaves_both(old: str) -> None:
    """What else the kept one tells, a name or a number, would go with the value."""
    assert compare(new("David habite à Lyon"), kept(old)) is Verdict.DISPUTED


def test_i_is_whoever_says_it() -> None:
    """Nobody's "I" is somebody else's, and an unknown one is nobody's."""
    said, before = new("I live in Lyon"), kept("I live in Paris")
    assert compare(said, before) is Verdict.UNRELATED
    davids = replace(before, said_by="David")
    assert compare(replace(said, said_by="David"), davids) is Verdict.CHANGED
    assert compare(replace(said, said_by="Léa"), davids) is Verdict.UNRELATED

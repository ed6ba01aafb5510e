"""Only the same statement replaces or repeats another; what merely resembles it stays beside it."""

from dataclasses import replace
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.model import (
    Memory,
    MemoryId,
    MemoryType,
    NewMemory,
    Origin,
    PersonId,
    Source,
    Store,
    Visibility,
)
from memory.sameness import Verdict, compare
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
    assert compare(new(fresh), kept(old)) is Verdict.SHARPER
    assert compare(new(old), kept(fresh)) is Verdict.KNOWN


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("David habite à Paris", "David a un fils"),
        ("David habite à Paris", "David habite à Lyon"),
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
    """Another city, another number, another role, somebody's brother: two facts, either way."""
    assert compare(new(one), kept(other)) is Verdict.DIFFERENT
    assert compare(new(other), kept(one)) is Verdict.DIFFERENT


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("David aime le café", "David n'aime pas le café"),
        ("David fume", "David ne fume plus"),
        ("Léa likes tea", "Léa doesn't like tea"),
    ],
)
def test_a_denial_takes_the_place_of_what_it_denies(one: str, other: str) -> None:
    """And the other way round, since the latest word counts."""
    assert compare(new(one), kept(other)) is Verdict.REVERSED
    assert compare(new(other), kept(one)) is Verdict.REVERSED


@pytest.mark.parametrize("again", ["DAVID HABITE A PARIS", "david habite à paris."])
def test_the_same_words_are_known_whatever_their_dress(again: str) -> None:
    """Case, accents, punctuation and small words make no new statement."""
    assert compare(new(again), kept("David habite à Paris")) is Verdict.KNOWN


def test_the_same_words_about_two_people_are_two_facts() -> None:
    """There may be two Davids."""
    one, other = new("David habite à Paris", about="a"), kept("David habite à Paris", about="b")
    assert compare(one, other) is Verdict.DIFFERENT
    assert compare(replace(one, about_person=None), other) is Verdict.KNOWN


WORDS = st.lists(
    st.sampled_from(
        ["David", "Léa", "habite", "Paris", "pas", "frère", "2026", "de", "ne", "fils"]
    ),
    max_size=8,
).map(" ".join)


@given(WORDS)
def test_a_statement_is_known_to_itself(text: str) -> None:
    """Saying it again never replaces it."""
    assert compare(new(text), kept(text)) is Verdict.KNOWN


@given(WORDS, WORDS)
def test_two_statements_never_sharpen_each_other(one: str, other: str) -> None:
    """Otherwise the pet would flip between them for ever."""
    there, back = compare(new(one), kept(other)), compare(new(other), kept(one))
    assert (there, back) != (Verdict.SHARPER, Verdict.SHARPER)
    assert (there is Verdict.DIFFERENT) == (back is Verdict.DIFFERENT)
    assert (there is Verdict.REVERSED) == (back is Verdict.REVERSED)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Tom worked at Google until 2020", "Tom works at Google"),
        ("Paul is married to Anne's sister", "Paul is married to Anne"),
        ("Tom went from Paris to Lyon", "Tom went to Paris from Lyon"),
        ("Léa lives with her cat", "Léa lives without her cat"),
    ],
)
def test_words_that_change_what_is_said_leave_both(one: str, other: str) -> None:
    """Another tense, somebody's sister, the way back: none is known, none takes the place."""
    assert compare(new(one), kept(other)) is Verdict.DIFFERENT
    assert compare(new(other), kept(one)) is Verdict.DIFFERENT

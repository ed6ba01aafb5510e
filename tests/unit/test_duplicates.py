"""What is the same told twice, and what only looks like it."""

from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

import pytest

from memory.model.audience import Origin
from memory.model.people import PersonId
from memory.model.proposals import Likeness
from memory.model.rooms import Visibility
from memory.model.statements import Memory, MemoryId, MemoryType, Source
from memory.model.stores import Store
from memory.rules.duplicates import duplicate_of, lost
from tests.cast import NOON


def kept(content: str, **fields: object) -> Memory:
    """A statement as it is kept."""
    given: dict[str, object] = {
        "id": MemoryId(uuid4()),
        "store": Store.MEMORY,
        "content": content,
        "memory_type": MemoryType.FACT,
        "category": None,
        "subjects": (),
        "importance": 0.6,
        "source": Source.DIGEST,
        "said_by": "David",
        "author": None,
        "about_person": None,
        "origin": Origin(visibility=Visibility.SPACE),
        "created_at": NOON,
        "updated_at": NOON,
        "expires_at": None,
        "revision": 1,
        **fields,
    }
    return Memory(**given)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("keep", "drop", "why"),
    [
        ("David a un chat roux", "David a le chat roux", Likeness.SMALL_WORDS),
        (
            "David est très allergique au soja",
            "David est allergique au soja",
            Likeness.SMALL_WORDS,
        ),
        ("En 2024, David a déménagé", "David a déménagé en 2024", Likeness.ANOTHER_ORDER),
        ("David a un chat avec Léa", "David a un chat", Likeness.SAYS_MORE),
        ("David adore le chocolat noir", "David aime le chocolat noir", Likeness.ANOTHER_WORD),
        ("L'épouse de David est médecin", "La femme de David est médecin", Likeness.ANOTHER_WORD),
        ("David has the red car", "David has a red car", Likeness.SMALL_WORDS),
        ("David likes long walks", "David loves long walks", Likeness.ANOTHER_WORD),
    ],
)
def test_the_same_told_twice_is_found_whichever_comes_first(
    keep: str, drop: str, why: Likeness
) -> None:
    """In both languages, with the difference."""
    one, other = kept(keep), kept(drop)
    for found in (duplicate_of(one, other), duplicate_of(other, one)):
        assert found is not None
        assert {found.keep.content, found.drop.content} == {keep, drop}
        assert found.why is why
        if why is Likeness.SAYS_MORE:
            assert found.keep is one


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("David habite à Paris", "David habite à Lyon"),
        ("Léa aime David", "David aime Léa"),
        ("Léa habite à Paris", "Le frère de Léa habite à Paris"),
        ("David travaille à la mairie", "David travaillait à la mairie"),
        ("David works at the bakery", "David worked at the bakery"),
        ("David bought the red bicycle", "David buys the red bicycle"),
        ("David aime le chocolat", "David n'aime pas le chocolat"),
        ("David adore le chocolat", "David déteste le chocolat"),
        ("David a une souris", "David a des souris"),
        ("David a 2 chats gris", "David a 3 chats gris"),
        ("David a un chat blanc", "David a un chat noir"),
        ("David est marié à Anne", "David est marié à la sœur d'Anne"),
        ("David aimait le chocolat", "David adore le chocolat"),
        ("David a un chat", "David a un chat sans poils"),
        ("Le vélo", "Un vélo"),
        ("David part lundi", "David part mardi"),
        ("Le train part à 10:30 de Lyon", "Le train part à 11:30 de Lyon"),
    ],
)
def test_what_only_looks_alike_is_left_alone(one: str, other: str) -> None:
    """However near their embeddings are."""
    assert duplicate_of(kept(one), kept(other)) is None
    assert duplicate_of(kept(other), kept(one)) is None


@pytest.mark.parametrize(
    "fields",
    [
        {"store": Store.SELF, "category": "context"},
        {"about_person": PersonId("lea")},
        {"updated_at": NOON + timedelta(days=1), "content": "David part demain en vacances"},
    ],
)
def test_another_store_person_or_day_is_another_thing(fields: dict[str, object]) -> None:
    """The words alone do not say it."""
    content = str(fields.pop("content", "David a un chat roux"))
    one = kept(content, about_person=PersonId("david"))
    other = replace(kept(content, about_person=PersonId("david")), **fields)  # type: ignore[arg-type]
    assert duplicate_of(one, other) is None


def test_what_two_people_say_of_themselves_is_two_things() -> None:
    """Their cats are two; what they say of somebody else is one thing."""
    mine = [kept("Mon chat est très malade", said_by=name) for name in ("David", "Léa")]
    theirs = [kept("Le chat de Zoé est malade", said_by=name) for name in ("David", "Léa")]
    assert duplicate_of(*mine) is None
    assert duplicate_of(*theirs) is not None


def test_nothing_is_proposed_that_would_lose_something() -> None:
    """Where each has a subject or a term of its own, both stay; else the richer is kept."""
    text = "Le concert a lieu au parc"
    plain, about = kept(text), kept(text, subjects=("Zoé",))
    soon = kept(text, expires_at=NOON + timedelta(days=1))
    found = duplicate_of(plain, about)
    assert found is not None
    assert found.keep is about
    assert duplicate_of(about, kept(text, subjects=("Max",))) is None
    assert duplicate_of(kept(text, subjects=("Max",), expires_at=NOON), plain) is None
    assert lost(plain, soon) == ("how long it is true",)
    assert lost(soon, plain) == ()

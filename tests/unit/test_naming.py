"""Whom a text names, the speaker included."""

import pytest

from memory.language.names import Link, Named, name_keys, named, names_speaker
from memory.model.people import PersonId

DAVID = PersonId("david")


@pytest.mark.parametrize(
    "text",
    [
        "tu sais quoi sur moi ?",
        "j'ai dit quoi hier",
        "jai dit quoi",
        "chui né où déjà",
        "mon chat s'appelle comment ?",
        "ma soeur",
        "tu m'as dit quoi",
        "qui je suis",
        "on a parlé de mes vacances ?",
        "c'est quoi notre plan",
        "what do you know about me",
        "What's my name?",
        "where do I live",
        "i'm allergic to what again",
        "im tired",
        "was it mine",
        "a friend of mine",
        "rappelle-moi ce que j'ai dit",
        "remind me what I said",
        "tell me about my cat",
    ],
)
def test_the_speaker_names_themself(text: str) -> None:
    """In either language, with or without apostrophes."""
    assert names_speaker(text)


@pytest.mark.parametrize(
    "text",
    [
        "parle-moi de Mickael",
        "parle moi de lui",
        "dis-moi où est David",
        "rappelle-moi le nom du chat",
        "tu peux me dire où il est",
        "je me demande où est David",
        "tell me about Mickael",
        "remind me of the plan",
        "give me the date",
        "I wonder where he is",
        "où est David ?",
        "ton but c'est quoi",
        "what do you like",
        "la mine de charbon",
        "mine clearance",
        "les moines",
        "monday",
        "",
        "👋",
    ],
)
def test_who_asks_to_be_told_names_somebody_else(text: str) -> None:
    """To say "tell me" is not about the one who says it."""
    assert not names_speaker(text)


def test_names_are_runs_of_up_to_three_words() -> None:
    """Each once."""
    assert name_keys("Jean-Luc, Jean !") == ["jean", "luc", "jean luc", "luc jean", "jean luc jean"]


def test_a_pasted_log_is_looked_up_in_part() -> None:
    """The number of names looked up has a bound."""
    assert len(name_keys(" ".join(f"w{n}" for n in range(5_000)))) < 600


def test_names_come_in_the_order_they_are_said() -> None:
    """With the other names of each in theirs."""
    links = [
        Link(name="david", spelling="David", person=DAVID),
        Link(name="dd", spelling="dd", person=DAVID),
        Link(name="dev", spelling="dev", other="mickael"),
        Link(name="mickael", spelling="Mickael", other="dev"),
    ]
    assert named("dev et dd", links) == (
        Named(said="dev", people=(), others=("Mickael",)),
        Named(said="dd", people=(DAVID,), others=("David",)),
    )


def test_a_link_that_was_cut_off_is_no_harm() -> None:
    """The name it led to is then known as it is folded."""
    (found,) = named("dev", [Link(name="dev", spelling="dev", other="mickael")])
    assert found.others == ("mickael",)

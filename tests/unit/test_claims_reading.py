"""What is read of a message as claims, and of a question as what it wants to know."""

from importlib.resources import files

import pytest

from memory.claims.clauses import clauses_of
from memory.claims.reader import read_claims, wanted_slots
from memory.claims.signs import LANGUAGES, SignsBroken, phrases_in, sign_names, signs_in
from memory.language.chat_spelling import spelt_out
from memory.language.text import fold
from memory.model.claims import Slot


def test_clauses_are_sentences_and_their_parts() -> None:
    """At their places; a part of a word or two stays with what is before it."""
    text = "moved to Leeds, lol, and my sister got a dog. where's the kettle?"
    assert [one.words for one in clauses_of(text)] == [
        "moved to Leeds, lol, and my sister got a dog.",
        "moved to Leeds, lol",
        "and my sister got a dog.",
        "where's the kettle?",
    ]


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("I live in Leeds and I love it", Slot.HOME),
        ("je suis infirmière de nuit à l'hôpital", Slot.WORK),
        ("we adopted a dog called Rex", Slot.PET),
        ("j'ai 34 ans depuis mardi", Slot.AGE),
        ("ich wohne seit drei Jahren in Leipzig", Slot.HOME),
        ("wir haben einen Hund, der heißt Rex", Slot.PET),
    ],
)
def test_what_is_said_of_oneself_is_read(text: str, slot: Slot) -> None:
    """With its slot, and its place in the message."""
    (claims,) = read_claims([text])
    stated = [one for one in claims if one.status.is_stated and one.of_author]
    assert slot in {one.slot for one in stated}
    assert all(0 <= one.start < one.end <= len(text) for one in stated)


@pytest.mark.parametrize(
    "text",
    [
        "> I live in Paris",
        "if only i had a cat",
        "ah si seulement j'avais un chat",
        "what time is it?",
    ],
)
def test_others_words_and_wishes_state_nothing(text: str) -> None:
    """A wish may be read as one, and is never a statement."""
    (claims,) = read_claims([text])
    assert not [one for one in claims if one.status.is_stated]


def test_claims_of_several_messages_are_those_of_each() -> None:
    """Read together or alone."""
    texts = ["I live in Leeds", "", "lol", "my dog is called Rex"]
    assert read_claims(texts) == [read_claims([text])[0] for text in texts]


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("where does Maya live?", Slot.HOME),
        ("elle bosse où Léa ?", Slot.EMPLOYER),
        ("what's my dog called again?", Slot.PET),
    ],
)
def test_a_question_wants_a_slot(text: str, slot: Slot) -> None:
    """The likeliest first."""
    assert slot in {one.slot for one in wanted_slots(text)}


def test_a_question_of_the_world_wants_nothing_of_people() -> None:
    """So nothing that was told is looked for."""
    assert wanted_slots("what's the capital of Mongolia?") == []


def test_signs_are_whole_phrases_and_beginnings() -> None:
    """`*` stands for any ending; a part of a word is no sign."""
    assert "wish" in signs_in(spelt_out("Wishing I had one"))
    assert "dream" in signs_in(spelt_out("j'ai rêvé d'un chat"))
    assert "kin" not in signs_in("mumbling")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_of_a_language_is_fit_for_texts(language: str) -> None:
    """Its phrases are written as texts are read: else they never stand in one."""
    table = files("memory.claims").joinpath("languages", language, "signs.toml").read_text("utf-8")
    found = phrases_in(table)
    assert tuple(found) == sign_names()
    assert [one for phrases in found.values() for one in phrases if one != fold(one)] == []


def test_a_sign_without_a_phrase_is_refused() -> None:
    """With its name."""
    with pytest.raises(SignsBroken, match="wish"):
        phrases_in('wish = " | "\n')


def test_a_german_wish_is_seen() -> None:
    """By the table of German, whatever language the others speak."""
    assert "wish" in signs_in(spelt_out("ich wünschte, ich hätte einen Garten"))
    assert "ended" in signs_in(spelt_out("den Job hab ich nicht mehr"))

"""What is read in requests to forget: that they ask, what they name, and which rows say it."""

import json
from datetime import UTC, datetime
from importlib.resources import files

import pytest

from bot.llm.offline.intent import read
from bot.llm.offline.understanding import Intent, Spoken
from memory.language.text import fold
from memory.rules.forgetting import plain_words
from memory.rules.forgetting.plain_words.choosing import beside, meant, ranked
from memory.rules.forgetting.plain_words.classifier import LinearClassifier, classifier
from memory.rules.forgetting.plain_words.closeness import ComparedRow, Comparison, phrases
from memory.rules.forgetting.plain_words.matters import matters_of
from memory.rules.forgetting.plain_words.reading import (
    LONGEST,
    hints_at_request,
    read_request,
    read_topic,
    segments,
)
from memory.rules.forgetting.plain_words.wording import classes


def compared(asked: str, *said: str) -> Comparison:
    """A request beside rows whose meaning nothing is known of."""
    request = read_topic(asked)
    none = [0.0] * len(phrases(request))
    return Comparison(request, [ComparedRow(text=text, alike=none) for text in said])


def chosen(asked: str, *said: str) -> list[str]:
    """The rows that a request means."""
    request = read_topic(asked)
    none = [0.0] * len(phrases(request))
    near = meant(request, [ComparedRow(text=text, alike=none) for text in said])
    return [said[place] for place in near.places]


@pytest.mark.parametrize(
    "asked",
    [
        "forget my old address please",
        "could you delete what I said about my boss?",
        "I'd rather you didn't keep my phone number.",
        "that thing about the divorce, get it out of your memory",
        "oublie mon ancienne adresse stp",
        "tu peux effacer ce que j'ai dit sur mon chef ?",
        "je préfère que tu ne gardes pas mon numéro",
        "l'histoire du divorce, sors ça de ta mémoire",
    ],
)
def test_a_wish_about_the_memory_is_read(asked: str) -> None:
    """In both languages, as an order or as a wish."""
    request = read_request(asked)
    assert request is not None
    assert request.sure


@pytest.mark.parametrize(
    "said",
    [
        "don't let me forget the milk",
        "I always forget where I parked",
        "we went to the lake on Sunday and it rained",
        "can you tell me a joke?",
        "n'oublie pas mon anniversaire",
        "j'oublie toujours où je me gare",
        "on est allés au lac dimanche et il a plu",
        "tu peux me raconter une blague ?",
    ],
)
def test_other_talk_is_not(said: str) -> None:
    """Reminders, one's own bad memory, and ordinary lines."""
    request = read_request(said)
    assert request is None or not request.sure


def test_a_long_text_asks_for_nothing() -> None:
    """It tells something, whatever it says of forgetting."""
    assert read_request("forget it all. " * LONGEST) is None


def test_what_is_to_stay_is_told_from_what_is_to_go() -> None:
    """The one is looked up, the other is not."""
    request = read_topic("Forget what I said about my salary, but keep the holiday plans.")
    assert any("salary" in topic for topic in request.topics)
    assert not any("holiday" in topic for topic in request.topics)
    assert any("holiday" in kept for kept in request.kept)


def test_the_name_of_the_pet_names_nothing() -> None:
    """A pet of any name is asked alike."""
    asked = "{} forget my locker code"
    with_name = read_request(asked.format("Milo"), ["milo"])
    assert with_name == read_request("forget my locker code")


def test_a_message_is_cut_at_its_clauses_and_list_items() -> None:
    """A linking word begins the segment after it; signs within numbers divide nothing."""
    assert segments("Delete the PIN (and the 3.5 code), because my mum’s here!") == [
        "delete the pin",
        "and the 3.5 code",
        "because my mum's here",
    ]


def test_the_row_that_says_what_is_named_is_meant() -> None:
    """And those that only share a word with it are not."""
    rows = ("the locker room smells", "my locker code is 4711", "I had soup")
    assert chosen("forget my locker code", *rows) == ["my locker code is 4711"]


def test_two_things_that_are_named_are_both_meant() -> None:
    """One row for each of the topics."""
    rows = ("my bike lock is 0937", "the rent is 640 euros", "I rode to the lake", "soup again")
    found = chosen("please forget my bike lock and the rent", *rows)
    assert found == ["my bike lock is 0937", "the rent is 640 euros"]


def test_a_row_of_what_is_to_stay_is_not_meant() -> None:
    """Though it says words of the request."""
    rows = ("my salary is 3,400", "our holiday is in Porto in May")
    assert chosen("forget my salary, the holiday can stay", *rows) == ["my salary is 3,400"]


def test_every_weight_is_of_a_feature_that_is_made() -> None:
    """So that a feature that is renamed does not lose its weight unseen."""
    beside_it = compared("forget my code and my address", "my code is 12", "my address is 3 Elm St")
    features = beside_it.features()[0]
    assert set(classifier("nearest").weights) <= set(features)
    others = beside(beside_it, ranked(beside_it), 0)
    assert set(classifier("beside").weights) <= set(others[1])


def test_the_words_of_the_lexicons_are_folded() -> None:
    """They are compared with folded words."""
    assert [word for word in classes() if fold(word) != word] == []
    assert matters_of(["diabet"]) == {"health"}


@pytest.mark.parametrize("name", ["request", "gone", "kept", "nearest", "beside"])
def test_weights_are_kept_by_name(name: str) -> None:
    """As one object of numbers with the bias."""
    text = files(plain_words).joinpath("weights", f"{name}.json").read_text(encoding="utf-8")
    weights = json.loads(text)
    assert "bias" in weights
    assert all(isinstance(weight, float) for weight in weights.values())


def test_features_that_were_not_weighed_say_nothing() -> None:
    """They do not dilute the others either."""
    known = LinearClassifier(-1.0, {"forget": 3.0})
    assert known.log_odds({"forget"}) == known.log_odds({"forget", "never seen"}) == 2.0
    assert known.log_odds(set()) == -1.0


@pytest.mark.parametrize("said", ["can you keep a secret?", "what do you know about me?"])
def test_a_question_that_sounds_like_it_and_names_nothing_is_a_question(said: str) -> None:
    """It is answered, and no word is asked for."""
    spoken = Spoken(text=said, speaker="Ana", said_at=datetime(2026, 1, 17, 12, tzinfo=UTC))
    assert read(spoken, called=(), locale="en").wish is not Intent.FORGET


def test_what_may_ask_for_it_hints_at_it() -> None:
    """And a plain question does not: to that the pet may say that it knows nothing."""
    assert hints_at_request("you never heard about my divorce, agreed?")
    assert not hints_at_request("what is the name of my dog?")
    assert not hints_at_request("comment s'appelle mon chien ?")

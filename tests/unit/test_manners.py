"""What a message is, read by the fitted classifier: the act, its family, or nothing."""

import pytest

from bot.llm.offline.manners.acts import MEMBERS, Family, SpeechAct
from bot.llm.offline.manners.classifier import guess
from bot.llm.offline.manners.reading import likely_language, manner_of


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("thx a lot little guy", SpeechAct.THANKS),
        ("gotta dash, see ya later", SpeechAct.FAREWELL),
        ("are you a real person or what", SpeechAct.PERSON_OR_BOT),
        ("we had to put the cat to sleep on monday", SpeechAct.MOURNING),
        ("i passed my driving test!!!", SpeechAct.GOOD_NEWS),
        ("book me a taxi for 8", SpeechAct.BEYOND),
        ("merci bcp ptit eko", SpeechAct.THANKS),
        ("bon j'y vais, à plus", SpeechAct.FAREWELL),
        ("t'es une vraie personne ou quoi", SpeechAct.PERSON_OR_BOT),
        ("on a dû faire piquer le chat lundi", SpeechAct.MOURNING),
        ("j'ai eu mon permis !!!", SpeechAct.GOOD_NEWS),
        ("commande-moi un taxi pour 8h", SpeechAct.BEYOND),
    ],
)
def test_an_ordinary_message_is_read(text: str, act: SpeechAct) -> None:
    """None of these stands in what was fitted to."""
    assert manner_of(text, called=("eko",)).act is act


@pytest.mark.parametrize("text", ["zorblat quxine", "Kvalsund 7"])
def test_of_words_that_tell_nothing_nothing_is_claimed(text: str) -> None:
    """No act and no family."""
    found = manner_of(text)
    assert (found.act, found.family, found.sure) == (None, None, False)


def test_every_guess_is_a_chance() -> None:
    """Of the likeliest act, and of the likeliest family, which may hold it."""
    found = guess("i'm so tired and sad today", ("eko",))
    assert 0 < found.chance <= 1
    assert found.family is Family.LOW
    assert found.family_chance >= found.chance or found.act not in MEMBERS[Family.LOW]


@pytest.mark.parametrize(
    ("text", "language"),
    [("osef", "fr"), ("ta", "en"), ("kettle's on", "en"), ("ok", None), ("", None), ("🙂", None)],
)
def test_two_words_tell_their_language(text: str, language: str | None) -> None:
    """Where they are too few for the words of each; what both say tells nothing."""
    assert likely_language(text) == language


def test_the_pets_words_said_back_are_a_jibe() -> None:
    """Quoted, whatever they say."""
    said = ("I don't know yet: I remember nothing about it.",)
    assert manner_of("“I remember nothing about it” lol", said).act is SpeechAct.TEASE


@pytest.mark.parametrize("text", ["asdfghjkl", "qsdfjklm qsdf mlkj", "sdkfjhsdkjfh"])
def test_keys_that_were_struck_say_nothing(text: str) -> None:
    """In either language's keyboard."""
    assert manner_of(text).act is SpeechAct.MASH

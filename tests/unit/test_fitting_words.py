"""The offline pet says what fits: to a no, to blame, to a fact told to it alone."""

import pytest

from bot.model.requests import AssistantMessage, UserMessage
from bot.texts.catalogue import texts_in
from tests.unit.offline_talk import Tools, ask, pet, request, turn


@pytest.mark.parametrize(
    ("locale", "no"),
    [
        *(("en", text) for text in ("no", "No, thanks.", "nope, leave it", "don't")),
        *(("fr", text) for text in ("non", "Non merci !", "nan, laisse tomber", "surtout pas")),
    ],
)
async def test_a_no_to_a_preview_is_told_that_nothing_was_forgotten(locale: str, no: str) -> None:
    """And no tool is called."""
    texts = texts_in(locale)
    asked = AssistantMessage(text=f"1 message.\n{texts.say('offline.go_on')}")
    wish = "oublie mon travail" if locale == "fr" else "forget my job"
    said = (UserMessage(text=wish, speaker="David"), asked, UserMessage(text=no, speaker="David"))
    reply = await pet().complete(request(*said, locale=locale))
    (call,) = reply.calls
    assert call.arguments["message"] == texts.say("offline.declined")


async def test_a_no_that_tells_something_is_heard() -> None:
    """It is a statement."""
    texts = texts_in("fr")
    asked = AssistantMessage(text=texts.say("offline.go_on"))
    said = (
        UserMessage(text="oublie mon travail", speaker="David"),
        asked,
        UserMessage(text="non, j'habite à Lyon", speaker="David"),
    )
    reply = await pet().complete(request(*said))
    assert next(call.name for call in reply.calls) != "respond"


@pytest.mark.parametrize(
    ("text", "locale"),
    [
        ("C'est nul, tu ne sais rien.", "fr"),
        ("tu sais vraiment rien", "fr"),
        ("This is silly, you know nothing.", "en"),
        ("you don't remember anything", "en"),
    ],
)
async def test_blame_gets_no_happy_face(text: str, locale: str) -> None:
    """The pet asks what it did wrong."""
    message, face = await turn(UserMessage(text=text, speaker="David"), Tools(), locale=locale)
    assert message in texts_in(locale).choices("offline.manners.insult", name="David")
    assert face == "sad"


async def test_what_is_told_to_the_pet_alone_is_no_word_to_a_group() -> None:
    """Alone with it somebody's birthday is told to the pet; among others to all."""
    texts = texts_in("en")
    alone = await ask("Sophie's birthday is on 12 May.")
    assert alone in texts.choices("offline.heard_only.anything", name="David")
    among = await ask("Sophie's birthday is on 12 May.", in_group=True)
    assert among in texts.choices("offline.heard_only.to_group", name="David")


async def test_a_job_that_is_kept_is_acknowledged_as_any_fact() -> None:
    """Not as what somebody did that day."""
    told = await ask("Je suis chauffeur de bus.")
    assert "tu es chauffeur de bus" in told


@pytest.mark.parametrize(
    ("text", "locale"), [("Eko, where does Léa live?", "en"), ("Eko, où habite Léa ?", "fr")]
)
async def test_among_others_it_is_not_said_that_nobody_told(text: str, locale: str) -> None:
    """Somebody may have told it alone with the pet: it says only what it heard there."""
    told = await ask(text, in_group=True)
    assert told in texts_in(locale).choices("offline.unknown_in_group")

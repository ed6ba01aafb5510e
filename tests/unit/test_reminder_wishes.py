"""Whether words ask to be reminded, of what and when."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.language.reminders import ReminderKind, ReminderWish, joined, read_wish


def wish(text: str) -> tuple[str, str] | None:
    """What is to be reminded of, and when; None where nothing is asked for."""
    found = read_wish(text, ("Eko",))
    return None if found is None else (found.about, found.when)


@pytest.mark.parametrize(
    ("text", "about", "when"),
    [
        ("remind me at 6pm to call mum", "call mum", "at 6pm"),
        ("at 6pm remind me to call mum", "call mum", "at 6pm"),
        ("Eko, remind me tomorrow at 9 to call Ann please", "call Ann", "tomorrow at 9"),
        ("hey eko could you please remind me tonight about the bins", "the bins", "tonight"),
        ("set a reminder for 7pm: feed the cat", "feed the cat", "for 7pm"),
        ("remind me to buy milk", "buy milk", ""),
        ("remind me tomorrow", "", "tomorrow"),
        (
            "remind me to buy tickets for saturday tomorrow at 9",
            "buy tickets for saturday",
            "tomorrow at 9",
        ),
        (
            "remind me on friday that I have a call with Bob at 5pm",
            "I have a call with Bob at 5pm",
            "on friday",
        ),
        ("remind me at 6pm New York time to call Bob", "call Bob", "at 6pm New York time"),
        ("rappelle-moi demain à 9h d'appeler le dentiste", "appeler le dentiste", "demain à 9h"),
        ("demain à 9h, rappelle-moi d'appeler Zoé", "appeler Zoé", "demain à 9h"),
        ("rappelle moi d'acheter du lait", "acheter du lait", ""),
        ("rapelle moi demain matin de prendre mes médocs", "prendre mes médocs", "demain matin"),
        ("tu peux me rappeler lundi d'envoyer le mail ?", "envoyer le mail", "lundi"),
        ("fais-moi penser à acheter du pain ce soir", "acheter du pain", "ce soir"),
        ("mets-moi un rappel pour demain 8h : poubelles", "poubelles", "pour demain 8h"),
        ("rappelle-moi à 18h d'appeler maman stp", "appeler maman", "à 18h"),
        (
            "Bonjour Eko, pourriez-vous me rappeler de prendre mon traitement à 20 heures ?",
            "prendre mon traitement",
            "à 20 heures",
        ),
        ("lmk at 5 to leave", "leave", "at 5"),
        ("in 10 minutes tell me to check the oven", "check the oven", "in 10 minutes"),
        ("wake me up at 7", "wake up", "at 7"),
        ("set an alarm for 7", "alarm", "at 7"),
        ("set a timer for 10 minutes", "timer", "in 10 minutes"),
        ("préviens-moi demain de sortir les poubelles", "sortir les poubelles", "demain"),
        ("avertis-moi demain à 8h que j'ai rdv", "j'ai rdv", "demain à 8h"),
        ("mets une alarme pour 7h", "alarme", "at 7h"),
        ("réveille-moi à 7h", "réveil", "à 7h"),
        ("rdv dentiste mardi 14h, rappelle le moi", "rdv dentiste mardi 14h", "mardi 14h"),
        ("il pleut.\nrappelle-moi à 18h de sortir", "sortir", "à 18h"),
    ],
)
def test_a_request_says_of_what_and_when(text: str, about: str, when: str) -> None:
    """As it was typed, without courtesies."""
    assert wish(text) == (about, when)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "remind me what I said about paris",
        "remind me where david lives",
        "remind me of lea's birthday",
        "you remind me of my brother",
        "don't remind me",
        "david told me to remind me",
        "rappelle-moi ce que j'ai dit hier",
        "rappelle-moi où habite David",
        "rappelle-moi le nom de son chien",
        "peux-tu me rappeler quand est le rendez-vous de demain ?",
        "tu me rappelles mon frère",
        "ce film me rappelle mon enfance",
        "ne me rappelle pas ça",
        "je t'appelle demain à 9h",
        "let me know if david comes",
        "tell me in french",
        "tell me about yesterday",
        "préviens-moi si david vient",
        "dis-moi où tu es",
        "my alarm at 7 did not ring",
    ],
)
def test_what_asks_for_something_known_is_no_request(text: str) -> None:
    """To remind is also to recall, and to resemble."""
    assert wish(text) is None


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("my reminders", ReminderKind.SHOW),
        ("mes rappels ?", ReminderKind.SHOW),
        ("annule mon rappel", ReminderKind.SHOW),
        ("remind Lea to call me at 6", ReminderKind.FOR_OTHERS),
        ("rappelle à Léa de venir à 18h", ReminderKind.FOR_OTHERS),
    ],
)
def test_to_see_ones_own_or_to_remind_others_is_told_apart(text: str, kind: ReminderKind) -> None:
    """Neither sets anything."""
    found = read_wish(text, ("Eko",))
    assert found is not None
    assert found.kind is kind


@pytest.mark.parametrize(
    ("about", "when", "answer", "joint"),
    [
        ("buy milk", "", "at 6pm", ("buy milk", "at 6pm")),
        ("courir", "à 9h", "du soir", ("courir", "du soir à 9h")),
        ("", "à 18h", "appeler maman", ("appeler maman", "à 18h")),
        ("courir", "", "euh", ("courir", "")),
    ],
)
def test_an_answer_completes_a_request(
    about: str, when: str, answer: str, joint: tuple[str, str]
) -> None:
    """What it says of when comes first."""
    found = joined(ReminderWish(kind=ReminderKind.SET, about=about, when=when), answer)
    assert (found.about, found.when) == joint


@given(st.text(max_size=200), st.sampled_from(("remind me ", "rappelle-moi ", "mes rappels ", "")))
def test_whatever_follows_it_is_read_without_an_error(text: str, before: str) -> None:
    """And what is to be told is of the words that were typed."""
    found = read_wish(before + text, ("Eko",))
    if found is not None:
        assert len(found.about) <= len(before + text)


@given(
    st.from_regex(r"[bcdfgkpqvwxz]{3,9}( [bcdfgkpqvwxz]{3,9}){0,3}", fullmatch=True),
    st.integers(0, 23),
)
def test_what_is_to_be_done_comes_back_word_for_word(task: str, hour: int) -> None:
    """In front of its time or behind it."""
    about = f"xq{task}"
    assert wish(f"rappelle-moi à {hour}h30 de {about}") == (about, f"à {hour}h30")

"""What a message states, in French and in English, and how that is kept."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.model.statements import MemoryType
from memory.statements.extraction.finder import find_statements
from memory.statements.extraction.model import Statement

SATURDAY = datetime(2026, 1, 17, 10, 23, tzinfo=ZoneInfo("Europe/Paris"))


def found(text: str, *, names: tuple[str, ...] = ()) -> list[Statement]:
    """What David is taken to have stated."""
    return find_statements(text, "David", SATURDAY, names)


def contents(text: str, *, names: tuple[str, ...] = ()) -> list[str]:
    """The sentences alone."""
    return [statement.content for statement in found(text, names=names)]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("j'habite à Lyon", "fact"),
        ("je n'habite plus à Paris", "fact"),
        ("jhabite a lyon", "fact"),
        ("je suis allergique aux noix", "fact"),
        ("jsuis allergique aux noix", "fact"),
        ("je suis infirmière à Lyon", "fact"),
        ("je travaille chez Airbus", "fact"),
        ("j'ai mal à l'épaule", "fact"),
        ("je m'appelle David", "identity"),
        ("mon frère s'appelle Paul", "identity"),
        ("mes enfants s'appellent Léa et Tom", "identity"),
        ("ma sœur habite à Bordeaux", "fact"),
        ("mon amie part à Rome toute seule", "event"),
        ("j'adore le thé vert", "preference"),
        ("je déteste les brocolis", "preference"),
        ("j'aime pas les champignons", "preference"),
        ("I live in Paris", "fact"),
        ("I no longer live in Paris", "fact"),
        ("I've moved to Lyon", "fact"),
        ("my left shoulder hurts", "fact"),
        ("my brother is Paul", "identity"),
        ("my sister is called Élodie", "identity"),
        ("I don't like mushrooms", "preference"),
        ("I can't stand coriander", "preference"),
        ("I love hiking with my dog", "preference"),
    ],
)
def test_a_plain_statement_is_kept_in_its_authors_words(text: str, kind: str) -> None:
    """After their name, with the kind of what it tells."""
    (statement,) = found(text)
    assert statement.content == f"David: {text}"
    assert statement.memory_type is MemoryType(kind)
    assert statement.subjects[0] == "David"


@pytest.mark.parametrize(
    "text",
    [
        *("tu habites à Paris ?", "j'habite à Paris ?", "où j'habite ?", "je ne sais pas"),
        *("j'habite à Tokyo (blague)", "j'habite à Tokyo. Non, je déconne"),
        *("I live in Tokyo, not really", "comme dit Paul, je suis infirmier"),
        *("il a dit que j'habite à Paris", "> j'habite à Paris", "he said I live in Paris"),
        *('"I live in Paris" is a song', "si j'habite à Paris je prends le métro", "je t'aime"),
        *("peut-être que je pars à Rome", "I would live in Paris", "I might move to Berlin"),
        *("bonjour", "pas bonjour", "oublie que j'habite à Paris", "I love you", "I love it"),
        *("[04:46] <pawan> I live in Paris", "<pawan> I live in Paris", "!seen I live in Paris"),
        *("j'adore ça", "j'adore sa voix", "je suis fatigué", "j'ai faim"),
        *(
            "je suis mort de rire",
            "je pars dans 5 minutes",
            "je préfère attendre",
            "I have a problem",
        ),
        *(
            "Ubuntu is great",
            "Ubuntu = Linux",
            "DEBUG = True",
            "x = 3",
            "ça c'est Paul",
            "c'est Paul",
        ),
        *("how to download video from youtube", "I need to install nvidia", "Mickael est con"),
        *("do you remember that I live in Paris?", "remember that photo you sent me once?"),
        *(
            "Samantha and I have decided to move",
            "I'm a fan of the OS",
        ),
        *("I like how it works", "```\nI live in Paris\n```", "`I live in Paris`", "", "👍"),
    ],
)
def test_what_nobody_stated_is_not_kept(text: str) -> None:
    """Questions, jokes, quotes, guesses, commands and passing moods give nothing."""
    assert contents(text) == []


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("Demain, je pars à Lyon", "Demain (18/01/2026), je pars à Lyon"),
        ("je me suis cassé le bras hier", "je me suis cassé le bras hier (16/01/2026)"),
        ("j'ai un examen le 10 février", "j'ai un examen le 10 février (10/02/2026)"),
        ("je vais chez mes parents en mars", "je vais chez mes parents en mars (mars 2026)"),
        (
            "je pars à Rome la semaine prochaine",
            "je pars à Rome la semaine prochaine (semaine du 19/01/2026)",
        ),
        (
            "je me suis cassé la jambe il y a 3 jours",
            "je me suis cassé la jambe il y a 3 jours (14/01/2026)",
        ),
        ("On Friday I'm flying to Rome", "On Friday (23 January 2026) I'm flying to Rome"),
        ("I'm getting married in March", "I'm getting married in March (March 2026)"),
        (
            "I'm moving to Berlin next week",
            "I'm moving to Berlin next week (week of 19 January 2026)",
        ),
        ("je fais du yoga le mardi", "je fais du yoga le mardi"),
        ("je suis né le 3 mai 1990", "je suis né le 3 mai 1990"),
        ("my birthday is on May 3rd", "my birthday is on May 3rd"),
        ("ma fille est née le 2 février", "ma fille est née le 2 février"),
    ],
)
def test_a_relative_date_carries_the_day_it_means(text: str, content: str) -> None:
    """Months later, "tomorrow" still says which day; a birthday is no day of this year."""
    assert contents(text) == [f"David: {content}"]


def test_an_event_lives_until_a_week_after_its_day() -> None:
    """It passes with its day, and what is already past or lasts has no end."""
    assert found("Demain, je pars à Lyon")[0].ttl == timedelta(days=8, hours=13, minutes=37)
    assert found("je me suis cassé le bras hier")[0].ttl is None
    assert found("j'habite à Lyon")[0].ttl is None


def test_several_statements_of_one_message_are_kept_apart() -> None:
    """Each clause stands alone."""
    assert contents("salut ! j'habite à Paris et je travaille chez Airbus, mais j'adore Lyon") == [
        "David: j'habite à Paris",
        "David: je travaille chez Airbus",
        "David: j'adore Lyon",
    ]


def test_what_goes_on_about_another_is_not_cut_off() -> None:
    """Of "she" alone a later reader could not tell who that is."""
    text = "my sister is called Anna, she hates mushrooms"
    assert contents(text) == [f"David: {text}"]


def test_the_same_statement_twice_is_one() -> None:
    """Repeating oneself adds nothing."""
    assert contents("I live in Lyon\nI live in Lyon.") == ["David: I live in Lyon"]


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("souviens-toi que j'aime les chats", "David: j'aime les chats"),
        ("Eko, retiens que le code est 1234.", "David: “le code est 1234”"),
        ("remember that I live in Lyon", "David: I live in Lyon"),
        ("remember that the gate code is 1234", "David: “the gate code is 1234”"),
        ("n'oublie pas que si je dors, il faut frapper", "David: “si je dors, il faut frapper”"),
        ("souviens-toi que je suis le roi lol", "David: “je suis le roi lol”"),
        (
            "remember that I live in Lyon and the gate code is 1234",
            "David: I live in Lyon and the gate code is 1234",
        ),
        ("retiens que dev c'est Mickael", "dev = Mickael"),
    ],
)
def test_what_one_asks_to_be_remembered_always_is(text: str, content: str) -> None:
    """All of it: as a statement where it surely is one, else in quotation marks."""
    assert contents(text, names=("Eko",)) == [content]


def test_aliases_are_believed_of_people_the_room_knows() -> None:
    """An unknown capitalised word may be a product; a known name is a person."""
    assert contents("dev c'est Mickael") == contents("dev = Mickael") == ["dev = Mickael"]
    assert contents("dev is Mickael") == []
    assert contents("dev is Mickael", names=("Mickael",)) == ["dev = Mickael"]


def test_what_is_said_of_a_person_the_room_knows_is_about_them() -> None:
    """Without the name of who says it before it."""
    text = "Mickael s'est cassé l'épaule"
    assert contents(text, names=("Mickael",)) == [text]
    assert found(text, names=("Mickael",))[0].subjects[:2] == ("Mickael", "David")


def test_a_message_to_somebody_is_read_without_their_name() -> None:
    """Rooms address people by name first."""
    assert contents("frolle: I live in Paris") == ["David: I live in Paris"]
    assert contents("@frolle j'habite à Lyon") == ["David: j'habite à Lyon"]
    assert contents("Eko, j'habite à Lyon", names=("Eko",)) == ["David: j'habite à Lyon"]


def test_subjects_are_who_and_what_it_is_about() -> None:
    """The speaker, the people and the proper names, without days and function words."""
    assert found("je pars en Grèce avec Léa lundi", names=("Léa",))[0].subjects == (
        "David",
        "Léa",
        "Grèce",
    )
    assert found("dev = Mickael")[0].subjects == ("dev", "Mickael")


def test_a_name_with_braces_is_only_a_name() -> None:
    """Names come from platforms and may hold anything."""
    statements = find_statements("I live in Lyon", "{who}", SATURDAY)
    assert statements[0].content == "{who}: I live in Lyon"


@given(st.text(max_size=200))
def test_no_text_breaks_it(text: str) -> None:
    """Whatever people type, each statement has content and a subject."""
    for statement in found(text, names=("Mickael",)):
        assert statement.content
        assert statement.subjects


@given(
    st.sampled_from(
        ["demain", "hier", "lundi", "la semaine prochaine", "en mars", "le 30 février"]
    ),
    st.datetimes(min_value=datetime(2000, 1, 1), max_value=datetime(2090, 1, 1)),  # noqa: DTZ001
)
def test_a_dated_event_never_ends_before_it_was_said(when: str, naive: datetime) -> None:
    """The time to live is positive on every day of the year, leap days and changes of hour too."""
    said_at = naive.replace(tzinfo=ZoneInfo("Europe/Paris"))
    for statement in find_statements(f"je pars à Rome {when}", "David", said_at):
        assert statement.ttl is None or statement.ttl > timedelta()


@pytest.mark.parametrize(
    "text", ["I'm a dentist, said nobody ever", "on prend un café ?", "on garde le chat"]
)
def test_what_nobody_meant_is_not(text: str) -> None:
    """Nor what decides nothing."""
    assert find_statements(text, "Zed", SATURDAY) == []

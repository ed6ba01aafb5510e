"""What counts as a plain statement, in French and in English, and what it becomes."""

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
    ("text", "content", "kind"),
    [
        ("j'habite à Paris", "David habite à Paris", "fact"),
        ("je suis allergique aux noix", "David est allergique aux noix", "fact"),
        ("j'ai un fils", "David a un fils", "fact"),
        ("je suis infirmière à Lyon", "David est infirmière à Lyon", "fact"),
        ("je m'appelle David", "David s'appelle David", "identity"),
        ("moi c'est Paul", "David s'appelle Paul", "identity"),
        ("mon frère s'appelle Paul", "Le frère de David s'appelle Paul", "fact"),
        ("ma sœur habite à Bordeaux", "La sœur de David habite à Bordeaux", "fact"),
        ("mon amie part à Rome", "L'amie de David part à Rome", "event"),
        (
            "mes enfants s'appellent Léa et Tom",
            "Les enfants de David s'appellent Léa et Tom",
            "fact",
        ),
        ("j'adore le thé vert", "David adore le thé vert", "preference"),
        ("je déteste les brocolis", "David déteste les brocolis", "preference"),
        ("je préfère le train", "David préfère le train", "preference"),
        ("j'aime pas les champignons", "David n'aime pas les champignons", "preference"),
        ("je hais pas le lundi", "David ne hait pas le lundi", "preference"),
        ("je n'habite plus à Paris", "David n'habite plus à Paris", "fact"),
        ("je fume plus", "David ne fume plus", "fact"),
        (
            "je vais chez mes parents en mars",
            "David va chez ses parents en mars (mars 2026)",
            "event",
        ),
        ("je travaille chez Airbus", "David travaille chez Airbus", "fact"),
        ("je veux apprendre le piano", "David veut apprendre le piano", "goal"),
        ("j'aimerais apprendre l'italien", "David aimerait apprendre l'italien", "goal"),
        ("jsuis allergique aux noix", "David est allergique aux noix", "fact"),
        ("mon film préféré est Alien", "Le film préféré de David est Alien", "preference"),
        ("Mickael s'est cassé l'épaule", "Mickael s'est cassé l'épaule", "event"),
        (
            "on va utiliser MySQL à la place",
            "David : « On va utiliser MySQL à la place »",
            "decision",
        ),
        ("dev c'est Mickael", "dev = Mickael", "identity"),
        ("dev = Mickael", "dev = Mickael", "identity"),
        ("I live in Paris", "David lives in Paris", "fact"),
        ("im allergic to nuts", "David is allergic to nuts", "fact"),
        ("My name is Dave", "David is called Dave", "identity"),
        ("my brother is Paul", "David's brother is Paul", "fact"),
        ("my brother is a nurse", "David's brother is a nurse", "fact"),
        ("I don't like mushrooms", "David doesn't like mushrooms", "preference"),
        ("I can't stand coriander", "David can't stand coriander", "preference"),
        ("I no longer live in Paris", "David no longer lives in Paris", "fact"),
        ("I love hiking with my dog", "David loves hiking with their dog", "preference"),
        ("I want to learn Spanish", "David wants to learn Spanish", "goal"),
        ("I've moved to Lyon", "David has moved to Lyon", "event"),
        ("I live in Paris and work at Airbus", "David lives in Paris and works at Airbus", "fact"),
        ("we decided to use PostgreSQL", "David: “We decided to use PostgreSQL”", "decision"),
    ],
)
def test_a_plain_statement_stands_alone(text: str, content: str, kind: str) -> None:
    """The first person becomes the speaker's name, conjugated, or a quote."""
    statements = found(text)
    assert [statement.content for statement in statements] == [content]
    assert statements[0].memory_type is MemoryType(kind)


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
        ("je pars en Grèce demain", "David part en Grèce demain (18/01/2026)"),
        ("Demain, je pars à Lyon", "David part à Lyon demain (18/01/2026)"),
        ("je me suis cassé le bras hier", "David s'est cassé le bras hier (16/01/2026)"),
        ("j'ai rendez-vous lundi", "David a rendez-vous lundi (19/01/2026)"),
        ("j'ai un examen le 10 février", "David a un examen le 10 février (10/02/2026)"),
        ("je déménage le 3/02", "David déménage le 3/02 (03/02/2026)"),
        (
            "je pars à Rome la semaine prochaine",
            "David part à Rome la semaine prochaine (semaine du 19/01/2026)",
        ),
        (
            "je me suis cassé la jambe il y a 3 jours",
            "David s'est cassé la jambe il y a 3 jours (14/01/2026)",
        ),
        ("I'm flying to Rome tomorrow", "David is flying to Rome tomorrow (18 January 2026)"),
        ("On Friday I'm flying to Rome", "David is flying to Rome on Friday (23 January 2026)"),
        ("I'm getting married in March", "David is getting married in March (March 2026)"),
        (
            "I'm moving to Berlin next week",
            "David is moving to Berlin next week (week of 19 January 2026)",
        ),
        (
            "Mickael broke his shoulder yesterday",
            "Mickael broke his shoulder yesterday (16 January 2026)",
        ),
        ("je fais du yoga le mardi", "David fait du yoga le mardi"),
        ("je suis né le 3 mai 1990", "L'anniversaire de David est le 3 mai 1990"),
        ("ma fille est née le 2 février", "La fille de David est née le 2 février"),
    ],
)
def test_a_relative_date_carries_the_day_it_means(text: str, content: str) -> None:
    """Months later, "tomorrow" still says which day."""
    assert contents(text) == [content]


def test_an_event_lives_until_a_week_after_its_day() -> None:
    """It passes with its day, and what is already past or lasts has no end."""
    assert found("je pars en Grèce demain")[0].ttl == timedelta(days=8, hours=13, minutes=37)
    assert found("je me suis cassé le bras hier")[0].ttl is None
    assert found("j'habite à Paris")[0].ttl is None


def test_a_todo_is_dated_and_passes() -> None:
    """A reminder asked for is kept in the pet's own words."""
    asked = found("rappelle-moi d'appeler le dentiste lundi")[0]
    assert asked.content == "Rappeler à David d'appeler le dentiste lundi (19/01/2026)"
    assert (asked.memory_type, asked.ttl is None) == (MemoryType.TODO, False)
    english = contents("remind me to call my mom on Friday")
    assert english == ["Remind David to call their mom on Friday (23 January 2026)"]


@pytest.mark.parametrize(
    ("text", "core"),
    [
        ("j'habite à Paris", ("city", "Paris")),
        ("j'habite a paris", ("city", "Paris")),
        ("I live in New York", ("city", "New York")),
        ("I live in France", ("country", "France")),
        ("je m'appelle Dédé", ("name", "Dédé")),
        ("my birthday is on May 3rd", ("birthday", "on May 3rd")),
        ("je n'habite plus à Paris", None),
        ("I don't live in Paris", None),
        ("j'habite à la campagne", None),
        ("I live in Texas", None),
        ("ma sœur habite à Paris", None),
    ],
)
def test_core_facts_are_about_the_speaker(text: str, core: tuple[str, str] | None) -> None:
    """A core fact is only what the speaker affirms of themselves."""
    assert [statement.core for statement in found(text)] == [core]


def test_several_statements_of_one_message_are_kept_apart() -> None:
    """Each clause stands alone."""
    assert contents("salut ! j'habite à Paris et je travaille chez Airbus, mais j'adore Lyon") == [
        "David habite à Paris",
        "David travaille chez Airbus",
        "David adore Lyon",
    ]


def test_the_same_statement_twice_is_one() -> None:
    """Repeating oneself adds nothing."""
    assert contents("j'habite à Paris\nj'habite à Paris.") == ["David habite à Paris"]


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("souviens-toi que j'aime les chats", "David aime les chats"),
        ("Eko, retiens que le code est 1234.", "David : « Le code est 1234 »"),
        ("remember that I love cats", "David loves cats"),
        ("remember that the gate code is 1234", "David: “The gate code is 1234”"),
        ("n'oublie pas que si je dors, il faut frapper", "David : « Si je dors, il faut frapper »"),
        ("souviens-toi que je suis le roi lol", "David : « Je suis le roi lol »"),
    ],
)
def test_what_one_asks_to_be_remembered_always_is(text: str, content: str) -> None:
    """As a statement where there is a pattern, else word for word."""
    assert contents(text, names=("Eko",)) == [content]


def test_more_is_believed_of_people_the_room_knows() -> None:
    """An unknown capitalised word may be a product; a known name is a person."""
    assert contents("Mickael aime le jazz") == []
    assert contents("Mickael aime le jazz", names=("Mickael",)) == ["Mickael aime le jazz"]
    assert contents("dev is Mickael") == []
    assert contents("dev is Mickael", names=("Mickael",)) == ["dev = Mickael"]


def test_a_message_to_somebody_is_read_without_their_name() -> None:
    """Rooms address people by name first."""
    assert contents("frolle: I live in Paris") == ["David lives in Paris"]
    assert contents("@frolle j'habite à Paris") == ["David habite à Paris"]
    assert contents("Eko, j'habite à Paris", names=("Eko",)) == ["David habite à Paris"]


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
    statements = find_statements("my name is Dave", "{who}", SATURDAY)
    assert statements[0].content == "{who} is called Dave"


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
    ("text", "kept"),
    [
        ("finalement on passe sur Cassandra", "Zed : « On passe sur Cassandra »"),
        (
            "pour le projet Atlas on part sur PostgreSQL",
            "Zed : « Pour le projet Atlas on part sur PostgreSQL »",
        ),
        ("on remplace MySQL par SQLite", "Zed : « On remplace MySQL par SQLite »"),
        ("we're replacing MySQL with SQLite", "Zed: “We're replacing MySQL with SQLite”"),
        ("j'ai mal à l'épaule", "Zed a mal à l'épaule"),
        ("my left shoulder hurts", "Zed's left shoulder hurts"),
        ("I stopped drinking coffee", "Zed stopped drinking coffee"),
        ("my sister is called Élodie", "Zed's sister is called Élodie"),
        ("my sister's name is Nora", "Zed's sister is called Nora"),
        ("I collect bottle caps", "Zed collects bottle caps"),
    ],
)
def test_what_a_year_of_talk_left_unread_is_read(text: str, kept: str) -> None:
    """Decisions in any frame, aches, given up habits, and names with accents."""
    assert [one.content for one in find_statements(text, "Zed", SATURDAY)] == [kept]


@pytest.mark.parametrize(
    "text", ["I'm a dentist, said nobody ever", "on prend un café ?", "on garde le chat"]
)
def test_what_nobody_meant_is_not(text: str) -> None:
    """Nor what decides nothing."""
    assert find_statements(text, "Zed", SATURDAY) == []

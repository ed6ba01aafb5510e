"""What a question says about when, in the words people type."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.language.times.intervals import Grain
from memory.language.times.parser import Period, read_times
from tests.cast import NOON

PARIS = ZoneInfo("Europe/Paris")
SATURDAY = NOON
"""17 January 2026, noon in UTC, one o'clock in Paris."""


def asked(text: str, now: datetime = SATURDAY) -> list[str]:
    """The periods as local days `first..last grain`, hours where the grain is a moment."""
    return [_written(period) for period in read_times(text, now, PARIS).periods]


def _written(period: Period) -> str:
    style = "%Y-%m-%d %Hh" if period.grain is Grain.MOMENT else "%Y-%m-%d"
    start, end = (moment.astimezone(PARIS) for moment in (period.start, period.end))
    return f"{start:{style}}..{end:{style}} {period.grain}"


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (
            ["on a parlé de quoi hier ?", "what did I say yesterday", "yesturday?", "et hier"],
            "2026-01-16..2026-01-17 day",
        ),
        (
            ["avant-hier", "avant hier", "avanthier", "the day before yesterday"],
            "2026-01-15..2026-01-16 day",
        ),
        (
            ["aujourd'hui", "aujourd’hui", "aujourdhui", "aujourd hui", "ajd", "auj", "today"],
            "2026-01-17..2026-01-18 day",
        ),
        (["demain", "tomorrow", "tmrw"], "2026-01-18..2026-01-19 day"),
        (["après-demain", "apres demain", "day after tomorrow"], "2026-01-19..2026-01-20 day"),
        (["ce matin", "ce mat", "this morning"], "2026-01-17 05h..2026-01-17 12h moment"),
        (["hier soir", "hier au soir"], "2026-01-16 17h..2026-01-17 03h moment"),
        (["last night", "la nuit dernière", "cette nuit"], "2026-01-16 18h..2026-01-17 06h moment"),
        (
            ["cet aprem", "cet après-midi", "this afternoon"],
            "2026-01-17 12h..2026-01-17 18h moment",
        ),
        (["il y a 2h", "y a deux heures", "2 hours ago"], "2026-01-17 10h..2026-01-17 12h moment"),
    ],
)
def test_days_and_hours_are_read(texts: list[str], expected: str) -> None:
    """With or without accents, apostrophes and hyphens."""
    assert {text: asked(text) for text in texts} == {text: [expected] for text in texts}


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (
            [
                "la semaine dernière",
                "la semaine derniere",
                "semaine passée",
                "last week",
                "last wk",
            ],
            "2026-01-05..2026-01-12 week",
        ),
        (["cette semaine", "this week"], "2026-01-12..2026-01-19 week"),
        (["la semaine prochaine", "next week", "in a week"], "2026-01-19..2026-01-26 week"),
        (["le mois dernier", "le mois passé", "last month"], "2025-12-01..2026-01-01 month"),
        (["en décembre", "in December", "in dec", "last december"], "2025-12-01..2026-01-01 month"),
        (["ce mois-ci", "this month", "en janvier"], "2026-01-01..2026-02-01 month"),
        (
            ["l'an dernier", "l’année dernière", "lannée dernière", "l an passé", "last year"],
            "2025-01-01..2026-01-01 year",
        ),
        (["cette année", "this year", "en 2026"], "2026-01-01..2027-01-01 year"),
        (
            ["il y a 3 jours", "ya 3j", "y'a trois jours", "3 days ago"],
            "2026-01-14..2026-01-15 day",
        ),
        (
            ["il y a deux semaines", "il y a 2 sem", "two weeks ago", "a couple of weeks ago"],
            "2025-12-29..2026-01-05 week",
        ),
        (["il y a deux mois de ça", "2 months ago"], "2025-11-01..2025-12-01 month"),
        (["il y a deux ans", "two years ago", "en 2024", "in 2024"], "2024-01-01..2025-01-01 year"),
        (["ces 3 derniers jours", "the past three days"], "2026-01-14..2026-01-17 day"),
    ],
)
def test_weeks_months_and_years_are_read(texts: list[str], expected: str) -> None:
    """Calendar ones, in the grain they were named in."""
    assert {text: asked(text) for text in texts} == {text: [expected] for text in texts}


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["lundi", "lundi dernier", "on monday", "last Monday"], "2026-01-12..2026-01-13 day"),
        (["mardi", "tuesday", "last tues"], "2026-01-13..2026-01-14 day"),
        (["samedi dernier", "last Saturday"], "2026-01-10..2026-01-11 day"),
        (["lundi prochain", "next monday"], "2026-01-19..2026-01-20 day"),
        (["ce week-end", "ce weekend", "ce we", "over the weekend"], "2026-01-17..2026-01-19 day"),
        (["le week-end dernier", "le we passé", "last weekend"], "2026-01-10..2026-01-12 day"),
        (["mardi soir", "tuesday evening"], "2026-01-13 17h..2026-01-14 03h moment"),
    ],
)
def test_weekdays_and_weekends_are_those_that_were(texts: list[str], expected: str) -> None:
    """The past is meant unless the next one is named."""
    assert {text: asked(text) for text in texts} == {text: [expected] for text in texts}


def test_early_in_a_week_this_weekend_is_the_one_that_was() -> None:
    """People who ask on a Monday ask what happened."""
    monday = datetime(2026, 1, 19, 9, tzinfo=UTC)
    assert asked("t'as fait quoi ce week-end ?", monday) == ["2026-01-17..2026-01-19 day"]


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (
            ["le 14 juillet", "14 juil", "on July 14", "July 14th", "the 14th of July", "14/07"],
            "2025-07-14..2025-07-15 day",
        ),
        (["le 17 janvier", "17/01", "le 17/1", "le 17", "the 17th?"], "2026-01-17..2026-01-18 day"),
        (
            [
                "7 May 2023",
                "May 7th, 2023",
                "May 7 2023",
                "2023-05-07",
                "07/05/2023",
                "7 mai 2023",
                "le dimanche 7 mai 2023",
                "7.5.2023",
                "le 7/5/23",
                "on Sunday, 7 May 2023",
            ],
            "2023-05-07..2023-05-08 day",
        ),
        (["le 1er mai", "le premier mai", "May the 1st", "on may 1"], "2025-05-01..2025-05-02 day"),
        (["05/17/2023"], "2023-05-17..2023-05-18 day"),
        (["la semaine du 12 mai 2025", "the week of May 12"], "2025-05-12..2025-05-19 week"),
        (["le 20"], "2025-12-20..2025-12-21 day"),
    ],
)
def test_calendar_days_are_read(texts: list[str], expected: str) -> None:
    """A day without its year is the latest there was."""
    assert {text: asked(text) for text in texts} == {text: [expected] for text in texts}


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["en février 2023", "fevrier 2023", "in Feb 2023",
          "February of 2023", "in february, 2023"],
         "2023-02-01..2023-03-01 month"),
        (["en mars", "in march", "au mois de mars", "mars dernier"],
         "2025-03-01..2025-04-01 month"),
        (["in May", "en mai", "during may"], "2025-05-01..2025-06-01 month"),
        (["en mai prochain", "next may"], "2026-05-01..2026-06-01 month"),
        (["début juin", "in early June", "au début du mois de juin"],
         "2025-06-01..2025-06-11 week"),
        (["fin juin 2024", "at the end of June 2024"], "2024-06-21..2024-07-01 week"),
        (["mi-août", "mi aout", "mid-August"], "2025-08-11..2025-08-21 week"),
        (["early 2023", "début 2023"], "2023-01-01..2023-05-01 season"),
        (["cet été", "cet ete", "this summer", "last summer", "l'été dernier", "in the summer"],
         "2025-06-01..2025-09-01 season"),
        (["summer 2022", "in the summer of 2022", "l'été 2022"], "2022-06-01..2022-09-01 season"),
        (["cet hiver", "this winter"], "2025-12-01..2026-03-01 season"),
        (["l'hiver dernier", "last winter"], "2024-12-01..2025-03-01 season"),
        (["à Noël", "a noel", "at Christmas", "noël dernier", "on christmas day"],
         "2025-12-24..2025-12-26 day"),
        (["à noël 2023", "Christmas 2023"], "2023-12-24..2023-12-26 day"),
        (["au nouvel an", "on New Year's Eve", "for new years"],
         "2025-12-31..2026-01-02 day"),
        (["à Halloween", "last halloween"], "2025-10-31..2025-11-01 day"),
    ],
)  # fmt: skip
def test_months_seasons_and_feasts_are_read(texts: list[str], expected: str) -> None:
    """The latest that has begun; "last" is the latest that is over."""
    assert {text: asked(text) for text in texts} == {text: [expected] for text in texts}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("depuis lundi", "2026-01-12..2026-01-17 day"),
        ("since last week", "2026-01-05..2026-01-17 week"),
        ("since May", "2025-05-01..2026-01-17 month"),
        ("depuis 2024", "2024-01-01..2026-01-17 year"),
        ("depuis le 3 janvier", "2026-01-03..2026-01-17 day"),
        ("depuis 3 jours", "2026-01-14..2026-01-17 day"),
    ],
)
def test_since_goes_on_until_now(text: str, expected: str) -> None:
    """What began then may have happened any day since."""
    assert asked(text) == [expected]


def test_beside_a_date_is_before_or_after_it() -> None:
    """The week before is seven days, the day after is one."""
    assert asked("the week before 16 November 2023") == ["2023-11-09..2023-11-16 week"]
    assert asked("la semaine après le 12 mai 2025") == ["2025-05-13..2025-05-20 week"]
    assert asked("the day after August 3, 2023") == ["2023-08-04..2023-08-05 day"]


@pytest.mark.parametrize(
    "text",
    [
        "before February",
        "avant le 12 mai",
        "après la semaine dernière",
        "until May 7",
        "since tomorrow",
        "you may have it",
        "I may 2 go",
        "may 2 people come along",
        "march 3 miles with me",
        "we march on",
        "march order",
        "in march order",
        "this may be wrong",
        "mars attacks",
        "la planète mars",
        "une barre de mars",
        "tu préfères mars ou snickers",
        "the sun is out",
        "I sat down",
        "the cat sat on the mat",
        "give me a second",
        "une seconde",
        "le second tour",
        "he was wed",
        "mon chat",
        "il a été malade",
        "c'était un été indien ?",
        "does this fall under your rules?",
        "I fall asleep",
        "a spring in the bed",
        "in spring boot",
        "my august friend",
        "24/7",
        "50/50",
        "9/10 would recommend",
        "version 1.2.2023.4",
        "http://example.com/2006/10/16/clean-up",
        "in 2000 words",
        "en 2000 mots",
        "error 2023",
        "call 2023 2024",
        "0123456789",
        "le 31 février",
        "32/13/2023",
        "il y a deux semaines de vacances",
        "y a 3 personnes",
        "ça prend 3 jours",
        "Noël est mon oncle",
        "Black Friday",
        "tous les lundis",
        "le lundi je travaille",
        "every friday",
        "on en a sept en stock",
        "en sept manches",
        "le temps passe",
        "la semaine passe vite",
        "Mars passe à la télé",
        "when was it we last met",
        "the last we spoke",
        "the last of us",
        "la dernière fois",
        "an hour or two",
        "next to me",
        "",
        "???",
        "😀",
    ],
)
def test_ordinary_words_name_no_time(text: str) -> None:
    """A month that is a verb, a mark, a fraction or a habit is no date."""
    assert asked(text) == []


def test_every_period_of_a_text_is_read_in_order() -> None:
    """Each once, however often it is named."""
    found = asked("hier ou le 3 janvier ? and yesterday, or in 2024")
    assert found == [
        "2026-01-16..2026-01-17 day",
        "2026-01-03..2026-01-04 day",
        "2024-01-01..2025-01-01 year",
    ]


def test_the_rest_of_a_text_is_without_its_dates() -> None:
    """Folded, so that what is asked can be told apart from when."""
    assert (
        read_times("On a parlé de quoi depuis lundi ?", NOON, PARIS).rest == "on a parle de quoi ?"
    )


def test_a_day_begins_at_midnight_of_the_zone() -> None:
    """Also on the day the clock goes forward, which is an hour short."""
    (day,) = read_times("le 29 mars 2026", datetime(2026, 4, 2, tzinfo=UTC), PARIS).periods
    assert day.start == datetime(2026, 3, 28, 23, tzinfo=UTC)
    assert day.end == datetime(2026, 3, 29, 22, tzinfo=UTC)


def test_just_after_midnight_yesterday_is_of_the_zone() -> None:
    """It is already Sunday in Paris while it is Saturday in UTC."""
    late = datetime(2026, 1, 17, 23, 30, tzinfo=UTC)
    assert asked("hier", late) == ["2026-01-17..2026-01-18 day"]


@pytest.mark.parametrize(
    "text",
    [
        "il y a 999 ans",
        "il y a 99999999999 jours",
        "en 9999",
        "le 99/99/9999",
        "0000-00-00",
        "le 29 février",
        "٢٠٢٣-٠٥-٠٧",
        "hier" * 5_000,
        "le 1 " * 2_000,
        "il y a " * 2_000,
        "12/" * 3_000,
        "last " * 3_000,
    ],
)
def test_odd_and_endless_texts_are_survived(text: str) -> None:
    """Nothing overflows, and what is found is a stretch of time."""
    assert all(period.start < period.end for period in read_times(text, NOON, PARIS).periods)


@given(
    st.text(max_size=120),
    st.integers(0, 4_000_000_000).map(lambda second: datetime.fromtimestamp(second, UTC)),
)
def test_any_text_at_any_moment_is_read(text: str, now: datetime) -> None:
    """Whatever somebody types, periods run forwards and are in UTC."""
    for period in read_times(text, now, PARIS).periods:
        assert period.start < period.end
        assert period.start.tzinfo is period.end.tzinfo is UTC

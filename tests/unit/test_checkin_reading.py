"""What is read as worth asking after: sure words that name a day, in both languages."""

from datetime import date, datetime, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.claims.reader import read_claims
from memory.model.checkins import (
    FIRST_HOUR,
    LAST_HOUR,
    SNOOZE,
    ArrangedPlan,
    CheckinRoom,
    HeardLine,
    KnownBirthday,
)
from memory.model.messages import MessageId
from memory.model.people import PersonId
from memory.rules.checkins.choosing import is_time
from memory.rules.checkins.reading import birthday_of, own_occasions, plan_occasion, said_day
from tests.cast import DAVID, direct, room_of

PARIS = ZoneInfo("Europe/Paris")
WEDNESDAY = datetime(2026, 3, 25, 10, tzinfo=PARIS)


def heard(text: str, who: str = "David", number: int = 1, minutes: int = 0) -> HeardLine:
    """A line with its claims."""
    (claims,) = read_claims([text])
    return HeardLine(
        message=MessageId(number),
        person=PersonId(who),
        name=who,
        account=None,
        text=text,
        at=WEDNESDAY + timedelta(minutes=minutes),
        claims=tuple(claims),
    )


def read(*texts: str, alone: bool = True) -> list[tuple[str, date]]:
    """What lines of one person are read as: the rule and the day."""
    lines = [heard(text, number=at, minutes=at) for at, text in enumerate(texts)]
    return [(one.rule, day.day) for day, one in own_occasions(lines, PARIS, alone=alone)]


@pytest.mark.parametrize(
    ("text", "rule", "day"),
    [
        ("j'ai mon examen de maths vendredi", "outcome", 27),
        ("je passe mon permis samedi", "outcome", 28),
        ("my job interview is tomorrow at 3pm", "outcome", 26),
        ("I start my new job on Monday", "outcome", 30),
        ("je pars à Rome lundi", "plan", 30),
        ("I'm getting married on Saturday!", "plan", 28),
        ("I'll send it Friday", "promise", 27),
        ("je vous envoie le compte rendu demain", "promise", 26),
        ("Promis, je t'apporte les clés vendredi", "promise", 27),
        ("I promise I'll finish the report by Thursday", "promise", 26),
    ],
)
def test_what_is_sure_is_read(text: str, rule: str, day: int) -> None:
    """With the day that is meant."""
    assert read(text) == [(rule, date(2026, 3, day))]


@pytest.mark.parametrize(
    "text",
    [
        "l'enterrement de ma grand-mère est vendredi",
        "my operation is on Monday",
        "I have a blood test on Friday",
        "j'ai un scanner à l'hôpital lundi",
        "I have my court trial on Friday",
        "maybe I'll run the marathon on Sunday",
        "I'll send it Friday if I can",
        "I'll send it next week",
        "I have my exam on Friday or Monday",
        "I have 3 exams on Friday and 2 on Monday",
        "I have a test next Friday",
        "I play a match every Friday",
        "j'ai un match le samedi",
        "I don't have my exam on Friday",
        "I had my exam on Friday",
        "Lea has her exam on Friday",
        "do I have my exam on Friday?",
        "« j'ai mon examen vendredi », disait-elle",
        "I'm getting married on Saturday lol jk",
        "I'll go to the gym on Friday",
        "I have my exam on the 40th of March",
        "Barbecue chez moi samedi à 19h, qui vient ?",
        "x" * 5000,
        "je " * 400 + "t'envoie ça vendredi",
    ],
)
def test_what_is_not_sure_or_hurts_is_not_read(text: str) -> None:
    """Doubt, habits, other people, jokes, questions, grief, health, and floods."""
    assert read(text) == []


def test_promises_and_journeys_are_no_matter_of_a_group() -> None:
    """What has an end that others may ask about is."""
    assert read("I'll send it Friday", "je pars à Rome lundi", alone=False) == []
    assert read("j'ai mon oral vendredi", alone=False) == [("outcome", date(2026, 3, 27))]


@pytest.mark.parametrize(
    "later", ["mon oral est annulé", "mon oral est lundi", "pas d'oral demain"]
)
def test_a_later_line_of_the_same_makes_it_unsure(later: str) -> None:
    """Another person's does not."""
    assert ("outcome", date(2026, 3, 27)) not in read("j'ai mon oral vendredi", later)


def arranged(*said: tuple[str, str], coming: str) -> tuple[date, tuple[str, ...]] | None:
    """The day and the people of what a group said."""
    lines = tuple(
        heard(text, who, number, number) for number, (who, text) in enumerate(said, start=1)
    )
    agreed = tuple(
        next(one for one in reversed(lines) if one.name == name) for name in coming.split()
    )
    found = plan_occasion(ArrangedPlan(lines=lines, coming=agreed), PARIS)
    return None if found is None else (found[0].day, found[1].coming)


def test_a_plan_is_sure_by_who_asks_and_who_answers() -> None:
    """Its day may come later, by who asked."""
    asks = ("Ana", "game night at mine on Friday?")
    assert arranged(asks, ("Ben", "yes!"), coming="Ana Ben") == (
        date(2026, 3, 27),
        ("Ana", "Ben"),
    )
    assert (
        arranged(("Ben", "did you see the match on Friday?"), ("Ana", "yes"), coming="Ben Ana")
        is None
    )
    assert arranged(asks, coming="Ana") is None
    assert arranged(asks, ("Ben", "yes!"), ("Ben", "or Saturday?"), coming="Ana Ben") is None
    assert arranged(asks, ("Ben", "yes!"), ("Ana", "let's cancel"), coming="Ana Ben") is None


def test_who_answers_another_question_does_not_come() -> None:
    """The names are those of the invitation."""
    told = arranged(
        ("Ana", "game night at mine on Friday, who's in?"),
        ("Ben", "count me in"),
        ("Cleo", "did you see the match?"),
        ("Dan", "yes, what a goal"),
        coming="Ana Ben Cleo Dan",
    )
    assert told == (date(2026, 3, 27), ("Ana", "Ben"))


@pytest.mark.parametrize(
    ("value", "day", "is_today"),
    [
        ("12 avril", date(2026, 4, 12), True),
        ("le 12 avril 1990", date(2026, 4, 12), True),
        ("April 12th", date(2026, 4, 12), True),
        ("April 12", date(2026, 4, 13), False),
        ("29 février", date(2026, 2, 28), True),
        ("29 février", date(2028, 2, 28), False),
        ("29 février", date(2028, 2, 29), True),
        ("in spring", date(2026, 4, 12), False),
        ("vendredi", date(2026, 4, 10), False),
    ],
)
def test_birthdays_by_day_and_month(value: str, day: date, *, is_today: bool) -> None:
    """Whatever year they name."""
    known = KnownBirthday(
        fact=UUID(int=1),
        person=PersonId("p"),
        name="David",
        account=None,
        value=value,
        content=value,
        said_at=WEDNESDAY,
    )
    assert (birthday_of(known, day) is not None) is is_today


@given(
    minutes=st.integers(0, 366 * 24 * 60),
    zone=st.sampled_from(["Europe/Paris", "America/New_York", "Australia/Lord_Howe", "UTC"]),
    asked=st.lists(st.integers(0, 20 * 24 * 60), max_size=4),
    unanswered=st.integers(0, 4),
)
def test_no_hour_of_the_year_is_at_night(
    minutes: int, zone: str, asked: list[int], unanswered: int
) -> None:
    """Nor more than two a day, nor soon after two that nobody answered."""
    now = datetime(2026, 1, 1, tzinfo=ZoneInfo("UTC")) + timedelta(minutes=minutes)
    place = CheckinRoom(
        room=room_of(direct(DAVID)),
        person=PersonId("p"),
        account=None,
        locale="en",
        asked=tuple(now - timedelta(minutes=one) for one in asked),
        unanswered=unanswered,
    )
    if is_time(place, now, ZoneInfo(zone)):
        local = now.astimezone(ZoneInfo(zone))
        today = [
            one for one in place.asked if one.astimezone(ZoneInfo(zone)).date() == local.date()
        ]
        assert FIRST_HOUR <= local.hour < LAST_HOUR
        assert len(today) < 2
        assert unanswered < 3
        assert unanswered < 2 or all(now - one >= SNOOZE for one in place.asked)


def test_a_day_is_read_in_the_zone_of_who_said_it() -> None:
    """Said at 23:30 in New York it is the next day in Paris."""
    at = datetime(2026, 3, 25, 23, 30, tzinfo=ZoneInfo("America/New_York"))
    there, here = (
        said_day("tomorrow", at, ZoneInfo("America/New_York")),
        said_day("tomorrow", at, PARIS),
    )
    assert there is not None
    assert here is not None
    assert (there.day, here.day) == (date(2026, 3, 26), date(2026, 3, 27))

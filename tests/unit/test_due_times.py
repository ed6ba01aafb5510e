"""When something is due, from the words that say so."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.language.times.due_times import FURTHEST, Undue, UndueReason, due_at, said_in
from memory.language.times.time_words import aligned, time_pieces
from memory.language.times.zones import zone_called, zone_in, zone_name

PARIS = ZoneInfo("Europe/Paris")
WORDS = (
    *("à", "at", "6", "18h", "25:00", "demain", "tomorrow", "lundi", "next", "friday", "dans"),
    *("in", "3", "une", "heures", "days", "mars", "31", "february", "soir", "2026-02-30"),
    *("minuit", "noon", "half", "past", "every", "hier", "le", "27", "00h", "24h"),
)
MONDAY = datetime(2026, 11, 23, 14, tzinfo=PARIS)


def due(text: str, now: datetime = MONDAY, *, french: bool = True) -> datetime | Undue:
    """When it is due."""
    return due_at(said_in(time_pieces(text)), now, PARIS, in_24=french)


@pytest.mark.parametrize(
    ("text", "local"),
    [
        ("at 6pm", "23 18:00"),
        ("at 6", "23 18:00"),
        ("at 18:30", "23 18:30"),
        ("half past six", "23 18:30"),
        ("quarter to 7", "23 18:45"),
        ("at seven thirty", "23 19:30"),
        ("at five o'clock", "23 17:00"),
        ("tonight", "23 19:00"),
        ("tonight at 2", "24 02:00"),
        ("midnight", "24 00:00"),
        ("at noon tomorrow", "24 12:00"),
        ("tomorrow", "24 09:00"),
        ("the day after tomorrow at noon", "25 12:00"),
        ("on monday", "30 09:00"),
        ("on tue at 9", "24 09:00"),
        ("monday next week at 9", "30 09:00"),
        ("on the 27th at 9", "27 09:00"),
        ("in 20 minutes", "23 14:20"),
        ("in an hour and a half", "23 15:30"),
        ("in 1h30", "23 15:30"),
        ("in half an hour", "23 14:30"),
        ("in a couple of hours", "23 16:00"),
        ("20 minutes from now", "23 14:20"),
        ("in 2 days", "25 14:00"),
        ("in a week at 5pm", "30 17:00"),
    ],
)
def test_english_words_come_to_their_moment(text: str, local: str) -> None:
    """Seen from a Monday at two in the afternoon."""
    moment = due(text, french=False)
    assert isinstance(moment, datetime)
    assert f"{moment.astimezone(PARIS):%d %H:%M}" == local


@pytest.mark.parametrize(
    ("text", "local"),
    [
        ("à 18h", "23 18:00"),
        ("à 18h30", "23 18:30"),
        ("vers 20h", "23 20:00"),
        ("à 6h du soir", "23 18:00"),
        ("ce soir", "23 19:00"),
        ("cet aprem", "23 15:00"),
        ("cette nuit", "23 22:00"),
        ("à minuit", "24 00:00"),
        ("demain à 9h", "24 09:00"),
        ("demain matin", "24 09:00"),
        ("demain soir à 8h", "24 20:00"),
        ("après-demain", "25 09:00"),
        ("lundi", "30 09:00"),
        ("mardi à 14h", "24 14:00"),
        ("dimanche soir", "29 19:00"),
        ("lundi prochain à 10h", "30 10:00"),
        ("le 27", "27 09:00"),
        ("dans une heure", "23 15:00"),
        ("dans une demi-heure", "23 14:30"),
        ("dans un quart d'heure", "23 14:15"),
        ("dans deux heures et demie", "23 16:30"),
        ("d'ici une heure", "23 15:00"),
        ("dans 5 min", "23 14:05"),
        ("dans 3 jours à 9h", "26 09:00"),
    ],
)
def test_french_words_come_to_their_moment(text: str, local: str) -> None:
    """Seen from the same Monday."""
    moment = due(text)
    assert isinstance(moment, datetime)
    assert f"{moment.astimezone(PARIS):%d %H:%M}" == local


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("le 3 mars à 10h30", "2027-03-03"),
        ("on december 3rd at 10", "2026-12-03"),
        ("le 25/12 à 18h", "2026-12-25"),
        ("12/25/2026 at 8:00", "2026-12-25"),
        ("2026-12-24T18:00", "2026-12-24"),
        ("le 1er janvier à midi", "2027-01-01"),
        ("dans un mois", "2026-12-23"),
        ("mardi de la semaine prochaine à 9h", "2026-12-01"),
    ],
)
def test_dates_are_the_next_of_their_name(text: str, day: str) -> None:
    """Of this year or the one after."""
    moment = due(text)
    assert isinstance(moment, datetime)
    assert f"{moment.astimezone(PARIS):%Y-%m-%d}" == day


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", UndueReason.UNSAID),
        ("next week", UndueReason.UNSAID),
        ("today", UndueReason.UNSAID),
        ("tout à l'heure", UndueReason.UNSAID),
        ("at 25:00", UndueReason.IMPOSSIBLE),
        ("à 9h75", UndueReason.IMPOSSIBLE),
        ("le 31 février", UndueReason.IMPOSSIBLE),
        ("dans 9999 ans", UndueReason.IMPOSSIBLE),
        ("hier", UndueReason.PAST),
        ("ce matin", UndueReason.PAST),
        ("today at 9am", UndueReason.PAST),
        ("2026-01-01", UndueReason.PAST),
        ("tous les jours à 8h", UndueReason.REPEATED),
        ("every monday", UndueReason.REPEATED),
        ("dans 9 ans", UndueReason.TOO_FAR),
        ("vendredi prochain", UndueReason.TWO_WAYS),
        ("à 9h", UndueReason.TWO_WAYS),
    ],
)
def test_what_is_open_or_past_is_no_moment(text: str, why: UndueReason) -> None:
    """And is not guessed."""
    found = due(text)
    assert isinstance(found, Undue)
    assert found.why is why


def test_an_hour_that_was_is_asked_about_with_the_next_one() -> None:
    """At one in the afternoon, said at two."""
    found = due("at 1pm")
    assert isinstance(found, Undue)
    assert found.choices == (datetime(2026, 11, 24, 12, tzinfo=UTC),)


@given(
    now=st.datetimes(
        min_value=datetime(2020, 1, 1),  # noqa: DTZ001 - a zone is put on it
        max_value=datetime(2040, 1, 1),  # noqa: DTZ001 - the same
        timezones=st.just(UTC),
    ),
    text=st.one_of(
        st.text(max_size=60),
        st.lists(
            st.sampled_from(WORDS),
            max_size=8,
        ).map(" ".join),
    ),
)
def test_whatever_is_said_what_is_due_is_ahead_and_not_too_far(now: datetime, text: str) -> None:
    """Never an error, never the past."""
    found = due(text, now)
    assert isinstance(found, Undue) or now < found <= now + FURTHEST


@given(
    hour=st.integers(0, 23),
    minute=st.integers(0, 59),
    day=st.integers(0, 364),
)
def test_a_time_of_tomorrow_is_that_time_tomorrow(hour: int, minute: int, day: int) -> None:
    """Over both changes of the clocks, but for what the one in spring leaves out."""
    now = datetime(2026, 11, 23, 12, tzinfo=PARIS) + timedelta(days=day)
    found = due(f"demain à {hour:02d}h{minute:02d}", now)
    assert isinstance(found, datetime)
    tomorrow = (now + timedelta(days=1)).date()
    local = found.astimezone(PARIS)
    is_left_out = tomorrow.isoformat() == "2027-03-28" and hour == 2
    assert (local.date(), local.hour - is_left_out, local.minute) == (tomorrow, hour, minute)


@given(minutes=st.integers(1, 9999), start=st.integers(0, 8760))
def test_minutes_are_minutes_whatever_clocks_do(minutes: int, start: int) -> None:
    """A day of a change has 23 hours, or 25."""
    now = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(hours=start)
    assert due(f"dans {minutes} minutes", now) == now + timedelta(minutes=minutes)


@given(st.text(max_size=300))
def test_a_folded_text_has_its_signs_in_their_places(text: str) -> None:
    """Or what is cut out of it would not be what was read."""
    assert len(aligned(text)) == len(text)


@pytest.mark.parametrize(
    ("text", "zone"),
    [
        ("6pm New York time", "America/New_York"),
        ("18h heure de Tokyo", "Asia/Tokyo"),
        ("18h heure de Londres", "Europe/London"),
        ("9:00 UTC+2", "UTC+02:00"),
        ("at 9 UTC", "UTC"),
        ("18:00 EST", "America/New_York"),
        ("18:00 Europe/Lisbon", "Europe/Lisbon"),
        ("2026-11-24T18:00:00Z", "UTC"),
        ("2026-11-24T18:00-05:00", "UTC-05:00"),
    ],
)
def test_a_zone_is_known_by_its_city_its_sign_or_its_offset(text: str, zone: str) -> None:
    """And again by the name it is kept under."""
    named = zone_in(text, aligned(text))
    assert named is not None
    again = zone_called(zone_name(named.zone))
    assert again is not None
    at = MONDAY.astimezone(UTC)
    expected = zone_called(zone)
    assert expected is not None
    assert at.astimezone(again).utcoffset() == at.astimezone(expected).utcoffset()


@pytest.mark.parametrize("text", ["it is time to go", "une heure de sport", "c'est EST", "UTC+99"])
def test_what_is_no_zone_is_none(text: str) -> None:
    """However it sounds."""
    assert zone_in(text, aligned(text)) is None

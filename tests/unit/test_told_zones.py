import pytest

from memory.language.times.zones import zone_name
from memory.statements.readings.whereabouts import zone_told_in


@pytest.mark.parametrize(
    ("text", "zone"),
    [
        ("I'm in New York", "America/New_York"),
        ("hey, I'm in New York now. what time is it?", "America/New_York"),
        ("I am currently in Tokyo", "Asia/Tokyo"),
        ("I’m living in Sydney these days", "Australia/Sydney"),
        ("I just moved to Los Angeles!", "America/Los_Angeles"),
        ("I live in London", "Europe/London"),
        ("im in japan", "Asia/Tokyo"),
        ("we're in Berlin with the kids", "Europe/Berlin"),
        ("My timezone is America/Chicago", "America/Chicago"),
        ("my time zone is UTC+2", "UTC+02:00"),
        ("I'm on New York time", "America/New_York"),
        ("je suis à New York", "America/New_York"),
        ("Salut, je suis à Tokyo en ce moment", "Asia/Tokyo"),
        ("J'habite à Londres", "Europe/London"),
        ("je viens d'arriver à Montréal", "America/Montreal"),
        ("je suis au Japon", "Asia/Tokyo"),
        ("J'ai déménagé à Bruxelles.", "Europe/Brussels"),
        ("mon fuseau horaire est Europe/Paris", "Europe/Paris"),
        ("je suis à l'heure de Tokyo", "Asia/Tokyo"),
        ("I'm in London. Sorry, I'm in Tokyo.", "Asia/Tokyo"),
    ],
)
def test_where_somebody_says_they_are_tells_their_zone(text: str, zone: str) -> None:
    """In French and English, by city, country or the zone itself."""
    told = zone_told_in(text)
    assert told is not None
    assert zone_name(told) == zone


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I'm in trouble",
        "I'm in love",
        "I'm on fire",
        "am I in New York?",
        "I'm in New York?",
        "I'm not in New York",
        "I'll be in Tokyo",
        "I was in Tokyo",
        "I wish I lived in Tokyo",
        "if I'm in Tokyo call me",
        "I'm in Tokyo next week",
        "my sister is in Tokyo",
        "I live in Lyon",
        "I'm in Canada",
        "je suis à la maison",
        "je ne suis pas à Tokyo",
        "ma sœur est à Tokyo",
        "je serai à Tokyo demain",
        "je suis à Tokyo la semaine prochaine",
        "je suis à bout",
        "suis-je à Tokyo ?",
        "j'aimerais habiter à Londres",
    ],
)
def test_what_tells_no_zone(text: str) -> None:
    """Questions, plans, wishes, other people, and places that are none."""
    assert zone_told_in(text) is None

"""Which days relative dates mean, and which are left as they are."""

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from memory.language.text import Language
from memory.language.times.absolute import dated

FRIDAY = datetime(2026, 11, 27, 12, tzinfo=ZoneInfo("Europe/Paris"))


@pytest.mark.parametrize(
    ("text", "language", "told"),
    [
        ("lunch Sunday 16th after service", "en", "lunch Sunday 16th after service"),
        ("lunch Sunday the 6th", "en", "lunch Sunday the 6th (6 December 2026)"),
        ("we saw her in June", "en", "we saw her in June (June 2026)"),
        ("I leave in June", "en", "I leave in June (June 2027)"),
        (
            "we fly on the 26th, back on the 29th",
            "en",
            "we fly on the 26th (26 December 2026), back on the 29th (29 December 2026)",
        ),
        (
            "I fly on the 26th, I call you on the 3rd",
            "en",
            "I fly on the 26th (26 December 2026), I call you on the 3rd (3 December 2026)",
        ),
        ("on se voit le 3", "fr", "on se voit le 3 (03/12/2026)"),
        ("ce week-end on va à Lille", "fr", "ce week-end (week-end du 28/11/2026) on va à Lille"),
        ("ce week-end on a ri", "fr", "ce week-end (week-end du 21/11/2026) on a ri"),
        ("7h un dimanche, vous êtes malades", "fr", "7h un dimanche, vous êtes malades"),
        ("it was like a sunday at home", "en", "it was like a sunday at home"),
        ("ménage mercredi en huit", "fr", "ménage mercredi en huit (09/12/2026)"),
        ("in 3 weeks we fly", "en", "in 3 weeks (week of 14 December 2026) we fly"),
        ("see you next friday", "en", "see you next friday (said 27 November 2026)"),
        ("I met him two hours ago", "en", "I met him two hours ago"),
        ("j'habite ici depuis 2019", "fr", "j'habite ici depuis 2019"),
        ("I have known her for the last 3 years", "en", "I have known her for the last 3 years"),
        ("on part cet été", "fr", "on part cet été"),
        ("je suis né en mai", "fr", "je suis né en mai"),
        ("le mardi je vais au judo", "fr", "le mardi je vais au judo"),
        ("lunch Sunday 7pm", "en", "lunch Sunday (29 November 2026) 7pm"),
        ("lunch Sunday 7:30", "en", "lunch Sunday (29 November 2026) 7:30"),
        ("lunch Sunday December 6", "en", "lunch Sunday December 6 (6 December 2026)"),
        (
            "no power since Tuesday",
            "en",
            "no power since Tuesday (24 November 2026)",
        ),
        ("we meet Tuesday", "en", "we meet Tuesday (1 December 2026)"),
        ("on se voit samedi 12 au parc", "fr", "on se voit samedi 12 au parc"),
        ("on se voit samedi 19h30", "fr", "on se voit samedi (28/11/2026) 19h30"),
        ("j'ai mal depuis mardi", "fr", "j'ai mal depuis mardi (24/11/2026)"),
        ("mardi dernier il a plu", "fr", "mardi dernier (24/11/2026) il a plu"),
        ("on a reporté, ce sera le 5 mai", "fr", "on a reporté, ce sera le 5 mai (05/05/2027)"),
        (
            "j'ai quitté Orange, lundi je commence",
            "fr",
            "j'ai quitté Orange, lundi (30/11/2026) je commence",
        ),
        (
            "j'ai vu Léa lundi, on se revoit jeudi",
            "fr",
            "j'ai vu Léa lundi (23/11/2026), on se revoit jeudi (03/12/2026)",
        ),
        ("on était à Lyon le 5 mai", "fr", "on était à Lyon le 5 mai (05/05/2026)"),
        ("we moved it to monday", "en", "we moved it to monday (30 November 2026)"),
        ("we booked a table for monday", "en", "we booked a table for monday (30 November 2026)"),
        ("I got it and I start monday", "en", "I got it and I start monday (30 November 2026)"),
        ("we played on monday and won", "en", "we played on monday (23 November 2026) and won"),
    ],
)
def test_a_day_is_the_one_that_is_meant(text: str, language: Language, told: str) -> None:
    """By the tense; what lasts since a day is since one gone by."""
    assert dated(text, FRIDAY, language).text == told


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("dès lundi je fais un régime", None),
        ("le loyer passe à 805 à partir de mai", None),
        ("I'm off from tomorrow", None),
        ("no power since Tuesday", None),
        ("I start monday", date(2026, 11, 30)),
        ("the fair runs from 3 May to 10 May", date(2027, 5, 10)),
        ("vendredi à partir de 18h", date(2026, 12, 4)),
        ("from next week the gym is shut until 3 january", date(2027, 1, 3)),
    ],
)
def test_what_goes_on_from_a_day_has_no_last_one(text: str, last: date | None) -> None:
    """A statement of it is not let go of as something that is over."""
    assert dated(text, FRIDAY, "en").last == last


@pytest.mark.parametrize(
    ("text", "is_over"),
    [
        ("sorry about the noise, I have a concert on the 5th of December", False),
        ("there's a quiz on Monday", False),
        ("I've got a job interview Wednesday", False),
        ("we've been invited to a christening on the 6th of December", False),
        ("my sister's flying in on Monday, I haven't even cleaned the spare room", False),
        ("Ahmed brings the keys Monday", False),
        ("I was hoping you could babysit on Monday?", False),
        ("deadline's Monday and I've barely started", False),
        ("the parcel left on Monday", True),
        ("Dana mentioned on Monday that she'll be quitting", True),
        ("you couldn't make it Monday, the band was brilliant", True),
        ("thanks again for Monday", True),
        ("sorry for Monday, I forgot", True),
        ("you must have dropped your keys here on Monday", True),
        ("on est fermés lundi", False),
        ("j'ai kiné lundi", False),
        ("t'as prévu un truc lundi ?", False),
        ("il m'a promis de réparer la clôture lundi", False),
        ("je voulais savoir si t'étais libre lundi", False),
        ("lundi c'est mort, je bosse de nuit", False),
        ("les enfants chantent à l'église lundi soir, ils ont tout appris", False),
        ("ils sont arrivés lundi", True),
        ("la mairie nous a assuré lundi que la rue rouvrira", True),
        ("excusez-nous pour le bruit de lundi, les invités se sont lâchés", True),
        ("pourquoi elle pleurait lundi à la cantine ?", True),
        ("vous avez dû oublier un parapluie chez nous lundi", True),
        ("merci pour lundi", True),
        ("non merci pour lundi", False),
    ],
)
def test_whether_a_day_is_over_is_told_by_the_verb(text: str, *, is_over: bool) -> None:
    """Of its clause, in either language; an English article is no French verb."""
    last = dated(text, FRIDAY, "en").last
    assert last is not None
    assert (last < FRIDAY.date()) is is_over

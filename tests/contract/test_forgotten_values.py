"""Values after a forgetting: what many texts say is forgotten with its person and matter only."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from memory.model.messages import MessageId
from memory.model.people import PersonId
from memory.rules.forgetting.selector import Selector
from memory.rules.forgetting.tombstones import mark_of
from memory.storage.forgotten.tombstones import key_of
from memory.storage.sqlite.database import Transaction
from tests.forgotten import Household, household
from tests.storage import open_truth


@pytest.fixture
async def home(tmp_path: Path) -> AsyncIterator[Household]:
    """Three people who talk in a lobby."""
    async with open_truth(tmp_path) as storage:
        yield await household(storage, "Marie", "Lea", "David")


async def stored(home: Household, message: MessageId) -> str:
    """What is kept of a message."""
    rows = await home.storage.database.all(
        "SELECT text FROM messages WHERE id = :id", {"id": message}
    )
    return str(rows[0]["text"])


async def forgets(home: Household, name: str, said: str, topic: str) -> None:
    """Somebody says something in the lobby, and has it forgotten."""
    await home.says(name, said)
    await home.forget.at_once(Selector(topic=topic), home.asks(name))


ONLY_MENTIONED = [
    ("j'ai rendez-vous chez le dentiste le 25 novembre 2026", "dentiste", "25 novembre 2026"),
    ("I see my dentist on 25 November 2026 at 2:30 pm", "dentist", "25 November 2026"),
    ("my dentist has time on 2026-11-25", "dentist", "2026-11-25"),
    ("le dentiste me reçoit mardi à 14h30", "dentiste", "mardi à 14h30"),
    ("my dentist called on Thursday", "dentist", "Thursday"),
    ("le dentiste a dit 3 semaines", "dentiste", "3 semaines"),
    ("mon dentiste connaît Sophie", "dentiste", "Sophie"),
    ("my dentist moved to Paris", "dentist", "Paris"),
]


@pytest.mark.parametrize(("said", "topic", "value"), ONLY_MENTIONED)
async def test_what_was_only_mentioned_is_kept_in_what_others_say(
    home: Household, said: str, topic: str, value: str
) -> None:
    """A date, a weekday, a small number or a common name is no secret of who mentioned it."""
    await forgets(home, "Marie", said, topic)
    for text in (f"le concert : {value}", f"we all meet there, {value}, says the choir"):
        assert await stored(home, await home.says("Lea", text)) == text


@pytest.mark.parametrize(("said", "topic", "value"), ONLY_MENTIONED)
async def test_a_fact_with_what_was_only_mentioned_is_learnt(
    home: Household, said: str, topic: str, value: str
) -> None:
    """From whom it comes does not matter: its date may have been worked out from "tomorrow"."""
    await forgets(home, "Marie", said, topic)
    source = await home.says("Lea", "the concert is soon")
    await home.learns(f"The concert of the choir: {value}", source, author=home.people["Lea"].id)
    assert await home.contents() == [f"The concert of the choir: {value}"]


@pytest.mark.parametrize(
    ("said", "topic", "matter"),
    [
        (
            "mon anniversaire est le 25 novembre",
            "anniversaire",
            "l'anniversaire de Marie : 25/11/2026",
        ),
        ("my birthday is on 25 November", "birthday", "Marie's birthday is on November 25th"),
        ("my PIN is 4821", "PIN", "Marie has the code 4821"),
        ("mon code PIN est 4821", "PIN", "le pin de Marie c'est 4821"),
        ("my former name was Thomas", "former name", "Marie had the name Thomas"),
        ("mon ancien prénom est Robert", "ancien prénom", "Marie avait pour prénom Robert"),
    ],
)
async def test_what_was_asked_for_itself_is_masked_with_its_person_and_matter(
    home: Household, said: str, topic: str, matter: str
) -> None:
    """A birthday, a PIN, a former name."""
    await forgets(home, "Marie", said, topic)
    assert "[…]" in await stored(home, await home.says("Lea", matter))


@pytest.mark.parametrize(
    ("said", "topic", "others"),
    [
        (
            "mon anniversaire est le 25 novembre",
            "anniversaire",
            (
                "le marché de Noël ouvre le 25 novembre",
                "mon anniversaire est le 25 novembre",
                "l'anniversaire de Paul est le 25 novembre",
            ),
        ),
        (
            "my PIN is 4821",
            "PIN",
            (
                "flight 4821 leaves at noon",
                "the book has 4821 pages",
                "my PIN is 4821",
                "David has the PIN 4821",
                "who booked the flight 4821 to Rome yesterday?",
            ),
        ),
        (
            "my former name was Thomas",
            "former name",
            ("Thomas brings the cake on Sunday", "I met Thomas at the station"),
        ),
    ],
)
async def test_what_was_asked_for_itself_stays_where_it_is_of_another_matter_or_person(
    home: Household, said: str, topic: str, others: tuple[str, ...]
) -> None:
    """Never alone: the same number is a flight, the same day another one's birthday."""
    await forgets(home, "Marie", said, topic)
    assert [await stored(home, await home.says("Lea", text)) for text in others] == [*others]


async def test_its_owner_says_it_anew(home: Household) -> None:
    """And from then on others may say it as well."""
    await forgets(home, "Marie", "my PIN is 4821", "PIN")
    assert "[…]" in await stored(home, await home.says("Lea", "Marie has the code 4821"))
    text = "my PIN is 4821, no secret any more"
    assert await stored(home, await home.says("Marie", text)) == text
    text = "Marie has the code 4821"
    assert await stored(home, await home.says("Lea", text)) == text


async def test_a_long_code_is_masked_wherever_it_stands(home: Household) -> None:
    """It is nobody else's, and of no other matter."""
    await forgets(home, "Marie", "the gate code is 7391-KX", "gate code")
    assert "7391" not in await stored(home, await home.says("Lea", "flight 7391-KX is late"))


SAYS_ENOUGH = [
    ("mon numéro est le 06 39 98 41 07", "numéro", "résultat 06 39 98 41 07", "06 39"),
    ("reach me at 06-39-98-41-07", "reach", "who called from 06 39 98 41 07?", "06 39"),
    ("my car is M-KX 4471", "car", "who drove m-kx 4471 last? there's a scratch", "4471"),
    ("ma voiture est AZ 4471", "voiture", "la clé de AZ 4471 manque à l'accueil", "4471"),
    ("je gagne 2 318 euros net", "gagne", "montants repérés par le bot : 2 318", "2 318"),
    ("my bonus is $1,380 this year", "bonus", "the statement says 1,380 in total", "1,380"),
    ("je dois 6200 euros à mon frère", "frère", "6 200 euros pour un toit, quand même", "6 200"),
    ("je gagne 2340 net par mois", "gagne", "virement reçu sur le compte : 2340,00 EUR", "2340"),
    ("I get the oil at 3.42 a bottle", "oil", "is it really 3.42 for that oil?", "3.42"),
    ("my door code is 8802", "door code", "8802 worked fine", "8802"),
    ("I pay 850 for the cello lessons", "cello", "cello lessons: 850", "850"),
    ("I take 225mg of lithium", "lithium", "225mg is that a lot", "225mg"),
    ("I take 225mg of lithium", "lithium", "the 225mg pills arrived today", "225mg"),
    ("I weigh 118.5 kilos", "weigh", "last value measured: 118.5", "118.5"),
    ("I weigh 118.5 kilos", "weigh", "I am 71, far below your 118.5", "118.5"),
    ("je touche 2460 net", "touche", "on m'a dit que tu gagnais 2460", "2460"),
    ("je dois 730 à ma banque", "banque", "virement refusé, 730 EUR", "730"),
    ("j'ai une note de 6,25 en thermo", "thermo", "moyenne 8, minimum 6,25, maximum 17", "6,25"),
    ("j'ai dit adieu au code 8460", "adieu", "effacé du profil : 8460", "8460"),
    ("my crush is Thomas", "crush", "Thomas liked every picture Marie posted", "Thomas"),
]
"""What is said and forgotten, what another one says of it later, and the value in it."""


@pytest.mark.parametrize(("said", "topic", "later", "value"), SAYS_ENOUGH)
async def test_a_value_that_says_enough_is_masked_in_what_others_say(
    home: Household, said: str, topic: str, later: str, value: str
) -> None:
    """A telephone number, a plate, a sum, a measured number, one beside its matter."""
    await forgets(home, "Marie", said, topic)
    assert value not in await stored(home, await home.says("Lea", later))


@pytest.mark.parametrize(
    ("said", "topic", "later"),
    [
        ("my car is M-KX 4471", "car", "the flight of the choir is number 4471 in June"),
        ("je gagne 2 318 euros net", "gagne", "le vol 2318 part de Lyon à midi pile"),
        ("I get the oil at 3.42 a bottle", "oil", "the choir sang for 3.42 minutes on the stage"),
        ("my door code is 8802", "door code", "8802 pages were printed"),
        ("I pay 850 for the cello lessons", "cello", "850 people came to the market"),
        ("j'ai le dentiste à 14.30", "dentiste", "concert à 14.30"),
        ("I take 225mg of lithium", "lithium", "I was on 225mg of something once"),
        ("I take 225mg of lithium", "lithium", "David is on 225mg too"),
        ("I weigh 118.5 kilos", "weigh", "you know my 118.5 kilos"),
        ("I weigh 118.5 kilos", "weigh", "the 118.5 miles to the coast took all of the day"),
        ("je touche 2460 net", "touche", "le vol 2460 part de Lyon à midi"),
        ("my crush is Thomas", "crush", "Thomas gives a party on Saturday"),
    ],
)
async def test_a_number_stays_where_it_is_of_another_matter(
    home: Household, said: str, topic: str, later: str
) -> None:
    """A flight is no plate and no wage, and a count no code."""
    await forgets(home, "Marie", said, topic)
    assert await stored(home, await home.says("Lea", later)) == later


async def marked_by_the_old_rule(home: Household, owner: PersonId, keys: list[str]) -> None:
    """Values as they were marked when dates, small numbers and names were values by themselves."""

    async def work(transaction: Transaction) -> None:
        key = await key_of(transaction)
        rows = await transaction.all("SELECT max(id) AS id FROM forgettings")
        (audience,) = await transaction.all("SELECT DISTINCT audience FROM messages LIMIT 1")
        for one in keys:
            await transaction.run(
                "INSERT OR IGNORE INTO value_marks VALUES (:audience, :mark, :forgetting, :person)",
                {
                    "audience": audience["audience"],
                    "mark": mark_of(one, key),
                    "forgetting": rows[0]["id"],
                    "person": owner,
                },
            )

    await home.storage.database.write(work)


async def test_dates_that_the_old_rule_marked_are_kept_again(home: Household) -> None:
    """And what it marked besides stays away: a code wherever it stands, a PIN with its matter."""
    await forgets(home, "Marie", "rien de spécial ici", "rien spécial")
    old = ["novembr", "25 novembr", "novembr 2026", "25 2026", "#25112026", "mardi", "14h30"]
    old += ["dentist 25", "7391-kx", "4821", "pin 4821"]
    await marked_by_the_old_rule(home, home.people["Marie"].id, old)
    for text in (
        "le concert est le 25 novembre 2026",
        "dentiste 25/11/2026, mardi à 14h30",
        "the train has 4821 seats",
    ):
        assert await stored(home, await home.says("Lea", text)) == text
    assert "7391" not in await stored(home, await home.says("Lea", "who has 7391-KX?"))
    assert "4821" not in await stored(home, await home.says("Lea", "Marie's pin 4821 works"))
    assert "4821" not in await stored(home, await home.says("Lea", "is it 4821?"))

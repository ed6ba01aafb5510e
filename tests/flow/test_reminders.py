"""Reminders asked for in talk, and told once, in their room, when they are due."""

import asyncio
from collections.abc import AsyncIterator, Collection
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from bot.model.events import Deleted
from bot.model.turns import Outgoing
from memory.clock import FrozenClock
from memory.model.conversations import Turn
from memory.model.reminders import DueReminder
from memory.model.rooms import HOME, Room, RoomId, SpaceId
from memory.tasks import background_task
from tests.cast import CORNER, DAVID, LEA, LOBBY, PLATFORM, direct
from tests.flow.pet import Pet, awake, calls, responds
from tests.flow.ruled import RuledModel
from tests.patience import PATIENCE_S

MONDAY = datetime(2026, 11, 23, 14, tzinfo=UTC)
"""15:00 in Paris."""

ALONE = direct(DAVID)


@pytest.fixture
def clock() -> FrozenClock:
    """The time, in the hand of the test."""
    return FrozenClock(MONDAY)


@pytest.fixture
async def pet(tmp_path: Path, clock: FrozenClock) -> AsyncIterator[Pet]:
    """A pet that answers by rules, on a Monday afternoon."""
    async with awake(tmp_path, clock=clock, model=RuledModel(clock)) as born:
        yield born


async def told(pet: Pet) -> list[str]:
    """What it says of what is due now."""
    before = len(pet.channel.texts)
    await pet.reminders.deliver_due()
    return pet.channel.texts[before:]


async def says(pet: Pet, text: str, **where: object) -> str:
    """What it answers to one thing that David says in private, if nothing else is said."""
    before = len(pet.channel.texts)
    where.setdefault("where", ALONE)
    await pet.asked(text, **where)  # type: ignore[arg-type]
    return "\n".join(pet.channel.texts[before:])


@pytest.mark.parametrize(
    ("text", "answer", "wait", "reminder"),
    [
        (
            "remind me at 6pm to call mum",
            "OK: 18:00, I remind you: call mum (reminder 1).",
            timedelta(hours=3),
            "Reminder of 18:00: call mum",
        ),
        (
            "rappelle-moi demain à 9h d'appeler Anne",
            "C'est noté : mardi 24 novembre à 09:00, je te rappelle : appeler Anne (rappel 1).",
            timedelta(hours=18),
            "Rappel de 09:00 : appeler Anne",
        ),
        (
            "remind me in 20 minutes to take the pizza out",
            "OK: 15:20, I remind you: take the pizza out (reminder 1).",
            timedelta(minutes=20),
            "Reminder of 15:20: take the pizza out",
        ),
        (
            "rappelle-moi lundi de payer le loyer",
            "C'est noté : lundi 30 novembre à 09:00, je te rappelle : payer le loyer (rappel 1).",
            timedelta(days=6, hours=18),
            "Rappel de 09:00 : payer le loyer",
        ),
    ],
)
async def test_what_was_asked_for_is_told_at_its_time_and_once(
    pet: Pet, text: str, answer: str, wait: timedelta, reminder: str
) -> None:
    """Not a second before, and never again."""
    assert await says(pet, text) == answer
    pet.storage.clock.advance(wait - timedelta(seconds=2))
    assert await told(pet) == []
    pet.storage.clock.advance(timedelta(seconds=2))
    assert await told(pet) == [reminder]
    pet.storage.clock.advance(timedelta(days=1))
    assert await told(pet) == []
    assert pet.channel.messages[-1].room.id == RoomId(f"{PLATFORM}:{ALONE.external_id}")


@pytest.mark.parametrize("text", ["mets un réveil à 14h stp", "set an alarm for 6:15 am please"])
async def test_an_alarm_is_for_the_next_time_the_clock_shows_it(pet: Pet, text: str) -> None:
    """Where an hour is past today it rings tomorrow, and no question is asked."""
    answer = await says(pet, text)
    assert "24" in answer
    assert "?" not in answer


async def test_in_a_group_the_person_is_named_and_their_message_answered(pet: Pet) -> None:
    """Where the platform can, the answer to a message calls its author."""
    await pet.hears("bonjour")
    asked = await pet.hears("Eko, remind me at 6pm to water the plants", LEA, LOBBY)
    await pet.answers()
    pet.storage.clock.advance(timedelta(hours=3))
    assert await told(pet) == ["Léa, your reminder of 18:00: water the plants"]
    last: Outgoing = pet.channel.messages[-1]
    assert (last.answers, last.room.external_id) == (asked, LOBBY.external_id)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("remind me at 25:00 to sleep", "There is no such day or time. When shall I"),
        ("remind me yesterday to sleep", "That is past already. When shall I"),
        ("rappelle-moi hier d'acheter du lait", "C'est déjà passé. Je te le rappelle quand ?"),
        ("rappelle-moi le 31 février de dormir", "Ce jour ou cette heure n'existe pas. Je te"),
        ("remind me every day at 8 to drink", "I tell each reminder once; I cannot repeat one."),
        ("remind me to buy milk", "When shall I remind you?"),
        ("rappelle-moi à 18h", "Te rappeler quoi ?"),
        ("remind Lea to call me at 6pm", "I remind only the person who asks me"),
        ("remind me in 9 years to laugh", "That is more than five years away"),
        ("remind me next friday at 8am to run", "Is that Friday, November 27 at 08:00, or Friday,"),
        ("rappelle-moi à 9h de courir", "C'est 21:00, ou mardi 24 novembre à 09:00 ? Je te"),
        ("remind me at noon to eat", "That is past already today; the next one is Tuesday, Nov"),
    ],
)
async def test_what_is_open_or_past_is_met_by_a_question_or_a_no(
    pet: Pet, text: str, said: str
) -> None:
    """And nothing is promised."""
    assert (await says(pet, text)).startswith(said)
    assert await pet.storage.count("reminders") == 0


@pytest.mark.parametrize(
    ("texts", "answer"),
    [
        (("remind me to buy milk", "at 6pm"), "OK: 18:00, I remind you: buy milk (reminder 1)."),
        (
            ("rappelle-moi à 9h de courir", "du soir"),
            "C'est noté : 21:00, je te rappelle : courir (rappel 1).",
        ),
        (
            ("remind me at noon to eat", "yes"),
            "OK: Tuesday, November 24 at 12:00, I remind you: eat (reminder 1).",
        ),
        (
            ("rappelle-moi d'acheter du pain", "demain", "à 8h"),
            "C'est noté : mardi 24 novembre à 09:00, je te rappelle : acheter du pain (rappel 1).",
        ),
        (
            ("rappelle-moi à 18h", "appeler maman"),
            "C'est noté : 18:00, je te rappelle : appeler maman (rappel 1).",
        ),
    ],
)
async def test_an_answer_to_the_question_sets_the_reminder(
    pet: Pet, texts: tuple[str, ...], answer: str
) -> None:
    """What was said before holds, and what is said now comes first."""
    said = [await says(pet, text) for text in texts]
    assert answer in said


@pytest.mark.parametrize(
    "text",
    [
        "remind me what I said about Paris",
        "rappelle-moi où habite David",
        "tu me rappelles mon frère",
        "you remind me of my sister",
        "don't remind me",
    ],
)
async def test_asking_for_what_is_known_sets_nothing(pet: Pet, text: str) -> None:
    """To remind is also to recall."""
    await says(pet, text)
    assert await pet.storage.count("reminders") == 0


async def test_it_is_told_in_the_zone_that_the_person_names(pet: Pet) -> None:
    """Six in the evening in New York is midnight in Paris."""
    said = await says(pet, "remind me at 6pm New York time to call Bob")
    assert said == "OK: 18:00 (America/New_York), I remind you: call Bob (reminder 1)."
    pet.storage.clock.at = datetime(2026, 11, 23, 23, tzinfo=UTC)
    assert await told(pet) == ["Reminder of 18:00 (America/New_York): call Bob"]


async def test_it_is_told_in_the_zone_of_the_city_that_a_person_said_is_theirs(pet: Pet) -> None:
    """Said in private, known in private."""
    await says(pet, "I live in Tokyo")
    said = await says(pet, "remind me tomorrow at 9am to call Kenji")
    assert said.startswith("OK: Tuesday, November 24 at 09:00 (Asia/Tokyo), I remind you")


@pytest.mark.parametrize(
    ("where", "asked", "told"),
    [
        ("I'm in New York", "what time is it?", "AM"),
        ("je suis à New York", "quelle heure est-il ?", ""),
    ],
)
async def test_the_clock_is_that_of_where_somebody_says_they_are(
    pet: Pet, where: str, asked: str, told: str
) -> None:
    """It was that of Paris for everybody; six hours lie between them."""
    there = pet.storage.clock.now().astimezone(ZoneInfo("America/New_York"))
    await says(pet, where)
    said = await says(pet, asked)
    assert f"{there:%-I:%M}" in said.replace(" ", " ")
    assert told in said


@pytest.mark.parametrize(
    ("at", "text", "due"),
    [
        (datetime(2027, 3, 27, 12, tzinfo=UTC), "demain à 02:30", "2027-03-28T01:30+00:00"),
        (datetime(2027, 3, 27, 12, tzinfo=UTC), "demain à 9h", "2027-03-28T07:00+00:00"),
        (datetime(2027, 3, 27, 12, tzinfo=UTC), "dans 24 heures", "2027-03-28T12:00+00:00"),
        (datetime(2027, 3, 27, 12, tzinfo=UTC), "dans 1 jour", "2027-03-28T11:00+00:00"),
        (datetime(2026, 10, 24, 12, tzinfo=UTC), "demain à 02:30", "2026-10-25T00:30+00:00"),
        (datetime(2026, 10, 24, 12, tzinfo=UTC), "demain à 9h", "2026-10-25T08:00+00:00"),
        (datetime(2026, 10, 24, 12, tzinfo=UTC), "dans 24 heures", "2026-10-25T12:00+00:00"),
        (datetime(2026, 10, 24, 12, tzinfo=UTC), "dans 1 jour", "2026-10-25T13:00+00:00"),
    ],
)
async def test_a_change_of_the_clocks_moves_no_time_of_day(
    pet: Pet, at: datetime, text: str, due: str
) -> None:
    """Nine is nine; hours are hours; what spring leaves out comes an hour later."""
    pet.storage.clock.at = at
    await says(pet, f"rappelle-moi {text} de sortir")
    moment = datetime.fromisoformat(due)
    pet.storage.clock.at = moment - timedelta(seconds=1)
    assert await told(pet) == []
    pet.storage.clock.at = moment
    assert len(await told(pet)) == 1
    pet.storage.clock.at = moment + timedelta(hours=2)
    assert await told(pet) == []


async def test_one_timer_wakes_for_what_is_due_and_for_what_is_new(
    pet: Pet, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Set while it sleeps, or slept past: it wakes, and asks nothing in between."""
    sent, looked = asyncio.Event(), []
    deliver, due = pet.delivery.deliver, pet.storage.reminders.due

    async def delivering(room: Room, turn: Turn) -> bool:
        taken = await deliver(room, turn)
        if turn.reply.startswith("Rappel"):
            sent.set()
        return taken

    async def looking(paused: Collection[SpaceId]) -> list[DueReminder]:
        looked.append(pet.storage.clock.now())
        return await due(paused)

    monkeypatch.setattr(pet.delivery, "deliver", delivering)
    monkeypatch.setattr(pet.storage.reminders, "due", looking)
    async with background_task(pet.reminders.run(), name="reminders"):
        await says(pet, "rappelle-moi dans 2 heures de partir")
        pet.storage.clock.advance(timedelta(hours=2))
        pet.reminders.look_at_clock()
        async with asyncio.timeout(PATIENCE_S):
            await sent.wait()
    assert pet.channel.texts[-1] == "Rappel de 17:00 : partir"
    assert len(looked) <= 4  # at start, when it was set, and once more after what was due


async def test_a_message_that_is_taken_back_takes_its_reminder_along(pet: Pet) -> None:
    """Its words are the person's, and gone; a word that is mended calls nothing off."""
    asked = await pet.hears("rappelle-moi à 18h d'acheter des fleurs", where=ALONE)
    await pet.answers()
    await pet.inbox.receive(Deleted(platform=PLATFORM, external_id=asked))
    pet.storage.clock.advance(timedelta(hours=3))
    assert await told(pet) == []
    assert await pet.storage.count("reminders", "text LIKE '%fleurs%'") == 0


async def test_no_one_has_more_open_ones_than_there_may_be(pet: Pet) -> None:
    """The others of them stand, and who has room sets one."""
    for hour in (17, 18, 19):
        await says(pet, f"rappelle-moi à {hour}h de boire {hour} gorgées")
    said = await says(pet, "rappelle-moi à 20h de boire encore")
    assert said.startswith("Tu as 3 rappels en attente, c'est le plus que je garde")
    assert (await says(pet, "rappelle-moi à 20h de boire", who=LEA, where=direct(LEA))).startswith(
        "C'est noté"
    )


async def test_a_model_sets_one_and_is_told_why_not(tmp_path: Path, clock: FrozenClock) -> None:
    """By the same words, or by a moment as machines write it."""
    async with awake(tmp_path, clock=clock) as pet:
        pet.model.will(
            calls(("remind_me", {"text": "call mum", "when": "2026-11-23T18:00"})),
            calls(("remind_me", {"text": "call dad"})),
            calls(("my_reminders", {})),
            responds("OK."),
        )
        await pet.asked("remind me to call mum at 6 and to call dad", DAVID, ALONE)
        assert pet.model.results == [
            "Set: reminder 1, on Monday 2026-11-23 18:00 (Europe/Paris).",
            "Not set. No exact moment is said. Ask when.",
            "1: call mum (on Monday 2026-11-23 18:00 (Europe/Paris))",
        ]
        pet.model.will(calls(("my_reminders", {"cancel": 1})), responds("Done."))
        await pet.asked("cancel that", LEA, CORNER)
        assert pet.model.results == ["They have no open reminder of this number. List them first."]
        pet.model.will(calls(("my_reminders", {"cancel": 1})), responds("Done."))
        await pet.asked("cancel that", DAVID, ALONE)
        assert pet.model.results == ["Cancelled: reminder 1."]
        clock.advance(timedelta(hours=3))
        assert await told(pet) == []


async def test_what_was_set_in_private_is_not_listed_in_a_group(pet: Pet) -> None:
    """Only that there is more."""
    await says(pet, "rappelle-moi à 18h d'aller chez le médecin")
    assert await says(pet, "mes rappels", where=CORNER, spaces=frozenset({HOME})) == (
        "Et 1 que tu as demandé ailleurs : demande-moi en privé."
    )
    assert "1. 18:00 : aller chez le médecin" in await says(pet, "mes rappels")

"""What the pet writes of its own accord: where it is wanted, what is sure, by day, and once."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from bot.channels.registry import CHANNELS
from bot.model.commands import Authority
from bot.model.events import Deleted
from bot.topics.checkins.command import checkins_command
from tests.cast import DAVID, LEA, PLATFORM, direct, group
from tests.checking_in import Asking, ListedPlatform, checking_in
from tests.flow.calling import answered, caller

SALON, CORRIDOR = group("salon"), group("corridor")
EXAM = "On Wednesday you wrote: “I have my exam on Friday”. I have been wondering: how did it go?"


@pytest.fixture
async def pet(tmp_path: Path) -> AsyncIterator[Asking]:
    """A pet that nobody has asked for anything."""
    async with checking_in(tmp_path) as one:
        yield one


async def test_nothing_is_written_first_where_nobody_asked_for_it(pet: Asking) -> None:
    """Off is the default, and off again after it was on."""
    await pet.hears("I have my exam on Friday")
    assert await pet.at(3, "11:00") == []
    await pet.hears("/checkins on")
    await pet.hears("/checkins off")
    assert await pet.at(3, "12:00") == []
    assert "off here" in (await pet.hears("/checkins"))[0]


async def test_what_is_over_is_asked_after_once(pet: Asking) -> None:
    """The day after, by day; neither again that day nor the next one."""
    (said,) = await pet.hears("/checkins on")
    assert "At most 2 a day, between 9:00 and 21:00" in said
    await pet.hears("I have my exam on Friday")
    assert await pet.at(2, "18:00") == []
    assert await pet.at(3, "08:50") == []
    assert await pet.at(3, "10:10") == [EXAM]
    assert await pet.at(3, "15:00") == []
    assert await pet.at(4, "11:00") == []
    assert await pet.audited() == [("checkins.switched_on", ""), ("checkin.sent", "outcome")]


@pytest.mark.parametrize(
    ("text", "day", "clock", "told"),
    [
        ("I'm flying to Lisbon on Friday", 2, "09:05", "Today is the day! On Wednesday"),
        ("I'll send you the draft on Friday", 3, "10:05", "did you get round to it?"),
        ("je pars à Rome vendredi", 2, "09:05", "C'est le grand jour ! Tu m'écrivais, mercredi"),
        ("je t'envoie les photos vendredi", 3, "10:05", "Mercredi, tu écrivais : « je t'envoie"),
        ("my birthday is March 27", 2, "09:05", "Happy birthday, David!"),
        ("mon anniversaire est le 27 mars", 2, "09:05", "Joyeux anniversaire, David !"),
    ],
)
async def test_each_kind_has_its_day_and_its_words(
    pet: Asking, text: str, day: int, clock: str, told: str
) -> None:
    """In the language in which it was told."""
    await pet.hears("/checkins on")
    await pet.hears(text)
    (said,) = await pet.at(day, clock)
    assert told in said


@pytest.mark.parametrize(
    ("text", "later"),
    [
        ("I have my exam on Friday", "my exam got moved to next week"),
        ("I have my exam on Friday", "my exam is on Monday"),
        ("I have my exam on Friday", "I passed my exam!!"),
        ("j'ai mon examen vendredi", "examen réussi, un jour plus tôt"),
        ("I'll send you the draft on Friday", "the draft is sent"),
        ("I'm flying to Lisbon on Friday", "I cancelled Lisbon"),
    ],
)
async def test_what_is_otherwise_by_now_is_not_asked_after(
    pet: Asking, text: str, later: str
) -> None:
    """What a person said later of the same."""
    await pet.hears("/checkins on")
    await pet.hears(text)
    assert await pet.at(1, "12:00") == []
    await pet.hears(later)
    for day in (2, 3, 4):
        assert await pet.at(day, "11:00") == []


async def test_who_told_how_it_went_is_not_asked(pet: Asking) -> None:
    """Said on the day itself."""
    await pet.hears("/checkins on")
    await pet.hears("I have my exam on Friday")
    assert await pet.at(2, "20:00") == []
    await pet.hears("the exam went so well!")
    assert await pet.at(3, "11:00") == []


async def test_what_was_taken_back_or_is_to_be_left_alone_is_not_brought_up(pet: Asking) -> None:
    """A deleted message, and a quiet topic."""
    await pet.hears("/checkins on")
    await pet.hears("/quiet-about lisbon")
    await pet.hears("I'm flying to Lisbon on Friday")
    await pet.hears("I have my exam on Friday")
    await pet.app.inbox.receive(Deleted(platform=PLATFORM, external_id=f"m{pet.said}"))
    assert await pet.at(2, "09:30") == []
    assert await pet.at(3, "11:00") == []


async def test_a_group_hears_nothing_that_was_told_elsewhere(pet: Asking) -> None:
    """Neither what was said in private nor promises, nor what another room was told."""
    await pet.hears("/checkins on", where=SALON, manages=True)
    await pet.hears("I have my exam on Friday", where=ALONE_OF_LEA, who=LEA)
    await pet.hears("I have my interview on Friday", who=LEA, where=CORRIDOR)
    await pet.hears("I'll send the draft on Friday", who=LEA, where=SALON)
    assert await pet.at(3, "11:00") == []
    assert await pet.at(4, "11:00") == []


ALONE_OF_LEA = direct(LEA)


async def test_a_private_talk_hears_nothing_of_another_person(pet: Asking) -> None:
    """Not even what all could read."""
    await pet.hears("/checkins on")
    await pet.hears("I have my exam on Friday", who=LEA, where=SALON)
    await pet.hears("David has his interview on Friday", who=LEA, where=SALON)
    assert await pet.at(3, "11:00") == []


async def test_a_closed_room_and_who_opted_out_are_left_alone(pet: Asking) -> None:
    """What was said in a confidential room is asked after nowhere else; opted out, nowhere."""
    await pet.hears("/checkins on")
    await pet.hears("/checkins on", where=SALON, manages=True)
    closed = group("closed")
    await pet.hears("/observe confidential on", where=closed, manages=True)
    await pet.hears("I have my exam on Friday", where=closed)
    await pet.hears("hello", who=LEA, where=SALON)
    person = await pet.app.register.person(LEA)
    await pet.hears("my interview is on Friday", who=LEA, where=SALON)
    await pet.app.storage.people.observe(person.id, observed=False)
    assert await pet.at(3, "11:00") == []


async def test_the_day_of_what_a_group_arranged(pet: Asking) -> None:
    """With who comes; not who declined, and once."""
    await pet.hears("/checkins on", where=SALON, manages=True)
    await pet.hears("Barbecue at mine on Saturday at 7pm, who's in?", where=SALON)
    await pet.hears("count me in", who=LEA, where=SALON)
    assert await pet.at(2, "09:30") == []
    (said,) = await pet.at(3, "09:30")
    assert said.startswith("It is today! “Barbecue at mine on Saturday at 7pm, who's in?” (David")
    assert "In: David, Léa." in said
    assert await pet.at(3, "14:00") == []
    assert "it was the day of something" in (await pet.hears("/why", who=LEA, where=SALON))[0]


async def test_a_plan_that_was_called_off_is_not_told(pet: Asking) -> None:
    """By whoever asked the others."""
    await pet.hears("/checkins on", where=SALON, manages=True)
    await pet.hears("Barbecue at mine on Saturday at 7pm, who's in?", where=SALON)
    await pet.hears("count me in", who=LEA, where=SALON)
    await pet.hears("sorry, I have to cancel the barbecue", where=SALON)
    assert await pet.at(3, "09:30") == []


async def test_only_who_manages_a_room_switches_it_on(pet: Asking) -> None:
    """Everybody may ask how it stands."""
    (refused,) = await pet.hears("/checkins on", where=SALON)
    assert "manage" in refused
    assert "off here" in (await pet.hears("/checkins", where=SALON))[0]
    await pet.hears("/checkins on", where=SALON, manages=True)
    assert "on here" in (await pet.hears("/checkins", where=SALON))[0]


async def test_why_says_the_rule_and_the_memory(pet: Asking) -> None:
    """In the room where it was written."""
    await pet.hears("/checkins on")
    await pet.hears("I have my exam on Friday")
    await pet.at(3, "10:10")
    (why,) = await pet.hears("/why")
    assert "of my own accord" in why
    assert "something was over, and I wanted to know how it went" in why
    assert "• I have my exam on Friday" in why


async def test_two_a_day_at_most_and_hours_apart(pet: Asking) -> None:
    """The third thing of a day waits for the next one."""
    await pet.hears("/checkins on")
    for text in (
        "I have my exam on Friday",
        "I'll send you the draft on Friday",
        "my job interview is on Friday",
    ):
        await pet.hears(text)
    assert len(await pet.at(3, "10:10")) == 1
    assert await pet.at(3, "11:00") == []
    assert len(await pet.at(3, "13:20")) == 1
    assert await pet.at(3, "18:00") == []
    await pet.hears("thanks")
    assert len(await pet.at(4, "10:10")) == 1


@pytest.mark.parametrize("zone", ["Europe/Paris", "America/New_York", "Pacific/Auckland"])
async def test_never_at_night_on_either_side_of_a_change_of_the_clock(
    pet: Asking, zone: str
) -> None:
    """By the clock of who reads it: from nine, when the day has 23 hours too."""
    await pet.hears("/checkins on")
    await pet.hears(f"my timezone is {zone}")
    await pet.app.storage.database.run("UPDATE messages SET zone = :zone", {"zone": zone})
    await pet.hears("I have my exam on Saturday")
    place = ZoneInfo(zone)
    for clock in ("00:10", "01:50", "03:10", "08:59", "21:00", "23:50"):
        assert await pet.at(4, clock, place) == []
    assert len(await pet.at(4, "10:00", place)) == 1


async def test_silence_is_answered_by_silence_and_said_once(pet: Asking) -> None:
    """Two that nobody answers: a fortnight of nothing, one more that says so, then none."""
    await pet.hears("/checkins on")
    for text in (
        "I have my exam on Friday",
        "I'll send you the draft on Friday",
        "I have my driving test on April 2",
        "my job interview is on April 14",
        "I'm running the marathon on April 20",
    ):
        await pet.hears(text)
    assert len(await pet.at(3, "10:10")) == 1
    assert len(await pet.at(3, "15:00")) == 1
    assert await pet.at(9, "11:00") == []
    (last,) = await pet.at(21, "11:00")
    assert last.startswith("It is quiet here, so this is my last question until somebody writes.")
    assert await pet.at(27, "11:00") == []
    assert "wait for a word" in await pet.uses("checkins")
    await pet.hears("I am back")
    assert len(await pet.at(27, "13:00")) == 1


async def test_what_a_platform_refuses_is_audited_and_not_tried_again(tmp_path: Path) -> None:
    """Closed direct messages."""
    channel = ListedPlatform()
    async with checking_in(tmp_path, channel) as pet:
        await pet.hears("/checkins on")
        await pet.hears("I have my exam on Friday")
        channel.closed.add(ALONE_OF_DAVID.external_id)
        assert await pet.at(3, "10:10") == []
        channel.closed.clear()
        assert await pet.app.delivery.resume() == 0
        assert await pet.at(3, "15:00") == []
        assert await pet.audited() == [
            ("checkins.switched_on", ""),
            ("checkin.given_up", "outcome"),
        ]


ALONE_OF_DAVID = direct(DAVID)


async def test_an_answer_hours_later_knows_the_question(pet: Asking) -> None:
    """It is in the query, though the talk begins anew."""
    await pet.hears("/checkins on")
    await pet.hears("I have my exam on Friday")
    await pet.at(3, "10:10")
    await pet.at(3, "16:00")
    await pet.app.contexts.end_idle()
    await pet.hears("pretty well, I got all the questions")
    rows = await pet.app.storage.database.all(
        "SELECT query FROM memory_retrievals ORDER BY rowid DESC LIMIT 1", {}
    )
    assert "how did it go?" in rows[0]["query"]


async def test_who_is_forgotten_is_not_written_to(pet: Asking) -> None:
    """Nothing is left to ask after, and nobody who asked for it."""
    await pet.hears("/checkins on")
    await pet.hears("I have my exam on Friday")
    await pet.hears("/forget-me")
    await pet.hears("/forget-me confirm")
    assert await pet.app.storage.checkins.rooms() == []
    assert await pet.at(3, "10:10") == []


@pytest.mark.parametrize("locale", ["en", "fr"])
async def test_what_hinders_writing_first_is_said_when_it_is_switched_on(
    pet: Asking, locale: str
) -> None:
    """In private, of each service that has such a rule; a group may always be written to."""
    hindered = {one.name: one.writing_first for one in CHANNELS}
    assert {name for name, said in hindered.items() if said} == {"discord", "telegram", "whatsapp"}
    for said in hindered.values():
        table = {"checkins": checkins_command(pet.app.storage.checkins, {PLATFORM: said})}
        for where in (ALONE_OF_DAVID, SALON):
            await pet.hears("hello", where=where)
            by = caller(DAVID, where, authority=Authority.SPACE, locale=locale)
            by = replace(by, person=await pet.app.register.person(DAVID))
            answer = await answered(table, "/checkins on", by, locale=locale)
            assert (said.get(locale, "…") in answer.text) is (
                where is ALONE_OF_DAVID and bool(said)
            )


async def test_a_command_of_a_platform_switches_it_on_before_a_word_was_said(pet: Asking) -> None:
    """As Discord's own: neither the room nor the person was met."""
    assert "Check-ins are on" in await pet.uses("checkins", value="on")
    assert len(await pet.app.storage.checkins.rooms()) == 1

"""Whose clock is which: what a person or their device says, as far as a room may know it."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from memory.language.times.zones import zone_name
from memory.model.audience import scope_of
from memory.model.people import Person
from memory.model.rooms import HOME
from memory.storage.people.zones import PersonZones
from tests.cast import DAVID, LOBBY, PLATFORM, direct, room_of
from tests.storage import StorageParts, arrival, open_truth

ALONE = direct(DAVID)


@pytest.fixture
async def storage(tmp_path: Path) -> AsyncIterator[StorageParts]:
    """New tables with David, his own room and the lobby."""
    async with open_truth(tmp_path) as opened:
        await opened.people.keep_room(room_of(LOBBY))
        await opened.people.keep_room(room_of(ALONE))
        yield opened


async def david(storage: StorageParts) -> Person:
    """Who says everything here."""
    return await storage.people.person(PLATFORM, DAVID.external_id, DAVID.name)


async def say(storage: StorageParts, text: str, *, alone: bool, device: str | None = None) -> None:
    """Let David say something, from a device that tells its zone or none."""
    storage.clock.advance(timedelta(minutes=1))
    person, now = await david(storage), storage.clock.now()
    room = room_of(ALONE if alone else LOBBY)
    said = replace(arrival(text, f"{now}"), room=room, person=person.id, sent_at=now, zone=device)
    await storage.messages.accept([said])


async def told(storage: StorageParts, *, alone: bool) -> str | None:
    """The zone that David is answered in, alone with the pet or in the lobby."""
    person = await david(storage)
    scope = scope_of(room_of(ALONE if alone else LOBBY), person.id, [HOME])
    zone = await PersonZones(storage.database).of(person.id, scope)
    return None if zone is None else zone_name(zone)


async def test_nobody_is_anywhere_until_something_says_so(storage: StorageParts) -> None:
    """The pet's own clock is used then."""
    await say(storage, "hello", alone=True)
    assert await told(storage, alone=True) is None


async def test_the_latest_word_counts_wherever_all_may_read_it(storage: StorageParts) -> None:
    """A device tells it with each message; the words beside it know better."""
    await say(storage, "hello", alone=False, device="Europe/London")
    assert await told(storage, alone=False) == "Europe/London"
    await say(storage, "I'm in New York", alone=False, device="Europe/London")
    assert await told(storage, alone=False) == "America/New_York"
    assert await told(storage, alone=True) == "America/New_York"


async def test_what_was_said_alone_is_not_used_where_others_read(storage: StorageParts) -> None:
    """The time that the pet tells would give the place away."""
    await say(storage, "je suis à Tokyo", alone=True, device="Europe/Paris")
    assert await told(storage, alone=True) == "Asia/Tokyo"
    assert await told(storage, alone=False) is None


async def test_what_was_taken_back_says_nothing(storage: StorageParts) -> None:
    """Nor does what was put in other words."""
    await say(storage, "I'm in Tokyo", alone=True)
    (row,) = await storage.database.all("SELECT platform, external_id FROM messages")
    await storage.messages.edit(row["platform"], row["external_id"], "I'm in Berlin")
    assert await told(storage, alone=True) == "Europe/Berlin"
    await storage.messages.withdraw(row["platform"], row["external_id"])
    assert await told(storage, alone=True) is None
    (left,) = await storage.database.all("SELECT zone FROM messages")
    assert left["zone"] is None

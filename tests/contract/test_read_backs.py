"""Reading back knows where each room was left, and what stood there."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from bot.model.events import RoomRef
from memory.model.rooms import SpaceId
from memory.storage.community.done_once import AGAIN_AFTER, GreetedSpaces
from memory.storage.conversations.room_positions import RoomPositions
from tests.cast import CORNER, LOBBY, NOON, PLATFORM, room_of
from tests.storage import StorageParts, arrival, open_truth

MINUTE = timedelta(minutes=1)
LONG_AGO, SOON = NOON - timedelta(days=9), NOON + timedelta(days=9)


@pytest.fixture
async def storage(tmp_path: Path) -> AsyncIterator[StorageParts]:
    """New tables with two rooms."""
    async with open_truth(tmp_path) as opened:
        await opened.people.keep_room(room_of(LOBBY))
        await opened.people.keep_room(room_of(CORNER))
        yield opened


async def hear(storage: StorageParts, *ids: str) -> None:
    """Let the lobby say messages of these ids, a minute apart."""
    for id_ in ids:
        storage.clock.advance(MINUTE)
        said = replace(arrival(id_, id_), sent_at=storage.clock.now())
        await storage.messages.accept([said])


async def standing(storage: StorageParts, where: RoomRef = LOBBY, limit: int = 10) -> list[str]:
    """The ids of what stands in a room."""
    found = await RoomPositions(storage.database).standing(
        room_of(where).id, LONG_AGO, before=storage.clock.now(), limit=limit
    )
    return [one.external_id for one in found]


async def test_a_reading_that_was_cut_short_begins_where_it_began(storage: StorageParts) -> None:
    """One that is finished is forgotten, and platforms do not share any."""
    backs = RoomPositions(storage.database)
    assert await backs.begin(PLATFORM, NOON) == NOON
    assert await backs.begin(PLATFORM, NOON + MINUTE) == NOON
    assert await backs.begin("elsewhere", NOON + MINUTE) == NOON + MINUTE
    await backs.finish(PLATFORM)
    assert await backs.begin(PLATFORM, NOON + MINUTE) == NOON + MINUTE


async def test_rooms_are_known_as_they_were_left(storage: StorageParts) -> None:
    """The latest first; of what came in later nothing counts; a silent room since it was met."""
    await hear(storage, "a", "b", "c")
    lobby, corner = await RoomPositions(storage.database).rooms(PLATFORM, NOON + 2 * MINUTE)
    assert (lobby.external_id, lobby.last_at) == (LOBBY.external_id, NOON + 2 * MINUTE)
    assert (corner.external_id, corner.last_at, corner.met_at) == (CORNER.external_id, NOON, NOON)
    assert await RoomPositions(storage.database).rooms("elsewhere", SOON) == []


async def test_what_stands_are_the_last_ones_oldest_first(storage: StorageParts) -> None:
    """Of that room, and without what was taken back or came in later."""
    await hear(storage, "a", "b", "c", "d")
    assert await standing(storage) == ["a", "b", "c", "d"]
    assert await standing(storage, limit=2) == ["c", "d"]
    assert await standing(storage, CORNER) == []
    await storage.messages.withdraw(PLATFORM, "b")
    storage.clock.advance(-MINUTE)
    assert await standing(storage) == ["a", "c"]


async def test_a_community_is_told_once_for_each_invitation(storage: StorageParts) -> None:
    """Anew when it was invited anew since, a day later, or when nothing was said after all."""
    greeted, space = GreetedSpaces(storage.database, storage.clock), SpaceId("discord:9")
    assert await greeted.take(space, NOON)
    assert not await greeted.take(space, NOON)
    assert await greeted.take(SpaceId("discord:10"), NOON)
    storage.clock.advance(AGAIN_AFTER + MINUTE)
    assert not await greeted.take(space, NOON)
    assert await greeted.take(space, storage.clock.now())
    await greeted.give_back(space)
    assert await greeted.take(space, storage.clock.now())

"""Who may know a statement was settled when it was said, whatever the room has become since."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.conversation.rooms import RoomRule
from memory.model.audience import OPERATOR
from memory.model.messages import MessageId
from memory.model.rooms import RoomRole
from tests.cast import DAVID, LOBBY, PLATFORM, room_of
from tests.flow.lobby import ListedExtractor, Lobby, reader
from tests.flow.pet import awake
from tests.storage import StorageParts, arrival, open_truth

OPEN, CONFIDENTIAL = room_of(LOBBY), room_of(LOBBY, confidential=True)


@pytest.fixture
async def lobby(tmp_path: Path) -> AsyncIterator[Lobby]:
    """A lobby where nothing was said yet."""
    async with open_truth(tmp_path) as storage:
        extractor = ListedExtractor()
        yield Lobby(storage=storage, extractor=extractor, digest=reader(storage, extractor))


async def said(
    storage: StorageParts, text: str, external_id: str, *, confidential: bool
) -> MessageId:
    """Something said in the lobby while it was confidential, or while it was not."""
    room = CONFIDENTIAL if confidential else OPEN
    await storage.people.keep_room(room)
    (accepted,) = await storage.messages.accept([replace(arrival(text, external_id), room=room)])
    assert accepted is not None
    return accepted


async def audiences(storage: StorageParts) -> dict[str, str]:
    """Who may know each statement that is kept."""
    rows = await storage.memories.latest(None, OPERATOR, 50)
    kept = await storage.database.all("SELECT id, audience FROM memories")
    keys = {row["id"]: row["audience"] for row in kept}
    return {row.content.removeprefix("David aime "): keys[str(row.id)] for row in rows}


async def test_a_room_that_was_opened_does_not_open_what_was_said_before(lobby: Lobby) -> None:
    """Confidential when it was said, open when it is digested: it stays in the room."""
    await said(lobby.storage, "alpha", "m1", confidential=True)
    await said(lobby.storage, "beta", "m2", confidential=False)
    await lobby.digest.run()
    assert await audiences(lobby.storage) == {"alpha": "room:chat:lobby", "beta": "space:home"}


async def test_no_chunk_mixes_two_audiences(lobby: Lobby) -> None:
    """Neither in what is learnt from nor in what helps to understand it."""
    for number, confidential in enumerate((False, True, False), start=1):
        await said(lobby.storage, f"w{number}", f"m{number}", confidential=confidential)
    await lobby.digest.run()
    read = [
        ([line.text for line in chunk.before], [line.text for line in chunk.lines])
        for chunk in lobby.extractor.chunks
    ]
    assert read == [([], ["w1"]), ([], ["w2"]), (["w1"], ["w3"])]


async def test_what_is_answered_after_a_restart_obeys_the_rooms_new_rule(tmp_path: Path) -> None:
    """The room was made confidential in the settings while the pet was away."""
    async with awake(tmp_path) as pet:
        await pet.hears("mon code est 1234")
    rule = RoomRule(platform=PLATFORM, external_id="corner", confidential=True)
    async with awake(tmp_path, rooms=[rule]) as pet:
        assert await pet.inbox.resume() == 1
        await pet.answers()
        assert await pet.storage.count("turns", "audience = 'room:chat:corner'") == 1
        assert await pet.storage.count("rooms", "confidential") == 1


async def test_a_room_that_is_ignored_now_is_not_answered_after_a_restart(tmp_path: Path) -> None:
    """Whoever runs the pet has just forbidden it to speak there."""
    async with awake(tmp_path) as pet:
        await pet.hears("tu es là, dis ?", DAVID)
    rule = RoomRule(platform=PLATFORM, external_id="corner", role=RoomRole.IGNORED)
    async with awake(tmp_path, rooms=[rule]) as pet:
        assert await pet.inbox.resume() == 0
        assert await pet.answers() == []

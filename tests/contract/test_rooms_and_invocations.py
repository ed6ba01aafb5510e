from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from bot.conversation.rooms import RoomRegistry, RoomRegistryRules, RoomRule
from bot.model.commands import Authority
from bot.model.events import Invoked
from memory.model.people import Signature
from memory.model.rooms import RoomRole, SpaceId
from memory.storage.community.done_once import KEPT_FOR, Invocations, SessionStarts
from tests.cast import DAVID, LOBBY, NOON, PLATFORM, group
from tests.flow.calling import register_on
from tests.storage import StorageParts, open_truth

BY = Signature("chat:ada")


@pytest.fixture
async def storage(tmp_path: Path) -> AsyncIterator[StorageParts]:
    """An empty database."""
    async with open_truth(tmp_path) as opened:
        yield opened


def register(storage: StorageParts, *rules: RoomRule) -> RoomRegistry:
    """The register with what the settings say."""
    said = RoomRegistryRules(names=("Eko",), rooms=rules)
    return register_on(storage, said)


THREAD = group("thread", RoomRole.LOBBY)


async def test_what_was_chosen_wins_and_survives(storage: StorageParts) -> None:
    """Over the settings, which win over the platform; taken back, the settings hold again."""
    rule = RoomRule(platform=PLATFORM, external_id="lobby", role=RoomRole.MENTION)
    one = register(storage, rule)
    assert one.room(LOBBY).role is RoomRole.MENTION
    await one.choose(one.room(LOBBY).id, RoomRole.IGNORED, by=BY)
    assert one.room(LOBBY).role is RoomRole.IGNORED
    again = register(storage, rule)
    await again.load()
    assert again.room(LOBBY).role is RoomRole.IGNORED
    await again.choose(again.room(LOBBY).id, None, by=BY)
    assert again.room(LOBBY).role is RoomRole.MENTION
    assert await storage.count("audit_log", "action = 'room.chosen'") == 2


async def test_a_thread_has_the_role_of_the_room_above_unless_it_has_its_own(
    storage: StorageParts,
) -> None:
    """Also its space and whether it is confidential."""
    rule = RoomRule(
        platform=PLATFORM, external_id="lobby", space=SpaceId("club"), confidential=True
    )
    one = register(storage, rule)
    ref = type(THREAD)(
        platform=PLATFORM,
        external_id="thread",
        name="thread",
        kind=THREAD.kind,
        role=RoomRole.LOBBY,
        parent="lobby",
    )
    assert one.room(ref).confidential
    assert one.room(ref).space == "club"
    await one.choose(one.room(LOBBY).id, RoomRole.PET, by=BY)
    assert one.room(ref).role is RoomRole.PET
    await one.choose(one.room(ref).id, RoomRole.IGNORED, by=BY)
    assert one.room(ref).role is RoomRole.IGNORED


async def test_a_role_of_its_own_does_not_open_a_thread_of_a_confidential_room(
    storage: StorageParts,
) -> None:
    """Its own rule is silent about that, and about the community."""
    above = RoomRule(
        platform=PLATFORM, external_id="lobby", space=SpaceId("club"), confidential=True
    )
    own = RoomRule(platform=PLATFORM, external_id="thread", role=RoomRole.PET)
    room = register(storage, above, own).room(replace(THREAD, parent="lobby"))
    assert (room.role, room.space, room.confidential) == (RoomRole.PET, "club", True)


@pytest.mark.parametrize(
    ("space", "authority"), [(None, Authority.SPACE), (SpaceId("club"), Authority.NONE)]
)
async def test_who_manages_a_community_manages_none_that_a_room_of_it_was_put_into(
    storage: StorageParts, space: SpaceId | None, authority: Authority
) -> None:
    """Its platform vouches for its own, and what the settings join may belong to others."""
    rule = RoomRule(platform=PLATFORM, external_id="lobby", space=space)
    called = Invoked(
        external_id="i1",
        room=LOBBY,
        author=DAVID,
        command="help",
        arguments={},
        manages_space=True,
    )
    assert (await register(storage, rule).invoked_by(called)).authority is authority


async def test_a_room_that_is_kept_is_judged_again(storage: StorageParts) -> None:
    """What was chosen since counts, and an ignored room is not answered."""
    one = register(storage)
    room = one.room(LOBBY)
    await one.keep(room)
    await one.choose(room.id, RoomRole.PET, by=BY)
    again = await one.room_again(room.id)
    assert again is not None
    assert again.role is RoomRole.PET
    await one.choose(room.id, RoomRole.IGNORED, by=BY)
    assert await one.room_again(room.id) is None


async def test_an_invocation_is_taken_once(storage: StorageParts) -> None:
    """Also by a later process, and for as long as a platform may send it again."""
    one = Invocations(storage.database, storage.clock)
    assert await one.take("discord", "1")
    assert not await Invocations(storage.database, storage.clock).take("discord", "1")
    assert await one.take("whatsapp", "1")
    storage.clock.advance(KEPT_FOR + timedelta(seconds=1))
    assert await one.take("discord", "2")
    assert await storage.count("invocations") == 1


async def test_when_an_account_last_began_a_session_is_known(storage: StorageParts) -> None:
    """Of each account by itself."""
    starts = SessionStarts(storage.database)
    assert await starts.last("discord:7") is None
    for at in (NOON, NOON + timedelta(seconds=6)):
        await starts.keep("discord:7", at)
        assert await starts.last("discord:7") == at
    assert await starts.last("discord:8") is None

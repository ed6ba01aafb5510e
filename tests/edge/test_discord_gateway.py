from collections.abc import AsyncIterator
from datetime import timedelta
from itertools import count
from typing import Any

import pytest
import structlog

from bot.channels.discord import channel as channel_module
from bot.channels.discord.channel import NO_CONTENT, UNKNOWN_BOT
from bot.channels.discord.inbound import membership
from bot.errors import ChannelAway
from bot.model.events import Deleted, Edited, Inbound, Typing
from bot.platforms import channel_elsewhere
from memory.model.parts import Part, PartSource
from memory.model.rooms import RoomKind, SpaceId
from tests.cast import LOBBY as SOME_ROOM
from tests.cast import NOON, outgoing
from tests.discord_world import (
    ADA,
    LOBBY,
    MODERATORS,
    OPEN_THREAD,
    PET,
    PETS,
    STAFF,
    account,
    guild,
    message,
)
from tests.edge.discord_gateway import MESSAGE_CONTENT, Gateway, There, discord_on_loopback, running
from tests.edge.discord_guild import GUILD

_ids = count(1_462_053_843_763_200_000)


def words(text: str, **fields: Any) -> dict[str, Any]:
    """A message with an id of its own."""
    return message(text, id=str(next(_ids)), **fields)


@pytest.fixture
async def gateway() -> AsyncIterator[Gateway]:
    """A Discord that all is well with."""
    async with discord_on_loopback() as found:
        yield found


@pytest.fixture
async def there(gateway: Gateway, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[There]:
    """A channel that is connected."""
    async with running(gateway, monkeypatch) as found:
        await found.is_connected()
        yield found


async def test_what_is_forwarded_is_heard_as_somebody_elses(there: There) -> None:
    """With a file that came with it, and without a call of the pet."""
    told = {
        "type": 0,
        "content": f"hi <@{PET}>, the race is on 12 May",
        "embeds": [],
        "attachments": [
            {"id": "1", "filename": "map.png", "size": 9, "url": "u", "proxy_url": "x"}
        ],
        "timestamp": NOON.isoformat(),
        "edited_timestamp": None,
    }
    reference = {"type": 1, "message_id": "5", "channel_id": "6"}
    forwarding = words("", message_reference=reference, message_snapshots=[{"message": told}])
    await there.gateway.tells("MESSAGE_CREATE", forwarding)
    [heard] = await there.notebook.hears(1)
    assert isinstance(heard, Inbound)
    assert (heard.text, heard.mentions_pet, heard.reply_to) == ("", False, None)
    assert heard.parts == (
        Part(source=PartSource.FORWARDED, text="hi @Eko, the race is on 12 May"),
    )
    assert [one.name for one in heard.attachments] == ["map.png"]


async def test_what_is_said_is_heard_in_its_room(there: There) -> None:
    """With the room, the author and the words as the pet knows them."""
    await there.gateway.tells("MESSAGE_CREATE", words("hi <@7>", mentions=[account(PET, bot=True)]))
    [heard] = await there.notebook.hears(1)
    assert isinstance(heard, Inbound)
    assert (heard.text, heard.room.external_id, heard.mentions_pet) == ("hi @Eko", str(LOBBY), True)


async def test_edits_deletions_and_typing_are_told(there: There) -> None:
    """In the order in which they happened."""
    place = {"channel_id": str(LOBBY), "guild_id": str(GUILD)}
    tells = there.gateway.tells
    await tells("MESSAGE_CREATE", words("a"))
    await tells("MESSAGE_UPDATE", message("b", id="5", edited_timestamp=NOON.isoformat()))
    await tells("MESSAGE_DELETE", {"id": "6", **place})
    await tells("MESSAGE_DELETE_BULK", {"ids": ["8", "7"], **place})
    await tells("TYPING_START", {"user_id": str(ADA), "timestamp": 1, **place})
    _, edit, *rest = await there.notebook.hears(6)
    assert isinstance(edit, Edited)
    assert (edit.platform, edit.external_id, edit.text) == ("discord", "5", "b")
    assert edit.room is not None
    assert edit.room.external_id == str(LOBBY)
    gone = [each.external_id for each in rest if isinstance(each, Deleted)]
    assert gone == ["6", "7", "8"]
    assert isinstance(rest[-1], Typing)
    assert rest[-1].author.external_id == str(ADA)


async def test_programs_and_discord_itself_are_not_heard(there: There) -> None:
    """Nor the pet's own writing."""
    tells = there.gateway.tells
    await tells("MESSAGE_CREATE", words("beep", author=account(3, bot=True)))
    await tells("MESSAGE_CREATE", words("hook", webhook_id="4"))
    await tells("MESSAGE_CREATE", words("", type=7))
    place = {"channel_id": str(LOBBY), "guild_id": str(GUILD)}
    await tells("TYPING_START", {"user_id": str(PET), "timestamp": 1, **place})
    await tells("MESSAGE_CREATE", words("a person"))
    await there.notebook.hears(1)
    assert there.notebook.texts == ["a person"]


async def test_a_thread_is_a_room_below_its_channel(there: There) -> None:
    """Also one that Discord did not tell of: it is asked for."""
    unknown = {"id": "300", "type": 0, "name": "old", "guild_id": str(GUILD)}
    about = {"position": 1, "permission_overwrites": [], "nsfw": False, "parent_id": None}
    there.gateway.channels["300"] = unknown | about
    await there.gateway.tells("MESSAGE_CREATE", words("a", channel=OPEN_THREAD))
    await there.notebook.hears(1)
    await there.gateway.tells("MESSAGE_CREATE", words("b", channel=300))
    await there.notebook.hears(2)
    first, second = there.notebook.events
    assert isinstance(first, Inbound)
    assert isinstance(second, Inbound)
    assert first.room.parent == str(LOBBY)
    assert (second.room.name, second.room.confidential) == ("old", False)


@pytest.mark.parametrize(("members", "spaces"), [({ADA}, {f"discord:{GUILD}"}), (set(), set())])
async def test_who_writes_directly_is_asked_about_once(
    there: There, members: set[int], spaces: set[SpaceId]
) -> None:
    """The guilds that somebody shares with the pet are what Discord says of them."""
    there.gateway.members = members
    for text in ("a", "b"):
        await there.gateway.tells("MESSAGE_CREATE", words(text, channel=55, guild_id=None))
    for heard in await there.notebook.hears(2):
        assert isinstance(heard, Inbound)
        assert heard.room.kind is RoomKind.DIRECT
        assert heard.spaces == spaces
    assert there.gateway.asked.count(f"GET /guilds/{GUILD}/members/{ADA}") == 1


async def test_who_lacks_the_role_that_stands_for_everybody_shares_no_guild(there: There) -> None:
    """What was known of an account before the role was chosen counts no more."""
    there.gateway.members = {ADA}
    shared: list[frozenset[SpaceId]] = []
    for everyone, roles in ((None, []), (str(MODERATORS), []), (str(PETS), [str(PETS)])):
        there.everyone, there.gateway.roles = everyone, roles
        await there.gateway.tells("MESSAGE_CREATE", words("a", channel=55, guild_id=None))
        heard = (await there.notebook.hears(len(shared) + 1))[-1]
        assert isinstance(heard, Inbound)
        shared.append(heard.spaces)
    known = frozenset({SpaceId(f"discord:{GUILD}")})
    assert shared == [known, frozenset(), known]


async def test_nobody_is_vouched_for_while_discord_does_not_say(
    there: There, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is shared with a guild stays there; a later message is asked about anew."""
    monkeypatch.setattr(membership, "LIMIT_S", 0.1)
    monkeypatch.setattr(membership, "AGAIN_S", 0)
    there.gateway.members = {ADA}
    there.gateway.is_ill = True
    await there.gateway.tells("MESSAGE_CREATE", words("a", channel=55, guild_id=None))
    await there.notebook.hears(1)
    there.gateway.is_ill = False
    monkeypatch.setattr(membership, "LIMIT_S", 5)
    await there.gateway.tells("MESSAGE_CREATE", words("b", channel=55, guild_id=None))
    first, second = await there.notebook.hears(2)
    assert isinstance(first, Inbound)
    assert isinstance(second, Inbound)
    assert (first.spaces, second.spaces) == (frozenset(), frozenset({SpaceId(f"discord:{GUILD}")}))


async def test_who_discord_does_not_answer_for_keeps_nobody_waiting(
    there: There, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A direct room with much to say would fill up what may wait, of all rooms."""
    monkeypatch.setattr(membership, "LIMIT_S", 0.1)
    there.gateway.is_ill = True
    with structlog.testing.capture_logs() as logs:
        for text in ("a", "b", "c"):
            await there.gateway.tells("MESSAGE_CREATE", words(text, channel=55, guild_id=None))
        await there.notebook.hears(3)
    assert [one["event"] for one in logs].count("membership.postponed") == 1


async def test_a_guild_that_the_pet_has_left_is_shared_no_more(there: There) -> None:
    """Whoever is still there, and writes directly."""
    there.gateway.members = {ADA}
    await there.gateway.tells("MESSAGE_CREATE", words("a", channel=55, guild_id=None))
    await there.notebook.hears(1)
    await there.gateway.tells("GUILD_DELETE", {"id": str(GUILD)})
    await there.gateway.tells("MESSAGE_CREATE", words("b", channel=55, guild_id=None))
    _, second = await there.notebook.hears(2)
    assert isinstance(second, Inbound)
    assert second.spaces == frozenset()


async def test_what_comes_before_the_guilds_is_heard_after_the_connection(
    gateway: Gateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that its channel is known, and whoever reads back is told first."""
    gateway.early = [("MESSAGE_CREATE", words("early", channel=STAFF))]
    async with running(gateway, monkeypatch) as there:
        [heard] = await there.notebook.hears(1)
        assert isinstance(heard, Inbound)
        assert (heard.room.name, heard.room.confidential) == ("staff", True)
        assert there.arrivals == [0]


CHANNELS = {str(one["id"]) for one in (*guild()["channels"], *guild()["threads"])}


@pytest.mark.parametrize("about", [{"unavailable": False}, {}])
async def test_a_guild_that_comes_late_is_told_of_once_it_is_there(
    gateway: Gateway, monkeypatch: pytest.MonkeyPatch, about: dict[str, Any]
) -> None:
    """By the channels that it has; not by what comes with the connection itself."""
    gateway.tells_guild = False
    async with running(gateway, monkeypatch) as there:
        await there.is_connected()
        assert there.returned == []
        await gateway.tells("GUILD_CREATE", guild() | about)
        await there.sees_return()
        assert there.returned == [CHANNELS]


async def test_a_guild_that_is_back_from_an_outage_is_told_of(there: There) -> None:
    """Each time; a guild that came with the connection is no return."""
    for time in (1, 2):
        await there.gateway.tells("GUILD_DELETE", {"id": str(GUILD), "unavailable": True})
        await there.gateway.tells("GUILD_CREATE", {**guild(), "unavailable": False})
        await there.sees_return(time)
    assert there.returned == [CHANNELS, CHANNELS]
    assert len(there.arrivals) == 1


async def test_a_cut_connection_is_gone_on_with(there: There) -> None:
    """Discord tells again what was missed, so nothing begins anew."""
    await there.gateway.tells("MESSAGE_CREATE", words("a"))
    await there.notebook.hears(1)
    await there.gateway.cuts()
    await there.gateway.resumed(1)
    await there.gateway.tells("MESSAGE_CREATE", words("b"))
    await there.notebook.hears(2)
    assert there.gateway.resumes[0]["session_id"] == "session"
    assert len(there.gateway.identifies) == len(there.arrivals) == 1


async def test_nothing_is_begun_anew_once_too_much_was_begun_in_a_day(there: There) -> None:
    """Discord would void the token; what is left is asked for until there is some again."""
    there.gateway.remaining = 0
    await there.gateway.frame('{"op": 9, "d": false}')
    await there.gateway.logged_in(4)
    assert len(there.gateway.identifies) == 1
    there.gateway.remaining = 1
    await there.gateway.identified(2)


async def test_sessions_begin_no_sooner_than_discord_allows(
    gateway: Gateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In one client, whose session is void, and in those that are made after it."""
    gateway.apart = timedelta(seconds=0.2)
    async with running(gateway, monkeypatch) as there:
        await there.is_connected()
        await gateway.frame('{"op": 9, "d": false}')
        await there.is_connected(2)
        for _ in range(20):
            await gateway.frame("nonsense")
        await there.is_connected(3)
    assert gateway.too_soon == 0


@pytest.mark.parametrize("code", [1000, 1011, 4000])
async def test_a_connection_closed_before_the_greeting_is_made_again(
    gateway: Gateway, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    """However often."""
    gateway.closes.extend([code] * 3)
    async with running(gateway, monkeypatch) as there:
        await there.is_connected()
        await gateway.tells("MESSAGE_CREATE", words("a"))
        await there.notebook.hears(1)


@pytest.mark.parametrize(
    "frame",
    [
        '{"op": 0, "t": "MESSAGE_CREATE", "s": 9, "d": {"id": "1"}}',
        '{"op": 0, "t": "GUILD_CREATE", "s": 9, "d": {}}',
        '{"op": 0, "t": "MESSAGE_DELETE", "s": 9, "d": null}',
        "no json at all",
        "[]",
        "5",
    ],
)
async def test_an_event_that_cannot_be_read_costs_itself_alone(there: There, frame: str) -> None:
    """The conversation goes on, and nothing is missed."""
    await there.gateway.frame(frame)
    await there.gateway.tells("MESSAGE_CREATE", words("a"))
    await there.notebook.hears(1)
    assert len(there.gateway.identifies) == 1
    assert there.gateway.resumes == []


async def test_nonsense_without_end_makes_a_new_connection(there: There) -> None:
    """It is not the events then."""
    for _ in range(20):
        await there.gateway.frame("nonsense")
    await there.is_connected(2)
    assert len(there.gateway.identifies) == 2


async def test_an_unknown_token_is_said_once_with_what_to_do(
    gateway: Gateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is tried again, and works once somebody has mended it."""
    monkeypatch.setattr(channel_elsewhere, "SLOW_S", 0.01)
    gateway.known_token = "another"
    with structlog.testing.capture_logs() as logs:
        async with running(gateway, monkeypatch) as there:
            await gateway.logged_in(3)
            gateway.known_token = "token"
            await there.is_connected()
    assert [log["reason"] for log in logs if log["event"] == "discord.refused"] == [UNKNOWN_BOT]


async def test_a_token_that_the_gateway_refuses_is_said_too(
    gateway: Gateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was revoked between logging in and listening."""
    monkeypatch.setattr(channel_elsewhere, "SLOW_S", 0.01)
    gateway.refuses.extend([4004, 4004])
    with structlog.testing.capture_logs() as logs:
        async with running(gateway, monkeypatch) as there:
            await there.is_connected()
    assert [log["reason"] for log in logs if log["event"] == "discord.refused"] == [UNKNOWN_BOT]


async def test_without_the_content_intent_it_says_where_to_switch_it_on(
    gateway: Gateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It asks for what it may have, and for the rest as soon as it may have that."""
    monkeypatch.setattr(channel_module, "SLOW_S", 0.2)
    gateway.flags = 0
    with structlog.testing.capture_logs() as logs:
        async with running(gateway, monkeypatch) as there:
            await there.is_connected()
            assert not gateway.identifies[0]["intents"] & MESSAGE_CONTENT
            gateway.flags = 1 << 18
            await there.is_connected(2)
            assert gateway.identifies[1]["intents"] & MESSAGE_CONTENT
    assert [log["reason"] for log in logs if log["event"] == "discord.refused"] == [NO_CONTENT]


async def test_refused_intents_are_done_without(
    gateway: Gateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Direct messages and mentions are still heard."""
    gateway.refuses.append(4014)
    with structlog.testing.capture_logs() as logs:
        async with running(gateway, monkeypatch) as there:
            await there.is_connected()
    asked = [bool(one["intents"] & MESSAGE_CONTENT) for one in gateway.identifies]
    assert asked == [True, False]
    assert [log["reason"] for log in logs if log["event"] == "discord.refused"] == [NO_CONTENT]


async def test_what_cannot_be_stored_is_stored_later(
    there: There, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In its place, before what comes after it."""
    monkeypatch.setattr("bot.platforms.receiver.FIRST_WAIT_S", 0.001)
    there.notebook.failures = 3
    for text in ("a", "b", "c"):
        await there.gateway.tells("MESSAGE_CREATE", words(text))
    await there.notebook.hears(3)
    assert there.notebook.texts == ["a", "b", "c"]


async def test_one_message_that_fails_costs_itself_alone(there: There) -> None:
    """Those that were handed in together with it are handed in again."""
    there.notebook.poison = "b"
    for text in ("a", "b", "c"):
        await there.gateway.tells("MESSAGE_CREATE", words(text))
    await there.notebook.hears(2)
    assert there.notebook.texts == ["a", "c"]


async def test_a_burst_is_heard_whole_in_order_and_several_at_a_time(there: There) -> None:
    """In each of its rooms."""
    texts = [str(number) for number in range(300)]
    for text in texts:
        place = LOBBY if int(text) % 2 else STAFF
        await there.gateway.tells("MESSAGE_CREATE", words(text, channel=place))
    await there.notebook.hears(300)
    assert sorted(there.notebook.texts, key=int) == texts
    for parity in (0, 1):
        room = [text for text in there.notebook.texts if int(text) % 2 == parity]
        assert room == sorted(room, key=int)
    assert max(there.notebook.together) > 1


async def test_nothing_is_sent_while_there_is_no_connection(
    gateway: Gateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is kept and sent later, without trying again and again."""
    monkeypatch.setattr(channel_elsewhere, "SLOW_S", 0.01)
    gateway.known_token = "another"
    async with running(gateway, monkeypatch) as there:
        await gateway.logged_in(1)
        with pytest.raises(ChannelAway):
            await there.channel.send(outgoing(SOME_ROOM, "hi"))

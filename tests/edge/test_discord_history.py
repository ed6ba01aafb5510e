"""What Discord's channels said before, read with the real library from a server on loopback."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import discord
import pytest
from structlog.testing import capture_logs

from bot.channels.discord.inbound import history
from bot.channels.discord.inbound.events import EventReader, inbound_of
from bot.channels.discord.inbound.history import DiscordPast
from bot.errors import PastUnavailable, RoomAway, RoomUnreadable
from bot.model.events import InboundEvent
from bot.ports import Past
from memory.model.parts import Part, PartSource
from memory.model.rooms import RoomKind, RoomRole
from tests.cast import NOON
from tests.edge.discord_guild import (
    GUILD,
    HISTORY,
    VIEW,
    Archive,
    guild_of,
    joined,
    text_channel,
    thread,
)
from tests.edge.discord_rest import USER, logged_in, refusal

LOBBY, HIDDEN, SECRET, FORUM, THREAD, DIRECT = 10, 11, 12, 13, 20, 30
ALWAYS = NOON - timedelta(days=1)
CHANNELS = [
    text_channel(LOBBY, "lobby"),
    text_channel(HIDDEN, "hidden", everyone_may_not=VIEW),
    text_channel(SECRET, "no history", everyone_may_not=HISTORY),
    text_channel(FORUM, "forum", kind=15),
]


async def read(message: discord.Message) -> Sequence[InboundEvent]:
    """A message as it would be read if it had just come in."""
    reading = EventReader(pet_id=7, pet_name="Eko")
    return [inbound_of(message, message.channel, frozenset(), reading)]


@dataclass(frozen=True)
class Reader:
    """A client in a guild, and what Discord has of its channels."""

    client: discord.Client
    archive: Archive = field(default_factory=Archive)

    @property
    def past(self) -> DiscordPast:
        """The past that this client can read."""
        past = DiscordPast()
        past.follow(self.client, read)
        return past

    async def said(self, channel: int, limit: int = 1000, after: int = -60) -> Past:
        """What a channel said since some minutes after noon."""
        return await self.past.said(str(channel), NOON + timedelta(minutes=after), None, limit)


@pytest.fixture
async def reader(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Reader]:
    """A client that is in one guild."""
    archive = Archive()
    async with logged_in(monkeypatch, archive.answer) as client:
        joined(client, guild_of(CHANNELS, threads=[thread(THREAD, LOBBY)]))
        yield Reader(client, archive)


async def test_a_channel_is_read_from_a_moment_on_the_oldest_first(reader: Reader) -> None:
    """As messages that have just come in, in their place."""
    for minute in range(3):
        reader.archive.says(LOBBY, f"mot {minute}", minute)
    past = await reader.said(LOBBY, after=0)
    assert [one.text for one in past.messages] == ["mot 1", "mot 2"]
    assert past.messages[0].room.external_id == str(LOBBY)
    assert past.messages[0].sent_at == NOON + timedelta(minutes=1)
    assert past.whole_from == NOON


async def test_what_was_forwarded_is_read_back_as_forwarded(reader: Reader) -> None:
    """Discord lists its words beside the message, and not whose they are."""
    told = {
        "type": 0,
        "content": "The race is on 12 May",
        "embeds": [],
        "attachments": [],
        "timestamp": NOON.isoformat(),
        "edited_timestamp": None,
    }
    reference = {"type": 1, "message_id": "5", "channel_id": "6"}
    reader.archive.says(
        LOBBY, "", 1, message_reference=reference, message_snapshots=[{"message": told}]
    )
    (message,) = (await reader.said(LOBBY)).messages
    assert (message.text, message.reply_to) == ("", None)
    assert message.parts == (Part(source=PartSource.FORWARDED, text="The race is on 12 May"),)


async def test_more_than_a_page_is_read_page_by_page(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is lost or read twice between two of them."""
    monkeypatch.setattr(history, "PAGE", 10)
    for minute in range(35):
        reader.archive.says(LOBBY, f"mot {minute}", minute)
    past = await reader.said(LOBBY)
    assert [one.text for one in past.messages] == [f"mot {minute}" for minute in range(35)]
    assert len(reader.archive.asked) == 4


async def test_the_latest_are_read_where_there_are_too_many(reader: Reader) -> None:
    """It says from when on nothing is left out."""
    for minute in range(8):
        reader.archive.says(LOBBY, f"mot {minute}", minute)
    past = await reader.said(LOBBY, limit=5)
    assert [one.text for one in past.messages] == [f"mot {minute}" for minute in range(3, 8)]
    assert past.whole_from == NOON + timedelta(minutes=3)


async def test_a_stretch_ends_before_its_end(reader: Reader) -> None:
    """What was said at that very moment is not in it."""
    for minute in range(3):
        reader.archive.says(LOBBY, f"mot {minute}", minute)
    past = await reader.past.said(str(LOBBY), ALWAYS, NOON + timedelta(minutes=2), 100)
    assert [one.text for one in past.messages] == ["mot 0", "mot 1"]


async def test_what_nobody_said_is_listed_and_is_no_message(reader: Reader) -> None:
    """Of programs, of webhooks, of the guild, of the pet: they stand there all the same."""
    ids = [
        reader.archive.says(LOBBY, "moi", 0, author=USER),
        reader.archive.says(LOBBY, "bip", 1, webhook_id="5"),
        reader.archive.says(LOBBY, "", 2, type=7),
        reader.archive.says(LOBBY, "mot", 3, edited_timestamp=NOON.isoformat()),
    ]
    past = await reader.said(LOBBY)
    assert [one.text for one in past.messages] == ["mot"]
    assert past.listed == {*ids}
    assert past.edited == {ids[3]}


@pytest.mark.parametrize("channel", [HIDDEN, SECRET, FORUM])
async def test_what_it_may_not_read_is_not_an_empty_room(reader: Reader, channel: int) -> None:
    """Discord lists nothing there, and that must not look like everything being deleted."""
    with pytest.raises(RoomUnreadable):
        await reader.said(channel)
    assert reader.archive.asked == []


@pytest.mark.parametrize(("status", "code"), [(403, 50001), (404, 10003)])
async def test_a_room_that_is_refused_is_unreadable(reader: Reader, status: int, code: int) -> None:
    """A channel that was deleted, a private thread that it was taken out of."""
    reader.archive.refuses = refusal(status, code)
    with pytest.raises(RoomUnreadable):
        await reader.said(LOBBY)


async def test_a_server_that_fails_is_asked_again_later(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What cannot be listed now says nothing of the room."""
    monkeypatch.setattr(history, "LIMIT_S", 0.2)
    reader.archive.refuses = refusal(500, 0)
    with pytest.raises(PastUnavailable):
        await reader.said(LOBBY)


async def test_without_a_connection_nothing_is_known(reader: Reader) -> None:
    """Neither before the first client nor after it was closed."""
    for past in (DiscordPast(), reader.past):
        await reader.client.close()
        with pytest.raises(PastUnavailable):
            await past.said(str(LOBBY), ALWAYS, None, 10)


@pytest.mark.parametrize("broken", [{"components": None}, {"author": {}}, {"attachments": None}])
async def test_a_message_that_cannot_be_read_costs_itself_alone(
    reader: Reader, broken: dict[str, Any]
) -> None:
    """It stands there all the same, so that it is not taken for deleted."""
    ids = [reader.archive.says(LOBBY, "avant", 0), reader.archive.says(LOBBY, "?", 1, **broken)]
    ids.append(reader.archive.says(LOBBY, "après", 2))
    with capture_logs() as logs:
        past = await reader.said(LOBBY)
    assert [one.text for one in past.messages] == ["avant", "après"]
    assert past.listed == {*ids}
    assert past.unread == 1
    (misread,) = (entry for entry in logs if entry["event"] == "message.misread")
    assert (misread["room"], misread["message"]) == (LOBBY, int(ids[1]))


def returns(client: discord.Client) -> None:
    """Let the gateway tell of the guild as one that is there again."""
    told: Any = {**guild_of(CHANNELS, threads=[thread(THREAD, LOBBY)]), "unavailable": False}
    client._connection.parse_guild_create(told)


async def test_a_guild_that_is_away_is_not_one_without_rights(reader: Reader) -> None:
    """In an outage nothing is asked for; when it is back its channels are read."""
    reader.archive.says(LOBBY, "mot", 0)
    away: Any = {"id": str(GUILD), "unavailable": True}
    reader.client._connection.parse_guild_delete(away)
    with pytest.raises(RoomAway):
        await reader.said(LOBBY)
    assert reader.archive.asked == []
    returns(reader.client)
    assert [one.text for one in (await reader.said(LOBBY)).messages] == ["mot"]


@pytest.mark.parametrize("answers", [True, False])
async def test_a_guild_that_is_yet_to_come_is_not_one_without_rights(
    reader: Reader, *, answers: bool
) -> None:
    """Whether Discord describes its channels by then or refuses to; neither is remembered."""
    reader.archive.says(THREAD, "mot", 0)
    unavailable: Any = {"id": str(GUILD), "unavailable": True}
    reader.client._connection._add_guild_from_data(unavailable)
    past = reader.past
    if answers:
        reader.archive.channels[THREAD] = thread(THREAD, LOBBY)
    with pytest.raises(RoomAway if answers else RoomUnreadable):
        await past.said(str(THREAD), ALWAYS, None, 10)
    reader.archive.channels[THREAD] = thread(THREAD, LOBBY)
    told: Any = {**guild_of(CHANNELS), "unavailable": False}
    reader.client._connection.parse_guild_create(told)
    assert [one.text for one in (await past.said(str(THREAD), ALWAYS, None, 10)).messages] == [
        "mot"
    ]


async def test_open_threads_and_their_channels_are_known(reader: Reader) -> None:
    """Read like channels, with the rights of those."""
    assert await reader.past.threads() == {str(THREAD): str(LOBBY)}
    reader.archive.says(THREAD, "dans le fil", 0)
    (said,) = (await reader.said(THREAD)).messages
    assert said.room.parent == str(LOBBY)


async def test_a_direct_channel_is_asked_for_by_its_number(reader: Reader) -> None:
    """After a start the library knows none of them."""
    ada = {"id": "1", "username": "ada", "discriminator": "0", "avatar": None}
    reader.archive.channels[DIRECT] = {"id": str(DIRECT), "type": 1, "recipients": [ada]}
    reader.archive.says(DIRECT, "tu es là ?", 0)
    (said,) = (await reader.said(DIRECT)).messages
    assert said.room.kind is RoomKind.DIRECT
    assert said.room.role is RoomRole.PET


async def test_a_room_that_is_gone_is_asked_for_once(reader: Reader) -> None:
    """Too many refused requests shut out the whole machine, at each connection some more."""
    past = reader.past
    for _ in range(2):
        with pytest.raises(RoomUnreadable):
            await past.said(str(DIRECT), ALWAYS, None, 10)
    assert len(reader.archive.asked) == 1

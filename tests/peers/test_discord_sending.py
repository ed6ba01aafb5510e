"""What the pet sends, as a Discord server that others wrote takes it."""

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass

import discord
import pytest
from discord.http import Route

from bot.channels.discord.outbound.sender import Sender, SendingRules
from bot.errors import DeliveryFailed, DeliveryRefused
from bot.model.turns import Expression, Outgoing
from memory.model.rooms import Room, RoomId, RoomKind, RoomRole
from tests.peers.discord_control import Channel
from tests.peers.discord_server import DiscordServer, Launcher, fresh_discord, running_launcher


@pytest.fixture(scope="module")
def launcher() -> Iterator[Launcher]:
    """One process for every test of this file."""
    with running_launcher() as running:
        yield running


@dataclass(frozen=True)
class Place:
    """A server, and a client that is logged in to it and has seen no gateway."""

    server: DiscordServer
    client: discord.Client

    @property
    def lobby(self) -> Channel:
        """A channel that everybody may write in."""
        return self.server.guilds["Lounge"]["lobby"]

    async def sends(self, channel: Channel, text: str, **fields: object) -> str | None:
        """Send one message; its id."""
        fields = {"nonce": f"turn:{text}", **fields}
        message = Outgoing(room=_room(channel), text=text, **fields)  # type: ignore[arg-type]
        return await Sender(self.client, SendingRules(face="picture")).send(message)


@pytest.fixture
async def place(launcher: Launcher, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Place]:
    """A server at its beginning, with a client that may send."""
    async with fresh_discord(launcher) as server:
        monkeypatch.setattr(Route, "BASE", server.api_url)
        client = discord.Client(intents=discord.Intents.none())
        await client.login(server.token)
        yield Place(server, client)
        await client.close()


def _room(channel: Channel) -> Room:
    return Room(
        id=RoomId(f"discord:{channel.id}"),
        platform="discord",
        external_id=channel.id,
        name=channel.name,
        kind=RoomKind.GROUP,
        role=RoomRole.LOBBY,
    )


async def test_a_reply_stands_under_what_it_answers_and_calls_nobody_else(place: Place) -> None:
    """With its face beside it."""
    ana = place.server.people["ana"]
    said = await place.server.says(place.lobby, ana, "hello")
    sent = await place.sends(place.lobby, "Hi.", answers=said, expression=Expression.HAPPY)
    (reply,) = await place.server.seen.bot_messages(place.lobby, 1)
    assert (reply["id"], reply["content"]) == (sent, "Hi.")
    assert reply["referenced_message"]["id"] == said
    assert reply["allowed_mentions"] == {"parse": [], "replied_user": True}
    assert [file["filename"] for file in reply["attachments"]] == ["happy.png"]


async def test_a_deleted_message_is_answered_all_the_same(place: Place) -> None:
    """The words were for everybody in the room."""
    said = await place.server.says(place.lobby, place.server.people["ana"], "hello")
    await place.server.deletes(said)
    assert await place.sends(place.lobby, "Hi.", answers=said)


async def test_an_answer_that_is_one_emoji_is_put_on_the_message(place: Place) -> None:
    """Twice is once."""
    said = await place.server.says(place.lobby, place.server.people["ana"], "thanks")
    for _ in range(2):
        assert await place.sends(place.lobby, "👍", answers=said) is None
    reactions = await place.server.seen.reactions(said, 1)
    assert [emoji for _, emoji in reactions] == ["👍"]
    assert await place.server.seen.bot_messages(place.lobby) == []


async def test_direct_rooms_and_threads_are_channels_like_others(place: Place) -> None:
    """Known by their ids alone."""
    ana = place.server.people["ana"]
    thread = await place.server.thread(place.lobby, ana, "side")
    for channel in (await place.server.direct(ana), thread):
        await place.sends(channel, "Hi.")
        assert len(await place.server.seen.bot_messages(channel, 1)) == 1


async def test_the_same_nonce_is_one_message(place: Place) -> None:
    """After an answer that was lost on its way back."""
    await place.server.troubles.cuts("POST", "/messages", after=True)
    with pytest.raises(DeliveryFailed):
        await place.sends(place.lobby, "Hi.")
    await place.sends(place.lobby, "Hi.")
    assert len(await place.server.seen.bot_messages(place.lobby, 1)) == 1


async def test_a_deleted_channel_is_a_refusal(place: Place) -> None:
    """There is nobody left to read it."""
    gone = await place.server.opens(place.server.guilds["Lounge"], "gone")
    await place.server.closes(gone)
    with pytest.raises(DeliveryRefused):
        await place.sends(gone, "Hi.")


async def test_writing_is_seen(place: Place) -> None:
    """And a server that fails does no harm."""
    await place.server.troubles.fails("POST", "/typing", status=503)
    sender = Sender(place.client, SendingRules())
    for _ in range(2):
        await sender.show_typing(_room(place.lobby))
    assert len(await place.server.seen.typings(place.lobby, 1)) == 1

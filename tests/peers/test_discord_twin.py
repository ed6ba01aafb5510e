"""The Discord server of the tests, proved with a plain client of the library."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from io import BytesIO
from typing import Any

import aiohttp
import discord
import pytest
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from tests.patience import PATIENCE_S
from tests.peers.discord_client import Pet, channel_of, connected, starting
from tests.peers.discord_control import File, Person
from tests.peers.discord_server import (
    DiscordServer,
    Launcher,
    fresh_discord,
    running_launcher,
)


@pytest.fixture(scope="module")
def launcher() -> Iterator[Launcher]:
    """One process for every test of this file."""
    with running_launcher() as running:
        yield running


@pytest.fixture
async def twin(launcher: Launcher) -> AsyncIterator[DiscordServer]:
    """A server at its beginning for every test."""
    async with fresh_discord(launcher) as server:
        yield server


@pytest.fixture
def redirected(twin: DiscordServer, monkeypatch: pytest.MonkeyPatch) -> DiscordServer:
    """The server, with the library pointed at it."""
    monkeypatch.setattr(Route, "BASE", twin.api_url)
    monkeypatch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(twin.gateway_url))
    return twin


async def test_a_client_finds_guilds_and_knows_which_channels_everyone_sees(
    redirected: DiscordServer,
) -> None:
    """Roles and overwrites are complete enough to say who sees a channel."""
    async with connected(redirected) as pet:
        guild = pet.get_guild(int(redirected.guilds["Lounge"].id))
        assert guild is not None
        visible = {
            channel.name: channel.permissions_for(guild.default_role).view_channel
            for channel in guild.text_channels
        }
        assert visible == {"lobby": True, "pet": True, "random": True, "staff": False}
        assert all(each.permissions_for(guild.me).view_channel for each in guild.text_channels)
        assert len(pet.guilds) == 2


async def test_a_mention_is_heard_and_a_reply_keeps_what_it_answers(
    redirected: DiscordServer,
) -> None:
    """Mentions are filled in, replies carry their reference, and what may be pinged is kept."""
    lobby, ana = redirected.guilds["Lounge"]["lobby"], redirected.people["ana"]
    async with connected(redirected) as pet:
        said = await redirected.says(lobby, ana, "hello", mentions=[redirected.bot])
        (message,) = await pet.hears("message")
        assert message.mentions == [pet.user]
        assert (str(message.id), message.author.name) == (said, "ana")
        await message.reply("hi", allowed_mentions=discord.AllowedMentions.none())
        (reply,) = await redirected.seen.bot_messages(lobby, 1)
        assert reply["referenced_message"]["id"] == said
        assert reply["mentions"] == []
        assert reply["allowed_mentions"] == {"parse": []}
        answer = await redirected.says(lobby, ana, "and?", reply_to=reply["id"])
        heard = (await pet.hears("message", 3))[-1]
        assert str(heard.id) == answer
        assert heard.mentions == [pet.user]
        assert heard.reference.resolved.content == "hi"


async def test_2001_characters_are_refused(redirected: DiscordServer) -> None:
    """The limit of a message holds, to the character."""
    lobby = redirected.guilds["Lounge"]["lobby"]
    async with connected(redirected) as pet:
        channel = await channel_of(pet, lobby.id)
        await channel.send("é" * 2000)
        with pytest.raises(discord.HTTPException) as refused:
            await channel.send("é" * 2001)
        assert (refused.value.status, refused.value.code) == (400, 50035)
        assert len(await redirected.seen.bot_messages(lobby)) == 1


async def test_edits_deletes_reactions_and_typing_arrive_both_ways(
    redirected: DiscordServer,
) -> None:
    """What happens to a message is told, and what the client does is seen."""
    lobby, ana = redirected.guilds["Lounge"]["lobby"], redirected.people["ana"]
    async with connected(redirected) as pet:
        await redirected.types(lobby, ana)
        await pet.hears("raw_typing")
        ids = [await redirected.says(lobby, ana, text) for text in ("one", "two", "three")]
        await redirected.edits(ids[0], "uno")
        assert (await pet.hears("message_edit"))[0].content == "one"
        await redirected.reacts(ids[0], ana, "🐾")
        assert str((await pet.hears("raw_reaction_add"))[0].emoji) == "🐾"
        message = (await pet.hears("message", 3))[0]
        await message.add_reaction("👀")
        await message.channel.typing()
        assert (redirected.bot.id, "👀") in await redirected.seen.reactions(ids[0], 2)
        assert await redirected.seen.typings(lobby) == [lobby.id]
        await redirected.deletes(ids[0])
        await redirected.deletes(*ids[1:])
        assert str((await pet.hears("raw_message_delete"))[0].message_id) == ids[0]
        gone = (await pet.hears("raw_bulk_message_delete"))[0].message_ids
        assert gone == {int(each) for each in ids[1:]}


async def test_files_travel_both_ways(redirected: DiscordServer) -> None:
    """An attachment can be read from loopback, and a sent file is kept."""
    lobby, ana = redirected.guilds["Lounge"]["lobby"], redirected.people["ana"]
    async with connected(redirected) as pet:
        paw = File(name="paw.png", content=b"\x89PNG", content_type="image/png")
        await redirected.says(lobby, ana, "look", attachments=[paw])
        (message,) = await pet.hears("message")
        assert await message.attachments[0].read() == b"\x89PNG"
        assert message.attachments[0].content_type == "image/png"
        sent = discord.File(BytesIO(b"happy"), "happy.txt", description="a face")
        await message.channel.send("voilà", file=sent)
        (seen,) = await redirected.seen.bot_messages(lobby, 1)
        assert seen["content"] == "voilà"
        assert [each["filename"] for each in seen["attachments"]] == ["happy.txt"]


async def test_threads_are_announced_and_listed_again_after_a_new_start(
    redirected: DiscordServer,
) -> None:
    """A thread is told when it is made, and part of its guild later."""
    lobby, ana = redirected.guilds["Lounge"]["lobby"], redirected.people["ana"]
    async with connected(redirected) as pet:
        thread = await redirected.thread(lobby, ana, "holidays")
        assert (await pet.hears("thread_create"))[0].parent_id == int(lobby.id)
        await redirected.says(thread, ana, "in the thread")
        (message,) = await pet.hears("message")
        assert isinstance(message.channel, discord.Thread)
        await message.channel.send("me too")
        assert len(await redirected.seen.bot_messages(thread, 1)) == 1
        hidden = await redirected.thread(lobby, ana, "secret", hidden=True)
        assert (await pet.hears("thread_create", 2))[1].is_private()
    async with connected(redirected) as again:
        guild = again.get_guild(int(lobby.guild_id or 0))
        assert guild is not None
        assert {str(each.id) for each in guild.threads} == {thread.id, hidden.id}


async def test_direct_messages_have_no_guild(redirected: DiscordServer) -> None:
    """A direct channel works both ways, from either side."""
    ana, ben = redirected.people["ana"], redirected.people["ben"]
    async with connected(redirected) as pet:
        direct = await redirected.direct(ana)
        await redirected.says(direct, ana, "psst")
        (message,) = await pet.hears("message")
        assert message.guild is None
        await message.channel.send("yes?")
        assert len(await redirected.seen.bot_messages(direct, 1)) == 1
        user = await pet.fetch_user(int(ben.id))
        await user.send("hello ben")
        assert len(await redirected.seen.bot_messages(await redirected.direct(ben), 1)) == 1


async def test_robots_and_webhooks_are_told_apart(redirected: DiscordServer) -> None:
    """Messages of bots and webhooks are marked as such."""
    lobby = redirected.guilds["Lounge"]["lobby"]
    async with connected(redirected) as pet:
        await redirected.says(lobby, redirected.people["robot"], "beep")
        await redirected.webhook_says(lobby, "news", "extra")
        beep, extra = await pet.hears("message", 2)
        assert (beep.author.bot, beep.webhook_id) == (True, None)
        assert extra.webhook_id == extra.author.id
        await redirected.says(lobby, redirected.people["ben"], "", kind=7)
        assert (await pet.hears("message", 3))[2].type is discord.MessageType.new_member


async def test_history_is_read_from_a_message_on_in_pages(redirected: DiscordServer) -> None:
    """Everything after a message is found, in its order, over more than one page."""
    guild = redirected.guilds["Lounge"]
    burst = await redirected.burst(guild, messages=130, channels=1)
    async with connected(redirected) as pet:
        channel = await channel_of(pet, burst.channels[0].id)
        after = discord.Object(int(burst.ids[9]))
        found = [str(each.id) async for each in channel.history(after=after, limit=None)]
        assert found == list(burst.ids[10:])


async def test_a_guild_can_be_joined_and_left(redirected: DiscordServer) -> None:
    """A guild that was not there at the start is announced as joined."""
    async with connected(redirected) as pet:
        joined = await redirected.joins("Club", ["hall", "garden"], system="garden", locale="fr")
        (guild,) = await pet.hears("guild_join")
        assert guild.system_channel.name == "garden"
        assert guild.preferred_locale is discord.Locale.french
        assert [each.name for each in guild.text_channels] == ["hall", "garden"]
        await redirected.says(joined["hall"], redirected.people["ben"], "welcome")
        await pet.hears("message")
        notices = await redirected.opens(joined, "notices", muted=True)
        await pet.hears("guild_channel_create")
        assert not guild.get_channel(int(notices.id)).permissions_for(guild.me).send_messages
        await redirected.leaves(joined)
        await pet.hears("guild_remove")


async def synced(pet: Pet, twin: DiscordServer) -> None:
    """Send the commands."""
    await pet.tree.sync()
    assert {each["name"] for each in await twin.seen.commands(count=3)} == {
        "settings",
        "ask",
        "slow",
    }


async def test_a_slash_command_is_completed_and_answered(redirected: DiscordServer) -> None:
    """Subcommands, options, permissions, language, autocomplete and who sees the answer."""
    pets, ana = redirected.guilds["Lounge"]["pet"], redirected.people["ana"]
    async with connected(redirected) as pet:
        await synced(pet, redirected)
        choices = await redirected.complete(pets, ana, "settings get", {"key": "l"}, focused="key")
        assert [each["value"] for each in choices] == ["language", "lobby"]
        asked = await redirected.slash(
            pets, ana, "settings get", {"key": "lobby"}, permissions=32, locale="fr"
        )
        answer = await asked.answer()
        assert (answer.content, answer.ephemeral) == ("lobby in fr may 32", True)
        await redirected.troubles.repeats(asked.id)
        heard = [str(each.id) for each in await pet.hears("interaction", 3)]
        assert heard[1:] == [asked.id, asked.id]
        assert await redirected.seen.bot_messages(pets) == []
        open_ = {"key": "lobby", "shown": "yes"}
        assert not (
            await (await redirected.slash(pets, ana, "settings get", open_)).answer()
        ).ephemeral
        assert len(await redirected.seen.bot_messages(pets)) == 1
        with pytest.raises(ValueError, match="needs key"):
            await redirected.slash(pets, ana, "settings get")
        with pytest.raises(ValueError, match="no command /nothing"):
            await redirected.slash(pets, ana, "nothing")
        assert len(await redirected.seen.syncs()) == 1


async def test_a_slash_command_works_in_a_direct_message(redirected: DiscordServer) -> None:
    """There a user asks, not a member."""
    ana = redirected.people["ana"]
    async with connected(redirected) as pet:
        await synced(pet, redirected)
        direct = await redirected.direct(ana)
        answer = await (await redirected.slash(direct, ana, "ask")).answer()
        assert answer.content == "sure?"
        (interaction,) = pet.named("interaction")
        assert isinstance(interaction.user, discord.User)
        assert interaction.context.dm_channel


@pytest.mark.parametrize(("button", "text"), [("Yes", "done"), ("later", "done later")])
async def test_a_button_changes_its_message(
    redirected: DiscordServer, button: str, text: str
) -> None:
    """A click by label or by id is answered at once or after a deferral."""
    pets, ben = redirected.guilds["Lounge"]["pet"], redirected.people["ben"]
    async with connected(redirected) as pet:
        await synced(pet, redirected)
        question = await (await redirected.slash(pets, ben, "ask")).answer()
        with pytest.raises(ValueError, match="nothing named No"):
            await redirected.clicks(question.message_id, "No", ben)
        answer = await (await redirected.clicks(question.message_id, button, ben)).answer()
        assert (answer.message_id, answer.content) == (question.message_id, text)
        assert list(answer.components) == []


async def test_a_deferred_command_is_answered_later_and_goes_on(
    redirected: DiscordServer,
) -> None:
    """The deferral says who sees the answer; what follows comes after it."""
    pets, ana = redirected.guilds["Lounge"]["pet"], redirected.people["ana"]
    async with connected(redirected) as pet:
        await synced(pet, redirected)
        asked = await redirected.slash(pets, ana, "slow")
        answer = await asked.answer()
        assert (answer.content, answer.ephemeral) == ("at last", True)
        more = (await asked.further(2))[1]
        assert (more.content, more.files[0]["filename"]) == ("and more", "x.txt")


async def test_an_interaction_waits_three_seconds_and_no_longer(
    redirected: DiscordServer,
) -> None:
    """Afterwards it is unknown, which is an ordinary thing to happen."""
    pets, ana = redirected.guilds["Lounge"]["pet"], redirected.people["ana"]
    async with connected(redirected) as pet:
        await synced(pet, redirected)
        await redirected.troubles.answers_within(-1)
        await redirected.slash(pets, ana, "slow")
        refused = await redirected.seen.requests("POST", "^/interactions/", 1)
        assert refused[0]["status"] == 404


async def test_the_same_nonce_is_the_same_message(redirected: DiscordServer) -> None:
    """A message whose answer was lost is not sent twice."""
    lobby = redirected.guilds["Lounge"]["lobby"]
    async with connected(redirected) as pet:
        channel = await channel_of(pet, lobby.id)
        await redirected.troubles.cuts("POST", "/messages$", after=True)
        with pytest.raises(aiohttp.ClientError):
            await channel.send("once", nonce="7")
        again = await channel.send("once", nonce="7")
        (only,) = await redirected.seen.bot_messages(lobby)
        assert str(again.id) == only["id"]
        other = await channel.send("once", nonce="8")
        assert other.id != again.id


async def test_requests_fail_as_told(redirected: DiscordServer) -> None:
    """A 429 is waited out by the library, a 503 is not, a cut connection is an error."""
    lobby = redirected.guilds["Lounge"]["lobby"]
    async with connected(redirected) as pet:
        channel = await channel_of(pet, lobby.id)
        await redirected.troubles.fails("POST", "/messages$", status=429, retry_after_s=0.05)
        await channel.send("after a while")
        await redirected.troubles.fails("POST", "/messages$", status=503)
        with pytest.raises(discord.DiscordServerError):
            await channel.send("never")
        await redirected.troubles.cuts("POST", "/typing$")
        with pytest.raises(aiohttp.ClientError):
            await channel.typing()
        await redirected.troubles.delays("POST", "/messages$", 0.05)
        await channel.send("late")
        statuses = [each["status"] for each in await redirected.seen.requests("POST", "/messages$")]
        assert statuses == [429, 200, 503, 200]
        assert len(await redirected.seen.bot_messages(lobby)) == 2


async def test_a_dropped_client_that_may_resume_misses_nothing(
    redirected: DiscordServer,
) -> None:
    """Events of the meantime are replayed, once."""
    lobby, ana = redirected.guilds["Lounge"]["lobby"], redirected.people["ana"]
    await redirected.troubles.resumes()
    async with connected(redirected) as pet:
        await redirected.troubles.drops()
        said = [await redirected.says(lobby, ana, str(each)) for each in range(3)]
        await pet.hears("resumed")
        await redirected.seen.listens()
        heard = await pet.hears("message", 3)
        assert [str(each.id) for each in heard] == said
        state = await redirected.seen.gateway()
        assert (len(state.identifies), state.resumed, state.dropped) == (1, 1, 1)


async def test_a_dropped_client_that_may_not_resume_identifies_again(
    redirected: DiscordServer,
) -> None:
    """Its session is refused, and what happened meanwhile is not told."""
    async with connected(redirected) as pet:
        await redirected.troubles.drops(4000)
        await redirected.seen.identified(2)
        await pet.hears("ready", 2)
        await redirected.troubles.asks_to_reconnect()
        await redirected.seen.identified(3)


@pytest.mark.parametrize(
    ("code", "error"), [(4004, discord.ConnectionClosed), (4014, discord.PrivilegedIntentsRequired)]
)
async def test_an_identify_is_refused(
    redirected: DiscordServer, code: int, error: type[Exception]
) -> None:
    """A bad token and disallowed intents end the client."""
    await redirected.troubles.refuses(code)
    async with starting(redirected) as (_, running):
        with pytest.raises(error):
            await asyncio.wait_for(running, PATIENCE_S)


async def test_without_the_content_intent_words_are_empty(redirected: DiscordServer) -> None:
    """The intent must be switched on, and asked for; mentions are readable without."""
    lobby, ana = redirected.guilds["Lounge"]["lobby"], redirected.people["ana"]
    await redirected.troubles.withholds_content()
    async with starting(redirected) as (_, running):
        with pytest.raises(discord.PrivilegedIntentsRequired):
            await asyncio.wait_for(running, PATIENCE_S)
    async with connected(redirected, content=False) as pet:
        assert not pet.application_flags.gateway_message_content_limited
        await redirected.says(lobby, ana, "unheard")
        await redirected.says(lobby, ana, "heard", mentions=[redirected.bot])
        unheard, heard = await pet.hears("message", 2)
        assert unheard.content == ""
        assert heard.content.endswith("heard")


async def test_a_connection_can_end_before_hello(redirected: DiscordServer) -> None:
    """Which the library takes for the end."""
    await redirected.troubles.hangs_up()
    async with starting(redirected) as (_, running):
        await asyncio.wait({running}, timeout=PATIENCE_S)
        assert running.exception() is not None
    async with connected(redirected):
        assert (await redirected.seen.gateway()).connections == 2


@pytest.mark.parametrize(
    "disturb",
    [
        lambda twin: twin.troubles.sends_raw("{no json"),
        lambda twin: twin.troubles.sends_event("MESSAGE_CREATE", {"id": "none"}),
    ],
    ids=["malformed frame", "malformed event"],
)
async def test_a_malformed_frame_ends_the_client(
    redirected: DiscordServer, disturb: Callable[[DiscordServer], Any]
) -> None:
    """Which is why it is supervised."""
    async with starting(redirected) as (pet, running):
        await pet.hears("ready")
        await disturb(redirected)
        await asyncio.wait({running}, timeout=PATIENCE_S)
        assert running.exception() is not None


async def test_an_event_can_come_twice(redirected: DiscordServer) -> None:
    """With the same id, which the library does not notice."""
    lobby, ana = redirected.guilds["Lounge"]["lobby"], redirected.people["ana"]
    async with connected(redirected) as pet:
        said = await redirected.says(lobby, ana, "again")
        await redirected.troubles.repeats(said)
        heard = await pet.hears("message", 2)
        assert [str(each.id) for each in heard] == [said, said]


async def test_the_server_goes_away_and_comes_back_as_it_was(redirected: DiscordServer) -> None:
    """On the same port, with the same data."""
    lobby, ana = redirected.guilds["Lounge"]["lobby"], redirected.people["ana"]
    async with connected(redirected):
        said = await redirected.says(lobby, ana, "before")
        async with redirected.troubles.away(), starting(redirected) as (_, refused):
            await asyncio.wait({refused}, timeout=PATIENCE_S)
            assert isinstance(refused.exception(), OSError)
    async with connected(redirected) as pet:
        channel = await channel_of(pet, lobby.id)
        assert [str(each.id) async for each in channel.history()] == [said]


async def test_a_burst_arrives_whole(redirected: DiscordServer) -> None:
    """Every message once, over all its channels."""
    async with connected(redirected) as pet:
        burst = await redirected.burst(redirected.guilds["Workshop"], messages=1000, channels=10)
        heard = await pet.hears("message", 1000)
        assert [str(each.id) for each in heard] == list(burst.ids)
        assert len({each.channel.id for each in heard}) == 10


async def test_people_are_named_by_their_ids(twin: DiscordServer) -> None:
    """Ids are text, and a mention is made of one."""
    ids = [*(each.id for each in twin.people.values()), *(each.id for each in twin.guilds.values())]
    assert all(isinstance(each, str) and each.isdigit() for each in ids)
    assert Person(id="1", name="ana").mention == "<@1>"


async def test_the_address_of_the_gateway_is_told_to_anybody(twin: DiscordServer) -> None:
    """One address is enough to redirect a client: the other one is asked for there."""
    async with aiohttp.ClientSession() as session:
        async with session.get(f"{twin.api_url}/gateway") as answer:
            assert (await answer.json())["url"] == twin.gateway_url
        async with session.get(f"{twin.api_url}/users/@me") as answer:
            assert answer.status == 401

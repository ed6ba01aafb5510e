"""The pet's commands as people use them on a Discord server that others wrote."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import discord
import pytest
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.channels.discord.channel import LONGEST_PAGE
from bot.channels.discord.inbound.membership import Membership
from bot.channels.discord.inbound.rooms import GuildRules, author_of, room_of
from bot.channels.discord.interactions.buttons import BUTTONS
from bot.channels.discord.interactions.command_tree import Tree
from bot.channels.discord.interactions.direct_answer import DirectAnswers
from bot.channels.discord.interactions.handler import Interactions
from bot.channels.discord.interactions.invocation import InvocationReader
from bot.channels.discord.outbound.sender import Sender, SendingRules
from bot.model.events import Inbound
from bot.platforms.paged_answer import PagedAnswers
from bot.platforms.pages import PageStore
from bot.wiring.app import App, open_app
from config.settings import Settings
from memory.model.rooms import RoomRole
from tests.patience import PATIENCE_S
from tests.peers.discord_control import Answer, Channel, Person
from tests.peers.discord_server import (
    DiscordServer,
    Launcher,
    fresh_discord,
    running_launcher,
)

MANAGE_SERVER = 1 << 5


class Client(discord.Client):
    """The library's client with nothing of ours but the commands."""

    def __init__(self, app: App) -> None:
        super().__init__(intents=discord.Intents(guilds=True), guild_ready_timeout=0.1)
        guilds = GuildRules(default_role=RoomRole.PET)
        invoking = InvocationReader(
            guilds, Membership(self, guilds, app.storage.people.spoken_in).spaces, locale="fr"
        )
        pages = PagedAnswers(PageStore(app.clock), BUTTONS.split, LONGEST_PAGE)
        self._interactions = Interactions(
            app.platform_commands, invoking, pages, DirectAnswers(Sender(self, SendingRules()))
        )
        self._tree = Tree(app.platform_commands.table, app.storage.announced)
        self.told = asyncio.Event()

    async def on_ready(self) -> None:
        """Tell the commands."""
        await self._tree.sync(self.http, self.application_id or 0)
        self.told.set()

    async def on_interaction(self, interaction: discord.Interaction["Client"]) -> None:
        """Answer."""
        await self._interactions.take(interaction)


Connected = Callable[[], AbstractAsyncContextManager[Client]]


@pytest.fixture(scope="module")
def launcher() -> Iterator[Launcher]:
    """One process for every test of this file."""
    with running_launcher() as running:
        yield running


@pytest.fixture
async def twin(launcher: Launcher, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[DiscordServer]:
    """A server at its beginning for every test, with the library pointed at it."""
    async with fresh_discord(launcher) as server:
        monkeypatch.setattr(Route, "BASE", server.api_url)
        monkeypatch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(server.gateway_url))
        yield server


@pytest.fixture
async def app(twin: DiscordServer, tmp_path: Path) -> AsyncIterator[App]:
    """The whole pet, which Ana looks after."""
    settings = Settings.model_validate(
        {
            "data_dir": tmp_path,
            "locale": "fr",
            "embedder": {"kind": "none"},
            "admins": {"identities": [f"discord:{twin.people['ana'].id}"]},
        }
    )
    async with open_app(settings) as opened:
        yield opened


@pytest.fixture
def connected(twin: DiscordServer, app: App) -> Connected:
    """A client that has told its commands, for as long as the context lasts."""

    @asynccontextmanager
    async def connect() -> AsyncIterator[Client]:
        client = Client(app)
        running = asyncio.create_task(client.start(twin.token))
        try:
            async with asyncio.timeout(PATIENCE_S):
                await client.told.wait()
            yield client
        finally:
            await client.close()
            await asyncio.gather(running, return_exceptions=True)

    return connect


def labels(answer: Answer) -> list[str]:
    """What stands on the buttons of an answer."""
    return [button["label"] for row in answer.components for button in row["components"]]


async def asked(
    twin: DiscordServer, channel: Channel, who: Person, words: str, /, **options: object
) -> Answer:
    """What somebody is answered, in French."""
    used = await twin.slash(channel, who, words, options, locale="fr", permissions=0)
    return await used.answer()


async def test_commands_are_told_once_over_restarts(
    twin: DiscordServer, app: App, connected: Connected
) -> None:
    """All of them, and not again."""
    for _ in range(2):
        async with connected():
            told = {one["name"] for one in await twin.seen.commands()}
            assert told == {name.split()[0] for name in app.platform_commands.table}
    assert len(await twin.seen.syncs()) == 1


async def test_settings_are_proposed_changed_and_turned_in_pages(
    twin: DiscordServer, connected: Connected
) -> None:
    """By whoever looks after the pet; others see nothing of it."""
    lobby, ana, ben = twin.guilds["Lounge"]["lobby"], twin.people["ana"], twin.people["ben"]
    async with connected():
        (choice,) = await twin.complete(
            lobby, ana, "settings get", {"name": "retrieve_max"}, focused="name"
        )
        assert choice["value"] == "auto_retrieve_max_results"
        changed = await asked(twin, lobby, ana, "settings set", name=choice["value"], value="12")
        assert changed.ephemeral
        assert "auto_retrieve_max_results = 12" in changed.content
        refused = await asked(twin, lobby, ben, "settings get")
        assert refused.content.startswith("Seules les personnes qui s'occupent de moi")
        assert f"discord:{ben.id}" in refused.content
        assert await twin.complete(lobby, ben, "settings get", {"name": ""}, focused="name") == []
        first = await asked(twin, lobby, ana, "settings get")
        assert labels(first)[0] == "◀"
        turned = await (await twin.clicks(first.message_id, "▶", ana)).callbacks()
        assert turned[0]["type"] == 7
        assert turned[0]["data"]["content"] != first.content
        assert await twin.seen.bot_messages(lobby) == []


async def test_a_topic_is_forgotten_and_given_back_by_buttons_that_survive_a_restart(
    twin: DiscordServer, app: App, connected: Connected
) -> None:
    """Shown, confirmed at another life of the client, undone; each button goes with its click."""
    lobby, ben = twin.guilds["Lounge"]["lobby"], twin.people["ben"]
    async with connected() as client:
        await hears(app, client, lobby, ben, "je joue du violoncelle")
        preview = await asked(twin, lobby, ben, "forget", topic="violoncelle")
        assert preview.ephemeral
        assert labels(preview) == ["Oublier", "Ne rien oublier"]
    async with connected():
        confirmed = await clicked(twin, preview, "Oublier", ben)
        assert labels(confirmed) == ["Annuler"]
        assert confirmed.content.startswith("Oublié")
        undone = await clicked(twin, confirmed, "Annuler", ben)
        assert undone.content == "Tout est revenu."
        assert labels(undone) == []


async def test_a_preview_is_cancelled(twin: DiscordServer, app: App, connected: Connected) -> None:
    """Nothing is forgotten, and nothing is left to click."""
    lobby, ben = twin.guilds["Lounge"]["lobby"], twin.people["ben"]
    async with connected() as client:
        await hears(app, client, lobby, ben, "je joue du violoncelle")
        preview = await asked(twin, lobby, ben, "forget", topic="violoncelle")
        used = await twin.clicks(preview.message_id, "Ne rien oublier", ben, locale="fr")
        back = await used.changed()
        assert back.content == "Alors je n'oublie rien."
        assert labels(back) == []


async def test_in_a_direct_room_there_is_what_is_for_everybody(
    twin: DiscordServer, connected: Connected
) -> None:
    """Nobody is an admin there, whoever they are elsewhere."""
    ana = twin.people["ana"]
    direct = await twin.direct(ana)
    async with connected():
        off = await asked(twin, direct, ana, "privacy", reading="off")
        assert off.ephemeral
        assert off.content.startswith("C'est fait")
        with pytest.raises(ValueError, match="settings"):
            await twin.slash(direct, ana, "settings get")


async def test_a_cut_and_a_fault_of_the_server_lose_no_answer(
    twin: DiscordServer, connected: Connected
) -> None:
    """What was done is told in the end."""
    lobby, ben = twin.guilds["Lounge"]["lobby"], twin.people["ben"]
    async with connected():
        await twin.troubles.cuts("POST", "/callback", times=1)
        await twin.troubles.fails("PATCH", "@original", status=503, times=1)
        answer = await asked(twin, lobby, ben, "privacy", reading="off")
        assert answer.content.startswith("C'est fait")


async def test_what_the_gateway_tells_twice_is_answered_once(
    twin: DiscordServer, connected: Connected
) -> None:
    """As after a connection that was cut in between."""
    lobby, ben = twin.guilds["Lounge"]["lobby"], twin.people["ben"]
    async with connected():
        used = await twin.slash(lobby, ben, "privacy", {"reading": "off"}, locale="fr")
        assert (await used.answer()).content.startswith("C'est fait")
        await twin.troubles.repeats(used.id)
        await twin.seen.requests("POST", f"{used.id}/.*/callback", 2)
        await asked(twin, lobby, ben, "privacy", reading="on")
        assert len(await twin.seen.requests("PATCH", f"interaction-{used.id}/")) == 1


async def hears(app: App, client: Client, where: Channel, who: Person, text: str) -> None:
    """Somebody says something that the pet keeps."""
    channel = client.get_channel(int(where.id))
    user = await client.fetch_user(int(who.id))
    assert isinstance(channel, discord.TextChannel)
    inbound = Inbound(
        external_id=f"said-{text}",
        room=room_of(channel, GuildRules()),
        author=author_of(user),
        text=text,
        sent_at=app.clock.now(),
    )
    await app.inbox.receive(inbound)


async def clicked(twin: DiscordServer, shown: Answer, label: str, who: Person) -> Answer:
    """What a message has become after a click on one of its buttons."""
    used = await twin.clicks(shown.message_id, label, who, locale="fr")
    return await used.changed()

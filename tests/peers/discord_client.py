"""A plain client of the library that keeps what it hears: it proves the server, not the daemon."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from io import BytesIO
from typing import Any

import discord
from discord import app_commands

from tests.patience import PATIENCE_S
from tests.peers.discord_server import DiscordServer


class Pet(discord.Client):
    """A client that keeps every event it is told of, and answers a few commands."""

    def __init__(self, intents: discord.Intents) -> None:
        super().__init__(intents=intents, guild_ready_timeout=0.1)
        self.heard: list[tuple[str, tuple[Any, ...]]] = []
        self.news = asyncio.Condition()
        self.tree = app_commands.CommandTree(self)
        _add_commands(self.tree)

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:
        """Keep what happened, then pass it on."""
        super().dispatch(event, *args, **kwargs)
        self.heard.append((event, args))
        self.loop.create_task(self._tell())

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Identify again at once; the library waits five seconds."""

    def named(self, event: str) -> list[Any]:
        """The first argument of every event of this name."""
        return [args[0] if args else None for name, args in self.heard if name == event]

    async def hears(self, event: str, count: int = 1) -> list[Any]:
        """Wait until an event has happened that often."""
        async with asyncio.timeout(PATIENCE_S), self.news:
            await self.news.wait_for(lambda: len(self.named(event)) >= count)
        return self.named(event)

    async def _tell(self) -> None:
        async with self.news:
            self.news.notify_all()


class Buttons(discord.ui.View):
    """A button that changes the message it stands under, and one that takes its time."""

    @discord.ui.button(label="Yes", custom_id="yes")
    async def yes(self, interaction: discord.Interaction, _: Any) -> None:
        """Change the message."""
        await interaction.response.edit_message(content="done", view=None)

    @discord.ui.button(label="Later", custom_id="later")
    async def later(self, interaction: discord.Interaction, _: Any) -> None:
        """Acknowledge, then change the message."""
        await interaction.response.defer()
        await interaction.edit_original_response(content="done later", view=None)


def _add_commands(tree: "app_commands.CommandTree[Pet]") -> None:
    settings = app_commands.Group(name="settings", description="Settings.")

    @settings.command(name="get", description="Says a setting.")
    async def get(interaction: discord.Interaction, key: str, shown: str | None) -> None:
        text = f"{key} in {interaction.locale.value} may {interaction.permissions.value}"
        await interaction.response.send_message(text, ephemeral=shown is None)

    @get.autocomplete("key")
    async def keys(_: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
        known = ("debounce", "language", "lobby")
        return [app_commands.Choice(name=key, value=key) for key in known if key.startswith(typed)]

    @tree.command(name="ask", description="Asks before it does something.")
    async def ask(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("sure?", view=Buttons(timeout=30))

    @tree.command(name="slow", description="Answers later.")
    async def slow(interaction: discord.Interaction) -> None:
        await interaction.response.defer(ephemeral=True, thinking=True)
        await interaction.edit_original_response(content="at last")
        await interaction.followup.send("and more", file=discord.File(BytesIO(b"x"), "x.txt"))

    tree.add_command(settings)


@asynccontextmanager
async def connected(twin: DiscordServer, *, content: bool = True) -> AsyncIterator[Pet]:
    """A client that is ready."""
    async with starting(twin, content=content) as (pet, running):
        ready = asyncio.create_task(pet.hears("ready"))
        await asyncio.wait({ready, running}, return_when=asyncio.FIRST_COMPLETED)
        assert not running.done(), running.exception()
        yield pet


@asynccontextmanager
async def starting(
    twin: DiscordServer, *, content: bool = True
) -> AsyncIterator[tuple[Pet, "asyncio.Task[None]"]]:
    """A client that has begun to start."""
    intents = discord.Intents.default()
    intents.message_content = content
    pet = Pet(intents)
    running = asyncio.create_task(pet.start(twin.token))
    try:
        yield pet, running
    finally:
        await pet.close()
        await asyncio.gather(running, return_exceptions=True)


async def channel_of(pet: Pet, channel_id: str) -> Any:
    """The library's channel."""
    return pet.get_channel(int(channel_id)) or await pet.fetch_channel(int(channel_id))

"""Commands and buttons as people use them on Discord, answered where only they see it."""

import asyncio
from collections.abc import Collection, Sequence
from functools import partial

import discord
import structlog
from discord import app_commands

from bot.channels.discord.interactions.buttons import view_of_page
from bot.channels.discord.interactions.direct_answer import DirectAnswers
from bot.channels.discord.interactions.invocation import (
    CommandInput,
    Interaction,
    InvocationReader,
    NoChannel,
    asked_in,
)
from bot.channels.discord.interactions.responses import (
    NO_MENTIONS,
    Acknowledgement,
    acknowledged,
    show,
)
from bot.commands.button_data import CANCEL, line_in, turn_in
from bot.model.commands import Answer, Choice
from bot.platforms.paged_answer import AnswerPage, PagedAnswers, PageReader
from bot.ports import PlatformCommands
from bot.texts.catalogue import say
from memory.tasks import Boundary

log = structlog.get_logger()

COMPLETE_S = 2
"""Seconds to think of proposals: Discord waits three for them."""

LONGEST_CHOICE = 100
"""Characters of a proposal and of what it stands for, by Discord's documentation."""


class Interactions:
    """Takes what people do with commands and buttons to the dispatcher, and shows what it says.

    Each is acknowledged before anything else is done: Discord waits three seconds for that.
    """

    def __init__(
        self,
        commands: PlatformCommands,
        invoking: InvocationReader,
        pages: PagedAnswers,
        direct: DirectAnswers,
    ) -> None:
        self._commands = commands
        self._invoking = invoking
        self._pages = pages
        self._direct = direct
        self._under_way: set[int] = set()

    async def take(self, interaction: Interaction) -> None:
        """Answer one; whatever goes wrong is logged, and the others go on."""
        with Boundary("interaction.failed", interaction=interaction.id):
            await self._take(interaction)

    async def _take(self, interaction: Interaction) -> None:
        data = dict(interaction.data or {})
        if interaction.type is discord.InteractionType.application_command:
            await self._command(interaction, asked_in(data))
        elif interaction.type is discord.InteractionType.autocomplete:
            await self._complete(interaction, asked_in(data))
        elif interaction.type is discord.InteractionType.component:
            await self._click(interaction, str(data["custom_id"]))

    async def _command(self, interaction: Interaction, asked: CommandInput) -> None:
        if not self._is_admitted(interaction):
            await self._tell(interaction, "rates.command_refused")
            return
        defer = partial(interaction.response.defer, ephemeral=True, thinking=True)
        await self._answer(interaction, asked, await acknowledged(interaction, defer))

    async def _complete(self, interaction: Interaction, asked: CommandInput) -> None:
        choices = choices_of(await self._proposals(interaction, asked))
        await acknowledged(interaction, partial(interaction.response.autocomplete, choices))

    async def _proposals(self, interaction: Interaction, asked: CommandInput) -> Sequence[Choice]:
        if asked.focused is None:
            return ()
        with Boundary("completion.failed", command=asked.command):
            try:
                async with asyncio.timeout(COMPLETE_S):
                    invoked = await self._invoking.invoked(interaction, asked)
                    return await self._commands.complete(invoked, asked.focused)
            except TimeoutError:
                log.info("completion.missed", command=asked.command, limit_s=COMPLETE_S)
        return ()  # what cannot be proposed can be typed

    async def _click(self, interaction: Interaction, carried: str) -> None:
        message = interaction.message
        if message is None or not _is_theirs(interaction, message):
            await self._tell(interaction, "command.button_of_another")
        elif message.flags.ephemeral:
            await self._own_click(interaction, message, carried)
        elif (line := line_in(carried, self._commands.table)) is not None:
            # Under words for all everybody who clicks has an answer of their own.
            await self._command(
                interaction, CommandInput(command=line.name, arguments=line.arguments)
            )
        else:
            await self._tell(interaction, "command.button_gone")

    async def _own_click(
        self, interaction: Interaction, message: discord.Message, carried: str
    ) -> None:
        if carried == CANCEL:
            await self._close(interaction, "command.cancelled")
        elif (turn := turn_in(carried)) is not None:
            page = self._pages.at(turn, str(interaction.user.id))
            await self._turn(interaction, page)
        elif (line := line_in(carried, self._commands.table)) is not None:
            asked = CommandInput(command=line.name, arguments=line.arguments)
            await self._act(interaction, message.id, asked)
        else:
            await self._close(interaction, "command.button_gone")

    async def _act(self, interaction: Interaction, message: int, asked: CommandInput) -> None:
        """Do what a button says: its buttons go at once, and one click at a time counts."""
        if message in self._under_way:
            await acknowledged(interaction, interaction.response.defer)
            return
        if not self._is_admitted(interaction):
            await self._tell(interaction, "rates.command_refused")
            return
        self._under_way.add(message)
        try:
            without_buttons = partial(interaction.response.edit_message, view=None)
            await self._answer(interaction, asked, await acknowledged(interaction, without_buttons))
        finally:
            self._under_way.discard(message)

    def _is_admitted(self, interaction: Interaction) -> bool:
        """Whether it does not come too fast; what Discord says no place of is told so later."""
        try:
            return self._commands.admits(*self._invoking.origin(interaction))
        except NoChannel:
            return True

    async def _answer(
        self, interaction: Interaction, asked: CommandInput, known: Acknowledgement
    ) -> None:
        """Answer what Discord knows to be answered, or may know.

        If it turns out not to, the caller was told that it failed: then the answer comes as a
        message. What was refused at once is not done: it may have been asked long ago.
        """
        if known is Acknowledgement.REFUSED:
            return
        locale = self._invoking.language(interaction)
        answer = await self._said(interaction, asked, locale)
        if answer is None:
            return
        limit = interaction.filesize_limit
        reader = PageReader(account=str(interaction.user.id), locale=locale, file_limit=limit)
        plain = AnswerPage(content=say("command.failed", locale))
        shown = await show(interaction, (self._pages.first(answer, reader), plain))
        if known is Acknowledgement.UNCLEAR and not shown:
            await self._direct.tell(interaction, answer, locale)

    async def _said(
        self, interaction: Interaction, asked: CommandInput, locale: str
    ) -> Answer | None:
        if asked.command not in self._commands.table:
            return Answer(text=say("command.gone", locale))
        with Boundary("command.failed", command=asked.command):
            return await self._commands.call(await self._invoking.invoked(interaction, asked))
        return Answer(text=say("command.failed", locale))

    async def _turn(self, interaction: Interaction, page: AnswerPage | None) -> None:
        if page is None:
            await self._tell(interaction, "command.pages_gone")
            return
        content, view = page.content, view_of_page(page)
        edit = partial(interaction.response.edit_message, content=content, view=view)
        await acknowledged(interaction, partial(edit, allowed_mentions=NO_MENTIONS))

    async def _close(self, interaction: Interaction, text: str) -> None:
        """Put a sentence in the place of a message and its buttons."""
        content = say(text, self._invoking.language(interaction))
        edit = partial(interaction.response.edit_message, content=content, attachments=[])
        await acknowledged(interaction, partial(edit, view=None))

    async def _tell(self, interaction: Interaction, text: str) -> None:
        """Say a sentence beside a message that stays as it is."""
        content = say(text, self._invoking.language(interaction))
        tell = partial(interaction.response.send_message, content, ephemeral=True)
        await acknowledged(interaction, tell)


def choices_of(proposals: Sequence[Choice]) -> list[app_commands.Choice[str]]:
    """Proposals as Discord takes them: short ones, each of another name."""
    named: dict[str, str] = {}
    for proposal in proposals:
        if 0 < len(proposal.value) <= LONGEST_CHOICE and proposal.value not in named.values():
            named[_unlike(_short(proposal.label) or proposal.value, named)] = proposal.value
    return [app_commands.Choice(name=name, value=value) for name, value in named.items()]


def _unlike(name: str, others: Collection[str]) -> str:
    """The name, numbered where another one is the same."""
    numbered = (f"{_short(name, LONGEST_CHOICE - 5)} ({n})" for n in range(2, len(others) + 2))
    return next(one for one in (name, *numbered) if one not in others)


def _short(label: str, limit: int = LONGEST_CHOICE) -> str:
    line = " ".join(label.split())
    return line if len(line) <= limit else f"{line[: limit - 1]}…"


def _is_theirs(interaction: Interaction, message: discord.Message) -> bool:
    """Whether a message was an answer to the one who clicks, or is for all."""
    asked = message.interaction_metadata
    return asked is None or asked.user.id == interaction.user.id

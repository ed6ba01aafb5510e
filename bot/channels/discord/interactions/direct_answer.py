"""An answer by another way: where Discord takes none in the place of what was asked."""

from collections.abc import Awaitable, Sequence

import discord
import structlog

from bot.channels.discord.interactions.invocation import Interaction
from bot.channels.discord.outbound.sender import Form, Sender
from bot.channels.discord.service.http import RequestRefused, requested
from bot.channels.discord.service.markup import MARKUP, TEXT_LIMIT
from bot.conversation.splitting import cut
from bot.errors import DeliveryFailed, DeliveryRefused
from bot.model.commands import Answer
from bot.platforms.paged_answer import in_words
from bot.texts.catalogue import say

log = structlog.get_logger()

LIMIT_S = 30
"""Seconds to open a direct channel."""


class DirectAnswers:
    """Sends the answer of a command to the caller alone, as it would have been seen by them alone.

    Where they take no direct messages, a sentence in the channel says that there is an answer, and
    nothing of what it says.
    """

    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    async def tell(self, interaction: Interaction, answer: Answer, locale: str) -> None:
        """Send an answer once; what cannot be sent is logged and given up."""
        try:
            channel = await self._direct_channel(interaction)
            await self._send(interaction, channel, _forms(interaction, answer, locale))
        except (RequestRefused, DeliveryRefused) as refusal:
            log.info("answer.refused", interaction=interaction.id, reason=str(refusal))
            await self._say_so(interaction, locale)
        except DeliveryFailed as error:
            log.warning("answer.lost", interaction=interaction.id, reason=str(error))
        else:
            log.info("answer.redirected", interaction=interaction.id)

    async def _direct_channel(self, interaction: Interaction) -> int:
        if interaction.guild_id is None and interaction.channel_id is not None:
            return interaction.channel_id
        user = discord.Object(interaction.user.id)
        opening: Awaitable[discord.DMChannel] = interaction.client.create_dm(user)
        return (await requested(opening, limit_s=LIMIT_S)).id

    async def _send(self, interaction: Interaction, channel: int, forms: Sequence[Form]) -> None:
        """Post parts in order; each has a nonce, so that one sent again appears once."""
        for number, form in enumerate(forms):
            await self._sender.post(channel, form, f"interaction:{interaction.id}:{number}")

    async def _say_so(self, interaction: Interaction, locale: str) -> None:
        if interaction.guild_id is None or interaction.channel_id is None:
            return
        user = interaction.user
        form = Form(text=say("command.unanswered", locale, who=user.mention), calls=user.id)
        try:
            await self._send(interaction, interaction.channel_id, [form])
        except DeliveryFailed as error:
            log.warning("answer.lost", interaction=interaction.id, reason=str(error))


def _forms(interaction: Interaction, answer: Answer, locale: str) -> list[Form]:
    """An answer as messages, with what it answers; the last one has the file."""
    data = dict(interaction.data or {})
    about = say("command.late", locale, command=str(data.get("name", "")))
    texts = cut(f"{about}\n{in_words(answer, locale)}", TEXT_LIMIT, MARKUP)
    return [
        Form(text=text, file=answer.file if number == len(texts) else None)
        for number, text in enumerate(texts, start=1)
    ]

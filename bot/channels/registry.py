"""Every channel to a service elsewhere: a line for each."""

from bot.channels.discord.plugin import DiscordPlugin
from bot.channels.matrix.plugin import MatrixPlugin
from bot.channels.telegram.plugin import TelegramPlugin
from bot.channels.whatsapp.plugin import WhatsappPlugin
from bot.platforms.plugin import AnyChannel

CHANNELS: tuple[AnyChannel, ...] = (
    DiscordPlugin(),
    TelegramPlugin(),
    WhatsappPlugin(),
    MatrixPlugin(),
)  # fmt: skip
"""Each takes the section of the settings that has its name."""

"""What Discord makes of the signs in a text. Pure."""

from bot.conversation.splitting import quiet_mentions
from bot.ports import Markup

TEXT_LIMIT = 2000
"""Code points that Discord takes in one message."""

MARKUP = Markup(
    blocks=True,
    # What it writes between angle brackets: emoji, accounts, roles, channels, times, commands.
    tokens=r"<(?:a?:\w+:\d+|@\u200b?[!&]?\d+|#\d+|t:-?\d+(?::\w)?|id:\w+|/[^\n<>:]{1,100}:\d+)>",
    quieted=quiet_mentions,
)

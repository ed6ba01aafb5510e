"""What Matrix makes of the signs in a text. Pure."""

import re

from bot.ports import Markup

TEXT_LIMIT = 4000
"""UTF-16 units of one message. An event has at most 65,536 bytes, in which the words stand twice,
as they are and as HTML, and a third larger where they are encrypted."""

_CALLS_ALL = re.compile(r"@(?=room)", re.IGNORECASE)


def quieted(text: str) -> str:
    """The text without what older clients take for a call to the whole room."""
    return _CALLS_ALL.sub("@\u200b", text)


MARKUP = Markup(blocks=True, tokens="", quieted=quieted)

"""Files that came with a message: noted in its text by name and type. Pure."""

import re
from collections.abc import Sequence

from bot.model.events import Attachment
from bot.texts.sanitizing import plain

LONGEST_FILE_NAME = 80
"""Characters of a file's name that are noted."""

MOST_NOTED = 10
"""Files noted of one message; no platform takes more."""

_MARKS = re.compile(r"[\[\]<>‹›•]|\s")
_TYPE = re.compile(r"^[\w.+-]+/[\w.+-]+")


def noted(text: str, attachments: Sequence[Attachment]) -> str:
    """The text, and a line for each file: `[cat.png, image/png]`."""
    return "\n".join(filter(None, (text, *map(_note, attachments[:MOST_NOTED]))))


def _note(attachment: Attachment) -> str:
    name = " ".join(_MARKS.sub(" ", plain(attachment.name)).split())[:LONGEST_FILE_NAME].strip()
    kind = _TYPE.match(attachment.media_type)
    return f"[{', '.join(filter(None, (name or 'file', kind and kind[0])))}]"

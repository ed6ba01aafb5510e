"""The link that invites the pet to a server, with the permissions it needs and no others. Pure."""

from base64 import urlsafe_b64decode
from binascii import Error as NotBase64
from collections.abc import Mapping

import discord

SCOPES = ("bot", "applications.commands")
"""To be a member of the server, and to have commands of its own there."""

NEEDED: Mapping[str, str] = {
    "view_channel": "to read along, and to know which channels there are",
    "send_messages": "to answer",
    "send_messages_in_threads": "to answer in threads, which the permission above does not cover",
    "read_message_history": "to answer as a reply, and to read what was said while it was away",
    "add_reactions": "to answer by an emoji alone",
    "attach_files": "to show its face as a picture, and to hand over what somebody exports",
}
"""Each permission by its name in discord.py, with what it is for.

Not asked for: links that it writes need no preview (embed_links), it mentions no group
(mention_everyone), and it changes nothing of others (manage_messages and the like).
"""


def permissions() -> discord.Permissions:
    """The permissions that are needed."""
    return discord.Permissions(**dict.fromkeys(NEEDED, True))


def invite_url(client_id: int) -> str:
    """Where a manager of a server lets the pet in."""
    return discord.utils.oauth_url(client_id, permissions=permissions(), scopes=SCOPES)


def client_id_in(token: str) -> int | None:
    """The id that the first part of a token stands for, in base64; None where it is no token.

    It is the id of the bot's account, which is the application's but for the oldest bots.
    """
    first = token.strip().partition(".")[0]
    try:
        text = urlsafe_b64decode(first + "=" * (-len(first) % 4)).decode("ascii")
    except (NotBase64, ValueError):
        return None
    return int(text) if text.isdecimal() else None

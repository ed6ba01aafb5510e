"""The section of the settings about Telegram."""

import re
from typing import Annotated, Literal

from pydantic import Field

from config.sections.channel import ChannelSection
from config.sections.section import PlainName
from config.sections.validators import HttpAddress, Key, like

_ACCOUNT = re.compile(r"[-\d*?]+")
_ROOM = re.compile(r"-?\d+(?::\d+)?")

RoleChoice = Literal["lobby", "pet", "mention", "ignored"]


PublicAddress = Annotated[
    str,
    like(
        r"https://[^\s/?#@]+",
        "must be an address such as https://eko.example, with nothing behind the name",
    ),
]


class TelegramSettings(ChannelSection):
    """Telegram, where there is a bot token."""

    token: Annotated[Key | None, PlainName("TELEGRAM_TOKEN")] = Field(
        None, description="The token that @BotFather gave; without one the pet is not on Telegram."
    )
    default_role: RoleChoice = Field(
        "lobby", description="What it does in groups for which nothing else was chosen."
    )
    expression: Literal["emoji", "none"] = Field(
        "emoji", description="Whether its face is shown behind its words."
    )
    greeting: bool = Field(
        default=True,
        description="Whether it says on joining a group how it observes and how to opt out.",
    )
    webhook_url: PublicAddress | None = Field(
        None, description="The pet's own public address, for Telegram to call; without it it asks."
    )
    api_url: HttpAddress | None = Field(
        None, description="Another server that speaks the same requests, for trials."
    )

    @classmethod
    def check_account(cls, account: str) -> None:
        """Accounts have numbers; names there may change hands.

        Raises:
            ValueError: with where the number is found.

        """
        if not _ACCOUNT.fullmatch(account):
            raise ValueError(
                "must be a number after telegram: (the pet tells it: send it /start), as in "
                '"telegram:123456789"'
            )

    @classmethod
    def check_room(cls, room: str) -> None:
        """So have groups; a topic has the number of its group and its own.

        Raises:
            ValueError: with where the number is found.

        """
        if not _ROOM.fullmatch(room):
            raise ValueError(
                "must be the group's number, or GROUP:TOPIC (`eko rooms` lists them), as in "
                '"-1001234567890"'
            )

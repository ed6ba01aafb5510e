"""The section of the settings about Telegram."""

import re
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from config.sections.channel import AddressForm, ChannelSection
from config.sections.section import HttpAddress, Key, PlainName, like

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

    accounts: ClassVar[AddressForm] = AddressForm(
        pattern=re.compile(r"[-\d*?]+"),
        words="must be a number after telegram: (the pet tells it: send it /start), as in "
        '"telegram:123456789"',
    )
    """Accounts have numbers; names there may change hands."""

    rooms: ClassVar[AddressForm] = AddressForm(
        pattern=re.compile(r"-?\d+(?::\d+)?"),
        words="must be the group's number, or GROUP:TOPIC (see `eko observe list`), as in "
        '"-1001234567890"',
    )
    """A topic has the number of its group and its own."""

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

"""The section of the settings about Discord."""

import re
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from config.sections.channel import AddressForm, ChannelSection
from config.sections.section import HttpAddress, Key, PlainName, like

EveryoneRole = Annotated[
    str,
    like(
        r"\d+:\d+",
        "must be the numbers of a server and of one of its roles, with a colon between them "
        "(right-click > Copy Server ID, Copy Role ID, in developer mode)",
    ),
]

RoleChoice = Literal["lobby", "pet", "mention", "ignored"]


class DiscordSettings(ChannelSection):
    """Discord, where there is a bot token."""

    accounts: ClassVar[AddressForm] = AddressForm(
        pattern=re.compile(r"[\d*?]*"),
        words="must be a number after discord: (right-click somebody > Copy User ID, in "
        'developer mode), as in "discord:123456789012345678"',
    )
    """Accounts have numbers and no names."""

    rooms: ClassVar[AddressForm] = AddressForm(
        pattern=re.compile(r"\d+"),
        words="must be the channel's number (right-click it > Copy Channel ID, in developer mode)",
    )

    token: Annotated[Key | None, PlainName("DISCORD_TOKEN")] = Field(
        None, description="The bot's token; without one the pet is not on Discord."
    )
    default_role: RoleChoice = Field(
        "lobby",
        description="What it does in a server's channels for which nothing else was chosen.",
    )
    everyone_roles: tuple[EveryoneRole, ...] = Field(
        (),
        description="The role that stands for everybody, SERVER:ROLE, where @everyone sees little.",
    )
    expression: Literal["emoji", "picture", "none"] = Field(
        "emoji", description="How its face is shown with an answer: behind the words, or attached."
    )
    greeting: bool = Field(
        default=True,
        description="Whether it says on joining a server how it observes and how to opt out.",
    )
    catch_up_hours: float = Field(
        24, ge=0, le=720, description="Hours it reads back after it was away, at most; 0 is none."
    )
    catch_up_messages: int = Field(
        2000, ge=0, le=100_000, description="Messages it reads back in one channel, at most."
    )
    api_url: HttpAddress | None = Field(
        None, description="Another server that speaks the same requests, for trials."
    )

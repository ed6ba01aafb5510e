"""The section of the settings about Discord."""

import re
from typing import Annotated, ClassVar, Literal, Self
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, SecretStr, model_validator

from config.sections.channel import AddressForm, ChannelSection
from config.sections.section import LOOPBACK, HttpAddress, Key, Origin, PlainName, like

EveryoneRole = Annotated[
    str,
    like(
        r"\d+:\d+",
        "must be the numbers of a server and of one of its roles, with a colon between them "
        "(right-click > Copy Server ID, Copy Role ID, in developer mode)",
    ),
]

MOST_SHARDS = 48
"""Shards of one process: they begin five seconds apart, and what was missed is read back after."""


def _checked_shards(text: str) -> str:
    """A text such as "0-3/16", of shards that there are."""
    numbers, _, total = text.partition("/")
    first, _, last = numbers.partition("-")
    if text and not int(first or 0) <= int(last or first or 0) < int(total or 0):
        raise ValueError("must name shards that there are: 0-3/16 are the first four of sixteen")
    if text and int(last or first) - int(first) >= MOST_SHARDS:
        raise ValueError(
            f"must name at most {MOST_SHARDS} shards: give the rest to other processes"
        )
    return text


Shards = Annotated[
    str,
    like(
        r"(\d{1,5}(-\d{1,5})?/\d{1,5})?",
        'must be empty, or shards of all as in "0-3/16" or "5/16"',
    ),
    AfterValidator(_checked_shards),
]

LEAST_KEY = 24
"""Characters of the key of siblings: who has it can ask in the name of anybody."""


def _checked_key(key: SecretStr) -> SecretStr:
    if len(key.get_secret_value()) < LEAST_KEY:
        raise ValueError(
            f"must have {LEAST_KEY} characters at least: openssl rand -hex 32 makes one"
        )
    return key


SiblingKey = Annotated[Key, AfterValidator(_checked_key)]

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

    @property
    def has_direct(self) -> bool:
        """Whether shard 0 is of this process: Discord sends direct messages there."""
        return not self.shards or self.shards.startswith(("0-", "0/"))

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
    shards: Shards = Field(
        "",
        description="The shards of this process, as 0-3/16 for the first four of sixteen; empty is "
        "all that Discord advises (docs/shards.md).",
    )
    siblings: tuple[Origin, ...] = Field(
        (),
        description="Addresses of the pages of the pet's other processes, such as "
        "http://127.0.0.1:8788 (docs/shards.md).",
    )
    sibling_key: SiblingKey | None = Field(
        None, description="What the pet's processes show each other: the same secret in each."
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
    read_back_days: int = Field(
        30,
        ge=0,
        le=365,
        description="Days from before it came that those who manage a channel may have it read, "
        "an hour after the channel was told; 0 lets nobody.",
    )
    read_back_messages: int = Field(
        5000, ge=1, le=50_000, description="Messages that it reads in one channel then, at most."
    )
    api_url: HttpAddress | None = Field(
        None, description="Another server that speaks the same requests, for trials."
    )

    @property
    def open_siblings(self) -> tuple[str, ...]:
        """The siblings on other machines to which a request would go without TLS."""
        return tuple(
            one
            for one in self.siblings
            if one.lower().startswith("http:") and urlsplit(one).hostname not in LOOPBACK
        )

    @model_validator(mode="after")
    def _siblings_are_told(self) -> Self:
        if self.siblings and not self.shards:
            raise ValueError("siblings have other shards: say by shards which this process has")
        if self.siblings and self.sibling_key is None:
            raise ValueError("siblings need a sibling_key, the same in each process")
        return self

    @model_validator(mode="after")
    def _has_token(self) -> Self:
        if self.shards and self.token is None:
            raise ValueError("shards are of a bot: set DISCORD_TOKEN, or leave them out")
        return self

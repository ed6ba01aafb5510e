"""The section of the settings about Matrix."""

import re
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from config.sections.channel import AddressForm, ChannelSection
from config.sections.section import Key, PlainName, like

_USER = r"@[^\s:]+:[^\s]+"

Homeserver = Annotated[
    str,
    like(
        r"https://[^\s/?#@]+/?|http://(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?/?",
        "must be an address such as https://matrix.example.org; without encryption only on this "
        "machine",
    ),
]
UserId = Annotated[str, like(_USER, 'must look like "@eko:example.org"')]
Inviter = Annotated[
    str, like(rf"{_USER}|\*:[^\s:*]\S*", 'must look like "@ana:example.org" or "*:example.org"')
]


class MatrixSettings(ChannelSection):
    """Matrix, where there is a homeserver and an account on it."""

    accounts: ClassVar[AddressForm] = AddressForm(
        pattern=re.compile(rf"\*|{_USER}"),
        words='must be an account with its server after matrix:, as in "matrix:@ana:example.org"',
    )
    """Accounts are named with their server."""

    rooms: ClassVar[AddressForm] = AddressForm(
        pattern=re.compile(r"![^\s/]+(?:/\$[^\s]+)?"),
        words='must be the id of the room, as in "!abc:example.org" (in Element: room settings > '
        "Advanced > Internal room ID)",
    )

    homeserver: Homeserver | None = Field(
        None, description="The address of the account's server; without one it is not on Matrix."
    )
    user_id: UserId | None = Field(
        None, description="The pet's account; with an access token it need not be said."
    )
    access_token: Annotated[Key | None, PlainName("MATRIX_TOKEN")] = Field(
        None, description="The access token of a session of its own."
    )
    password: Annotated[Key | None, PlainName("MATRIX_PASSWORD")] = Field(
        None,
        description="Or the password: used once, to begin a session that is then kept, and where "
        "the server asks for it before it takes cross-signing keys.",
    )
    replace_signing_keys: bool = Field(
        default=False,
        description="Whether it makes cross-signing keys of its own where another client has set "
        "up others; needs the password. For one start.",
    )
    device_name: str = Field(
        "Eko", min_length=1, max_length=100, description="What the session is called there."
    )
    allowed: tuple[Inviter, ...] = Field(
        (), description="Whose invitations it accepts: accounts, or *:SERVER for all of one server."
    )
    default_role: Literal["lobby", "pet", "mention", "ignored"] = Field(
        "lobby", description="What it does in rooms for which nothing else was chosen."
    )
    expression: Literal["emoji", "none"] = Field(
        "emoji", description="Whether its face is shown behind its words."
    )
    greeting: bool = Field(
        default=True,
        description="Whether it says on joining a community how it observes and how to opt out.",
    )
    catch_up_hours: float = Field(
        24, ge=0, le=720, description="Hours it reads back after it was away, at most; 0 is none."
    )
    catch_up_messages: int = Field(
        2000, ge=0, le=100_000, description="Messages it reads back in one room, at most."
    )
    read_back_days: int = Field(
        30,
        ge=0,
        le=365,
        description="Days from before it came that those who manage a room may have it read, "
        "an hour after the room was told; 0 lets nobody.",
    )
    read_back_messages: int = Field(
        5000, ge=1, le=50_000, description="Messages that it reads in one room then, at most."
    )

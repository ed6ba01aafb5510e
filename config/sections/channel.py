"""What the section of every channel is, and what accounts and rooms of its platform look like."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ValidationInfo
from pydantic_core import PydanticKnownError

from config.sections.section import SettingsSection
from config.sections.validators import like

LOCAL = "local"
"""The platform of the rooms on this machine, the page's and the terminal's."""


class ChannelSection(SettingsSection):
    """The settings of one channel; the name they have among all settings is its platform's."""

    @classmethod
    def check_account(cls, account: str) -> None:
        """Refuse what cannot be an account there; `*` stands for any.

        Raises:
            ValueError: with what it must be.

        """

    @classmethod
    def check_room(cls, room: str) -> None:
        """Refuse what cannot be a room there.

        Raises:
            ValueError: with what it must be.

        """


Channels = Mapping[str, type[ChannelSection]]


def channels_in(model: type[BaseModel]) -> Channels:
    """The sections of channels that there are among settings, by their platforms."""
    return {
        name: held
        for name, field in model.model_fields.items()
        if isinstance(held := field.annotation, type) and issubclass(held, ChannelSection)
    }


def channels(info: ValidationInfo) -> Channels:
    """The channels by which what is read is judged."""
    context: Any = info.context
    return context or {}


def _known_platform(platform: str, info: ValidationInfo) -> str:
    names = (LOCAL, *channels(info))
    if info.context is not None and platform not in names:
        expected = " or ".join((", ".join(map(repr, names[:-1])), repr(names[-1])))
        raise PydanticKnownError("literal_error", {"expected": expected})
    return platform


def _known_account(identity: str, info: ValidationInfo) -> str:
    platform, _, account = identity.partition(":")
    if platform in channels(info):
        channels(info)[platform].check_account(account)
    return identity


PLATFORM = AfterValidator(_known_platform)
"""Marks the name of a platform that has rooms."""

PlatformName = Annotated[str, PLATFORM]
Identity = Annotated[
    str,
    like(r"[a-z]+:\S+", 'must look like platform:id, as in "console:*"'),
    AfterValidator(_known_account),
]

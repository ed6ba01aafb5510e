"""What the section of every channel is, and what accounts and rooms of its platform look like."""

import re
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, NamedTuple

from pydantic import AfterValidator, BaseModel, ValidationInfo
from pydantic_core import PydanticKnownError

from config.sections.section import SettingsSection, like

LOCAL = "local"
"""The platform of the rooms on this machine, the page's and the terminal's."""


class AddressForm(NamedTuple):
    """A pattern that a text must match as a whole, and what to say of one that does not."""

    pattern: re.Pattern[str]
    words: str

    def check(self, text: str) -> None:
        """Refuse a text of another form.

        Raises:
            ValueError: with what it must be.

        """
        if not self.pattern.fullmatch(text):
            raise ValueError(self.words)


class ChannelSection(SettingsSection):
    """The settings of one channel; the name they have among all settings is its platform's."""

    accounts: ClassVar[AddressForm] = AddressForm(pattern=re.compile(r"(?s).*"), words="")
    """What accounts there look like; `*` stands for any."""

    rooms: ClassVar[AddressForm] = AddressForm(pattern=re.compile(r"(?s).*"), words="")
    """What rooms there look like."""

    @property
    def has_direct(self) -> bool:
        """Whether this process is the one that people of the platform write to alone."""
        return True


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
        channels(info)[platform].accounts.check(account)
    return identity


PLATFORM = AfterValidator(_known_platform)
"""Marks the name of a platform that has rooms."""

PlatformName = Annotated[str, PLATFORM]
Identity = Annotated[
    str,
    like(r"[a-z]+:\S+", 'must look like platform:id, as in "console:*"'),
    AfterValidator(_known_account),
]

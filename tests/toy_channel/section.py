"""What can be chosen about the telegraph: the one settings file of the channel."""

import re
from typing import ClassVar

from pydantic import Field

from config.sections.channel import AddressForm, ChannelSection


class TelegraphSettings(ChannelSection):
    """A telegraph, where there is a station."""

    accounts: ClassVar[AddressForm] = AddressForm(
        pattern=re.compile(r"[^a-z]*"), words="must be a call sign in capitals"
    )
    """Call signs."""

    station: str | None = Field(
        None, description="The port of the station on this machine; without one it is not used."
    )

"""The section of the settings about WhatsApp."""

import re
from typing import Annotated

from pydantic import Field

from config.sections.channel import ChannelSection
from config.sections.section import PlainName
from config.sections.validators import HttpAddress, Key

_AGENT_ACCOUNT = re.compile(r"user:\S+|\*")
"""How the Agent Platform writes accounts, and the talks with them."""


class WhatsappSettings(ChannelSection):
    """WhatsApp, where there is an agent's key."""

    agent_key: Annotated[Key | None, PlainName("WHATSAPP_AGENT_KEY")] = Field(
        None, description="The API key of an agent of Meta's Agent Platform; without, it is unused."
    )
    agent_sends_per_minute: int = Field(
        12, ge=1, le=6000, description="Messages an agent may send in a minute, as Meta says."
    )
    agent_polls_per_minute: int = Field(
        15, ge=1, le=6000, description="Requests for news an agent may make in a minute."
    )
    agent_api_url: HttpAddress | None = Field(
        None, description="Another server that speaks the same requests, for trials."
    )

    @classmethod
    def check_account(cls, account: str) -> None:
        """Accounts have ids and no numbers of telephones.

        Raises:
            ValueError: with what an id looks like.

        """
        if not _AGENT_ACCOUNT.fullmatch(account):
            raise ValueError('must be as the Agent Platform writes it, as in "whatsapp:user:*"')

    @classmethod
    def check_room(cls, room: str) -> None:
        """So have talks.

        Raises:
            ValueError: with what an id looks like.

        """
        cls.check_account(room)

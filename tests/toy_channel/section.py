"""What can be chosen about the telegraph: the one settings file of the channel."""

from pydantic import Field

from config.sections.channel import ChannelSection


class TelegraphSettings(ChannelSection):
    """A telegraph, where there is a station."""

    station: str | None = Field(
        None, description="The port of the station on this machine; without one it is not used."
    )

    @classmethod
    def check_account(cls, account: str) -> None:
        """Refuse what is no call sign.

        Raises:
            ValueError: it is not in capitals.

        """
        if account != account.upper():
            raise ValueError("must be a call sign in capitals")

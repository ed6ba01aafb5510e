"""The options of a pet on the Cloud API. Values."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

PLATFORM = "whatsapp"
"""The platform of its rooms and accounts."""

TEXT_LIMIT = 4096
"""Characters of a text message, by the documentation of text messages."""

GRAPH_URL = "https://graph.facebook.com"
"""Where the Graph API is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CloudSendingRules:
    """How the face is shown, and how many seconds requests and waits may take.

    `waits_s` are the waits before a message is sent again that was too much at once, where Meta
    names none. `receipt_s` is how long a sign of life is waited for of a message that was sent
    without an answer.
    """

    face: Literal["emoji", "none"] = "emoji"
    limit_s: float = 30
    signal_limit_s: float = 5
    waits_s: Sequence[float] = (1, 4)
    receipt_s: float = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class CloudOptions:
    """The account of the pet, and whom it answers. Without `app_secret` nothing is received.

    `business_account_id` is asked of Meta where it is "". `folder` keeps what the next start needs.
    """

    access_token: str = field(repr=False)
    phone_number_id: str
    business_account_id: str = ""
    app_secret: str = field(default="", repr=False)
    verify_token: str = field(default="", repr=False)
    allowed: tuple[str, ...] = ()
    locale: str = "en"
    api_version: str = "v25.0"
    api_url: str | None = None
    sending: CloudSendingRules = field(default_factory=CloudSendingRules)
    folder: Path | None = None

    @property
    def url(self) -> str:
        """Where requests go, with a slash behind it."""
        return f"{(self.api_url or GRAPH_URL).rstrip('/')}/{self.api_version}/"
